/**
 * One recorded call, read back: the payload's chosen body is parsed, its texts become segments, and the result is
 * kept for a while, because every screen of a call and of its neighbours asks for the same.
 */
import { isDeepStrictEqual } from 'node:util';
import { nameSegments, parseBody, parseKernel, segmentText } from '../adapters/index.ts';
import { chosenRequest, scanPayload, type PayloadScan, type RequestScan } from '../cache/bytes/payload.ts';
import type { ByteRange } from '../cache/bytes/json-bytes.ts';
import type { CallSide } from '../cache/index.ts';
import type { CovelDb } from '../sources/covel-db/types.ts';
import {
  isProtocol,
  type CallRow,
  type HistoryRow,
  type Json,
  type JsonObject,
  type Protocol,
  type Segment,
  type WirePrompt,
} from '../../shared/model/index.ts';
import { failWith } from './errors.ts';

export type CallScan = Extract<PayloadScan, { kind: 'call' }>;

export type CallView = {
  readonly row: CallRow;
  readonly sessionId: string;
  readonly scan: CallScan;
  readonly request: RequestScan | null;
  readonly view: 'wire' | 'kernel';
  readonly side: CallSide;
  /** The same call in the kernel's view; null where it was concealed. */
  kernelSide(): CallSide | null;
  /** Text by segment, joined once. */
  textOf(segment: Segment): string;
};

export type CallViews = {
  /** Fails with `payload-unreadable` or `no-body` where there is nothing to show. */
  get(row: CallRow, sessionId: string): CallView;
  clear(): void;
};

/** Bytes of payloads whose views are kept for the screens. */
const KEPT_BYTES = 48_000_000;

/**
 * A view that is given up is taken out of its entry: a Map leaves old tables of entries behind, and what they reach stays
 * in memory until all garbage is collected, which for views of ten thousand calls is much.
 */
type Kept = { view: CallView | null };

export type HistoryOfTurn = (
  sessionId: string,
  row: CallRow,
) => { readonly rows: readonly HistoryRow[]; readonly playerText: string | null };

/** @param most at most so many bytes of payloads, and so many views of one runtime */
export function createCallViews(
  db: CovelDb,
  historyOf: HistoryOfTurn,
  most: { readonly bytes: number; readonly ofRuntime: number } = { bytes: KEPT_BYTES, ofRuntime: Infinity },
): CallViews {
  /** The one used last at the end. */
  const kept = new Map<string, Kept>();
  let bytes = 0;

  function forget(id: string, entry: Kept): void {
    kept.delete(id);
    bytes -= entry.view?.row.payloadBytes ?? 0;
    entry.view = null;
  }

  return {
    get(row, sessionId) {
      const there = kept.get(row.id);
      const known = there?.view ?? null;
      if (there) forget(row.id, there);
      const view = known && isDeepStrictEqual(known.row, row) ? known : readCall(db, row, sessionId, historyOf);
      kept.set(row.id, { view });
      bytes += row.payloadBytes;
      const isAlike = ({ view: other }: Kept): boolean => other?.row.runtimeId === row.runtimeId;
      let alike = kept.values().filter(isAlike).toArray().length;
      for (const [id, entry] of kept) {
        if (id === row.id) break;
        if (bytes <= most.bytes && !(isAlike(entry) && alike > most.ofRuntime)) continue;
        if (isAlike(entry)) alike--;
        forget(id, entry);
      }
      return view;
    },
    clear() {
      for (const [id, entry] of kept) forget(id, entry);
    },
  };
}

function readCall(db: CovelDb, row: CallRow, sessionId: string, historyOf: HistoryOfTurn): CallView {
  const payload = db.payloadById(row.id);
  const scan = scanPayload(payload);
  if (!payload || scan.kind === 'unreadable') {
    return failWith('payload-unreadable', { id: row.id, detail: scan.kind === 'unreadable' ? scan.reason : 'null' });
  }
  const chosen = chosenRequest(scan);
  const request = chosen?.body && isProtocol(chosen.protocol) ? chosen : null;
  const messages = parsed(payload, scan.messages);
  const wire = request ? parsed(payload, request.body) : null;
  const kernel: JsonObject | null = messages === null ? null : { messages, tools: parsed(payload, scan.tools) ?? [] };
  const body = wire !== null && typeof wire === 'object' && !Array.isArray(wire) ? (wire as JsonObject) : null;
  const shown = body ?? kernel ?? failWith('no-body', { id: row.id });
  const protocol = body && isProtocol(request?.protocol) ? request.protocol : null;
  const history = historyOf(sessionId, row);
  const sideOf = (shownProtocol: Protocol | null, shownBody: JsonObject, prompt: WirePrompt): CallSide => ({
    id: row.id,
    protocol: shownProtocol,
    model: typeof shown['model'] === 'string' ? shown['model'] : row.model,
    provider: row.provider,
    body: shownBody,
    prompt,
    segments: nameSegments(prompt, {
      kernel: kernel ? { messages: kernel['messages'] ?? [] } : null,
      turnId: row.turnId,
      runtimeId: scan.runtimeId,
      pluginId: scan.pluginId,
      playerText: history.playerText,
      rows: history.rows,
    }),
    turnIndex: row.turnIndex,
  });
  const kernelPrompt = (from: JsonObject): WirePrompt =>
    parseKernel({ messages: from['messages'] ?? [], tools: from['tools'] ?? [] });
  const side = sideOf(protocol, shown, protocol ? parseBody(protocol, shown) : kernelPrompt(shown));
  let inKernelView: CallSide | null = protocol ? null : side;
  const texts = new Map<string, string>();
  return {
    row,
    sessionId,
    scan,
    request,
    view: protocol ? 'wire' : 'kernel',
    side,
    kernelSide: () => (inKernelView ??= kernel && sideOf(null, kernel, kernelPrompt(kernel))),
    textOf(segment) {
      const there = texts.get(segment.id);
      if (there !== undefined) return there;
      const text = segmentText(segment);
      texts.set(segment.id, text);
      return text;
    },
  };
}

function parsed(payload: Uint8Array, range: ByteRange | null): Json | null {
  if (!range) return null;
  const text = Buffer.from(payload.buffer, payload.byteOffset + range.start, range.end - range.start).toString('utf8');
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
