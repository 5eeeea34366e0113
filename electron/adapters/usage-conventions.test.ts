/** The two ways of counting, in every rule of the rules file; and the mistakes that others made with them. */
import { extractUsage, findProvider, type Provider } from '@pydantic/genai-prices';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject, Protocol } from '../../shared/model/index.ts';
import {
  ANTHROPIC,
  anthropic,
  cached,
  CHAT,
  chat,
  GEMINI,
  readUsage,
  RESPONSES,
  rowOf,
  ruleOf,
  rules,
} from './testing/usage.ts';
import { conventionOf, type UsageRule } from './usage-conventions.ts';
import { normaliseUsage } from './usage.ts';

describe('the conventions of the rules', () => {
  const responses = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
    output_tokens: 5,
  };
  test.each<readonly [string, Protocol, Json, readonly (number | null)[]]>([
    ['anthropic', ANTHROPIC, anthropic(30, cached(60, 10)), [30, 60, 10, 5, 100]],
    ['openai-5.6+', CHAT, chat(100, { cached_tokens: 60, cache_write_tokens: 10 }), [30, 60, 10, 5, 100]],
    ['openai-5.6+', RESPONSES, responses, [30, 60, 10, 5, 100]],
    ['openai-pre-5.6', CHAT, chat(100, { cached_tokens: 60 }), [40, 60, null, 5, 100]],
    [
      'openai-pre-5.6',
      RESPONSES,
      { ...responses, input_tokens_details: { cached_tokens: 60 } },
      [40, 60, null, 5, 100],
    ],
    [
      'gemini',
      GEMINI,
      { promptTokenCount: 100, cachedContentTokenCount: 60, candidatesTokenCount: 2, thoughtsTokenCount: 3 },
      [40, 60, null, 5, 100],
    ],
    ['gemini-explicit', GEMINI, { promptTokenCount: 100, candidatesTokenCount: 5 }, [100, null, null, 5, 100]],
    [
      'deepseek',
      CHAT,
      { prompt_tokens: 100, prompt_cache_hit_tokens: 60, prompt_cache_miss_tokens: 40, completion_tokens: 5 },
      [40, 60, null, 5, 100],
    ],
    ['qwen-implicit', CHAT, chat(100, { cached_tokens: 60 }), [40, 60, null, 5, 100]],
    ['qwen-explicit', CHAT, chat(100, { cached_tokens: 60 }), [40, 60, null, 5, 100]],
    ['qwen-explicit', ANTHROPIC, anthropic(40, cached(60, 0)), [40, 60, 0, 5, 100]],
    ['xai', CHAT, chat(100, { cached_tokens: 60 }), [40, 60, null, 5, 100]],
    ['xai', RESPONSES, responses, [30, 60, 10, 5, 100]],
    ['glm', CHAT, chat(100, { cached_tokens: 60 }), [40, 60, null, 5, 100]],
    ['kimi', CHAT, chat(100, { cached_tokens: 60 }), [40, 60, null, 5, 100]],
    ['kimi', CHAT, { prompt_tokens: 100, cached_tokens: 60, completion_tokens: 5 }, [40, 60, null, 5, 100]],
    ['kimi', RESPONSES, responses, [30, 60, 10, 5, 100]],
    ['kimi', ANTHROPIC, anthropic(30, cached(60, 10)), [30, 60, 10, 5, 100]],
    ['minimax', CHAT, chat(100, { cached_tokens: 60 }), [40, 60, null, 5, 100]],
    ['minimax', ANTHROPIC, anthropic(30, cached(60, 10)), [30, 60, 10, 5, 100]],
  ])('%s over %s', (rule, protocol, raw, expected) => {
    expect(rowOf(readUsage(protocol, raw, rule))).toEqual(expected);
    expect(readUsage(protocol, raw, rule)?.problems).toEqual([]);
  });

  test('every rule of the file is read above', () => {
    const ids = rules.map((rule) => rule.id);
    expect(ids).toEqual([
      'anthropic',
      'openai-5.6+',
      'openai-pre-5.6',
      'gemini',
      'gemini-explicit',
      'deepseek',
      'qwen-implicit',
      'qwen-explicit',
      'xai',
      'kimi',
      'glm',
      'minimax',
    ]);
  });

  test('a rule may count the other way than its protocol, and name lifetimes and an output of its own', () => {
    const rule: UsageRule = {
      convention: 'additive',
      uncached: 'usage.fresh',
      read: 'hit',
      write: 'put.all',
      write5m: 'put.short',
      write12h: 'put.long',
      output: 'said',
    };
    const raw = { fresh: 1, hit: 2, put: { all: 7, short: 3, long: 4 }, said: 9, prompt_tokens: 500 };
    const usage = normaliseUsage(raw, conventionOf(CHAT, rule));
    expect(rowOf(usage)).toEqual([1, 2, 7, 9, 10]);
    expect(usage?.writes).toEqual({ '5m': 3, '12h': 4 });
  });

  test('null in a rule counts as left out', () => {
    const none = { total: null, uncached: null, read: null, write: null, write5m: null, write1h: null, output: null };
    const flat: UsageRule = { convention: 'inclusive', ...none, read: 'hit', chat: null, responses: null };
    expect(conventionOf(CHAT, flat)).toEqual(conventionOf(CHAT, { convention: 'inclusive', read: 'hit' }));
    const one: UsageRule = { convention: 'inclusive', chat: { ...none, read: 'hit' }, responses: null };
    expect(conventionOf(CHAT, one)).toEqual(conventionOf(CHAT, flat));
    expect(conventionOf(RESPONSES, one)).toBe(conventionOf(RESPONSES, null));
  });

  test('a rule with fields for other APIs alone leaves the protocol its own', () => {
    expect(conventionOf(ANTHROPIC, ruleOf('openai-5.6+'))).toBe(conventionOf(ANTHROPIC, null));
  });
});

describe('writes by lifetime', () => {
  const split = (short: Json, long: Json): JsonObject => ({
    cache_creation: { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long },
  });
  test.each<readonly [string, JsonObject, number | null, Readonly<Record<string, number>> | null, readonly string[]]>([
    ['both', { ...cached(0, 10), ...split(4, 6) }, 10, { '5m': 4, '1h': 6 }, []],
    ['one of them nothing', { ...cached(0, 10), ...split(10, 0) }, 10, { '5m': 10, '1h': 0 }, []],
    ['only one reported', { ...cached(0, 10), ...split(10, null) }, 10, { '5m': 10 }, []],
    ['not told apart', cached(0, 10), 10, null, []],
    ['null', { ...cached(0, 10), cache_creation: null }, 10, null, []],
    ['no sum: the parts are the write', split(4, 6), 10, { '5m': 4, '1h': 6 }, []],
    ['too little', { ...cached(0, 10), ...split(4, 5) }, 10, null, ['split-differs']],
    ['too much', { ...cached(0, 10), ...split(10, 10) }, 10, null, ['split-differs']],
    ['a broken part', { ...cached(0, 10), ...split(-4, 14) }, 10, null, ['negative']],
    ['a broken sum', { ...cached(0, 'x'), ...split(4, 6) }, null, null, ['not-a-number']],
  ])('%s', (_, more, write, writes, problems) => {
    const usage = readUsage(ANTHROPIC, anthropic(1, more));
    expect([usage?.usage.write, usage?.writes, usage?.problems]).toEqual([write, writes, problems]);
  });

  test('OpenAI Responses tells 30 minutes and 12 hours apart', () => {
    const details = {
      cached_tokens: 0,
      cache_write_tokens: 10,
      cache_write_tokens_details: { ttl_30m_tokens: 7, ttl_12h_tokens: 3 },
    };
    const usage = readUsage(
      RESPONSES,
      { input_tokens: 20, input_tokens_details: details, output_tokens: 1 },
      'openai-5.6+',
    );
    expect(usage?.writes).toEqual({ '30m': 7, '12h': 3 });
  });
});

/** Peers-and-users page, part 2, 15 to 25: how others counted wrongly, and the figures that are right. */
describe('mistakes of the field', () => {
  test.each<readonly [string, Protocol, string | null, Json, readonly (number | null)[]]>([
    [
      '15: cached on top of an input that holds it',
      CHAT,
      null,
      chat(1000, { cached_tokens: 900 }),
      [100, 900, null, 5, 1000],
    ],
    [
      '16: an additive input counted as the whole',
      ANTHROPIC,
      null,
      anthropic(100, cached(900, 0)),
      [100, 900, 0, 5, 1000],
    ],
    [
      '18: a cached count that gets lost',
      CHAT,
      'kimi',
      { prompt_tokens: 1000, cached_tokens: 900 },
      [100, 900, null, null, 1000],
    ],
    [
      '19: only the tail behind the last breakpoint',
      ANTHROPIC,
      null,
      anthropic(4, cached(3900, 96)),
      [4, 3900, 96, 5, 4000],
    ],
    ['20: a negative rest taken for 0', CHAT, null, chat(100, { cached_tokens: 900 }), [null, 900, null, 5, null]],
    [
      '21: twice the prompt once the cache is warm',
      GEMINI,
      null,
      { promptTokenCount: 1000, cachedContentTokenCount: 990 },
      [10, 990, null, null, 1000],
    ],
    ['22: additive usage read as inclusive', ANTHROPIC, 'anthropic', anthropic(10, cached(10, 0)), [10, 10, 0, 5, 20]],
    ['23: writes left out of the whole', ANTHROPIC, null, anthropic(3, cached(497, 500)), [3, 497, 500, 5, 1000]],
    [
      '24: 0 where the wire says 2560',
      RESPONSES,
      null,
      { input_tokens: 3000, input_tokens_details: { cached_tokens: 2560 } },
      [440, 2560, null, null, 3000],
    ],
    [
      '25: writes counted twice, as a sum and by lifetime',
      ANTHROPIC,
      null,
      anthropic(10, {
        ...cached(0, 90),
        cache_creation: { ephemeral_5m_input_tokens: 40, ephemeral_1h_input_tokens: 50 },
      }),
      [10, 0, 90, 5, 100],
    ],
    [
      'reasoning beside the completion (xAI)',
      CHAT,
      'xai',
      { ...chat(32, {}, 9), completion_tokens_details: { reasoning_tokens: 60 }, total_tokens: 101 },
      [32, null, null, 69, 32],
    ],
    [
      'reasoning inside the completion (OpenAI)',
      CHAT,
      null,
      { ...chat(32, {}, 69), completion_tokens_details: { reasoning_tokens: 60 }, total_tokens: 101 },
      [32, null, null, 69, 32],
    ],
  ])('%s', (_, protocol, rule, raw, expected) => {
    expect(rowOf(readUsage(protocol, raw, rule))).toEqual(expected);
  });

  test('17: the same reply read twice is the same usage', () => {
    const raw = chat(1000, { cached_tokens: 900 });
    expect(readUsage(CHAT, raw)).toEqual(readUsage(CHAT, raw));
  });
});

/** A package that we did not write reads the same usage objects. */
describe('@pydantic/genai-prices agrees', () => {
  const provider = (providerId: string): Provider => {
    const found = findProvider({ providerId });
    if (!found) throw new Error(`no provider ${providerId}`);
    return found;
  };
  const model: Readonly<Record<string, string>> = { google: 'modelVersion' };
  test.each<readonly [string, string, Protocol, string | null, JsonObject]>([
    ['anthropic', 'default', ANTHROPIC, 'anthropic', anthropic(30, cached(60, 10))],
    ['openai', 'chat', CHAT, 'openai-pre-5.6', chat(100, { cached_tokens: 60, cache_write_tokens: 10 })],
    [
      'openai',
      'responses',
      RESPONSES,
      'openai-pre-5.6',
      { input_tokens: 100, input_tokens_details: { cached_tokens: 60 }, output_tokens: 5 },
    ],
    [
      'google',
      'default',
      GEMINI,
      'gemini',
      { promptTokenCount: 100, cachedContentTokenCount: 60, candidatesTokenCount: 2, thoughtsTokenCount: 3 },
    ],
    [
      'deepseek',
      'chat',
      CHAT,
      'deepseek',
      { ...chat(100, { cached_tokens: 60 }), prompt_cache_hit_tokens: 60, prompt_cache_miss_tokens: 40 },
    ],
    ['moonshotai', 'chat', CHAT, 'kimi', chat(100, { cached_tokens: 60 })],
    [
      'x-ai',
      'chat',
      CHAT,
      'xai',
      {
        ...chat(100, { cached_tokens: 60 }, 9),
        completion_tokens_details: { reasoning_tokens: 50 },
        total_tokens: 159,
      },
    ],
    ['zhipuai', 'chat', CHAT, 'glm', chat(100, { cached_tokens: 60 })],
    ['minimax', 'default', ANTHROPIC, 'minimax', anthropic(30, cached(60, 10))],
  ])('%s, %s', (providerId, flavour, protocol, rule, raw) => {
    const body = { [model[providerId] ?? 'model']: 'm', [providerId === 'google' ? 'usageMetadata' : 'usage']: raw };
    const theirs = extractUsage(provider(providerId), body, flavour).usage as Readonly<
      Record<string, number | undefined>
    >;
    const ours = readUsage(protocol, raw, rule);
    expect({
      input: ours?.input,
      read: ours?.usage.read ?? 0,
      write: ours?.usage.write ?? 0,
      output: ours?.usage.output,
    }).toEqual({
      input: theirs['input_tokens'],
      read: theirs['cache_read_tokens'] ?? 0,
      write: theirs['cache_write_tokens'] ?? 0,
      output: theirs['output_tokens'],
    });
  });
});
