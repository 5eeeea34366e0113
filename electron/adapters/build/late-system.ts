/**
 * A system message after the conversation began keeps its place but not its role where the endpoint knows only one
 * place for system text: it goes out as user text between `<system-instruction>` tags (assembler page, section 8.1).
 */
import { WRAPPER_CLOSE, WRAPPER_OPEN } from '../parts.ts';
import { isSystem, isText, ownerOf } from './content.ts';
import { trace, wrap, NO_TEXT } from './traced.ts';
import type { BuildMessage } from './types.ts';

/** The leading run of system and developer messages, and what follows it. */
export function splitLeading(messages: readonly BuildMessage[]): {
  readonly leading: readonly BuildMessage[];
  readonly rest: readonly BuildMessage[];
} {
  const at = messages.findIndex((message) => !isSystem(message));
  return at < 0 ? { leading: messages, rest: [] } : { leading: messages.slice(0, at), rest: messages.slice(at) };
}

/** One system message as user text in the wrapper; of parts, none is lost. */
export function asUser(message: BuildMessage): BuildMessage {
  const { content } = message;
  if (content === null || isText(content)) {
    return { ...message, role: 'user', content: wrap(content ?? NO_TEXT, WRAPPER_OPEN, WRAPPER_CLOSE) };
  }
  const owner = ownerOf(message);
  return {
    ...message,
    role: 'user',
    content: [
      { type: 'text', text: trace(WRAPPER_OPEN, owner) },
      ...content,
      { type: 'text', text: trace(WRAPPER_CLOSE, owner) },
    ],
  };
}

/** Every later system message as user text. Leading ones, and a request of system messages alone, stay the same objects. */
export function lateSystemAsUser(messages: readonly BuildMessage[]): readonly BuildMessage[] {
  const { leading, rest } = splitLeading(messages);
  if (!rest.some(isSystem)) return messages;
  return [...leading, ...rest.map((message) => (isSystem(message) ? asUser(message) : message))];
}
