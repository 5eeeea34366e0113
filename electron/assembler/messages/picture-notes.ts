/**
 * A picture that was shown leaves one sentence in the history, written when it was committed and never again, so that
 * every runtime knows of it and no cached prefix breaks. The sentence holds no id, time or path (seed 1, section 1).
 */
import { headOf } from '../budget/truncate.ts';
import type { FrameworkTexts, HistoryRecord, MediaRef } from '../types.ts';

export const CAPTION_CHARS = 600;

/** What a picture block of a row says. */
export type Picture = { readonly ref: MediaRef; readonly sessionId: string | null; readonly caption: string };

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** One line of at most 600 UTF-16 units, no surrogate pair cut in two. */
const oneLine = (text: string): string => headOf(text.replace(/\s+/g, ' ').trim(), CAPTION_CHARS).trimEnd();

/** `meta.caption`, else `meta.prompt`, on one line; empty where neither says anything. */
export function captionOf(meta: unknown): string {
  const { caption, prompt } = fieldsOf(meta);
  for (const value of [caption, prompt]) {
    const line = oneLine(textOf(value) ?? '');
    if (line !== '') return line;
  }
  return '';
}

/** The sentence of a note row. */
export function pictureNote(meta: unknown, texts: FrameworkTexts): string {
  const caption = captionOf(meta);
  return caption === '' ? texts.text('picture.note') : texts.text('picture.note-of', { caption });
}

function pictureOf(block: unknown): readonly Picture[] {
  const { type, data } = fieldsOf(block);
  const { modality, ref, meta, sessionId } = fieldsOf(data);
  const { id, mime, size } = fieldsOf(ref);
  if (type !== 'asset.generate' || modality !== 'image') return [];
  if (typeof id !== 'string' || typeof mime !== 'string' || typeof size !== 'number') return [];
  return [{ ref: { id, mime, size }, sessionId: textOf(sessionId), caption: captionOf(meta) }];
}

/** The pictures that a row of the history shows. */
export const picturesOf = (row: HistoryRecord): readonly Picture[] =>
  Array.isArray(row.ui) ? row.ui.flatMap(pictureOf) : [];

/** A row that does no more than tell of a picture: written by the host, in the user's role. */
export const isPictureNote = (row: HistoryRecord): boolean =>
  row.role === 'user' && (row.sourceType ?? 'system') === 'system' && picturesOf(row).length > 0;

/** The note row for a generated asset (the `data` of its block); null for everything that is no picture. */
export function pictureNoteRow(
  asset: HistoryRecord['ui'] & object,
  turnId: string,
  texts: FrameworkTexts,
): HistoryRecord | null {
  const { modality, meta } = fieldsOf(asset);
  if (modality !== 'image') return null;
  return {
    role: 'user',
    sourceType: 'system',
    turnId,
    content: pictureNote(meta, texts),
    ui: [{ type: 'asset.generate', data: asset }],
  };
}
