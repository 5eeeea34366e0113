import { describe, expect, test } from 'vitest';
import { image, S, text, U, A, T, C, call, requestOf, tool } from '../fixtures/build-request.ts';
import { prepare } from './prepare.ts';
import { jsonWithoutSentinels, SENTINEL, stringWithoutSentinels, withoutSentinels } from './sentinels.ts';
import { plain, traceRuns } from './traced.ts';

describe('sentinels', () => {
  const half = SENTINEL.length / 2;
  test('also one that lies across two segments', () => {
    const text = traceRuns([
      { text: `a${SENTINEL.slice(0, half)}`, segment: 's1' },
      { text: `${SENTINEL.slice(half)}b`, segment: 's2' },
    ]);
    expect(withoutSentinels(text).runs).toEqual([
      { text: 'a', segment: 's1' },
      { text: 'b', segment: 's2' },
    ]);
  });
  test('also one that taking another out brings together', () => {
    const nested = SENTINEL.slice(0, half) + SENTINEL + SENTINEL.slice(half);
    expect(plain(withoutSentinels(traceRuns([{ text: `a${nested}b`, segment: 's1' }])))).toBe('ab');
    expect(stringWithoutSentinels(`a${nested}b`)).toBe('ab');
  });
  test('in the strings and keys of a value; a value without any stays itself', () => {
    const value = { [`k${SENTINEL}`]: [`v${SENTINEL}`, 1, null, { x: true }] };
    expect(jsonWithoutSentinels(value)).toEqual({ k: ['v', 1, null, { x: true }] });
    const bare = { a: ['b'] };
    expect(jsonWithoutSentinels(bare)).toBe(bare);
  });
  test('JSON of any key keeps it', () => {
    const value = JSON.parse(`{"__proto__":"a${SENTINEL}"}`) as Record<string, string>;
    expect(JSON.stringify(jsonWithoutSentinels(value))).toBe('{"__proto__":"a"}');
  });
});

describe('what every adapter starts from', () => {
  const s = SENTINEL;
  /** Without the names that the fixtures give to segments. */
  const written = (value: unknown): string =>
    JSON.stringify(value, (key, member: unknown) => (key === 'segment' ? undefined : member));
  const request = requestOf({
    system: `a${s}b`,
    messages: [
      S(`c${s}`),
      U(`d${s}`),
      S([text(`e${s}`)]),
      C(`f${s}`, call(`1${s}`, `g${s}`, `{"h":"${s}"}`)),
      T(`1${s}`, `i${s}`),
    ],
    tools: [{ ...tool(`j${s}`, { k: s }), description: `l${s}` }],
    responseFormat: { schema: { m: s }, segment: 'format' },
    metadata: { n: s },
  });
  test('no sentinel stays anywhere', () => expect(written(prepare(request))).not.toContain(s));
  test('leading system text may keep its own', () => {
    const kept = prepare(request, true);
    expect(plain(kept.system)).toBe(`a${s}b`);
    expect(written(kept.messages.slice(1))).not.toContain(s);
    expect(written(kept.messages[0])).toContain(s);
  });
  test('a model that reads text only gets a placeholder for each picture', () => {
    const given = requestOf({ messages: [U([text('see'), image()]), A('ok')], options: { imageInput: false } });
    expect(prepare(given).messages[0]?.content).toMatchObject([
      { type: 'text' },
      { type: 'text', text: { runs: [{ text: '[image]', segment: 'image iVBORw0KGgoA' }] } },
    ]);
    expect(prepare(requestOf({ messages: [U([image()])] })).messages[0]?.content).toMatchObject([{ type: 'image' }]);
  });
});
