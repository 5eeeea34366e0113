/**
 * A column may hold what its declaration does not promise, and a payload may carry its data one level deeper,
 * under `data` (storage page, sections 3 and 8): so nothing from a row is trusted before it went through here.
 */
import type { SQLOutputValue } from 'node:sqlite';
import type { Json } from '../../../shared/model/index.ts';

export type JsonRecord = { readonly [key: string]: unknown };

const lenient = new TextDecoder('utf-8');

/** Text of a column; null for NULL. Numbers and bytes become text. */
export function textOf(value: SQLOutputValue | undefined): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  return value instanceof Uint8Array ? lenient.decode(value) : String(value);
}

export const textOr = (value: SQLOutputValue | undefined, otherwise = ''): string => textOf(value) ?? otherwise;

export const countOf = (value: SQLOutputValue | undefined): number =>
  typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : 0;

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON as it stands; undefined when it cannot be parsed. JSON.parse does not recurse, so depth is no danger. */
export function parseJson(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The fields of a payload, nested ones lifted over the flat ones; null when it is no JSON object. */
export function fieldsOf(payload: string | null): JsonRecord | null {
  const value = parseJson(payload);
  if (!isRecord(value)) return null;
  return isRecord(value['data']) ? { ...value, ...value['data'] } : value;
}

export const stringIn = (record: JsonRecord | null, key: string): string | null => {
  const value = record?.[key];
  return typeof value === 'string' ? value : null;
};

export const numberIn = (record: JsonRecord | null, key: string): number | null => {
  const value = record?.[key];
  return typeof value === 'number' ? value : null;
};

/** A value of a record that came out of JSON; null where there is none. */
export const jsonIn = (record: JsonRecord, key: string): Json => (record[key] ?? null) as Json;

/** The first `units` UTF-16 units, one fewer where a surrogate pair would be split. */
export function cut(text: string, units: number): string {
  if (text.length <= units) return text;
  const last = text.charCodeAt(units - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? units - 1 : units);
}

/** Bytes of UTF-8 that surely hold `units` UTF-16 units, and one character more. */
export const utf8Bound = (units: number): number => units * 3 + 4;

/** Text of the first bytes of a text; a character that the cut split is left out. */
export function decodeCut(bytes: Uint8Array, bound: number): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return bytes.byteLength < bound ? text : text.replace(/\ufffd$/, '');
}
