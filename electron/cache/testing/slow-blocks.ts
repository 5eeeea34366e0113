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

/** Blocks of a body under a rule whose tiers have the common order. */
export function slowBlocks(protocol: Protocol, body: JsonObject, rule: CacheRule | null): readonly SlowBlock[] {
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
  const add = (told: string, text: string, marks: readonly (string | null)[], opens: boolean): void => {
    key += `\n[${told}]`;
    blocks.push({ key, text, marks, opens });
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
      add(`${kind} ${form} ${part.text}`, part.text, marks, kind === 'message');
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
        `message json ${late} ${told}`,
        isLast ? own + tail : own,
        isLast ? [...marksOf(content), ...ownMarks(value)] : marksOf(content),
        n === 0,
      );
    }
  }
  return blocks;
}
