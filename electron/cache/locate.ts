/**
 * A place in the key text of a part is a place in the JSON of a body. People look at strings, so a place inside the
 * structure is given as the beginning of the next string.
 */
import type { Json, JsonObject, JsonPointer, KeyPart } from '../../shared/model/index.ts';
import { chars, type Chars } from '../../shared/units.ts';
import { isObject, jsonTokens, valueAt, withoutSentinels, type JsonToken, type WalkRule } from './json-walk.ts';
import { CACHE_BREAK } from './key-order.ts';

export type Place = { readonly path: JsonPointer; readonly offset: Chars };

/**
 * @param part a part of the body's key text
 * @param offset UTF-16 units in `part.text`
 * @returns the string of the body and the UTF-16 offset in it; for a place in the structure the next string of the
 * part at 0, or the part itself where none follows; null when the part is not of this body.
 */
export function locate(part: KeyPart, body: JsonObject, offset: Chars): Place | null {
  const found = readPart(part, body);
  if (!found) return null;
  if (found.kind === 'text') return { path: found.path, offset: chars(rawOffset(found.string, part.text, offset)) };
  let at = 0;
  for (const token of jsonTokens(found.value, part.path, found.rule)) {
    const end = at + token.text.length;
    if (token.string !== null && offset < end) {
      return {
        path: token.path(),
        offset: chars(offset <= at ? 0 : offsetInString(token, offset - at - 1, found.rule)),
      };
    }
    at = end;
  }
  return { path: part.path, offset: chars(0) };
}

/** Pointers of the strings of a part that end after `offset`, in their order. */
export function* stringsFrom(part: KeyPart, body: JsonObject, offset: Chars): Generator<JsonPointer> {
  const found = readPart(part, body);
  if (!found) return;
  if (found.kind === 'text') return yield found.path;
  let at = 0;
  for (const token of jsonTokens(found.value, part.path, found.rule)) {
    at += token.text.length;
    if (token.string !== null && offset < at) yield token.path();
  }
}

export type StringRun = { readonly path: JsonPointer; readonly start: Chars; readonly end: Chars };

/** Where each string of a part stands in the part's text, without its quotes; escapes make it longer than the string. */
export function* stringRuns(part: KeyPart, body: JsonObject): Generator<StringRun> {
  const found = readPart(part, body);
  if (!found) return;
  if (found.kind === 'text') return yield { path: found.path, start: chars(0), end: chars(part.text.length) };
  let at = 0;
  for (const token of jsonTokens(found.value, part.path, found.rule)) {
    const end = at + token.text.length;
    if (token.string !== null) yield { path: token.path(), start: chars(at + 1), end: chars(end - 1) };
    at = end;
  }
}

/** UTF-16 offset in the part's text at which the value at `pointer` ends; null when it is not in the part. */
export function endOf(part: KeyPart, body: JsonObject, pointer: JsonPointer): Chars | null {
  const found = readPart(part, body);
  if (!found) return null;
  if (pointer === part.path) return chars(part.text.length);
  if (found.kind === 'text') return pointer === found.path ? chars(part.text.length) : null;
  let at = 0;
  for (const token of jsonTokens(found.value, part.path, found.rule)) {
    at += token.text.length;
    if (token.kind !== 'key' && token.kind !== 'start' && token.kind !== 'comma' && token.path() === pointer)
      return chars(at);
  }
  return null;
}

type PartValue =
  | { readonly kind: 'text'; readonly path: JsonPointer; readonly string: string }
  | { readonly kind: 'json'; readonly value: Json; readonly rule: WalkRule };

/** A system text stands for itself, everything else for its JSON; in the kernel view without sentinels. */
function readPart(part: KeyPart, body: JsonObject): PartValue | null {
  const value = valueAt(body, part.path);
  if (value === undefined) return null;
  for (const [path, string] of textsOfPart(value, part.path)) {
    if (string === part.text || withoutSentinels(string) === part.text) return { kind: 'text', path, string };
  }
  for (const rule of [{ marks: 'drop' }, { marks: 'drop', text: withoutSentinels }] as const) {
    let length = 0;
    for (const token of jsonTokens(value, part.path, rule)) length += token.text.length;
    if (length === part.text.length) return { kind: 'json', value, rule };
  }
  return null;
}

function textsOfPart(value: Json, path: JsonPointer): readonly (readonly [JsonPointer, string])[] {
  if (typeof value === 'string') return [[path, value]];
  if (!isObject(value)) return [];
  return ['text', 'content'].flatMap((key) => {
    const string = Object.hasOwn(value, key) ? value[key] : undefined;
    return typeof string === 'string' ? [[`${path}/${key}`, string] as const] : [];
  });
}

/** Offset in `raw` of the unit that stands at `offset` of `shown`, which is `raw` with or without its sentinels. */
function rawOffset(raw: string, shown: string, offset: number): number {
  if (raw.length === shown.length) return offset;
  let at = raw.indexOf(CACHE_BREAK);
  let cut = 0;
  while (at !== -1 && at - cut <= offset) {
    cut += CACHE_BREAK.length;
    at = raw.indexOf(CACHE_BREAK, at + CACHE_BREAK.length);
  }
  return offset + cut;
}

/** `at`: units of the token's escaped text after its opening quote. */
function offsetInString(token: JsonToken, at: number, rule: WalkRule): number {
  const raw = token.string ?? '';
  const shown = rule.text ? rule.text(raw) : raw;
  let passed = 0;
  for (let i = 0; i < shown.length; i++) {
    const width = escapedWidth(shown, i);
    if (at < passed + width) return rawOffset(raw, shown, i);
    passed += width;
  }
  return raw.length;
}

const SHORT_ESCAPES = new Set([0x22, 0x5c, 0x08, 0x09, 0x0a, 0x0c, 0x0d]);

/** Units that JSON.stringify writes for the unit at `i`; lone surrogates are written as six. */
function escapedWidth(text: string, i: number): number {
  const unit = text.charCodeAt(i);
  if (SHORT_ESCAPES.has(unit)) return 2;
  if (unit < 0x20) return 6;
  if (unit < 0xd800 || unit > 0xdfff) return 1;
  const isHigh = unit < 0xdc00;
  const partner = text.charCodeAt(isHigh ? i + 1 : i - 1);
  const paired = isHigh ? partner >= 0xdc00 && partner <= 0xdfff : partner >= 0xd800 && partner < 0xdc00;
  return paired ? 1 : 6;
}
