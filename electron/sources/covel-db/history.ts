/**
 * The conversation that prompts are built from (turn_messages), the summaries that replaced parts of it, and the
 * events that tell when that happened. Messages sort by `created_at`, then `id`; their `order` column is the stage
 * of a runtime and sorts nothing (storage page, section 2).
 */
import type { HistoryRow } from '../../../shared/model/index.ts';
import { turnIndex } from '../../../shared/units.ts';
import type { Connection } from './connection.ts';
import { inOrder, list, smallEvents } from './events.ts';
import { turnPositions } from './turns.ts';
import type { LedgerEvent, SummaryRow } from './types.ts';
import { fieldsOf, isRecord, parseJson, textOf, textOr } from './values.ts';

type Timed = { readonly id: string; readonly createdAt: string };
const byTimeThenId = (a: Timed, b: Timed): number =>
  a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0;

/** Messages of a session in order. */
export function historyOf(db: Connection, sessionId: string): HistoryRow[] {
  const columns = db.schema.columns.get('turn_messages');
  if (!columns) return [];
  const names = [
    'id',
    'turn_id',
    'source_type',
    'source_plugin_id',
    'source_runtime_id',
    'role',
    'content',
    'ui',
    'created_at',
    'compacted_at_turn_id',
  ];
  const knowsSummaries = columns.has('compacted_at_turn_id');
  const picked = names.map((name) => (columns.has(name) ? name : 'NULL')).join(', ');
  const sql = `SELECT ${picked} FROM turn_messages WHERE session_id = ?`;
  const positions = turnPositions(db, sessionId);
  const rows = list(db, 'turn_messages', sql, sessionId).map((row) => {
    const [id, turn, sourceType, plugin, runtime, role, content, ui, createdAt, compactedBy] = row;
    const turnId = textOr(turn);
    const position = positions.get(turnId);
    const message: HistoryRow = {
      id: textOr(id),
      turnId,
      turnIndex: position === undefined ? null : turnIndex(position + 1),
      sourceType: textOr(sourceType),
      plugin: textOf(plugin),
      runtime: textOf(runtime),
      role: textOr(role),
      content: textOr(content),
      picture: showsPicture(textOf(ui)),
      ...(knowsSummaries ? { compactedBy: textOf(compactedBy) } : {}),
    };
    return { id: message.id, createdAt: textOr(createdAt), message };
  });
  return rows.sort(byTimeThenId).map(({ message }) => message);
}

/** The note of an image that was shown to the player carries the image's block. */
function showsPicture(ui: string | null): boolean {
  if (ui === null || !ui.includes('asset.generate')) return false;
  const blocks = parseJson(ui);
  return Array.isArray(blocks) && blocks.some((block) => isRecord(block) && block['type'] === 'asset.generate');
}

/** Live summaries of a session in order. */
export function summariesOf(db: Connection, sessionId: string): SummaryRow[] {
  const columns = db.schema.columns.get('session_summaries');
  if (!columns) return [];
  const names = ['id', 'turn_range_start', 'turn_range_end', 'content', 'focus_sections', 'created_at'];
  const picked = names.map((name) => (columns.has(name) ? name : 'NULL')).join(', ');
  const sql = `SELECT ${picked} FROM session_summaries WHERE session_id = ?`;
  return list(db, 'session_summaries', sql, sessionId)
    .map(([id, from, to, content, sections, createdAt]): SummaryRow => {
      const parsed = parseJson(textOf(sections));
      return {
        id: textOr(id),
        turnRange: [textOr(from), textOr(to)],
        content: textOr(content),
        focusSections: Array.isArray(parsed) ? parsed.filter((item) => typeof item === 'string') : [],
        createdAt: textOr(createdAt),
      };
    })
    .sort(byTimeThenId);
}

/** Compactions and prunings of a session in write order; nested payloads are lifted. */
export function ledgerEventsOf(db: Connection, sessionId: string): LedgerEvent[] {
  const types = ['context.compacted', 'context.pruned'] as const;
  const rows = types.flatMap((type) => smallEvents(db, sessionId, type).map((row) => ({ ...row, type })));
  return inOrder(db, sessionId, rows).map(({ id, type, turnId, createdAt, payload }) => ({
    id,
    type,
    turnId,
    createdAt,
    payload: fieldsOf(payload),
  }));
}
