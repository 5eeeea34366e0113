/**
 * Two requests of one protocol, model and settings share the number of a prefix exactly when they are equal up to the
 * end of that block. Numbers are nodes of a trie: a prefix is the prefix before it and one block more, and blocks of
 * equal text are one block. A request repeats most of an earlier one, so the numbers of its leading parts are taken
 * over from there, and only new bytes are digested.
 */
import type { TextSize } from '../../../shared/tokens.ts';
import { CACHE_TIERS, renderOrderOf, type CacheRule, type CacheRules, type CacheTier } from '../rules.ts';
import type { BlockEnds, BlockMark, RequestBlocks } from '../simulate/types.ts';
import { createSettingNumbers, requestOptions } from './block-settings.ts';
import type { ByteRange } from './json-bytes.ts';
import type { BytePart, CallKey } from './key-bytes.ts';
import type { Fields } from './layout.ts';
import { blockRuns, marksOf, pieces, presenceOf, type PartBlocks } from './part-blocks.ts';
import { createPrefixTrie } from './prefix-trie.ts';

export type BlockReader = {
  /**
   * The blocks of a request, in the order in which its provider hashes them.
   * @param body fields of the body in `key.bytes`, where settings are looked up; null: it has none (kernel view)
   * @param rule says which settings are part of a prefix, and the order of the tiers; null: none, and the key's order
   */
  blocksOf(key: CallKey, body: Fields | null, rule: CacheRule | null): RequestBlocks;
};

/** The parts of a key in the order of a rule's tiers. */
type Sequence = {
  readonly tiers: readonly CacheTier[];
  /** Index of a part of the sequence in the key; null: the sequence is the key's own. */
  readonly moved: readonly number[] | null;
  readonly length: number;
  /** First part of each tier, and one more: the number of parts. */
  readonly starts: readonly number[];
};

/** What is kept of a key as long as the key itself, for the next one that repeats it. */
type Known = {
  readonly by: object;
  readonly prefixes: Uint32Array;
  readonly ends: BlockEnds;
  readonly marks: readonly BlockMark[];
  /** Number of the settings of each tier. */
  readonly settings: readonly number[];
  /** Blocks up to and with each part, and presences so far. */
  readonly blockCounts: readonly number[];
  readonly presences: readonly number[];
  readonly isFine: boolean;
};

export type BlockReaderOptions = {
  /** Of equal bytes equal, of others never: sha1 or stronger. */
  readonly digest: (bytes: Uint8Array) => string;
  readonly rules: CacheRules;
};

/** One reader a session: its numbers mean nothing to another one. */
export function createBlockReader({ digest, rules }: BlockReaderOptions): BlockReader {
  const coarsely = {};
  const finely = {};
  const trie = createPrefixTrie();
  const own = {};
  const numbers = new Map<string, number>();
  const numberOf = (text: string): number => {
    const number = numbers.get(text) ?? numbers.size + 1;
    if (number > numbers.size) numbers.set(text, number);
    return number;
  };
  const settingsNumber = createSettingNumbers(numberOf);
  /** Rules by which a read may end inside a block. Where marks can take a rule's place, blocks are counted and stay whole. */
  const toTheToken = new Set(
    rules.rules.filter(
      ({ id, mechanism }) => mechanism === 'implicit' && !rules.rules.some((other) => other.excludes === id),
    ),
  );

  function factsOf(key: CallKey, index: number, isFine: boolean): PartBlocks {
    const part = key.parts[index] as BytePart;
    const by = isFine ? finely : coarsely;
    const there = part.facts.blocks;
    if (there?.by === by) return there;
    const { runs, context } = blockRuns(part);
    const { runs: cut, lasts } = isFine ? pieces(part, runs) : { runs, lasts: null };
    const tag = `${part.kind} ${part.form} ${context} `;
    const item = itemOf(key, index);
    const marks = item ? marksOf(part, key.bytes, item, runs.length) : [];
    const found: PartBlocks = {
      by,
      numbers: cut.map(({ start, end, isOpen }) =>
        numberOf((isOpen ? `open ${tag}` : tag) + digest(part.source.subarray(start, end))),
      ),
      sizes: cut.map(({ size }) => size),
      marks: lasts ? marks.map(({ block, ttl }) => ({ block: lasts[block] as number, ttl })) : marks,
      presence: presenceOf(part, runs),
    };
    part.facts.blocks = found;
    return found;
  }

  return {
    blocksOf(key, fields, rule) {
      const sequence = sequenceOf(key.parts, rule);
      const { tiers, moved, starts } = sequence;
      const body = fields && { bytes: key.bytes, fields };
      const isFine = rule !== null && toTheToken.has(rule);
      const known = moved === null && key.leading?.of.kept?.by === own ? (key.leading.of.kept as Known) : null;
      const lender = known?.isFine === isFine ? known : null;
      const lent = lender && key.leading ? key.leading.parts : 0;
      const factsAt = (k: number): PartBlocks => factsOf(key, moved ? (moved[k] as number) : k, isFine);

      const presences = lender ? lender.presences.slice(0, lent) : [];
      for (let k = lent; k < sequence.length; k++) presences.push((presences[k - 1] ?? 0) | factsAt(k).presence);
      const presence = presences[sequence.length - 1] ?? 0;
      const settings = tiers.map((tier) => (body && rule ? settingsNumber(body, rule, tier, presence) : 0));

      const taken = lender ? takenParts(lent, lender, settings, starts) : 0;
      const head = lender?.blockCounts[taken - 1] ?? 0;
      const marks = lender ? lender.marks.filter((mark) => mark.block < head) : [];
      const blockCounts = lender ? lender.blockCounts.slice(0, taken) : [];
      for (let k = taken; k < sequence.length; k++)
        blockCounts.push((blockCounts[k - 1] ?? 0) + factsAt(k).numbers.length);
      const count = blockCounts.at(-1) ?? 0;
      const prefixes = grown(lender?.prefixes, head, count);
      const ends = { chars: grown(lender?.ends.chars, head, count), cjk: grown(lender?.ends.cjk, head, count) };

      let at = head;
      let parent = trie.step(0, numberOf(`protocol ${key.protocol}`));
      let units = ends.chars[head - 1] ?? 0;
      let cjk = ends.cjk[head - 1] ?? 0;
      for (let t = 0; t < tiers.length; t++) {
        const from = starts[t] as number;
        const to = starts[t + 1] as number;
        const setting = settings[t] as number;
        const there = Math.min(taken, to);
        if (there > from) parent = prefixes[(blockCounts[there - 1] as number) - 1] as number;
        else if (setting !== 0) parent = trie.step(parent, setting);
        for (let k = Math.max(from, there); k < to; k++) {
          const facts = factsAt(k);
          for (const mark of facts.marks) marks.push({ block: at + mark.block, ttl: mark.ttl });
          for (let n = 0; n < facts.numbers.length; n++, at++) {
            const size = facts.sizes[n] as TextSize;
            parent = trie.step(parent, facts.numbers[n] as number);
            units += size.chars;
            cjk += size.cjk;
            prefixes[at] = parent;
            ends.chars[at] = units;
            ends.cjk[at] = cjk;
          }
        }
      }
      if (moved === null) keep(key, { by: own, prefixes, ends, marks, settings, blockCounts, presences, isFine });
      const messages = tiers.indexOf('messages');
      const [first, last] = [starts[messages] as number, starts[messages + 1] as number];
      const messageStarts = new Uint32Array(last - first + 1);
      for (let n = 0; n < messageStarts.length; n++) messageStarts[n] = blockCounts[first + n - 1] ?? 0;
      return { prefixes, ends, messageStarts, ...requestOptions(body, marks) };
    },
  };
}

function keep({ id }: CallKey, known: Known): void {
  id.kept = known;
}

/** Room for `count` numbers that begins with the first `head` of others. */
function grown(from: Uint32Array | undefined, head: number, count: number): Uint32Array {
  const room = new Uint32Array(count);
  if (from) room.set(from.subarray(0, head));
  return room;
}

/** How many parts at the beginning have the numbers of the lender's: equal parts under equal settings. */
function takenParts(lent: number, lender: Known, settings: readonly number[], starts: readonly number[]): number {
  const changed = settings.findIndex((number, t) => number !== lender.settings[t]);
  return changed < 0 ? lent : Math.min(lent, starts[changed] as number);
}

const TIER_OF: Readonly<Record<BytePart['kind'], CacheTier>> = { tool: 'tools', system: 'system', message: 'messages' };

/** A key has its tiers in their common order (key-order.ts); a rule may have another one. */
function sequenceOf(parts: readonly BytePart[], rule: CacheRule | null): Sequence {
  const named = (rule && renderOrderOf(rule)) ?? CACHE_TIERS;
  const tiers = [...named, ...CACHE_TIERS.filter((tier) => !named.includes(tier))];
  const counts: Record<CacheTier, number> = { tools: 0, system: 0, messages: 0 };
  for (const part of parts) counts[TIER_OF[part.kind]]++;
  const starts = [0];
  for (const tier of tiers) starts.push((starts.at(-1) as number) + counts[tier]);
  const isOwn = tiers.every((tier, t) => tier === CACHE_TIERS[t]);
  const moved = isOwn
    ? null
    : tiers.flatMap((tier) => parts.flatMap((part, k) => (TIER_OF[part.kind] === tier ? [k] : [])));
  return { tiers, moved, length: parts.length, starts };
}

/** Where an item stands as it was recorded; null where its field is cut in another way, and marks mean nothing. */
function itemOf(key: CallKey, index: number): ByteRange | null {
  if (key.protocol === null) return null;
  for (const { field, kind, firsts } of key.fields.values()) {
    const first = firsts[0] as number;
    if (index < first || index >= (firsts.at(-1) as number)) continue;
    if (kind !== 'tools' && kind !== 'system' && kind !== 'messages') return null;
    const { bounds } = field;
    if (!bounds) return field;
    // Each item of these fields is one part.
    const at = 2 * (index - first);
    return { start: bounds[at] as number, end: bounds[at + 1] as number };
  }
  return null;
}
