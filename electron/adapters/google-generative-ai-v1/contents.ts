/**
 * Gemini's `contents` know two roles. Late system text keeps its place as wrapped user text, so that what comes before it
 * stays the same from turn to turn; results follow their calls at once and alone (seed 1, section 2).
 */
import type { Json } from '../../../shared/model/index.ts';
import { WRAPPER_CLOSE, WRAPPER_OPEN } from '../parts.ts';
import { isSystem, partsOf, textOf } from '../build/content.ts';
import { readImage, type ImagePart } from '../build/images.ts';
import { own, wrap, type Owned, type Traced } from '../build/traced.ts';
import { BuildError, type BuildMessage } from '../build/types.ts';
import {
  answer,
  callParts,
  replayParts,
  type Answer,
  type CallPart,
  type OpenCalls,
  type ResponsePart,
  type Target,
} from './function-parts.ts';

export type TextPart = { readonly text: Traced };
export type MediaPart =
  | { readonly inlineData: { readonly mimeType: string; readonly data: string } }
  | { readonly fileData: { readonly mimeType: string; readonly fileUri: string } };
export type Part<Native = Json> = TextPart | Owned<MediaPart | CallPart | ResponsePart | Native>;
export type Content<Native = Json> = { readonly role: 'user' | 'model'; readonly parts: readonly Part<Native>[] };

/** A message and its name in errors. */
export type Named = { readonly message: BuildMessage; readonly at: string };

/** The text of a system message; empty where it has none. Error: a picture, which no system text can hold. */
export function systemText({ message, at }: Named): Traced {
  if (partsOf(message.content).some((part) => part.type !== 'text')) {
    throw new BuildError(`${at}.content`, 'System text of Gemini holds no pictures.');
  }
  return textOf(message.content);
}

/** Files of Google's own file service; every other URL would have to be fetched by Google, which refuses. */
const FILES = /^https:\/\/generativelanguage\.googleapis\.com\/(?:[^/?#]+\/)*files\/[^/?#]+$/;

function imagePart(part: ImagePart, at: string): Part {
  const source = readImage(part);
  if (source.kind === 'inline') {
    return own({ inlineData: { mimeType: source.mediaType, data: source.data } }, part.segment);
  }
  if (!FILES.test(source.url) || part.mediaType === undefined) {
    throw new BuildError(`${at}.content`, 'A picture by URL must be a Google Files URI with a mediaType.');
  }
  return own({ fileData: { mimeType: part.mediaType, fileUri: source.url } }, part.segment);
}

const contentParts = ({ message, at }: Named): readonly Part[] =>
  partsOf(message.content).flatMap((part): readonly Part[] => {
    if (part.type === 'image') return [imagePart(part, at)];
    return part.text.length === 0 ? [] : [{ text: part.text }];
  });

/**
 * The conversation as contents. `messages`: everything behind the leading system messages. `merges` false: one content a
 * message, as it was before late system text kept its place; then `messages` hold no system text. Errors: `BuildError`
 * for what Gemini cannot take.
 */
export function contentsOf(messages: readonly Named[], merges: boolean, to: Target): readonly Content[] {
  type Draft = { readonly role: Content['role']; readonly parts: Part[]; readonly isPureText: boolean };
  const contents: Draft[] = [];
  const open: OpenCalls = new Map();
  let made = 0;
  /** Results since the last call, and system text that waits until they are all there. */
  let answers: Answer[] = [];
  let waiting: Traced[] = [];
  let isAfterCall = false;

  const push = (role: Content['role'], parts: readonly Part[]): void => {
    if (parts.length === 0) return;
    const isPureText = parts.every((part) => 'text' in part);
    const last = contents.at(-1);
    if (merges && isPureText && last?.isPureText === true && last.role === role) last.parts.push(...parts);
    else contents.push({ role, parts: [...parts], isPureText });
  };
  const closeTools = (): void => {
    push(
      'user',
      answers.toSorted((a, b) => a.order - b.order).map(({ part }) => part),
    );
    const late = waiting;
    answers = [];
    waiting = [];
    isAfterCall = false;
    for (const text of late) push('user', [{ text }]);
  };

  for (const named of messages) {
    const { message, at } = named;
    if (message.role === 'tool') {
      answers.push(answer(message, at, open));
    } else if (isSystem(message)) {
      const text = systemText(named);
      if (text.length === 0) continue;
      const wrapped = wrap(text, WRAPPER_OPEN, WRAPPER_CLOSE);
      if (isAfterCall || answers.length > 0) waiting.push(wrapped);
      else push('user', [{ text: wrapped }]);
    } else {
      closeTools();
      if (message.role === 'user') push('user', contentParts(named));
      else {
        const calls = message.toolCalls?.length ?? 0;
        push(
          'model',
          replayParts(message, at, to, open, made) ?? [...contentParts(named), ...callParts(message, at, open, made)],
        );
        made += calls;
        isAfterCall = calls > 0;
      }
    }
  }
  closeTools();
  return contents.map(({ role, parts }) => ({ role, parts }));
}
