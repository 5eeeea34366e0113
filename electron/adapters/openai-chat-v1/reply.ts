/**
 * OpenAI Chat: one choice with a message. Reasoning stands in `reasoning_content` or `reasoning` (which one is
 * remembered, because it goes back under the same name), or as think tags in the text (assembler page, 9.2).
 */
import type { Json } from '../../../shared/model/index.ts';
import { field, isList, isObject, nameOf } from '../json.ts';
import { errorFault, errorIn, faultOf, malformed } from '../replies/failure.ts';
import { continuationOf, diagnosticsOf, indexOf, textOf, usageOf } from '../replies/fields.ts';
import { finishOf } from '../replies/finish.ts';
import { createSpeech, silent, type Said } from '../replies/speech.ts';
import { releaseCalls, type RawCall } from '../replies/tool-calls.ts';
import type { Reply, ReplyFault, ReplyOptions } from '../replies/types.ts';

export const PROTOCOL = 'openai-chat-v1';
export type ReasoningField = 'reasoning_content' | 'reasoning';

/** A message's or delta's reasoning, and the field that it stood in. */
export function reasoningIn(message: Json | undefined): { readonly at: ReasoningField; readonly text: string } | null {
  for (const at of ['reasoning_content', 'reasoning'] as const) {
    const text = textOf(field(message, at));
    if (text !== '') return { at, text };
  }
  return null;
}

/** Content is a text, or a list of parts of which some are text. */
export function contentIn(message: Json | undefined): string {
  const content = field(message, 'content');
  if (!isList(content)) return textOf(content);
  return content.map((part) => (field(part, 'type') === 'text' ? textOf(field(part, 'text')) : '')).join('');
}

export type ChatFacts = {
  readonly id: Json | undefined;
  readonly model: Json | undefined;
  readonly finish: string | null;
  readonly refusal: string;
  readonly reasoningField: ReasoningField | null;
  readonly calls: readonly RawCall[];
  readonly usage: Json | undefined;
  readonly choices: number;
};

/** What a whole reply and the sum of a stream become. */
export function chatReply(facts: ChatFacts, said: Said, options: ReplyOptions): Reply | ReplyFault {
  const usage = usageOf(PROTOCOL, facts.usage, options);
  if (facts.refusal !== '') return faultOf('refused', facts.refusal, usage);
  const end = finishOf(PROTOCOL, facts.finish, 0);
  if (end.unified === 'error') {
    return { ...errorFault({ code: facts.finish, message: `the reply ended with ${facts.finish}` }, null), usage };
  }
  const { calls, warnings } = releaseCalls(facts.calls, end.unified, options);
  const native = said.reasoning !== '' && !said.inline ? facts.reasoningField : null;
  return {
    text: said.text,
    reasoning: said.reasoning,
    reasoningFrom: said.reasoning === '' ? null : (native ?? 'inline'),
    toolCalls: calls,
    finish: finishOf(PROTOCOL, facts.finish, calls.length),
    usage,
    continuation: native === 'reasoning' ? continuationOf(PROTOCOL, options, [{ reasoning: said.reasoning }]) : null,
    diagnostics: diagnosticsOf(facts, facts.usage, facts.choices > 1 ? [...warnings, 'more-choices'] : warnings),
  };
}

function callsIn(message: Json): readonly RawCall[] {
  const calls = field(message, 'tool_calls');
  return (isList(calls) ? calls : []).map((call, index) => ({
    index,
    id: nameOf(field(call, 'id')),
    name: nameOf(field(field(call, 'function'), 'name')),
    arguments: textOf(field(field(call, 'function'), 'arguments')),
  }));
}

/** The body of a Chat reply (HTTP 200); never throws. */
export function parseChatReply(json: Json, options: ReplyOptions): Reply | ReplyFault {
  if (!isObject(json)) return malformed('the reply is no JSON object');
  const error = errorIn(json);
  if (error !== undefined || json['type'] === 'error') return errorFault(error ?? json, null);
  const list = field(json, 'choices');
  const choices = isList(list) ? list : [];
  const choice = choices.find((one) => indexOf(field(one, 'index')) === 0) ?? choices[0];
  const message = field(choice, 'message');
  if (!isObject(message)) return malformed('the reply has no choice with a message');
  const speech = createSpeech(silent, true);
  const reasoning = reasoningIn(message);
  speech.reasoning(reasoning?.text ?? '');
  speech.text(contentIn(message));
  const facts: ChatFacts = {
    id: json['id'],
    model: json['model'],
    finish: nameOf(field(choice, 'finish_reason')),
    refusal: textOf(message['refusal']),
    reasoningField: reasoning?.at ?? null,
    calls: callsIn(message),
    usage: json['usage'] ?? field(choice, 'usage'),
    choices: choices.length,
  };
  return chatReply(facts, speech.end(), options);
}
