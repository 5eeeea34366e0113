/** Inputs of the command line's `assemble`, with what seed 1 says must come out, written out by hand. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../shared/model/index.ts';
import { buildContext } from '../assembler/build-context.ts';
import { anyInput } from '../assembler/testing/arbitrary.ts';
import { en } from '../assembler/testing/texts.ts';
import { errorText, lensError } from '../../shared/language/index.ts';
import { assembleJson, reportOf, type AssembleReport } from './assemble.ts';
import { DATA_CASES } from './testing/data-cases.ts';
import { LAYOUT_CASES } from './testing/layout-cases.ts';

async function assembled(input: unknown): Promise<AssembleReport> {
  const result = await assembleJson(JSON.stringify(input), 'resources');
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const at = (report: AssembleReport, path: string): string => {
  let value: unknown = report;
  for (const step of path.slice(1).split('/')) value = (value as JsonObject)[step];
  return String(value);
};

/** `kind: text` of every segment, read back from its spans. */
const spoken = (report: AssembleReport): readonly string[] =>
  report.segments.map(
    ({ kind, spans }) =>
      `${kind}: ${spans.map(({ path, start, end }) => at(report, path).slice(start, end)).join(' + ')}`,
  );

/** Every character of the system prompt and of the messages' texts belongs to exactly one span. */
function checkSpans(report: AssembleReport): void {
  const ends = new Map<string, number>();
  for (const { spans, chars } of report.segments) {
    expect(spans.reduce((sum, { start, end }) => sum + end - start, 0)).toBe(chars);
    for (const { path, start, end } of spans) {
      expect(start).toBe(ends.get(path) ?? 0);
      expect(end).toBeGreaterThan(start);
      ends.set(path, end);
    }
  }
  const paths = [
    '/systemPrompt',
    ...report.messages.flatMap(({ content }, i) =>
      typeof content === 'string'
        ? [`/messages/${i}/content`]
        : content.flatMap((part, at) => (part.type === 'text' ? [`/messages/${i}/content/${at}/text`] : [])),
    ),
  ];
  for (const path of paths) expect(ends.get(path) ?? 0).toBe(at(report, path).length);
}

describe('inputs and what comes out', () => {
  test.each([...LAYOUT_CASES, ...DATA_CASES])(
    '$name',
    async ({ input, system, turnContext = '', messages, segments, rest }) => {
      const report = await assembled(input);
      expect(report.systemPrompt).toBe(system);
      expect(report.turnContext).toBe(turnContext);
      expect(report.messages.map(({ role, content }) => [role, content])).toEqual(messages);
      expect(spoken(report)).toEqual(segments);
      expect(report).toMatchObject({ currentTurnUserMessages: 1, prunedMessageCount: 0, overBudget: false, ...rest });
      checkSpans(report);
    },
  );

  test('origin, volatility and size of a segment', async () => {
    const { segments } = await assembled(
      LAYOUT_CASES.find(({ name }) => name.startsWith('a bookkeeping runtime'))?.input,
    );
    expect(segments.map(({ id, origin, volatility, tokens }) => [id, origin, volatility, tokens.value])).toEqual([
      ['s1', { plugin: null, runtime: null, label: 'preamble', turnId: null }, 'stable', 2],
      [
        's2',
        {
          plugin: 'world-init',
          runtime: 'world-init/dimension-tracker',
          label: 'world-init/dimension-tracker',
          turnId: null,
        },
        'stable',
        6,
      ],
      ['s3', { plugin: 'world-init', runtime: null, label: 'rules', turnId: null }, 'session', 12],
      ['s4', { plugin: 'world-init', runtime: null, label: 'values', turnId: null }, 'turn', 12],
      ['s5', { plugin: null, runtime: null, label: 'player', turnId: 't4' }, null, 1],
    ]);
  });
});

test('any input: every character of prompt and messages belongs to exactly one span', async () => {
  expect.hasAssertions();
  await fc.assert(
    fc.asyncProperty(anyInput, async (given) => checkSpans(reportOf(await buildContext(given, en)))),
    { numRuns: 200 },
  );
});

describe('language', () => {
  const preambleOf = async (turnInput: JsonObject, rest: JsonObject = {}, forced: 'en' | 'zh' | null = null) => {
    const result = await assembleJson(JSON.stringify({ turnInput, ...rest }), 'resources', forced);
    return result.ok ? result.value.frameworkHead : '';
  };
  test('zh-Hant-TW reads English', async () =>
    expect(await preambleOf({ locale: 'zh-Hant-TW' })).toContain('in Traditional Chinese'));
  test('the environment forces, the input wins over it', async () => {
    expect(await preambleOf({ locale: 'zh-CN' }, {}, 'en')).toContain('in Simplified Chinese');
    expect(await preambleOf({ locale: 'ru-RU' }, {}, 'zh')).toContain('俄语');
    expect(await preambleOf({ locale: 'ru-RU' }, { instructionLocale: 'en' }, 'zh')).toContain('in Russian');
  });
});

describe('an input that is refused names the field', () => {
  test.each([
    ['{', 'the input'],
    ['[]', 'the input'],
    ['{"promptTemplate":7}', 'promptTemplate'],
    ['{"promptSegments":[{"content":"x","position":"top"}]}', 'promptSegments[0].position'],
    ['{"promptSegments":[{"content":"x","volatility":"daily"}]}', 'promptSegments[0].volatility'],
    ['{"promptSegments":[{"content":"x","audience":"some"}]}', 'promptSegments[0].audience'],
    ['{"messageHistory":[{"role":"tool","content":""}]}', 'messageHistory[0].role'],
    ['{"completedResults":{"a":7}}', 'completedResults.a'],
    ['{"inputSlots":{"a":{"cardinality":"some"}}}', 'inputSlots.a.cardinality'],
    ['{"estimator":"exact"}', 'estimator'],
    [
      '{"manifest":{"input":{"inject":[{"kind":"runtime","from":"a","field":"b","as":"<a b>"}]}}}',
      'manifest.input.inject[0].as',
    ],
    ['{"manifest":{"input":{"inject":[{"kind":"plugin-data","namespace":"n","as":"<a>"}]}}}', 'store'],
    [
      '{"manifest":{"input":{"inject":[{"kind":"plugin-data","namespace":"_hidden.x","as":"<a>"}]}},"store":{}}',
      'manifest.input.inject[0].namespace',
    ],
    [
      '{"estimator":"covel","contextBudget":{"maxInputTokens":10,"reservedForResponse":10}}',
      'contextBudget.reservedForResponse',
    ],
  ])('%s', async (input, field) => {
    const result = await assembleJson(input, 'resources');
    expect(result).toMatchObject({ ok: false, error: { code: 'bad-input', values: { field } } });
  });

  test('in words of another language too', async () => {
    const inject = [{ kind: 'runtime', from: 'a', field: 'b', as: '<a b>' }];
    const refused = await assembleJson(JSON.stringify({ manifest: { input: { inject } } }), 'resources');
    const { message } = errorText('zh', refused.ok ? lensError('cancelled') : refused.error);
    expect(message).toContain('manifest.input.inject[0].as');
    expect(message).toContain('这不是标签名');
    expect(message).toContain('"<a b>"');
  });

  test('values nested 10,000 deep neither overflow nor get lost', async () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const input = `{"inputSlots":{"a":{"cardinality":"one","value":${deep},"source":{"pluginId":"p","runtimeId":"r"}}}}`;
    const result = await assembleJson(input, 'resources');
    expect(result.ok && result.value.turnContext.includes(deep)).toBe(true);
  });

  test('null is as good as absent', async () => {
    const nothing = await assembled({});
    const nulls = await assembled({
      promptTemplate: null,
      manifest: {},
      turnInput: { locale: null },
      promptSegments: null,
      store: null,
      contextBudget: null,
      estimator: null,
    });
    expect(nulls).toEqual(nothing);
  });
});
