/**
 * What a provider would have charged for a request of the sample, by the rules in resources/cache-rules.json put
 * simply: an entry is a prefix up to a block boundary; a request reads the longest live entry at its marks (or at
 * any boundary, where caching is implicit), writes up to its last mark, and pays the rest in full.
 */
import { createHash } from 'node:crypto';
import { prefixTokens, sizeOf } from '../../shared/tokens.ts';
import type { SampleProtocol } from './to-wire.ts';

type Rule = { readonly minTokens: number; readonly step: number; readonly seconds: number; readonly marks: boolean };
const RULES: Readonly<Record<string, Rule>> = {
  'claude-sonnet-4-5': { minTokens: 1024, step: 1, seconds: 300, marks: true },
  'claude-opus-4-8': { minTokens: 1024, step: 1, seconds: 300, marks: true },
  'gpt-5.4-mini': { minTokens: 1024, step: 128, seconds: 86_400, marks: false },
  'deepseek-chat': { minTokens: 64, step: 64, seconds: 86_400, marks: false },
  'gemini-2.5-flash': { minTokens: 2048, step: 1, seconds: 3600, marks: false },
};
/** Blocks that a mark looks back for an earlier entry. */
const LOOKBACK = 20;

type Boundary = { readonly tokens: number; readonly hash: string; readonly marked: boolean };
export type SampleUsage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
  readonly cacheWriteInputTokens?: number;
};

export type SampleProvider = {
  bill(
    body: Readonly<Record<string, unknown>>,
    protocol: SampleProtocol,
    model: string,
    atMs: number,
    output: string,
  ): SampleUsage;
};

export function createProvider(): SampleProvider {
  /** Time of the last use of each entry, by model and prefix. */
  const entries = new Map<string, number>();
  return {
    bill(body, protocol, model, atMs, output) {
      const rule = RULES[model];
      if (!rule) throw new Error(`no rule for ${model}`);
      const bounds = boundaries(body, protocol);
      const total = bounds.at(-1)?.tokens ?? 0;
      const outputTokens = prefixTokens(sizeOf(output));
      const isLive = (bound: Boundary): boolean =>
        atMs - (entries.get(`${model} ${bound.hash}`) ?? -Infinity) <= rule.seconds * 1000;
      const marks = rule.marks ? bounds.flatMap((bound, i) => (bound.marked ? [i] : [])) : [bounds.length - 1];
      const reach = rule.marks ? LOOKBACK : bounds.length;
      let read = 0;
      for (const mark of marks) {
        const found = bounds
          .slice(Math.max(0, mark - reach), mark + 1)
          .findLast((bound) => bound.tokens >= rule.minTokens && isLive(bound));
        if (found && found.tokens > read) {
          read = found.tokens;
          entries.set(`${model} ${found.hash}`, atMs);
        }
      }
      if (!rule.marks) read -= read % rule.step;
      if (read < rule.minTokens) read = 0;
      let write = 0;
      for (const i of rule.marks ? marks : bounds.keys()) {
        const bound = bounds[i];
        if (!bound || bound.tokens < rule.minTokens) continue;
        entries.set(`${model} ${bound.hash}`, atMs);
        write = Math.max(write, bound.tokens - read);
      }
      const cached = { cachedInputTokens: read };
      if (protocol === 'anthropic-messages-v1')
        return { inputTokens: total, outputTokens, ...cached, cacheWriteInputTokens: write };
      return { inputTokens: total, outputTokens, ...cached };
    },
  };
}

/** Cumulative tokens and hash at the end of each block, in cache key order. */
function boundaries(body: Readonly<Record<string, unknown>>, protocol: SampleProtocol): readonly Boundary[] {
  const blocks: { readonly text: string; readonly marked: boolean }[] = [];
  const add = (value: unknown): void => {
    const { cache_control: mark, ...rest } =
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : { text: value };
    blocks.push({ text: JSON.stringify(rest), marked: mark !== undefined });
  };
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
  for (const tool of list(body['tools'])) add(tool);
  for (const block of list(body['system'])) add(block);
  if (protocol === 'google-generative-ai-v1') add(body['systemInstruction']);
  for (const message of list(body['messages'] ?? body['input'] ?? body['contents'])) {
    const content = (message as { content?: unknown }).content;
    if (protocol === 'anthropic-messages-v1') for (const block of list(content)) add(block);
    else add(message);
  }
  const hash = createHash('sha1');
  let text = '';
  return blocks.map((block) => {
    text += block.text;
    hash.update(block.text);
    return { tokens: prefixTokens(sizeOf(text)), hash: hash.copy().digest('hex'), marked: block.marked };
  });
}
