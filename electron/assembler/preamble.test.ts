import { describe, expect, test } from 'vitest';
import { completionMode, frameworkPreamble, type CompletionMode } from './preamble.ts';
import { en, zh } from './testing/texts.ts';
import type { RuntimeManifest } from './types.ts';

const runtime = (rest: Partial<RuntimeManifest>): RuntimeManifest => ({ name: 'r', pluginId: 'p', ...rest });
const SCHEMA = { output: { schema: { type: 'object' } } } as const;
const TOOLS = { completeAfterTools: ['update-dimensions', 'skip'] } as const;

const CASES: readonly (readonly [CompletionMode, Partial<RuntimeManifest>])[] = [
  ['story', { outputKind: 'story' }],
  ['story', { outputKind: 'story', requireToolUse: true, ...TOOLS, ...SCHEMA }],
  ['completing-tool', { requireToolUse: true, ...TOOLS }],
  ['completing-tool', { requireToolUse: true, ...TOOLS, ...SCHEMA }],
  ['structured-output', SCHEMA],
  ['structured-output', { ...SCHEMA, requireToolUse: true }],
  ['structured-output', { ...SCHEMA, ...TOOLS }],
  ['runtime-done', {}],
  ['runtime-done', TOOLS],
  ['runtime-done-required', { requireToolUse: true }],
  ['runtime-done-required', { requireToolUse: true, completeAfterTools: [] }],
];

const LINES: Readonly<Record<CompletionMode, number>> = {
  story: 6,
  'completing-tool': 7,
  'structured-output': 6,
  'runtime-done': 7,
  'runtime-done-required': 7,
};

describe('completion mode', () => {
  test.each(CASES)('%s for %j', (mode, manifest) => expect(completionMode(runtime(manifest))).toBe(mode));
});

describe.each(CASES)('preamble for a runtime that ends by %s (%j)', (mode, rest) => {
  const manifest = runtime(rest);
  const chinese = frameworkPreamble(manifest, 'zh-CN', zh);
  const english = frameworkPreamble(manifest, 'en-US', en);

  test('has its three blocks, line by line', () => {
    for (const text of [chinese, english]) {
      const lines = text.split('\n');
      expect(lines).toHaveLength(LINES[mode]);
      expect([0, 3, 5].map((i) => /^\[[A-Z]+\]/.exec(lines[i] ?? '')?.[0])).toEqual([
        '[RUNTIME]',
        '[LANGUAGE]',
        '[COMPLETION]',
      ]);
    }
  });

  test('is in one language', () => {
    for (const line of chinese.split('\n')) expect(line).toMatch(/\p{Script=Han}/u);
    expect(english).not.toMatch(/\p{Script=Han}/u);
  });

  test('names runtime-done only where it ends the run or is ruled out', () => {
    const named = english.includes('runtime-done');
    expect(named).toBe(mode !== 'story' && mode !== 'structured-output');
    expect(chinese.includes('runtime-done')).toBe(named);
  });

  test('names the completing tools and offers no empty exit beside them', () => {
    if (mode !== 'completing-tool') return;
    expect(english).toContain('`update-dimensions` or `skip`');
    expect(chinese).toContain('`update-dimensions`或`skip`');
    expect(english).not.toMatch(/empty text|just call/);
    expect(english).toContain('`runtime-done` is not available');
  });
});

describe('language', () => {
  const manifest = runtime({});
  test('no locale, no preamble', () => {
    expect(frameworkPreamble(manifest, undefined, en)).toBe('');
    expect(frameworkPreamble(manifest, ' ', en)).toBe('');
  });
  test('zh-Hant-TW: English sentences, Traditional Chinese output', () =>
    expect(frameworkPreamble(manifest, 'zh-Hant-TW', en)).toContain('in Traditional Chinese,'));
  test('forced English on zh-CN still asks for Simplified Chinese', () =>
    expect(frameworkPreamble(manifest, 'zh-CN', en)).toContain('in Simplified Chinese,'));
  test('forced Chinese on ru-RU still asks for Russian', () =>
    expect(frameworkPreamble(manifest, 'ru-RU', zh)).toContain('俄语'));
  test('a bare runtime-done records nothing where a tool is required', () =>
    expect(frameworkPreamble(runtime({ requireToolUse: true }), 'en', en)).toContain('records nothing'));
});
