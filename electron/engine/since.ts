/**
 * Since which turn does a segment stand unchanged? The first calls of the runtime are walked backwards until
 * every segment of the call has been missed once. A segment is the same when kind and text are.
 */
import { createHash } from 'node:crypto';
import { textOf } from '../cache/index.ts';
import type { TurnIndex } from '../../shared/units.ts';
import { previousTurnFirst } from './baseline.ts';
import type { CallView } from './call-view.ts';
import type { OpenedSource } from './opened-source.ts';

/** Turns that are looked at; a segment older than that is shown as old as the walk went. */
const MAX_TURNS = 200;
/** The thread answers other requests between two turns of the walk. */
const SLICE_MS = 12;

/** First turn of the unbroken run in which the segment stood, by segment id. */
export async function unchangedSince(
  source: OpenedSource,
  view: CallView,
  signal: AbortSignal,
): Promise<Readonly<Record<string, TurnIndex>>> {
  const since: Record<string, TurnIndex> = {};
  let alive = new Map<string, string[]>();
  for (const segment of view.side.segments) {
    const key = keyOf(segment.kind, textOf(segment));
    since[segment.id] = view.row.turnIndex;
    alive.set(key, [...(alive.get(key) ?? []), segment.id]);
  }
  let row = view.row;
  let until = performance.now() + SLICE_MS;
  for (let i = 0; i < MAX_TURNS && alive.size > 0 && !signal.aborted; i++) {
    const earlier = previousTurnFirst(source, row, view.sessionId);
    if (!earlier) break;
    row = earlier;
    if (earlier.empty) continue;
    const there = source.view(earlier.id);
    const keys = new Set(there.side.segments.map((segment) => keyOf(segment.kind, textOf(segment))));
    const still = new Map<string, string[]>();
    for (const [key, ids] of alive) {
      if (!keys.has(key)) continue;
      still.set(key, ids);
      for (const id of ids) since[id] = earlier.turnIndex;
    }
    alive = still;
    if (performance.now() > until) {
      await new Promise((resolve) => setImmediate(resolve));
      until = performance.now() + SLICE_MS;
    }
  }
  return since;
}

/** Short texts are their own key; long ones are hashed, so that a walk over many turns holds little. */
const keyOf = (kind: string, text: string): string =>
  `${kind} ${text.length < 64 ? text : createHash('sha1').update(text).digest('base64')}`;
