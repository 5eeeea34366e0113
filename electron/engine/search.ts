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

/** Streams hits in the order of turns, at most one for each request; `complete` is false when `limit` stopped it. */
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
  let hits = 0;
  let until = performance.now() + SLICE_MS;
  for (const [at, turn] of turns.entries()) {
    const found: SearchHit[] = [];
    const place = { sessionId, turnId: turn.turnId, turnIndex: turn.index };
    for (const row of said.get(turn.turnId) ?? []) {
      const hit = excerpt(row.content, query);
      if (hit) found.push({ ...place, callId: null, runtimeId: null, ...hit });
    }
    if (turn.attempts > 0) {
      for (const row of index.ofTurn(turn.turnId)) {
        const hit = searchCall(source, row, query);
        if (hit) found.push({ ...place, callId: row.id, runtimeId: row.runtimeId, ...hit });
      }
    }
    const taken = found.slice(0, limit - hits);
    hits += taken.length;
    if (taken.length > 0) context.item(taken);
    if (hits >= limit) return { hits, complete: false };
    if (performance.now() > until) {
      context.progress(at + 1, turns.length);
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

function searchCall(source: OpenedSource, row: CallRow, query: string): Excerpt | null {
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
    const around = bytes
      .subarray(Math.max(0, at - 4 * CONTEXT), Math.min(bytes.length, end + 4 * CONTEXT))
      .toString('utf8');
    const hit = excerpt(around, written);
    if (hit) return { before: unescaped(hit.before), match: unescaped(hit.match), after: unescaped(hit.after) };
  }
  return null;
}

/** Reads the common JSON escapes of a cut-out piece; a piece may begin or end inside one. */
const unescaped = (piece: string): string =>
  piece
    .replace(/\\(["\\/])/g, '$1')
    .replace(/\\[nrt]/g, ' ')
    .replace(/�/g, '');
