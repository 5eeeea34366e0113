/**
 * The key text by its definition, on parsed objects and strings: slow, short, and written apart from the code on
 * bytes, which must come to the same.
 */
import { CACHE_BREAK, CACHE_MARKERS, KERNEL_ORDER, keyOrderOf, type KeyKind } from '../../key-order.ts';

export type SlowPart = { readonly label: string; readonly path: string; readonly text: string };
type Draft = { kind: 'tool' | 'system' | 'message'; value: unknown; path: string };

const compact = (value: unknown): string =>
  JSON.stringify(value, (key, inner: unknown) => (CACHE_MARKERS.includes(key) ? undefined : inner));
const get = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;

function drafts(kind: KeyKind, value: unknown, path: string): Draft[] {
  const each = (list: unknown, at: string, as: Draft['kind']): Draft[] =>
    Array.isArray(list)
      ? list.map((item, n) => ({ kind: as, value: item, path: `${at}/${n}` }))
      : [{ kind: as, value: list, path: at }];
  if (kind === 'tools') return each(value, path, 'tool');
  if (kind === 'system') return each(value, path, 'system');
  if (kind === 'messages') return each(value, path, 'message');
  if (kind === 'system-parts') {
    const parts = get(value, 'parts');
    return Array.isArray(parts) && !Array.isArray(value)
      ? each(parts, `${path}/parts`, 'system')
      : each(value, path, 'system');
  }
  if (kind === 'declarations') {
    return each(value, path, 'tool').flatMap((draft) => {
      const list = get(draft.value, 'functionDeclarations');
      const isSole = Array.isArray(list) && Object.keys(draft.value as object).length === 1;
      return isSole ? each(list, `${draft.path}/functionDeclarations`, 'tool') : [draft];
    });
  }
  let isLeading = true;
  return each(value, path, 'message').map((draft) => {
    isLeading &&= get(draft.value, 'role') === 'system' && typeof get(draft.value, 'content') === 'string';
    return isLeading ? { ...draft, kind: 'system', value: get(draft.value, 'content') } : draft;
  });
}

/** Parts of a body; `protocol` null: of the kernel view, an object with `tools` and `messages`. */
export function slowKey(protocol: string | null, body: object): SlowPart[] {
  const counts = { tool: 0, system: 0, message: 0 };
  const parts: SlowPart[] = [];
  for (const { field, kind } of protocol === null ? KERNEL_ORDER : keyOrderOf(protocol)) {
    const value = get(body, field);
    if (value === undefined || value === null) continue;
    for (const { kind: as, value: item, path } of drafts(kind, value, `/${field}`)) {
      if (as === 'message') counts.message = Math.max(counts.message, Number(/\d+$/.exec(path)?.[0] ?? 0));
      const number = ++counts[as];
      const block = typeof item === 'string' ? item : get(item, 'text');
      const text = as === 'system' && typeof block === 'string' ? block : compact(item);
      const name =
        as === 'tool'
          ? (get(item, 'name') ?? get(get(item, 'function'), 'name'))
          : (get(item, 'role') ?? get(item, 'type'));
      parts.push({
        label:
          as === 'system' ? `system block ${number}` : `${as} ${number} (${typeof name === 'string' ? name : '?'})`,
        path,
        text: protocol === null ? text.replaceAll(CACHE_BREAK, '') : text,
      });
    }
  }
  return parts;
}

/** What two lists of texts have in common from the first character on. */
export function slowShared(a: readonly SlowPart[], b: readonly SlowPart[]) {
  let k = 0;
  while (k < a.length && k < b.length && a[k]?.text === b[k]?.text) k++;
  const before = b
    .slice(0, k)
    .map(({ text }) => text)
    .join('');
  const now = b[k];
  if (!now)
    return { kind: a[k] ? 'request-ends-earlier' : 'identical', shared: before, first: null, was: null, now: null };
  const was = a[k]?.text ?? null;
  let offset = 0;
  while (was !== null && offset < Math.min(was.length, now.text.length) && was[offset] === now.text[offset]) offset++;
  const around = (text: string): string => text.slice(Math.max(0, offset - 40), offset + 80);
  return {
    kind: 'differs',
    shared: before + now.text.slice(0, offset),
    first: { part: k, label: now.label, path: now.path, offset },
    was: was === null ? null : around(was),
    now: around(now.text),
  };
}
