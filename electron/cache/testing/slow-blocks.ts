/**
 * The blocks of a request by their definition, on parsed objects and strings: slow, short, and written apart from the
 * code on bytes, which must come to the same.
 */
import type { Json, JsonObject, Protocol } from '../../../shared/model/index.ts';
import { slowKey } from '../bytes/testing/slow-key.ts';
import { CACHE_MARKERS } from '../key-order.ts';
import { CACHE_TIERS, settingsOf, settingValues, type CacheRule } from '../rules.ts';

export type SlowBlock = {
  /** Everything up to and with this block: texts, kinds, roles and settings. */
  readonly key: string;
  /** What the block adds to the key text of the request. */
  readonly text: string;
  readonly marks: readonly (string | null)[];
  /** The first block of a message. */
  readonly opens: boolean;
};

const compact = (value: unknown): string =>
  JSON.stringify(value, (key, inner: unknown) => (CACHE_MARKERS.includes(key) ? undefined : inner));
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const at = (body: unknown, path: string): unknown =>
  path
    .slice(1)
    .split('/')
    .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], body);

function marksOf(value: unknown): (string | null)[] {
  if (Array.isArray(value)) return value.flatMap(marksOf);
  if (!isObject(value)) return [];
  const inside = ['content', 'parts', 'output', 'function'].flatMap((key) => marksOf(value[key]));
  return [...inside, ...ownMarks(value)];
}
const ownMarks = (value: Record<string, unknown>): (string | null)[] =>
  CACHE_MARKERS.flatMap((name) => {
    const mark = value[name];
    return isObject(mark) ? [typeof mark['ttl'] === 'string' ? mark['ttl'] : null] : [];
  });

/** All of a long text but its last piece: as many whole characters, or escapes, as 384 bytes hold. */
function piecesOf(form: 'json' | 'text', text: string): readonly string[] {
  const units = text.match(form === 'text' ? /\\u[0-9a-f]{4}|\\.|[^]/gu : /[^]/gu) ?? [];
  const sizes = units.map((unit) => Buffer.byteLength(unit));
  const pieces: string[] = [];
  let left = sizes.reduce((sum, size) => sum + size, 0);
  let n = 0;
  while (left > (pieces.length === 0 ? 768 : 384)) {
    let piece = '';
    for (let size = 0; size + (sizes[n] as number) <= 384; n++) {
      size += sizes[n] as number;
      left -= sizes[n] as number;
      piece += units[n];
    }
    pieces.push(piece);
  }
  return pieces;
}

/**
 * Blocks of a body under a rule whose tiers have the common order.
 * @param isFine long blocks are cut into pieces
 */
export function slowBlocks(
  protocol: Protocol,
  body: JsonObject,
  rule: CacheRule | null,
  isFine: boolean,
): readonly SlowBlock[] {
  const blocks: SlowBlock[] = [];
  const settings = rule && settingsOf(rule);
  let key = '';
  let tier = -1;
  const enter = (to: number): void => {
    while (tier < to) {
      tier++;
      const said = settings ? settingValues(settings[CACHE_TIERS[tier] ?? 'messages'], body) : '';
      key += said === '' ? '' : `\n[settings of tier ${tier}: ${said}]`;
    }
  };
  const add = (
    form: 'json' | 'text',
    kind: string,
    told: string,
    text: string,
    marks: SlowBlock['marks'],
    opens: boolean,
  ): void => {
    const cut = isFine ? piecesOf(form, told) : [];
    let rest = text;
    for (const [n, piece] of cut.entries()) {
      const own = form === 'text' ? (JSON.parse(`"${piece}"`) as string) : piece;
      key += `\n[${kind} open ${piece}]`;
      blocks.push({ key, text: own, marks: [], opens: opens && n === 0 });
      rest = rest.slice(own.length);
    }
    const end = told.slice(cut.join('').length);
    key += `\n[${kind} ${end}]`;
    blocks.push({ key, text: rest, marks, opens: opens && cut.length === 0 });
  };
  const canMark = protocol !== 'google-generative-ai-v1';
  for (const part of slowKey(protocol, body)) {
    const kind = part.label.split(' ')[0] as 'tool' | 'system' | 'message';
    enter({ tool: 0, system: 1, message: 2 }[kind]);
    const value = at(body, part.path);
    const list = isObject(value) ? [value['content'], value['parts']].find(Array.isArray) : undefined;
    if (kind !== 'message' || !isObject(value) || !list || list.length === 0) {
      const form =
        kind === 'system' && (typeof value === 'string' || (isObject(value) && typeof value['text'] === 'string'))
          ? 'text'
          : 'json';
      const marks = canMark || kind === 'message' ? marksOf(isObject(value) ? value : null) : [];
      const told = form === 'text' ? JSON.stringify(part.text).slice(1, -1) : part.text;
      add(form, `${kind} ${form}`, told, part.text, marks, kind === 'message');
      continue;
    }
    // The message with one mark of ours in place of each content tells what stands before, between and behind.
    const name = Array.isArray(value['content']) ? 'content' : 'parts';
    const frame = compact({ ...value, [name]: ['\u0000'] }).split('"\\u0000"');
    const [head = '', tail = ''] = frame;
    const late =
      tail.includes('"role":') && Object.keys(value).indexOf('role') > Object.keys(value).indexOf(name)
        ? compact(value['role'])
        : '';
    for (const [n, content] of (list as Json[]).entries()) {
      const isLast = n === list.length - 1;
      const own = `${n === 0 ? head : ','}${compact(content)}`;
      const told = isLast && tail !== ']}' ? own + tail : own;
      add(
        'json',
        `message json ${late}`.trim(),
        told,
        isLast ? own + tail : own,
        isLast ? [...marksOf(content), ...ownMarks(value)] : marksOf(content),
        n === 0,
      );
    }
  }
  return blocks;
}
