/**
 * A Chat stream ends with a finish reason; the usage may come after it, so the reply is closed by `[DONE]` or the end of
 * the connection. Calls come in fragments by index (assembler page, 9.2).
 */
import type { Json, JsonObject } from '../../../shared/model/index.ts';
import { field, isList, isObject, nameOf } from '../json.ts';
import { indexOf, isNone, textOf } from '../replies/fields.ts';
import { createSpeech } from '../replies/speech.ts';
import { createReplyStream, cutOff } from '../replies/stream.ts';
import type { ReplyOptions, ReplyStream, StreamEvent } from '../replies/types.ts';
import { chatReply, contentIn, reasoningIn, type ReasoningField } from './reply.ts';

type Call = { index: number; id: string | null; name: string | null; arguments: string };
type Emit = (event: StreamEvent) => void;

/**
 * Fragments of calls. Without an index a fragment continues the last call unless it names another one; so does one
 * with a used index but another id and a name, which some endpoints send for parallel calls.
 */
function createCalls() {
  const calls = new Map<number, Call>();
  let last: Call | null = null;
  let free = 0;
  const find = (fragment: Json): Call => {
    const id = nameOf(field(fragment, 'id'));
    const starts = id !== null && nameOf(field(field(fragment, 'function'), 'name')) !== null;
    const index = indexOf(field(fragment, 'index'));
    const open = index === null ? last : (calls.get(index) ?? null);
    const another = open !== null && starts && open.id !== null && open.id !== id;
    if (open !== null && !another) return open;
    const call: Call = { index: another ? free : (index ?? free), id: null, name: null, arguments: '' };
    calls.set(call.index, call);
    free = Math.max(free, call.index + 1);
    return call;
  };
  return {
    add(fragment: Json, emit: Emit): void {
      if (!isObject(fragment)) return;
      const call = find(fragment);
      last = call;
      call.id ??= nameOf(field(fragment, 'id'));
      call.name ??= nameOf(field(field(fragment, 'function'), 'name'));
      const text = textOf(field(field(fragment, 'function'), 'arguments'));
      call.arguments += text;
      if (text !== '') emit({ type: 'tool-argument-delta', index: call.index, id: call.id, name: call.name, text });
    },
    all: (): readonly Call[] => [...calls.values()].sort((a, b) => a.index - b.index),
  };
}

export function createChatStream(options: ReplyOptions): ReplyStream {
  let sink: Emit = () => undefined;
  const speech = createSpeech((event) => sink(event), true);
  const calls = createCalls();
  let ids: { id: Json | undefined; model: Json | undefined } = { id: undefined, model: undefined };
  let usage: Json | undefined;
  let finish: string | null = null;
  let refusal = '';
  let reasoningField: ReasoningField | null = null;
  let choices = 0;

  const addChoice = (choice: Json, emit: Emit): void => {
    const index = indexOf(field(choice, 'index')) ?? 0;
    choices = Math.max(choices, index + 1);
    if (index !== 0) return;
    const delta = field(choice, 'delta');
    const reasoning = reasoningIn(delta);
    reasoningField ??= reasoning?.at ?? null;
    speech.reasoning(reasoning?.text ?? '');
    speech.text(contentIn(delta));
    refusal += textOf(field(delta, 'refusal'));
    const fragments = field(delta, 'tool_calls');
    for (const fragment of isList(fragments) ? fragments : []) calls.add(fragment, emit);
    finish = nameOf(field(choice, 'finish_reason')) ?? finish;
    const own = field(choice, 'usage');
    if (!isNone(own)) usage = own;
  };

  return createReplyStream({
    add(event: JsonObject, emit) {
      sink = emit;
      ids = { id: ids.id ?? event['id'], model: ids.model ?? event['model'] };
      const list = event['choices'];
      for (const choice of isList(list) ? list : []) addChoice(choice, emit);
      if (!isNone(event['usage'])) usage = event['usage'];
      return null;
    },
    close(emit) {
      if (finish === null) return cutOff('finish reason');
      sink = emit;
      const said = speech.end();
      return chatReply({ ...ids, finish, refusal, reasoningField, calls: calls.all(), usage, choices }, said, options);
    },
  });
}
