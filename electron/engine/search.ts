/**
 * A literal search over what the player said and what was sent. Recorded requests are searched as bytes: the
 * query is written as JSON writes it, both sides are lower-cased byte by byte (which folds ASCII and keeps every
 * other character apart from its neighbours only by chance), and a hit counts when the decoded text agrees.
 */
import type { CallContext } from './engine.ts';
import type { SearchHit } from '../../shared/api.ts';
import type { CallRow } from '../../shared/model/index.ts';
import { chosenRequest, scanPayload } from '../cache/bytes/payload.ts';
import type { OpenedSource } from './opened-source.ts';

const SLICE_MS = 12;
const CONTEXT = 48;

/**
 * Streams hits in the order of turns, at most one for each request and each place once: a text that later requests
 * of the runtime repeat is found where it first stood. `complete` is false when `limit` stopped it.
 */
export async function search(
  source: OpenedSource,
  { sessionId, query, limit }: { readonly sessionId: string; readonly query: string; readonly limit: number },
  context: CallContext<'search'>,
): Promise<{ readonly hits: number; readonly complete: boolean }> {
  const turns = source.turns(sessionId);
  const index = source.index(sessionId);
  const said = Map.groupBy(
    source.history(sessionId).filter((row) => row.sourceType === 'player'),
    (row) => row.turnId,
  );
  const seen = new Set<string>();
  let hits = 0;
  let until = performance.now() + SLICE_MS;
  for (const [position, turn] of turns.entries()) {
    const found: SearchHit[] = [];
    const at = { sessionId, turnId: turn.turnId, turnIndex: turn.index };
    for (const row of said.get(turn.turnId) ?? []) {
      const hit = excerpt(row.content, query);
      if (hit) found.push({ ...at, callId: null, runtimeId: null, ...hit });
    }
    if (turn.attempts > 0) {
      for (const row of index.ofTurn(turn.turnId)) {
        const hit = searchCall(source, row, query, ({ before, match, after }) => {
          const place = `${row.runtimeId} ${before} ${match} ${after}`;
          return !seen.has(place) && seen.add(place).has(place);
        });
        if (hit) found.push({ ...at, callId: row.id, runtimeId: row.runtimeId, ...hit });
      }
    }
    const taken = found.slice(0, limit - hits);
    hits += taken.length;
    if (taken.length > 0) context.item(taken);
    if (hits >= limit) return { hits, complete: false };
    if (performance.now() > until) {
      context.progress(position + 1, turns.length);
      await new Promise((resolve) => setImmediate(resolve));
      if (context.signal.aborted) return { hits, complete: false };
      until = performance.now() + SLICE_MS;
    }
  }
  return { hits, complete: true };
}

type Excerpt = Pick<SearchHit, 'before' | 'match' | 'after'>;

const foldAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** First place of the query in a text, with what stands around it on one line. */
export function excerpt(text: string, query: string): Excerpt | null {
  const at = foldAscii(text).indexOf(foldAscii(query));
  if (at < 0) return null;
  const line = (part: string): string => part.replace(/\s+/g, ' ');
  return {
    before: line(text.slice(Math.max(0, at - CONTEXT), at)),
    match: text.slice(at, at + query.length),
    after: line(text.slice(at + query.length, at + query.length + CONTEXT)),
  };
}

/** First place of the query in a request that `isNew` takes. */
function searchCall(
  source: OpenedSource,
  row: CallRow,
  query: string,
  isNew: (place: Excerpt) => boolean,
): Excerpt | null {
  const payload = source.db.payloadById(row.id);
  const scan = scanPayload(payload);
  if (!payload || scan.kind === 'unreadable') return null;
  const range = chosenRequest(scan)?.body ?? scan.messages;
  if (!range) return null;
  const bytes = Buffer.from(payload.buffer, payload.byteOffset + range.start, range.end - range.start);
  const folded = bytes.toString('latin1').toLowerCase();
  const written = JSON.stringify(query).slice(1, -1);
  const needle = Buffer.from(written).toString('latin1').toLowerCase();
  for (let at = folded.indexOf(needle); at >= 0; at = folded.indexOf(needle, at + 1)) {
    const end = at + needle.length;
    const text = (from: number, to: number): string => bytes.toString('utf8', Math.max(0, from), to);
    const match = text(at, end);
    if (foldAscii(match) !== foldAscii(written)) continue;
    // What stands around the hit ends where its JSON string does; a character cut in two at the edge is dropped.
    const before = onOneLine(text(at - 3 * CONTEXT, at).replace(/^.*(?<!\\)"/s, '')).slice(-CONTEXT);
    const after = onOneLine(text(end, end + 3 * CONTEXT).replace(/(?<!\\)".*$/s, '')).slice(0, CONTEXT);
    const place = { before, match: onOneLine(match), after };
    if (isNew(place)) return place;
  }
  return null;
}

/** A piece of a JSON string as one line of text; it may begin or end inside an escape. */
const onOneLine = (piece: string): string =>
  piece
    .replace(/\\(["\\/])/g, '$1')
    .replace(/\\[nrt]/g, ' ')
    .replaceAll('\ufffd', '');
