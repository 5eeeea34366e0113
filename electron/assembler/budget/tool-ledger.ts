/**
 * What a run has once left out must stay left out in the same words, or each call of its tool loop would miss the cache.
 * The ledger keeps those words. It knows a group by call ids, tools, arguments and results and not by its place, so that
 * an entry never reaches another call that uses an id again (seed 1, section 5).
 */
import type { Json } from '../../../shared/model/index.ts';
import { AssemblyError, type LlmMessage } from '../types.ts';
import { groupKey, toolGroups, type GroupCall, type ToolGroup } from './tool-groups.ts';

export type LedgerEntry =
  /** Results without their bulk, one for each call; null where the result stays as it is. */
  | { readonly kind: 'omitted'; readonly group: readonly GroupCall[]; readonly results: readonly (string | null)[] }
  /** The system message that stands for the whole group. */
  | { readonly kind: 'folded'; readonly group: readonly GroupCall[]; readonly summary: string };

/** Plain JSON: a continuation may carry it. Entries are only ever added. */
export type ToolLedger = { readonly entries: readonly LedgerEntry[] };

export const EMPTY_LEDGER: ToolLedger = { entries: [] };

/** Where a message of a request comes from, by index in the messages that were passed in. */
export type MessageOrigin =
  | { readonly kind: 'sent' | 'omitted' | 'truncated'; readonly index: number }
  /** Stands for the messages from `start` up to, not including, `end`. */
  | { readonly kind: 'folded'; readonly start: number; readonly end: number }
  | { readonly kind: 'marker' };

export type TracedMessage = { readonly message: LlmMessage; readonly origin: MessageOrigin };

/** A group of this request and what the ledger says about it; null: nothing, or nothing that fits one group only. */
export type LedgeredGroup = ToolGroup & {
  /** No other group of the request has the same calls and results. */
  readonly unique: boolean;
  readonly entry: LedgerEntry | null;
};

/** The complete groups of a request with their entries. A group that is omitted and folded counts as folded. */
export function ledgeredGroups(messages: readonly LlmMessage[], ledger: ToolLedger): readonly LedgeredGroup[] {
  const keyed = toolGroups(messages).map((group) => ({ group, key: groupKey(group.calls) }));
  const times = new Map<string, number>();
  for (const { key } of keyed) times.set(key, (times.get(key) ?? 0) + 1);
  const entries = new Map<string, LedgerEntry>();
  for (const entry of keyed.length === 0 ? [] : ledger.entries) {
    const key = groupKey(entry.group);
    const known = entries.get(key);
    if (times.has(key) && (!known || (known.kind === 'omitted' && entry.kind === 'folded'))) entries.set(key, entry);
  }
  return keyed.map(({ group, key }) => {
    const unique = times.get(key) === 1;
    return { ...group, unique, entry: unique ? (entries.get(key) ?? null) : null };
  });
}

/** The messages of one group as an entry leaves them. */
export function groupMessages(
  messages: readonly LlmMessage[],
  { start, end }: ToolGroup,
  entry: LedgerEntry | null,
): readonly TracedMessage[] {
  if (entry?.kind === 'folded') {
    return [{ message: { role: 'system', content: entry.summary }, origin: { kind: 'folded', start, end } }];
  }
  return messages.slice(start, end).map((message, n): TracedMessage => {
    const content = n === 0 ? null : (entry?.results[n - 1] ?? null);
    const index = start + n;
    if (content === null) return { message, origin: { kind: 'sent', index } };
    return { message: { ...message, content }, origin: { kind: 'omitted', index } };
  });
}

/** The messages with given groups as their entries leave them; everything else as it is. */
export function withEntries(
  messages: readonly LlmMessage[],
  groups: readonly LedgeredGroup[],
): readonly TracedMessage[] {
  const traced: TracedMessage[] = [];
  const asSent = (from: number, to: number | undefined): void => {
    for (const [n, message] of messages.slice(from, to).entries()) {
      traced.push({ message, origin: { kind: 'sent', index: from + n } });
    }
  };
  let at = 0;
  for (const group of groups) {
    asSent(at, group.start);
    traced.push(...groupMessages(messages, group, group.entry));
    at = group.end;
  }
  asSent(at, undefined);
  return traced;
}

/**
 * The messages as the ledger leaves them. Same messages and ledger, same bytes. An entry whose group is not there, was
 * changed or stands there twice is passed over.
 */
export const replayLedger = (messages: readonly LlmMessage[], ledger: ToolLedger): readonly TracedMessage[] =>
  withEntries(messages, ledgeredGroups(messages, ledger));

const isText = (value: unknown): value is string => typeof value === 'string';
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isCall = (value: unknown): value is GroupCall =>
  isRecord(value) &&
  isText(value['id']) &&
  isText(value['name']) &&
  isText(value['arguments']) &&
  (isText(value['result']) || Array.isArray(value['result']));

function isEntry(value: unknown): value is LedgerEntry {
  if (!isRecord(value)) return false;
  const { kind, group, results, summary } = value;
  if (!Array.isArray(group) || group.length === 0 || !group.every(isCall)) return false;
  if (kind === 'folded') return isText(summary);
  return (
    kind === 'omitted' &&
    Array.isArray(results) &&
    results.length === group.length &&
    results.every((result) => result === null || isText(result))
  );
}

/** Takes a ledger back from JSON. Throws AssemblyError 'configuration' naming the entry that is none. */
export function parseLedger(value: Json): ToolLedger {
  const entries: unknown = isRecord(value) ? value['entries'] : undefined;
  if (!Array.isArray(entries)) {
    throw new AssemblyError('configuration', 'ledger.entries', 'a tool ledger is an object with a list of entries');
  }
  return {
    entries: entries.map((entry: unknown, n) => {
      if (isEntry(entry)) return entry;
      throw new AssemblyError('configuration', `ledger.entries[${n}]`, `entry ${n} of the tool ledger is malformed`);
    }),
  };
}
