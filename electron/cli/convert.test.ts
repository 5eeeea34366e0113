import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CONVERT_CASES } from './testing/convert-cases.ts';
import { Converted, ErrorReport } from './testing/contract.ts';
import { runLens, startLens, finish } from './testing/run-lens.ts';

vi.setConfig({ testTimeout: 60_000 });

let folder: string;
let files = 0;
const lens = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runLens(['convert', ...args], folder, env);
const input = async (value: unknown): Promise<string> => {
  const file = join(folder, `prompt-${++files}.json`);
  await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lens-convert-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('inputs and what is sent, written out by hand', () => {
  test.each(CONVERT_CASES)('$name', async ({ protocol, input: prompt, url, body, warnings = [] }) => {
    const { code, out, err } = await lens([await input(prompt), '--protocol', protocol, '--json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const report = Converted.parse(JSON.parse(out));
    expect(report.body).toEqual(body);
    expect({ protocol: report.protocol, url: report.url }).toEqual({ protocol, url });
    expect(report.warnings.map((said, i) => said.includes(warnings[i] ?? 'nothing more'))).toEqual(
      warnings.map(() => true),
    );
    expect(Object.values(report.headers).filter((value) => value === '…')).toHaveLength(1);
    const ids = new Set(report.segments.map(({ id }) => id));
    expect(report.map.filter(({ segment }) => !ids.has(segment))).toEqual([]);
  });
});

test('the same input twice gives the same bytes', async () => {
  const file = await input(CONVERT_CASES[0]?.input);
  const [one, two] = [
    await lens([file, '--protocol', 'openai-chat-v1', '--json']),
    await lens([file, '--protocol', 'openai-chat-v1', '--json']),
  ];
  expect(one.out).toBe(two.out);
});

test('what is piped in', async () => {
  const child = startLens(['convert', '-', '--protocol', 'openai-chat-v1', '--json'], folder);
  // Nothing can be written to it: its input is closed, so it reads an empty text.
  const { code, out } = await finish(child);
  expect(code).toBe(2);
  expect(ErrorReport.parse(JSON.parse(out)).error.message).toContain('the input');
});

test.each([
  ['en', /Body: \d+ characters; fields: model, messages/, 'Warning: DeepSeek', 'tool-call'],
  ['zh', /请求体：\d+ 个字符；字段：model, messages/, '警告：', '工具调用'],
])('for people, in %s: where it goes, what was left out, the segments', async (language, fields, warning, kind) => {
  const prompt = CONVERT_CASES.find(({ name }) => name.includes('DeepSeek'))?.input;
  const { code, out } = await lens([await input(prompt), '--protocol', 'openai-chat-v1', '--lang', language]);
  expect(code).toBe(0);
  expect(out).toContain('POST https://api.deepseek.com/v1/chat/completions\n');
  expect(out).toContain('authorization: …');
  expect(out).toMatch(fields);
  expect(out).toContain(warning);
  expect(out).toContain(kind);
});

test('the instruction language of the environment', async () => {
  const file = await input({ model: 'm', responseFormat: { schema: {} } });
  const { out } = await lens([file, '--protocol', 'openai-chat-v1', '--json'], { COVEL_INSTRUCTION_LOCALE: 'zh' });
  expect(out).toContain('只回复 JSON');
});

describe('refused', () => {
  test.each([
    ['an unknown protocol', { model: 'm' }, 'openai-chat', 'protocol'],
    ['a field that we do not know', { model: 'm', odd: 1 }, 'openai-chat-v1', 'odd'],
    ['a wrong type', { model: 'm', messages: 'x' }, 'openai-chat-v1', 'messages'],
    ['no JSON', '{"model"', 'openai-chat-v1', 'the input'],
    [
      'a base URL of a private address',
      { model: 'm', options: { baseUrl: 'https://192.168.0.1' } },
      'openai-chat-v1',
      'options.baseUrl',
    ],
  ])('%s', async (_, prompt, protocol, field) => {
    const { code, out, err } = await lens([await input(prompt), '--protocol', protocol, '--json']);
    expect(code).toBe(2);
    expect(ErrorReport.parse(JSON.parse(out)).error).toMatchObject({
      code: 'bad-input',
      message: expect.stringContaining(` ${field}:`),
    });
    expect(err.trim().split('\n')).toHaveLength(1);
  });
  test('no protocol', async () => {
    const { code, err } = await lens([await input({ model: 'm' })]);
    expect(code).toBe(2);
    expect(err).toContain('--protocol is missing');
    expect(err).toContain('convert <prompt.json>');
  });
  test('no file', async () =>
    expect((await lens([join(folder, 'none.json'), '--protocol', 'openai-chat-v1'])).code).toBe(3));
});
