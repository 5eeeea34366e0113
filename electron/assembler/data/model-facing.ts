/**
 * A stored record carries bookkeeping that a model has no use for and that changes with every run: the session id,
 * ids that are UUIDs, times of writing. A property is bookkeeping only when its name and its value both say so; ids
 * with a meaning (`npc-lin`) and dates of the story stay (seed 1, section 4; assembler page, section 3.4).
 */
import type { Json } from '../../../shared/model/index.ts';
import { AssemblyError } from '../types.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

const isUuid = (value: unknown): boolean => typeof value === 'string' && UUID.test(value);

function isBookkeeping(name: string, value: Json): boolean {
  if (name === 'sessionId') return true;
  if (name === 'id' || name.endsWith('Id') || name.endsWith('Ids')) {
    return Array.isArray(value) ? value.length > 0 && value.every(isUuid) : isUuid(value);
  }
  if (name === 'timestamp' || name.endsWith('At')) return typeof value === 'string' && INSTANT.test(value);
  return false;
}

type Container = readonly Json[] | { readonly [key: string]: Json };
const isContainer = (value: Json | undefined): value is Container => typeof value === 'object' && value !== null;

/** `target[key] = value` as an own property, also for the key `__proto__`. */
function put(target: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  } else target[key] = value;
}

/** One open container of the walk: what is read, which of its keys come next, and what is written. */
type Frame = {
  readonly source: Container;
  readonly keys: readonly string[] | null;
  readonly target: Json[] | Record<string, Json>;
  next: number;
};

function open(source: Container): Frame {
  return Array.isArray(source)
    ? { source, keys: null, target: [], next: 0 }
    : { source, keys: Object.keys(source), target: {}, next: 0 };
}

/**
 * A copy without bookkeeping properties, at every depth; the value itself is not changed. Any depth is fine.
 * A value that contains itself throws AssemblyError `configuration` naming `field`.
 */
export function modelFacingJson(value: Json, field = 'value'): Json {
  if (!isContainer(value)) return value;
  const root = open(value);
  const stack = [root];
  const ancestors = new Set<Container>([value]);
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    const { source, keys, target } = frame;
    if (frame.next >= (keys ?? (source as readonly Json[])).length) {
      ancestors.delete(source);
      stack.pop();
      continue;
    }
    const at = frame.next++;
    const key = keys?.[at];
    const item = key === undefined ? (source as readonly Json[])[at] : (source as { [key: string]: Json })[key];
    if (item === undefined || (key !== undefined && isBookkeeping(key, item))) continue;
    let copy: Json = item;
    if (isContainer(item)) {
      if (ancestors.has(item)) throw new AssemblyError('configuration', field, `${field} contains itself.`);
      const child = open(item);
      ancestors.add(item);
      stack.push(child);
      copy = child.target;
    }
    if (key === undefined) (target as Json[]).push(copy);
    else put(target as Record<string, Json>, key, copy);
  }
  return root.target;
}

/** JSON.stringify without recursion, for values that are nested deeper than the call stack. */
function deepJson(value: Json): string {
  const out: string[] = [];
  const work: ({ readonly text: string } | { readonly value: Json })[] = [{ value }];
  for (let item = work.pop(); item; item = work.pop()) {
    if ('text' in item) {
      out.push(item.text);
      continue;
    }
    const current = item.value;
    if (!isContainer(current)) {
      out.push(JSON.stringify(current));
      continue;
    }
    const isArray = Array.isArray(current);
    out.push(isArray ? '[' : '{');
    work.push({ text: isArray ? ']' : '}' });
    const entries = Object.entries(current).filter((entry) => isArray || entry[1] !== undefined);
    for (let i = entries.length - 1; i >= 0; i--) {
      const [key, child] = entries[i] as [string, Json];
      work.push({ value: child ?? null });
      if (!isArray) work.push({ text: `${JSON.stringify(key)}:` });
      if (i > 0) work.push({ text: ',' });
    }
  }
  return out.join('');
}

/** JSON text without white space, of any depth. */
export function compactJson(value: Json): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return deepJson(value);
  }
}

/** A record as one line of JSON for a model. */
export const modelFacingText = (value: Json, field?: string): string => compactJson(modelFacingJson(value, field));
