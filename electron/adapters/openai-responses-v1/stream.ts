/**
 * A Responses stream ends with `response.completed` or `response.incomplete`, which carries the whole response. Some
 * endpoints leave its output empty: then the items that were finished on the way are the output, by their index
 * (assembler page, 9.3).
 */
import type { Json, JsonObject } from '../../../shared/model/index.ts';
import { field, isObject, nameOf } from '../json.ts';
import { malformed } from '../replies/failure.ts';
import { indexOf, textOf } from '../replies/fields.ts';
import { createSpeech } from '../replies/speech.ts';
import { createReplyStream, cutOff } from '../replies/stream.ts';
import type { ReplyFault, ReplyOptions, ReplyStream, StreamEvent } from '../replies/types.ts';
import { messageText, outputOf, reasoningTexts, responsesReply } from './reply.ts';

type Emit = (event: StreamEvent) => void;

/** An item on its way. `done`: as `output_item.done` gave it, or with the arguments of `…arguments.done`. */
type Item = { added: JsonObject; done: JsonObject | null };

/** Which of its two texts an item of reasoning has said so far. */
type Heard = 'summary' | 'thought';

export function createResponsesStream(options: ReplyOptions): ReplyStream {
  let sink: Emit = () => undefined;
  const speech = createSpeech((event) => sink(event), true);
  const items = new Map<number, Item>();
  const heard = new Map<number, Heard>();
  let streamed = '';
  let reasoned = false;
  let part = '';
  let refusal = '';
  let final: JsonObject | null = null;

  const itemAt = (event: JsonObject): Item => {
    const index = indexOf(event['output_index']) ?? items.size;
    const item = items.get(index) ?? { added: {}, done: null };
    items.set(index, item);
    return item;
  };

  /** Summary and thought of one item say the same; the first that is heard is kept. */
  const reason = (event: JsonObject, kind: Heard): void => {
    const index = indexOf(event['output_index']) ?? 0;
    if ((heard.get(index) ?? kind) !== kind) return;
    heard.set(index, kind);
    const here = `${index} ${indexOf(event['summary_index']) ?? indexOf(event['content_index']) ?? 0}`;
    if (here !== part) speech.nextBlock();
    part = here;
    const text = textOf(event['delta']);
    if (text !== '') reasoned = true;
    speech.reasoning(text);
  };

  const speak = (text: string): void => {
    streamed += text;
    speech.text(text);
  };

  const progress = (event: JsonObject): void => {
    const item = itemAt(event);
    const { added } = item;
    const index = [...items.values()].filter((one) => one.added['type'] === 'function_call').indexOf(item);
    const id = nameOf(added['call_id']) ?? nameOf(added['id']);
    const text = textOf(event['delta']);
    if (index >= 0 && text !== '') {
      sink({ type: 'tool-argument-delta', index, id, name: nameOf(added['name']), text });
    }
  };

  /** Finished items by index; a text that was streamed without its item becomes one. */
  const collected = (): readonly Json[] => {
    const done = [...items].sort(([a], [b]) => a - b).flatMap(([, item]) => item.done ?? []);
    if (messageText(done) !== '' || streamed === '') return done;
    return [...done, { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: streamed }] }];
  };

  const finish = (event: JsonObject, status: string): ReplyFault | 'terminal' => {
    const response = event['response'];
    if (!isObject(response)) return malformed(`the event response.${status} has no response`);
    final = { ...response, status: nameOf(response['status']) ?? status };
    if (outputOf(final).length === 0) final = { ...final, output: collected() };
    return 'terminal';
  };

  return createReplyStream({
    add(event, emit) {
      sink = emit;
      switch (textOf(event['type'])) {
        case 'response.output_text.delta':
          speak(textOf(event['delta']));
          return null;
        case 'response.refusal.delta':
          refusal += textOf(event['delta']);
          return null;
        case 'response.refusal.done':
          refusal = nameOf(event['refusal']) ?? refusal;
          return null;
        case 'response.reasoning_summary_text.delta':
          reason(event, 'summary');
          return null;
        case 'response.reasoning_text.delta':
          reason(event, 'thought');
          return null;
        case 'response.output_item.added':
          if (isObject(event['item'])) itemAt(event).added = event['item'];
          return null;
        case 'response.function_call_arguments.delta':
          progress(event);
          return null;
        case 'response.function_call_arguments.done': {
          const item = itemAt(event);
          const name = nameOf(event['name']);
          item.done = { ...item.added, ...(name === null ? {} : { name }), arguments: textOf(event['arguments']) };
          return null;
        }
        case 'response.output_item.done':
          if (isObject(event['item'])) itemAt(event).done = event['item'];
          return null;
        case 'response.completed':
          return finish(event, 'completed');
        case 'response.incomplete':
          return finish(event, 'incomplete');
        case 'response.failed':
          return finish(event, 'failed');
        case 'response.cancelled':
          return finish(event, 'cancelled');
        default:
          return null;
      }
    },
    close(emit) {
      if (final === null) return cutOff('response.completed or response.incomplete');
      sink = emit;
      const output = outputOf(final);
      if (!reasoned) {
        for (const text of output.flatMap((item) =>
          field(item, 'type') === 'reasoning' ? reasoningTexts(item) : [],
        )) {
          speech.nextBlock();
          speech.reasoning(text);
        }
      }
      const whole = messageText(output);
      if (whole.startsWith(streamed)) speak(whole.slice(streamed.length));
      return responsesReply(final, speech.end(), refusal, options);
    },
  });
}
