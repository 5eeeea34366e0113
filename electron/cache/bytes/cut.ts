/**
 * How a field of a body becomes parts of the key text. The kinds of fields are those of key-order.ts; a part is a
 * run of bytes, taken from the recorded payload where it stands there as it should read.
 */
import type { JsonPointer } from '../../../shared/model/index.ts';
import type { KeyKind } from '../key-order.ts';
import { canonicalJson, canonicalText, type Form, type SizedRun } from './canonical.ts';
import {
  decodeString,
  entryOf,
  isArrayAt,
  isObjectAt,
  isStringAt,
  valueEnd,
  walkEntries,
  type ByteRange,
} from './json-bytes.ts';
import { fieldAt } from './layout.ts';

export type PartKind = 'tool' | 'system' | 'message';

/** A part before it is numbered; for `base`, `index` and `list` see BytePart. */
export type Cut = {
  readonly run: SizedRun;
  readonly kind: PartKind;
  readonly form: Form;
  readonly base: JsonPointer;
  readonly index: number;
  readonly list: number | null;
};

type Place = Pick<Cut, 'base' | 'index' | 'list'>;

/** Parts of a field whose value is no array; null when it is malformed. */
export function cutField(bytes: Buffer, base: JsonPointer, kind: KeyKind, range: ByteRange): Cut[] | null {
  const place: Place = { base, index: -1, list: null };
  if (kind === 'tools' || kind === 'declarations') return jsonCut('tool', canonicalJson(bytes, range), place);
  if (kind === 'system') return systemCut(bytes, range, place);
  if (kind !== 'system-parts') return jsonCut('message', canonicalJson(bytes, range), place);
  const parts = isObjectAt(bytes, range.start) ? entryOf(bytes, range, 'parts') : null;
  if (!parts || !isArrayAt(bytes, parts.start)) return systemCut(bytes, range, place);
  return cutEach(bytes, parts, (item, index) => systemCut(bytes, item, { base: `${base}/parts`, index, list: null }));
}

/** Parts of item `index` of a field that is an array; null when it is malformed. */
export function cutItem(
  bytes: Buffer,
  base: JsonPointer,
  index: number,
  kind: KeyKind,
  range: ByteRange,
  isLeading: boolean,
): Cut[] | null {
  const place: Place = { base, index, list: null };
  switch (kind) {
    case 'tools':
      return jsonCut('tool', canonicalJson(bytes, range), place);
    case 'declarations': {
      const list = isObjectAt(bytes, range.start) ? soleList(bytes, range) : null;
      if (!list) return jsonCut('tool', canonicalJson(bytes, range), place);
      return cutEach(bytes, list, (item, inner) =>
        jsonCut('tool', canonicalJson(bytes, item), { base, index: inner, list: index }),
      );
    }
    case 'system':
    case 'system-parts':
      return systemCut(bytes, range, place);
    case 'messages':
      return jsonCut('message', canonicalJson(bytes, range), place);
    case 'kernel-messages': {
      const content = isLeading ? entryOf(bytes, range, 'content') : null;
      return content ? systemCut(bytes, content, place) : jsonCut('message', canonicalJson(bytes, range), place);
    }
  }
}

/** A message of role `system` whose content is a string: leading ones are the system text of the kernel view. */
export function isKernelSystem(bytes: Buffer, range: ByteRange): boolean {
  if (!isObjectAt(bytes, range.start)) return false;
  const role = entryOf(bytes, range, 'role');
  if (!role || decodeString(bytes, role) !== 'system') return false;
  const content = entryOf(bytes, range, 'content');
  return content !== null && isStringAt(bytes, content.start);
}

function jsonCut(kind: PartKind, run: SizedRun | null, place: Place): Cut[] | null {
  return run && [{ run, kind, form: 'json', ...place }];
}

/** The text of a block that is a string or has a string `text`; else its JSON. */
function systemCut(bytes: Buffer, range: ByteRange, place: Place): Cut[] | null {
  const text = isObjectAt(bytes, range.start) ? entryOf(bytes, range, 'text') : range;
  if (!text || !isStringAt(bytes, text.start)) return jsonCut('system', canonicalJson(bytes, range), place);
  const run = canonicalText(bytes, text);
  return run && [{ run, kind: 'system', form: 'text', ...place }];
}

function cutEach(bytes: Buffer, range: ByteRange, cut: (item: ByteRange, index: number) => Cut[] | null): Cut[] | null {
  const bounds = fieldAt(bytes, range)?.bounds;
  if (!bounds) return null;
  const all: Cut[] = [];
  for (let k = 0; 2 * k < bounds.length; k++) {
    const cuts = cut({ start: bounds[2 * k] as number, end: bounds[2 * k + 1] as number }, k);
    if (!cuts) return null;
    all.push(...cuts);
  }
  return all;
}

/** The array `functionDeclarations` of an object that has no other key. */
function soleList(bytes: Buffer, range: ByteRange): ByteRange | null {
  let list: ByteRange | null = null;
  let isSole = true;
  walkEntries(bytes, range.start, range.end, (key, at) => {
    const end = valueEnd(bytes, at, range.end);
    if (key === 'functionDeclarations') list = { start: at, end };
    else isSole = false;
    return end;
  });
  const found = list as ByteRange | null;
  return isSole && found && isArrayAt(bytes, found.start) ? found : null;
}
