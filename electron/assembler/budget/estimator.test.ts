import { describe, expect, test } from 'vitest';
import type { LlmMessage } from '../types.ts';
import { CHARS4, COVEL_ESTIMATOR, messagesTokens, messageTokens } from './estimator.ts';

describe('estimators', () => {
  test.each([
    ['40 ASCII', 'a'.repeat(40), 10],
    ['five Han', '灯塔潮汐闸', 5],
    ['five kana', 'あいうえお', 5],
    ['five Hangul', '한국어문장', 5],
    ['4 Han and 8 ASCII', '潮水上涨abcdefgh', 6],
    ['full-width forms', '（！）', 3],
    ['empty', '', 0],
  ])('covel: %s', (_, text, tokens) => expect(COVEL_ESTIMATOR(text)).toBe(tokens));

  test.each([
    ['', 0],
    ['abc', 1],
    ['abcd', 1],
    ['abcde', 2],
    ['灯塔', 1],
  ])('chars4: %j', (text, tokens) => expect(CHARS4(text)).toBe(tokens));
});

describe('messageTokens', () => {
  const units = (text: string): number => text.length; // one token a unit shows exactly what is counted
  test.each<[string, LlmMessage, number]>([
    ['text alone has no overhead', { role: 'user', content: 'abcd' }, 4],
    ['name', { role: 'assistant', content: 'ab', name: 'narrator' }, 2 + '{"name":"narrator"}'.length],
    ['result', { role: 'tool', content: 'ab', toolCallId: 'c1' }, 2 + '{"toolCallId":"c1"}'.length],
    [
      'calls and reasoning',
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'c', name: 'n', arguments: '{}' }],
        reasoningContent: 'why',
      },
      '{"toolCalls":[{"id":"c","name":"n","arguments":"{}"}],"reasoningContent":"why"}'.length,
    ],
    [
      'a continuation costs nothing',
      { role: 'assistant', content: 'ab', providerContinuation: { blocks: ['long'] } },
      2,
    ],
    [
      'text parts joined by newline, 1500 for each picture',
      {
        role: 'user',
        content: [
          { type: 'text', text: 'abc' },
          { type: 'media', ref: { id: 'p', mime: 'image/png', size: 9 } },
          { type: 'image', image: 'x'.repeat(100_000), mediaType: 'image/png' },
        ],
      },
      'abc\n[image]\n[image]'.length + 3000,
    ],
    ['no parts', { role: 'user', content: [] }, 0],
  ])('%s', (_, message, tokens) => expect(messageTokens(message, units)).toBe(tokens));

  test('messages add up, each rounded by itself', () => {
    expect(
      messagesTokens(
        [
          { role: 'user', content: 'a' },
          { role: 'user', content: 'b' },
        ],
        CHARS4,
      ),
    ).toBe(2);
  });
});
