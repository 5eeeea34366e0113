/** The biller of the sample, rule by rule: it is what the simulator's predictions are held against. */
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../shared/model/index.ts';
import { createProvider, type SampleProvider } from './provider.ts';

/** About a thousand tokens a letter. */
const long = (letter: string, tokens = 1000): string => letter.repeat(tokens * 4);
const MARK = { type: 'ephemeral' };
/** Blocks of one user message; a star at the end is a mark. */
const blocks = (...texts: readonly string[]): readonly Json[] =>
  texts.map((text) =>
    text.endsWith('*') ? { type: 'text', text: text.slice(0, -1), cache_control: MARK } : { type: 'text', text },
  );
const claude = (texts: readonly string[], rest: JsonObject = {}): JsonObject => ({
  ...rest,
  messages: [{ role: 'user', content: blocks(...texts) }],
});
const chat = (...texts: readonly string[]): JsonObject => ({
  messages: texts.map((content) => ({ role: 'user', content })),
});

const MINUTE = 60_000;
type Ask = (body: JsonObject, atMinute: number) => readonly [read: number, write: number];
const asks =
  (provider: SampleProvider, protocol: Parameters<SampleProvider['bill']>[1], model: string): Ask =>
  (body, atMinute) => {
    const usage = provider.bill(body, protocol, model, atMinute * MINUTE, 'ok');
    return [usage.cachedInputTokens ?? 0, usage.cacheWriteInputTokens ?? 0];
  };
const anthropic = (model = 'claude-sonnet-4-5'): Ask => asks(createProvider(), 'anthropic-messages-v1', model);
const about = (tokens: number): unknown => expect.toSatisfy((value: number) => Math.abs(value - tokens) < 40);

describe('Claude: explicit marks', () => {
  test('a write, then a read of the same and a write of what was added', () => {
    const ask = anthropic();
    expect(ask(claude([`${long('a', 2000)}*`]), 0)).toEqual([0, about(2000)]);
    expect(ask(claude([`${long('a', 2000)}*`, `${long('b')}*`]), 1)).toEqual([about(2000), about(1000)]);
    expect(ask(claude([`${long('a', 2000)}*`, `${long('b')}*`]), 2)).toEqual([about(3000), 0]);
  });
  test('nothing below the minimum', () => {
    const ask = anthropic();
    expect([ask(claude([`${long('a', 900)}*`]), 0), ask(claude([`${long('a', 900)}*`]), 1)]).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });
  test('five minutes from the start; a read begins them anew', () => {
    const ask = anthropic();
    const body = claude([`${long('a', 2000)}*`]);
    const read = [0, 4, 8.9, 14].map((minute) => ask(body, minute)[0]);
    expect(read).toEqual([0, about(2000), about(2000), 0]);
  });
  test.each([
    [19, 2000],
    [20, 0],
  ])('a mark looks back over twenty blocks, its own among them: %i more blocks', (more, read) => {
    const ask = anthropic();
    const first = long('a', 2000);
    ask(claude([`${first}*`]), 0);
    const rest = Array.from({ length: more }, (_, i) => (i === more - 1 ? 'last*' : `b${i}`));
    expect(ask(claude([first, ...rest]), 1)[0]).toEqual(read === 0 ? 0 : about(read));
  });
  test('readable only after the answer began', () => {
    const ask = anthropic();
    const body = claude([`${long('a', 2000)}*`]);
    ask(body, 0);
    expect([ask(body, 0.001)[0], ask(body, 0.1)[0]]).toEqual([0, about(2000)]);
  });
  test('a forced tool costs the messages, not tools and system', () => {
    const ask = anthropic();
    const body = (rest: JsonObject) =>
      claude(['a*', `${long('b')}*`], { system: blocks(`${long('s', 1500)}*`), ...rest });
    ask(body({}), 0);
    expect(ask(body({ tool_choice: { type: 'any' } }), 1)).toEqual([about(1500), about(1000)]);
    expect(ask(body({}), 2)).toEqual([about(2500), 0]);
  });
  test('another model shares nothing; five marks are refused', () => {
    const provider = createProvider();
    const body = claude([`${long('a', 2000)}*`]);
    asks(provider, 'anthropic-messages-v1', 'claude-sonnet-4-5')(body, 0);
    expect(asks(provider, 'anthropic-messages-v1', 'claude-opus-4-8')(body, 1)[0]).toBe(0);
    expect(() => anthropic()(claude(['a*', 'b*', 'c*', 'd*', 'e*']), 0)).toThrow('5 marks');
  });
});

describe('without marks', () => {
  test.each([
    ['gpt-5.4-mini', 1100, 1024],
    ['gpt-5.4-mini', 1000, 0],
    ['gpt-5.4-mini', 1290, 1280],
    ['gemini-2.5-flash', 2100, 2100],
    ['gemini-2.5-flash', 1900, 0],
  ])('%s reads an equal beginning of %i tokens as %i', (model, shared, read) => {
    const ask = asks(createProvider(), 'openai-chat-v1', model);
    ask(chat(`${long('a', shared)}x`, long('y', 3000)), 0);
    expect(ask(chat(`${long('a', shared)}z`, long('y', 3000)), 9)[0]).toEqual(
      model.startsWith('gpt') ? read : read === 0 ? 0 : about(read),
    );
  });
  test('DeepSeek: A+B, then A+C misses, then A+D reads A; a whole request is a unit too', () => {
    const ask = asks(createProvider(), 'openai-chat-v1', 'deepseek-chat');
    const a = long('a', 500);
    const read = [chat(a, 'b'), chat(a, 'c'), chat(a, 'd'), chat(a, 'd', 'e')].map((body, i) => ask(body, i)[0]);
    expect(read).toEqual([0, 0, about(500), about(510)]);
  });
});
