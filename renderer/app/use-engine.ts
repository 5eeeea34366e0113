/**
 * Stepping with a held key asks for a new call many times a second, and answers come in any order. So an answer is
 * kept under the question it belongs to, a question that nobody waits for any more is cancelled, and a view keeps its
 * last picture until the next one is there.
 */
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { MethodIn, MethodName, MethodOut } from '../../shared/api.ts';
import type { LensError } from '../../shared/error.ts';
import { engine } from '../engine-client.ts';
import { asError, isCancelled, isDisconnected } from './failure.ts';

export type Progress = { readonly done: number; readonly total: number };

export type Answer<T> = {
  readonly state: 'idle' | 'loading' | 'ready' | 'error';
  /** The answer, or the last one while the next loads; null before the first and after an error. */
  readonly value: T | null;
  /** `value` belongs to an earlier question, or the file has changed since. */
  readonly isStale: boolean;
  readonly error: LensError | null;
  /** How far the answer is, where the engine says so; null before and after. */
  readonly progress: Progress | null;
};

type Entry = {
  /** Replaced, never changed, so that a new picture is drawn exactly when something changed. */
  snapshot: {
    readonly value: unknown;
    readonly error: LensError | null;
    readonly isStale: boolean;
    readonly progress: Progress | null;
  };
  readonly watchers: Set<() => void>;
  request: AbortController | null;
};

/** Answers kept for stepping back and forth. */
const KEEP = 80;
const EMPTY: Entry['snapshot'] = { value: undefined, error: null, isStale: false, progress: null };
const entries = new Map<string, Entry>();

function entryOf(key: string): Entry {
  let entry = entries.get(key);
  if (entry) entries.delete(key);
  else entry = { snapshot: EMPTY, watchers: new Set(), request: null };
  entries.set(key, entry);
  for (const [oldKey, old] of entries) {
    if (entries.size <= KEEP) break;
    if (old.watchers.size === 0) entries.delete(oldKey);
  }
  return entry;
}

function put(entry: Entry, snapshot: Entry['snapshot']): void {
  entry.snapshot = snapshot;
  for (const watcher of entry.watchers) watcher();
}

function ask(entry: Entry, method: MethodName, arg: MethodIn<MethodName>): void {
  entry.request?.abort();
  const request = new AbortController();
  entry.request = request;
  const onProgress = (done: number, total: number): void => {
    if (entry.request === request) put(entry, { ...entry.snapshot, progress: { done, total } });
  };
  engine.call(method, arg, { signal: request.signal, onProgress }).then(
    (value) => {
      if (entry.request !== request) return;
      entry.request = null;
      put(entry, { value, error: null, isStale: false, progress: null });
    },
    (cause: unknown) => {
      if (entry.request !== request) return;
      entry.request = null;
      // The connection comes back by itself and then everything on screen is asked again: the last picture stays.
      if (isDisconnected(cause) || isCancelled(cause)) return;
      put(entry, { value: undefined, error: asError(cause), isStale: false, progress: null });
    },
  );
}

/** Answers of before may be out of date: those on screen are asked again, the others forgotten. */
export function invalidate(): void {
  for (const [key, entry] of entries) {
    if (entry.watchers.size === 0) entries.delete(key);
    else {
      const [method, arg] = JSON.parse(key) as [MethodName, MethodIn<MethodName>];
      put(entry, { ...entry.snapshot, isStale: true });
      ask(entry, method, arg);
    }
  }
}

/**
 * The engine knows more about these questions than when it answered: what is on screen stays as it is until the new
 * answers come, the others are forgotten.
 */
export function refine(methods: ReadonlySet<MethodName>): void {
  for (const [key, entry] of entries) {
    const [method, arg] = JSON.parse(key) as [MethodName, MethodIn<MethodName>];
    if (!methods.has(method)) continue;
    if (entry.watchers.size === 0) entries.delete(key);
    else ask(entry, method, arg);
  }
}

/** Forgets all answers; for tests. */
export function forgetAnswers(): void {
  for (const entry of entries.values()) entry.request?.abort();
  entries.clear();
}

/**
 * Asks the engine and keeps the answer while it is shown. `arg` null asks nothing.
 * The argument is compared by its JSON, so it may be written in place.
 */
export function useEngine<M extends MethodName>(method: M, arg: MethodIn<M> | null): Answer<MethodOut<M>> {
  const key = arg === null ? null : JSON.stringify([method, arg]);

  const subscribe = useCallback(
    (watcher: () => void) => {
      if (key === null) return () => undefined;
      const entry = entryOf(key);
      entry.watchers.add(watcher);
      return () => {
        entry.watchers.delete(watcher);
        if (entry.watchers.size > 0) return;
        entry.request?.abort();
        entry.request = null;
      };
    },
    [key],
  );
  const snapshot = useSyncExternalStore(subscribe, () =>
    key === null ? EMPTY : (entries.get(key)?.snapshot ?? EMPTY),
  );

  useEffect(() => {
    if (key === null) return;
    const entry = entryOf(key);
    if (entry.request) return;
    if (entry.snapshot.value !== undefined && !entry.snapshot.isStale) return;
    const [, asked] = JSON.parse(key) as [MethodName, MethodIn<MethodName>];
    ask(entry, method, asked);
  }, [key, method]);

  // The last answer is state, not a reference: React may draw a picture twice or throw one away.
  const [last, setLast] = useState<MethodOut<M> | null>(null);
  const current = snapshot.value === undefined ? null : (snapshot.value as MethodOut<M>);
  const kept = key === null || snapshot.error ? null : snapshot.value === undefined ? last : current;
  if (kept !== last) setLast(kept);

  const { error, progress } = snapshot;
  if (key === null) return { state: 'idle', value: null, isStale: false, error: null, progress: null };
  if (error) return { state: 'error', value: null, isStale: false, error, progress: null };
  if (snapshot.value === undefined)
    return { state: 'loading', value: last, isStale: last !== null, error: null, progress };
  return { state: 'ready', value: current, isStale: snapshot.isStale, error: null, progress };
}
