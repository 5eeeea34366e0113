/**
 * The newest pictures themselves are sent beside the player's message, not in the history: a picture that leaves the
 * window would rewrite an old message and break the cache of everything behind it (seed 1, section 1). Bytes are read
 * right before a call, and only for a model that takes images.
 */
import { messageText, piece } from '../piece.ts';
import { stripSentinels } from '../data/escape.ts';
import type { FrameworkTexts, HistoryRecord, LlmMessage, LlmPart, MediaRef, SegmentedMessage } from '../types.ts';
import { picturesOf } from './picture-notes.ts';

export const MAX_PICTURES = 2;
/** 5 MB of base64, the tightest limit of the providers for one picture. */
export const MAX_PICTURE_BYTES = 3_750_000;
const MIMES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

/** One user message with the newest pictures of rows that no summary stands for, oldest first; null for none. */
export function recentPicturesMessage(
  history: readonly HistoryRecord[],
  wanted: number,
  texts: FrameworkTexts,
): SegmentedMessage | null {
  const count = Math.min(wanted, MAX_PICTURES);
  if (count <= 0) return null;
  const pictures = history
    .filter((row) => row.compactedAtTurnId == null)
    .flatMap(picturesOf)
    .slice(-count);
  if (pictures.length === 0) return null;
  const line = (n: number, caption: string): string =>
    caption === '' ? texts.text('picture.line', { n }) : texts.text('picture.line-of', { n, caption });
  const content = [
    { type: 'text', text: texts.text('picture.intro') } as const,
    ...pictures.flatMap(({ ref, caption }, i): readonly LlmPart[] => [
      { type: 'text', text: stripSentinels(line(i + 1, caption)) },
      { type: 'media', ref },
    ]),
  ];
  const message: LlmMessage = { role: 'user', content };
  return { message, segments: [piece('pictures', 'user', 'recent pictures', messageText(message))] };
}

/** What a media store knows of a picture. `read` may reject. */
export type StoredPicture = {
  readonly mime: string;
  readonly size: number;
  /** Is it referenced by the session of the call? */
  readonly isOfSession: boolean;
  read(): Promise<Uint8Array>;
};

export type SkippedPicture = {
  readonly id: string;
  readonly reason: 'unknown' | 'other-session' | 'empty' | 'too-large' | 'wrong-type' | 'read-failed';
  /** What the store said when reading failed. */
  readonly detail: string | null;
};

export type PreparedMessages = {
  readonly messages: readonly LlmMessage[];
  readonly skipped: readonly SkippedPicture[];
};

export type PictureOptions = {
  /** By the capability of the model of this very call, not by its name. */
  readonly acceptsImages: boolean;
  readonly load: (ref: MediaRef) => Promise<StoredPicture | null>;
};

type Loaded =
  { readonly kind: 'image'; readonly part: LlmPart } | { readonly kind: 'skipped'; readonly skipped: SkippedPicture };

const isMedia = (part: LlmPart): part is LlmPart & { type: 'media' } => part.type === 'media';

/**
 * Replaces media parts by inline base64 images, right before a call. A model without image input gets no message that
 * holds media at all. A picture that cannot be sent takes the text line before it with it; a message left without an
 * image goes. Never rejects: what was skipped and why is in the result.
 */
export async function prepareForModel(
  messages: readonly LlmMessage[],
  { acceptsImages, load }: PictureOptions,
): Promise<PreparedMessages> {
  const prepared: LlmMessage[] = [];
  const skipped: SkippedPicture[] = [];
  for (const message of messages) {
    if (typeof message.content === 'string' || !message.content.some(isMedia)) {
      prepared.push(message);
      continue;
    }
    if (!acceptsImages) continue;
    const parts: LlmPart[] = [];
    for (const part of message.content) {
      if (!isMedia(part)) {
        parts.push(part);
        continue;
      }
      const loaded = await loadPicture(part.ref, load);
      if (loaded.kind === 'image') parts.push(loaded.part);
      else {
        skipped.push(loaded.skipped);
        // The first part is the intro; a line of its own stands behind it or behind another picture.
        if (parts.length > 1 && parts.at(-1)?.type === 'text') parts.pop();
      }
    }
    if (parts.some((part) => part.type === 'image')) prepared.push({ ...message, content: parts });
  }
  return { messages: prepared, skipped };
}

async function loadPicture(ref: MediaRef, load: PictureOptions['load']): Promise<Loaded> {
  const skip = (reason: SkippedPicture['reason'], detail: string | null = null): Loaded => ({
    kind: 'skipped',
    skipped: { id: ref.id, reason, detail },
  });
  try {
    const stored = await load(ref);
    if (!stored) return skip('unknown');
    if (!stored.isOfSession) return skip('other-session');
    const mediaType = (stored.mime.split(';', 1)[0] ?? '').trim().toLowerCase();
    if (!MIMES.has(mediaType)) return skip('wrong-type', stored.mime);
    if (stored.size <= 0) return skip('empty');
    if (stored.size > MAX_PICTURE_BYTES) return skip('too-large');
    const bytes = await stored.read();
    if (bytes.length === 0) return skip('empty');
    if (bytes.length > MAX_PICTURE_BYTES) return skip('too-large');
    return { kind: 'image', part: { type: 'image', image: base64(bytes), mediaType } };
  } catch (thrown) {
    return skip('read-failed', thrown instanceof Error ? thrown.message : String(thrown));
  }
}

/** The characters of one call of fromCharCode: below every engine's limit of arguments, and a multiple of 3. */
const CHUNK = 0x6000;

function base64(bytes: Uint8Array): string {
  const encoded: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) {
    encoded.push(btoa(String.fromCharCode(...bytes.subarray(at, at + CHUNK))));
  }
  return encoded.join('');
}

/** Asks the store once for each picture of a tool loop. */
export function remembered(load: PictureOptions['load']): PictureOptions['load'] {
  const known = new Map<string, Promise<StoredPicture | null>>();
  return (ref) => {
    const kept = known.get(ref.id);
    if (kept) return kept;
    const asked = load(ref).then((stored) => stored && { ...stored, read: once(() => stored.read()) });
    known.set(ref.id, asked);
    return asked;
  };
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null;
  return () => (asked ??= work());
}

/** The messages as a trace keeps them: an image shows its length alone (storage page, section 3). */
export const withoutImageData = (messages: readonly LlmMessage[]): readonly LlmMessage[] =>
  messages.map((message) =>
    typeof message.content === 'string'
      ? message
      : {
          ...message,
          content: message.content.map((part) =>
            part.type === 'image'
              ? { ...part, image: `[image data omitted: ${part.image.length} base64 characters]` }
              : part,
          ),
        },
  );
