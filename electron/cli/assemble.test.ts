import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Assembled, AssembledWire, ErrorReport } from './testing/contract.ts';
import { runLens } from './testing/run-lens.ts';

vi.setConfig({ testTimeout: 60_000 });

let folder: string;
const lens = (...args: readonly string[]) => runLens(['assemble', ...args], folder);
const input = async (name: string, value: unknown): Promise<string> => {
  const file = join(folder, name);
  await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lens-assemble-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('an input gives the contract’s JSON and nothing beside it', async () => {
  const file = await input('one.json', { promptTemplate: 'Body.', turnInput: { playerMessage: 'Hi.', locale: 'en' } });
  const { code, out, err } = await lens(file, '--json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const report = Assembled.parse(JSON.parse(out));
  expect(report.messages).toEqual([{ role: 'user', content: 'Hi.' }]);
  expect(report.systemPrompt.startsWith(report.frameworkHead)).toBe(true);
  expect(report.segments.map(({ kind }) => kind)).toEqual(['framework-preamble', 'runtime-body', 'player']);
});

test('for people a table of segments', async () => {
  const { code, out } = await lens(await input('two.json', { promptTemplate: 'Body.' }));
  expect(code).toBe(0);
  expect(out).toMatch(/runtime-body +system/);
  expect(out).toContain('Messages behind the system prompt: 1');
});

test.each([
  ['no JSON', '{', 2, 'bad-input'],
  ['a bad field', { promptSegments: [{ content: 'x', position: 'top' }] }, 2, 'bad-input'],
])('%s is refused', async (name, value, code, error) => {
  const ran = await lens(await input(`${name}.json`, value), '--json');
  expect(ran.code).toBe(code);
  expect(ErrorReport.parse(JSON.parse(ran.out)).error.code).toBe(error);
  expect(ran.err.trim().split('\n')).toHaveLength(1);
});

test('a file that is not there', async () => {
  const { code, err } = await lens(join(folder, 'none.json'));
  expect(code).toBe(3);
  expect(err).toContain('none.json');
});

test('a protocol adds what it sends; without a model', async () => {
  const file = await input('three.json', {
    promptTemplate: 'Body.',
    turnInput: { playerMessage: 'Hi.', locale: 'en' },
  });
  const { code, out, err } = await lens(file, '--protocol', 'anthropic-messages-v1', '--json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const { wire, segments } = AssembledWire.parse(JSON.parse(out));
  expect(wire.url).toBe('https://api.anthropic.com/v1/messages');
  const sent = new Set(wire.map.map(({ segment }) => segment));
  expect([...sent].map((segment) => segments.find(({ id }) => id === segment)?.kind)).toEqual([
    'framework-preamble',
    'runtime-body',
    'player',
  ]);
});

test('for people it says where that would go', async () => {
  const { code, out } = await lens(await input('four.json', {}), '--protocol', 'openai-chat-v1', '--lang', 'zh');
  expect(code).toBe(0);
  expect(out).toContain('POST https://api.openai.com/v1/chat/completions');
  expect(out).toMatch(/请求体：\d+ 个字符；字段：model, messages/);
});

test('an unknown protocol is refused, with those that there are', async () => {
  const { code, err } = await lens(await input('five.json', {}), '--protocol', 'openai');
  expect(code).toBe(2);
  expect(err).toContain('protocol');
  expect(err).toContain('google-generative-ai-v1');
});
