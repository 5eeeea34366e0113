/**
 * Anthropic Messages: a reply is a list of blocks. Signed thinking must go back before the calls that it led to, so the
 * blocks are kept as they came whenever there is any (assembler page, 9.1.2 and 9.1.4).
 */
import type { Json } from '../../../shared/model/index.ts';
import { field, isList, isObject, nameOf } from '../json.ts';
import { errorFault, errorIn, faultOf, malformed } from '../replies/failure.ts';
import { cacheDiagnosis, continuationOf, diagnosticsOf, jsonText, textOf, usageOf } from '../replies/fields.ts';
import { finishOf } from '../replies/finish.ts';
import { createSpeech, silent } from '../replies/speech.ts';
import { releaseCalls, type RawCall } from '../replies/tool-calls.ts';
import type { Reply, ReplyFault, ReplyOptions } from '../replies/types.ts';

const PROTOCOL = 'anthropic-messages-v1';

/** Arguments that were streamed and are no JSON stand as their text; they go out as the model wrote them. */
function argumentsOf(input: Json | undefined): string | null {
  if (typeof input === 'string') return input;
  const empty = input === undefined || input === null || (isObject(input) && Object.keys(input).length === 0);
  return empty ? '' : jsonText(input);
}

/**
 * The blocks that can go back. A thinking block without a signature is not accepted, nor is an empty text; a call that
 * was not released has no result; a call without an id gets the one that its result will name.
 */
function backBlocks(content: readonly Json[], ids: ReadonlyMap<number, string>): readonly Json[] {
  let call = 0;
  return content.flatMap((block): readonly Json[] => {
    if (!isObject(block)) return [];
    switch (textOf(block['type'])) {
      case 'thinking':
        return nameOf(block['signature']) === null ? [] : [block];
      case 'text':
        return nameOf(block['text']) === null ? [] : [block];
      case 'tool_use': {
        const id = ids.get(call++);
        return id === undefined ? [] : [block['id'] === id ? block : { ...block, id }];
      }
      default:
        return [block];
    }
  });
}

/** The body of a Messages reply (HTTP 200); never throws. */
export function parseAnthropicReply(json: Json, options: ReplyOptions): Reply | ReplyFault {
  if (!isObject(json)) return malformed('the reply is no JSON object');
  const error = errorIn(json);
  if (error !== undefined || json['type'] === 'error') return errorFault(error ?? json, null);
  const usage = usageOf(PROTOCOL, json['usage'], options);
  const raw = nameOf(json['stop_reason']);
  if (raw === 'refusal') {
    const why = nameOf(field(json['stop_details'], 'explanation')) ?? nameOf(field(json['stop_details'], 'category'));
    return faultOf('refused', why ?? 'the model refused', usage);
  }
  const content = json['content'];
  if (!isList(content)) return malformed('the reply has no list of content blocks');
  const speech = createSpeech(silent, false);
  const raws: RawCall[] = [];
  for (const block of content) {
    const type = field(block, 'type');
    if (type === 'text') speech.text(textOf(field(block, 'text')));
    if (type === 'thinking') {
      speech.nextBlock();
      speech.reasoning(textOf(field(block, 'thinking')));
    }
    if (type === 'tool_use') {
      const input = argumentsOf(field(block, 'input'));
      if (input === null) return malformed('the arguments of a call are nested too deep');
      const [id, name] = [nameOf(field(block, 'id')), nameOf(field(block, 'name'))];
      raws.push({ index: raws.length, id, name, arguments: input });
    }
  }
  const said = speech.end();
  const { calls, ids, warnings } = releaseCalls(raws, finishOf(PROTOCOL, raw, 0).unified, options);
  const blocks = backBlocks(content, ids);
  const signed = blocks.some((block) => ['thinking', 'redacted_thinking'].includes(textOf(field(block, 'type'))));
  return {
    text: said.text,
    reasoning: said.reasoning,
    reasoningFrom: said.reasoning === '' ? null : 'native',
    toolCalls: calls,
    finish: finishOf(PROTOCOL, raw, calls.length),
    usage,
    continuation: signed ? continuationOf(PROTOCOL, options, blocks) : null,
    diagnostics: diagnosticsOf(
      { id: json['id'], model: json['model'] },
      json['usage'],
      warnings,
      cacheDiagnosis(field(json['diagnostics'], 'cache_miss_reason'), 'cache_missed_input_tokens'),
    ),
  };
}
