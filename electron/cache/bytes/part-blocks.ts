/**
 * A provider's cache can end a prefix at a tool, a system block or one content block of a message. The blocks of a
 * part are found on its canonical bytes; its marks, which are no part of the text, on the recorded bytes of the item.
 *
 * A block is told by its bytes from the end of the block before it: the first one holds what stands before the content
 * (the role), the last one what stands behind it (the tool calls of a Chat message). Brackets that merely close the
 * message belong to no block, so that a message which another one continues is the same up to there.
 */
import type { Json, JsonObject } from '../../../shared/model/index.ts';
import { sizeOf, type TextSize } from '../../../shared/tokens.ts';
import { chars } from '../../../shared/units.ts';
import { isObject } from '../json-walk.ts';
import { CACHE_MARKERS } from '../key-order.ts';
import { settingValues, type Setting } from '../rules-settings.ts';
import { edgeBefore, textOf } from './canonical.ts';
import { contentItems } from './content-items.ts';
import type { BytePart } from './key-bytes.ts';
import { decodeJson, isObjectAt, type ByteRange } from './json-bytes.ts';

/** What a part is as blocks. `numbers` are those of `by`; every reader of blocks has its own. */
export type PartBlocks = {
  readonly by: object;
  readonly numbers: readonly number[];
  readonly sizes: readonly TextSize[];
  /** Marks by block of the part. */
  readonly marks: readonly { readonly block: number; readonly ttl: string | null }[];
  /** Bits of PRESENCES that the part has. */
  readonly presence: number;
};

/** The bytes that tell a block, and its whole size. */
export type BlockRun = ByteRange & {
  readonly size: TextSize;
  /** The block goes on. */
  readonly isOpen?: boolean;
};

type Presence = {
  readonly setting: Setting;
  readonly bit: number;
  /** Bytes that it cannot do without, and whether it is found among the tools. */
  readonly hint: string;
  readonly isTool: boolean;
};

/** Content whose mere presence anywhere in a request is a setting. */
export const PRESENCES: readonly Presence[] = [
  {
    setting: { name: 'web_search', kind: 'presence', of: 'web-search-tool' },
    bit: 1,
    hint: 'web_search',
    isTool: true,
  },
  { setting: { name: 'citations', kind: 'presence', of: 'citations' }, bit: 2, hint: '"citations"', isTool: false },
  { setting: { name: 'images', kind: 'presence', of: 'image' }, bit: 4, hint: 'image', isTool: false },
];

const CLOSING = Buffer.from(']}');
const LISTS = ['content', 'parts'] as const;

/** The blocks of a part, and what must be known besides to tell them (a role that stands behind the content). */
export function blockRuns(part: BytePart): { readonly runs: readonly BlockRun[]; readonly context: string } {
  const whole = { runs: [{ start: part.start, end: part.end, size: part.size }], context: '' };
  if (part.kind !== 'message' || part.form !== 'json') return whole;
  const { source, start, end } = part;
  const items = contentItems(source, part);
  const last = items?.bounds.at(-1);
  if (!items || last === undefined) return whole;
  const { bounds, role } = items;

  const isBare = end - last === CLOSING.length && source.compare(CLOSING, 0, CLOSING.length, last, end) === 0;
  const context = role && role.start > last ? source.toString('utf8', role.start, role.end) : '';
  const runs: BlockRun[] = [];
  let units: number = part.size.chars;
  let cjk: number = part.size.cjk;
  for (let k = 1; k < bounds.length; k += 2) {
    const from = k === 1 ? start : (bounds[k - 2] as number);
    const to = bounds[k] as number;
    if (to === last) {
      runs.push({ start: from, end: isBare ? to : end, size: { chars: chars(units), cjk: chars(cjk) } });
      break;
    }
    const size = sizeOf(source.toString('utf8', from, to));
    units -= size.chars;
    cjk -= size.cjk;
    runs.push({ start: from, end: to, size });
  }
  return { runs, context };
}

/** Blocks longer than this are cut, into pieces of this many bytes: of about a hundred tokens. */
const LONG = 768;
const PIECE = 384;

/**
 * Where a provider reads what is equal to the token, a long block is cut into pieces, so that requests which part inside
 * it are known to be alike up to there.
 * @returns the pieces, and for each block its last one
 */
export function pieces(
  part: BytePart,
  runs: readonly BlockRun[],
): { readonly runs: BlockRun[]; readonly lasts: number[] } {
  const cut: BlockRun[] = [];
  const lasts: number[] = [];
  for (const run of runs) {
    let { start } = run;
    let units: number = run.size.chars;
    let cjk: number = run.size.cjk;
    while (run.end - start > (start === run.start ? LONG : PIECE)) {
      const end = start + edgeBefore({ source: part.source, start, end: run.end }, part.form, PIECE);
      const size = sizeOf(textOf(part, part.form, start, end));
      units -= size.chars;
      cjk -= size.cjk;
      cut.push({ start, end, size, isOpen: true });
      start = end;
    }
    cut.push({ start, end: run.end, size: { chars: chars(units), cjk: chars(cjk) } });
    lasts.push(cut.length - 1);
  }
  return { runs: cut, lasts };
}

/**
 * Marks in the recorded item of a part. In `bytes` themselves there can be none where the part is a run of them: a
 * marker would have been cut out.
 * @param count blocks of the part; a mark outside the list of contents ends the last one
 */
export function marksOf(part: BytePart, bytes: Buffer, item: ByteRange, count: number): PartBlocks['marks'] {
  if (part.form === 'json' && part.source === bytes) return [];
  if (!isObjectAt(bytes, item.start)) return [];
  const value = decodeJson(bytes, item) as Json | undefined;
  if (!isObject(value)) return [];
  const name = LISTS.find((key) => Array.isArray(value[key]));
  const list = part.kind === 'message' && name ? (value[name] as readonly Json[]) : [];
  if (list.length !== count) return marksIn(value).map((ttl) => ({ block: count - 1, ttl }));
  const own = ownMarks(value).map((ttl) => ({ block: count - 1, ttl }));
  return [...list.flatMap((content, block) => marksIn(content).map((ttl) => ({ block, ttl }))), ...own];
}

/** A mark deeper inside a block than this is none: contents of a tool result are the deepest place. */
const DEEPEST = 6;

/** Lifetimes of the marks of a tool, a block, or of what is inside it; arguments and schemas hold none. */
function marksIn(value: Json, depth = 0): readonly (string | null)[] {
  if (depth > DEEPEST) return [];
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((item) => marksIn(item, depth + 1));
  if (!isObject(value)) return [];
  const inside = [...LISTS, 'output', 'function'].flatMap((key) =>
    isOwn(value, key) ? marksIn(value[key] as Json, depth + 1) : [],
  );
  return [...inside, ...ownMarks(value)];
}

const ownMarks = (value: JsonObject): readonly (string | null)[] =>
  CACHE_MARKERS.flatMap((name) => {
    const mark = isOwn(value, name) ? value[name] : undefined;
    return isObject(mark) ? [ttlOf(mark)] : [];
  });

/** The lifetime that a mark, or the options of a body, name. */
export const ttlOf = (mark: JsonObject): string | null => (typeof mark['ttl'] === 'string' ? mark['ttl'] : null);

const isOwn = (value: JsonObject, key: string): boolean => Object.hasOwn(value, key);

/** Bits of the presences that a part has. Only what is no plain text is looked at. */
export function presenceOf(part: BytePart, runs: readonly BlockRun[]): number {
  if (part.form !== 'json') return 0;
  const place = part.kind === 'tool' ? 'tools' : part.kind === 'system' ? 'system' : 'messages';
  if (place === 'messages' && runs.every((run) => isPlain(part.source, run))) return 0;
  const bytes = part.source.subarray(part.start, part.end);
  const hinted = PRESENCES.filter(({ hint, isTool }) => isTool === (place === 'tools') && bytes.includes(hint));
  if (hinted.length === 0) return 0;
  const value = decodeJson(part.source, part) as Json | undefined;
  if (value === undefined) return 0;
  const present = hinted.filter(({ setting }) => settingValues([setting], { [place]: [value] }) !== '');
  return present.reduce((bits, { bit }) => bits | bit, 0);
}

/** How the blocks begin that hold a text and nothing else, as Covel and its providers' libraries write them. */
const PLAIN_HEADS = [
  '{"role":"user","content":[{"type":"text","text":"',
  '{"role":"assistant","content":[{"type":"text","text":"',
  ',{"type":"text","text":"',
].map((head) => Buffer.from(head));

function isPlain(source: Buffer, { start, end }: BlockRun): boolean {
  if (source[end - 1] !== 0x7d || source[end - 2] !== 0x22) return false;
  return PLAIN_HEADS.some((head) => {
    const { length } = head;
    return end - start > length && source.compare(head, 0, length, start, start + length) === 0;
  });
}
