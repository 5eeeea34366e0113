/**
 * A runtime reads the story and its own earlier output, not the data other runtimes left in the conversation. Old rows
 * are represented by summaries; a runtime that declared a window sees the newest player turns only (seed 1, sections
 * 1 and 2; assembler page, 5.1 and 5.2). Rows of the database are never changed, only what of them is sent.
 */
import { escapeXml } from '../data/escape.ts';
import { isBlank, messageOf, piece } from '../piece.ts';
import type { FrameworkTexts, HistoryRecord, SegmentedMessage, SummaryRecord } from '../types.ts';
import { isPictureNote } from './picture-notes.ts';

type Speaker = 'player' | 'system' | 'runtime';

/** Who wrote a row: its source type, or its role where none was kept. */
function speakerOf({ sourceType, role }: HistoryRecord): Speaker {
  if (sourceType === 'runtime' || sourceType === 'tool') return 'runtime';
  if (sourceType === 'system') return 'system';
  if (sourceType !== undefined) return 'player';
  return role === 'user' ? 'player' : role === 'system' ? 'system' : 'runtime';
}

const TOOL_TAG = /^<\/?(?:tool|function)[\w:-]*[\s/>]/i;
const QUOTED_JSON = /^`(?:\{[^]*\}|\[[^]*\])`$/;

/**
 * Does a text look like the output of a machine: raw JSON, a text that opens with a code fence, JSON in single
 * backticks, or a tool tag in any case. Prose that ends in a brace or speaks of JSON does not.
 */
export function looksStructured(text: string | null | undefined): boolean {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return false;
  if (trimmed.startsWith('```') || TOOL_TAG.test(trimmed) || QUOTED_JSON.test(trimmed)) return true;
  const isObject = trimmed.startsWith('{') && trimmed.endsWith('}');
  const isArray = trimmed.startsWith('[') && trimmed.endsWith(']');
  if (!isObject && !isArray) return false;
  try {
    JSON.parse(trimmed);
    return true;
  } catch {
    return isObject ? /^\{\s*"/.test(trimmed) : /^\[\s*[{"[]/.test(trimmed);
  }
}

/** A row names its runtime alone (`tracker`) or with its plugin (`world-init/tracker`). */
function isOf(row: HistoryRecord, runtime: string): boolean {
  const name = row.sourceRuntimeId ?? row.name;
  if (name === undefined) return false;
  if (name === runtime) return true;
  const slash = runtime.indexOf('/');
  const plugin = runtime.slice(0, Math.max(0, slash));
  return name === runtime.slice(slash + 1) && (row.sourcePluginId ?? plugin) === plugin;
}

/**
 * What one runtime may read: player and system rows; its own rows; the prose of other runtimes. Rows of other runtimes
 * that look structured and runtime rows without text go.
 */
export const filterRuntimeHistory = (history: readonly HistoryRecord[], runtime: string): readonly HistoryRecord[] =>
  history.filter((row) => {
    if (speakerOf(row) !== 'runtime') return true;
    return !isBlank(row.content) && (isOf(row, runtime) || !looksStructured(row.content));
  });

export type HistoryWindow = { readonly maxTurns: number; readonly includeSummaries?: boolean };

/**
 * The rows from the newest `maxTurns` player turns on. Player turns are counted by turn id; picture notes and rows of
 * other turns that stand between kept turns stay with them. 0 keeps nothing, more than there are keeps everything.
 */
export function applyHistoryWindow(
  history: readonly HistoryRecord[],
  { maxTurns }: HistoryWindow,
): readonly HistoryRecord[] {
  if (maxTurns <= 0) return [];
  const turnOf = (row: HistoryRecord, i: number): string => row.turnId ?? `row ${i}`;
  const turns = new Set<string>();
  for (const [i, row] of [...history.entries()].toReversed()) {
    if (speakerOf(row) === 'player' && !isPictureNote(row)) turns.add(turnOf(row, i));
    if (turns.size > maxTurns) break;
  }
  if (turns.size < maxTurns) return history;
  const kept = new Set([...turns].slice(0, maxTurns));
  return history.slice(history.findIndex((row, i) => kept.has(turnOf(row, i)) && !isPictureNote(row)));
}

/** One summary as it is sent: data in an envelope, and a sentence that says what it is. */
export function summaryMessage(summary: SummaryRecord, texts: FrameworkTexts): SegmentedMessage {
  const sections = `# sections: ${summary.focusSections.map(escapeXml).join(', ')}`.trimEnd();
  const text = [
    '<compacted_history>',
    sections,
    escapeXml(summary.content),
    '</compacted_history>',
    texts.text('note.summary'),
  ].join('\n');
  return messageOf([piece('summary', 'user', `summary ${summary.id}`, text)]);
}

const rowLabel = (row: HistoryRecord): string => row.turnId ?? row.sourceType ?? row.role;

/** A row as it is sent: role, text and name; a picture note is told apart from what was said. */
export const rowMessage = (row: HistoryRecord, kind: 'history' | 'story' = 'history'): SegmentedMessage =>
  messageOf(
    [
      piece(kind === 'history' && isPictureNote(row) ? 'picture-note' : kind, row.role, rowLabel(row), row.content, {
        plugin: row.sourcePluginId ?? null,
        runtime: row.sourceRuntimeId ?? row.name ?? null,
        turnId: row.turnId ?? null,
      }),
    ],
    row.name,
  );

/**
 * The history with its summaries in the places of the rows they stand for. Without summaries every row is sent as it
 * is. Otherwise summaries that no row names come first; the first row of a group gives way to its summary, the group's
 * other rows go, and so does a row whose summary is missing.
 */
export function historyMessages(
  history: readonly HistoryRecord[],
  summaries: readonly SummaryRecord[] | undefined,
  texts: FrameworkTexts,
): readonly SegmentedMessage[] {
  if (!summaries || summaries.length === 0) return history.map((row) => rowMessage(row));
  const byId = new Map(summaries.map((summary) => [summary.id, summary]));
  const named = new Set(history.flatMap((row) => row.compactedAtTurnId ?? []));
  const messages = summaries
    .filter((summary) => !named.has(summary.id))
    .map((summary) => summaryMessage(summary, texts));
  const done = new Set<string>();
  for (const row of history) {
    const id = row.compactedAtTurnId;
    if (id == null) messages.push(rowMessage(row));
    else if (!done.has(id)) {
      done.add(id);
      const summary = byId.get(id);
      if (summary) messages.push(summaryMessage(summary, texts));
    }
  }
  return messages;
}
