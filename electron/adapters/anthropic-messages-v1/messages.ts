/**
 * The conversation as the API takes it: user and assistant in turn, late system text in its place as wrapped user text,
 * results of one step together, nothing else merged (assembler page, section 9.1.2). With cache boundaries every text is
 * a list of blocks: a message keeps its shape when the mark moves on, so the prefix stays the same bytes.
 */
import type { Json, SegmentId } from '../../../shared/model/index.ts';
import { isSystem, isText, textOf } from '../build/content.ts';
import { nativeBlocks } from '../build/continuation.ts';
import { asUser } from '../build/late-system.ts';
import { isEmpty, trace, type Traced } from '../build/traced.ts';
import type { BuildMessage, BuildRequest } from '../build/types.ts';
import { contentBlocks, replay, textBlock, toolResult, toolUse, type Block } from './blocks.ts';
import { markMessages } from './boundaries.ts';

export const PROTOCOL = 'anthropic-messages-v1';

export type WireMessage<Native = Json> = {
  readonly role: 'user' | 'assistant';
  readonly content: Traced | readonly Block<Native>[];
};

type Draft = {
  readonly role: WireMessage['role'];
  /** null: only a list of blocks can say it. */
  readonly text: Traced | null;
  readonly blocks: Block[];
  readonly kind: 'late' | 'results' | 'other';
};

function draft(message: BuildMessage, request: BuildRequest): Draft {
  const { content, toolCalls = [] } = message;
  const role = message.role === 'assistant' ? 'assistant' : 'user';
  const native = role === 'assistant' ? nativeBlocks(PROTOCOL, message, request) : null;
  if (native !== null) return { role, text: null, blocks: [...replay(native, message)], kind: 'other' };
  const blocks = [...contentBlocks(content), ...toolCalls.map(toolUse)];
  return { role, text: isText(content) && toolCalls.length === 0 ? content : null, blocks, kind: 'other' };
}

const late = (message: BuildMessage, request: BuildRequest): Draft => ({
  ...draft(asUser(message), request),
  kind: 'late',
});

/** Whether a system message says anything. */
const says = ({ content }: BuildMessage): boolean => !isEmpty(textOf(content));

function drafts(rest: readonly BuildMessage[], request: BuildRequest): readonly Draft[] {
  const called = new Map<string, SegmentId>();
  const all: Draft[] = [];
  for (const message of rest) {
    for (const call of message.toolCalls ?? []) called.set(call.id, call.segment);
    const last = all.at(-1);
    if (isSystem(message)) {
      if (says(message)) all.push(late(message, request));
    } else if (message.role === 'tool') {
      const result = toolResult(message, called.get(message.toolCallId ?? '') ?? null);
      if (last?.kind === 'results') last.blocks.push(result);
      else all.push({ role: 'user', text: null, blocks: [result], kind: 'results' });
    } else {
      const made = draft(message, request);
      if (made.blocks.length > 0) all.push(made);
    }
  }
  const { opener } = request.options.texts;
  if (all[0] === undefined || all[0].role === 'user' || opener === '') return all;
  const text = trace(opener, null);
  return [{ role: 'user', text, blocks: [textBlock(text)], kind: 'other' }, ...all];
}

/** What follows the leading system messages. `isExplicit`: cache boundaries are used. */
export function wireMessages(
  rest: readonly BuildMessage[],
  request: BuildRequest,
  isExplicit: boolean,
): readonly WireMessage[] {
  const all = drafts(rest, request);
  if (!isExplicit) return all.map(({ role, text, blocks }) => ({ role, content: text ?? blocks }));
  const firstLate = all.findIndex(({ kind }) => kind === 'late');
  const marked = markMessages(
    all.map(({ blocks }) => blocks),
    firstLate < 0 ? null : firstLate,
  );
  return all.map(({ role }, i) => ({ role, content: marked[i] ?? [] }));
}
