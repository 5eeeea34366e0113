/**
 * A Messages stream opens, fills and closes one block after the other and ends with `message_stop`. Usage comes in two
 * halves: the input with `message_start`, the output (and corrections) with `message_delta` (assembler page, 9.1.4).
 */
import type { Json, JsonObject } from '../../../shared/model/index.ts';
import { field, isList, isObject, nameOf } from '../json.ts';
import { malformed } from '../replies/failure.ts';
import { indexOf, merged, textOf } from '../replies/fields.ts';
import { createSpeech } from '../replies/speech.ts';
import { createReplyStream, cutOff } from '../replies/stream.ts';
import type { ReplyFault, ReplyOptions, ReplyStream, StreamEvent } from '../replies/types.ts';
import { parseAnthropicReply } from './reply.ts';

/** A block being filled. `json`: the arguments of a call so far. */
type Open = { readonly index: number; readonly start: JsonObject; text: string; json: string; more: Json[] };
type Emit = (event: StreamEvent) => void;

/** The field that a kind of delta fills, and the kind of block that holds it. */
const DELTAS: Readonly<Record<string, { readonly from: string; readonly block: string }>> = {
  text_delta: { from: 'text', block: 'text' },
  thinking_delta: { from: 'thinking', block: 'thinking' },
};

/** Arguments as an object where they are one; else they stay the text that they are. */
function inputOf({ start, json }: Open): Json {
  if (json === '') return isObject(start['input']) ? start['input'] : {};
  try {
    const input = JSON.parse(json) as Json;
    return isObject(input) ? input : json;
  } catch {
    return json;
  }
}

function closed(block: Open): JsonObject {
  const { start } = block;
  switch (textOf(start['type'])) {
    case 'text':
      return block.more.length === 0
        ? { ...start, text: block.text }
        : { ...start, text: block.text, citations: block.more };
    case 'thinking':
      return { ...start, thinking: block.text };
    case 'tool_use':
    case 'server_tool_use':
      return { ...start, input: inputOf(block) };
    default:
      return start;
  }
}

export function createAnthropicStream(options: ReplyOptions): ReplyStream {
  let sink: Emit = () => undefined;
  const speech = createSpeech((event) => sink(event), false);
  let message: JsonObject = {};
  let usage: JsonObject = {};
  let stopped = false;
  const blocks: JsonObject[] = [];
  let open: Open | null = null;
  let calls = 0;

  const current = (): Open | null => open;
  const close = (): void => {
    if (open) blocks.push(closed(open));
    open = null;
  };

  const start = (index: number, block: JsonObject): void => {
    close();
    const type = block['type'];
    open = { index, start: block, text: '', json: '', more: isList(block['citations']) ? [...block['citations']] : [] };
    if (type === 'tool_use') calls++;
    if (type === 'thinking') speech.nextBlock();
    if (type === 'text' || type === 'thinking') fill(type, textOf(block[type]));
  };

  const fill = (type: string, text: string): void => {
    if (!open) return;
    open.text += text;
    if (type === 'text') speech.text(text);
    else speech.reasoning(text);
  };

  const delta = (index: number, value: Json | undefined): ReplyFault | null => {
    const type = textOf(field(value, 'type'));
    const known = DELTAS[type];
    if (open?.index !== index) {
      // A block that was never opened can still be told from its first delta.
      if (known === undefined || index < blocks.length + (open ? 1 : 0)) {
        return malformed('a delta of the stream belongs to no open block');
      }
      start(index, { type: known.block, [known.from]: '' });
    }
    const block = current();
    if (block === null) return null;
    if (known !== undefined) {
      if (block.start['type'] !== known.block) return malformed(`a ${type} came in a block of another kind`);
      fill(known.block, textOf(field(value, known.from)));
    } else if (type === 'input_json_delta') {
      const text = textOf(field(value, 'partial_json'));
      block.json += text;
      if (block.start['type'] === 'tool_use' && text !== '') {
        const { id, name } = block.start;
        sink({ type: 'tool-argument-delta', index: calls - 1, id: nameOf(id), name: nameOf(name), text });
      }
    } else if (type === 'signature_delta') {
      const signature = textOf(block.start['signature']) + textOf(field(value, 'signature'));
      open = { ...block, start: { ...block.start, signature } };
    } else if (type === 'citations_delta') {
      const citation = field(value, 'citation');
      if (citation !== undefined) block.more.push(citation);
    }
    return null;
  };

  return createReplyStream({
    add(event, emit) {
      sink = emit;
      switch (textOf(event['type'])) {
        case 'message_start': {
          const first = event['message'];
          if (!isObject(first)) return malformed('message_start has no message');
          message = first;
          usage = isObject(first['usage']) ? first['usage'] : {};
          return null;
        }
        case 'content_block_start': {
          const block = event['content_block'];
          if (!isObject(block)) return malformed('content_block_start has no block');
          start(indexOf(event['index']) ?? blocks.length, block);
          return null;
        }
        case 'content_block_delta':
          return delta(indexOf(event['index']) ?? open?.index ?? 0, event['delta']);
        case 'content_block_stop':
          close();
          return null;
        case 'message_delta':
          if (isObject(event['delta'])) message = merged(message, event['delta']);
          if (isObject(event['usage'])) usage = merged(usage, event['usage']);
          return null;
        case 'message_stop':
          stopped = true;
          return 'terminal';
        default:
          return null;
      }
    },
    close() {
      if (!stopped) return cutOff('message_stop');
      close();
      const whole = Object.keys(usage).length === 0 ? message : { ...message, usage };
      return parseAnthropicReply({ ...whole, content: blocks }, options);
    },
  });
}
