/**
 * What a provider would have charged for a request of the sample, by the rules in resources/cache-rules.json put simply
 * and read from the JSON bodies alone. Written to check the simulator in electron/cache/simulate, so it shares nothing
 * with it: texts are compared as texts, and every earlier request is looked at.
 */
import { prefixTokens, sizeOf } from '../../shared/tokens.ts';
import type { Json, JsonObject, Protocol } from '../../shared/model/index.ts';

/** How a model's cache works; `marks`: explicit marks, `prefix`: any equal beginning, `units`: whole units only. */
type Rule =
  | { readonly kind: 'marks'; readonly minTokens: number; readonly lookback: number; readonly seconds: number }
  | { readonly kind: 'prefix'; readonly minTokens: number; readonly step: number; readonly seconds: number }
  | { readonly kind: 'units' };

const CLAUDE: Rule = { kind: 'marks', minTokens: 1024, lookback: 20, seconds: 300 };
const RULES: Readonly<Record<string, Rule>> = {
  'claude-sonnet-4-5': CLAUDE,
  'claude-opus-4-8': CLAUDE,
  'gpt-5.4-mini': { kind: 'prefix', minTokens: 1024, step: 128, seconds: 86_400 },
  'gemini-2.5-flash': { kind: 'prefix', minTokens: 2048, step: 1, seconds: Number.POSITIVE_INFINITY },
  'deepseek-chat': { kind: 'units' },
};

/** An answer begins this long after its request; only then can others read what it left. */
const FIRST_TOKEN_MS = 600;
const MAX_MARKS = 4;

export type SampleUsage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
  readonly cacheWriteInputTokens?: number;
};

export type SampleProvider = {
  /** `atMs`: the start of the request that was answered. */
  bill(body: JsonObject, protocol: Protocol, model: string, atMs: number, output: string): SampleUsage;
};

/** A request's text, cut where an entry can end. `under`: settings that an entry with this end belongs to. */
type Block = { readonly end: number; readonly isMarked: boolean; readonly under: string };
type Written = { readonly text: string; readonly blocks: readonly Block[] };

/** What a request left: its text up to somewhere, readable from `from` on, alive for a while after `used`. */
type Entry = { readonly text: string; readonly under: string; readonly from: number; used: number };

const tokensOf = (text: string): number => prefixTokens(sizeOf(text));

function commonLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let n = 0;
  while (n < most && a.charCodeAt(n) === b.charCodeAt(n)) n++;
  return n;
}

export function createProvider(): SampleProvider {
  const byModel = new Map<string, Entry[]>();

  function readMarks(
    rule: Extract<Rule, { kind: 'marks' }>,
    { text, blocks }: Written,
    entries: Entry[],
    atMs: number,
  ) {
    const marks = blocks.flatMap(({ isMarked }, i) => (isMarked ? [i] : []));
    if (marks.length > MAX_MARKS) throw new Error(`${marks.length} marks`);
    const upTo = (i: number): string => text.slice(0, blocks[i]?.end ?? 0);
    const find = (prefix: string, i: number): Entry | undefined =>
      entries.find(
        (entry) =>
          entry.text === prefix &&
          entry.under === blocks[i]?.under &&
          entry.from <= atMs &&
          atMs - entry.used < rule.seconds * 1000,
      );
    let read = 0;
    for (const mark of marks) {
      for (let i = mark; i > mark - rule.lookback && i >= 0; i--) {
        const prefix = upTo(i);
        const found = tokensOf(prefix) < rule.minTokens ? undefined : find(prefix, i);
        if (!found) continue;
        found.used = atMs;
        read = Math.max(read, tokensOf(prefix));
        break;
      }
    }
    let last = 0;
    for (const mark of marks) {
      const prefix = upTo(mark);
      if (tokensOf(prefix) < rule.minTokens) continue;
      last = Math.max(last, tokensOf(prefix));
      const known = find(prefix, mark);
      if (known) known.used = atMs;
      else entries.push({ text: prefix, under: blocks[mark]?.under ?? '', from: atMs + FIRST_TOKEN_MS, used: atMs });
    }
    return { read, write: Math.max(0, last - read) };
  }

  function readPrefix(rule: Extract<Rule, { kind: 'prefix' }>, { text }: Written, entries: Entry[], atMs: number) {
    let best = 0;
    for (const entry of entries) {
      if (entry.from > atMs || atMs - entry.used >= rule.seconds * 1000) continue;
      const tokens = tokensOf(text.slice(0, commonLength(text, entry.text)));
      const stepped = tokens - (tokens % rule.step);
      if (stepped < rule.minTokens) continue;
      best = Math.max(best, stepped);
    }
    entries.push({ text, under: '', from: atMs + FIRST_TOKEN_MS, used: atMs });
    return best;
  }

  function readUnits({ text }: Written, entries: Entry[], atMs: number) {
    let best = 0;
    const common: number[] = [];
    for (const unit of entries) {
      const shared = commonLength(text, unit.text);
      if (shared > 0 && shared < unit.text.length) common.push(shared);
      if (shared === unit.text.length && unit.from <= atMs) best = Math.max(best, tokensOf(unit.text));
    }
    for (const end of new Set([...common, text.length])) {
      const unit = text.slice(0, end);
      if (!entries.some((entry) => entry.text === unit)) {
        entries.push({ text: unit, under: '', from: atMs + FIRST_TOKEN_MS, used: atMs });
      }
    }
    return best;
  }

  return {
    bill(body, protocol, model, atMs, output) {
      const rule = RULES[model];
      if (!rule) throw new Error(`no rule for ${model}`);
      const written = write(body, protocol);
      const entries = byModel.get(model) ?? [];
      byModel.set(model, entries);
      const sizes = { inputTokens: tokensOf(written.text), outputTokens: tokensOf(output) };
      if (rule.kind !== 'marks') {
        const read =
          rule.kind === 'prefix' ? readPrefix(rule, written, entries, atMs) : readUnits(written, entries, atMs);
        return { ...sizes, cachedInputTokens: read };
      }
      const { read, write: fresh } = readMarks(rule, written, entries, atMs);
      return { ...sizes, cachedInputTokens: read, cacheWriteInputTokens: fresh };
    },
  };
}

const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);
const isTable = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const member = (value: Json | undefined, key: string): Json | undefined => (isTable(value) ? value[key] : undefined);

/** The request in the order in which providers hash it: tools, system, messages. */
function write(body: JsonObject, protocol: Protocol): Written {
  let text = '';
  const blocks: Block[] = [];
  const add = (value: Json | undefined, under = '', role = ''): void => {
    if (value === undefined) return;
    const { cache_control: mark, ...rest } = isTable(value) ? value : { text: value };
    text += role + JSON.stringify(rest);
    blocks.push({ end: text.length, isMarked: mark !== undefined, under });
  };
  for (const tool of list(body['tools'])) {
    const declared = list(member(tool, 'functionDeclarations'));
    for (const one of declared.length > 0 ? declared : [tool]) add(one);
  }
  if (protocol !== 'anthropic-messages-v1') {
    for (const part of list(member(body['systemInstruction'], 'parts'))) add(part);
    for (const message of list(body['messages'] ?? body['input'] ?? body['contents'])) add(message);
    return { text, blocks };
  }
  for (const block of Array.isArray(body['system']) ? list(body['system']) : [body['system']]) add(block);
  const messages = list(body['messages']);
  const hasImages = messages.some((message) =>
    list(member(message, 'content')).some((one) => member(one, 'type') === 'image'),
  );
  // A forced tool, another way of thinking or a picture: tools and system stay, the messages count as others.
  const under = JSON.stringify([body['tool_choice'], body['thinking'], body['output_config'], hasImages]);
  for (const message of messages) {
    const content = member(message, 'content');
    const role = JSON.stringify(member(message, 'role'));
    if (!Array.isArray(content)) add(content, under, role);
    else for (const [i, block] of list(content).entries()) add(block, under, i === 0 ? role : '');
  }
  return { text, blocks };
}
