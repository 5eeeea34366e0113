/**
 * OpenAI Responses: the reply is a list of items, and its status says how it ended: `completed` or `incomplete`; every
 * other status is a failure, also with HTTP 200 (assembler page, 8.9 and 9.3).
 */
import type { Json, JsonObject } from '../../../shared/model/index.ts';
import { field, isList, isObject, nameOf } from '../json.ts';
import { errorFault, errorIn, faultOf, malformed } from '../replies/failure.ts';
import { cacheDiagnosis, continuationOf, diagnosticsOf, textOf, usageOf } from '../replies/fields.ts';
import { finishOf } from '../replies/finish.ts';
import { createSpeech, silent, type Said } from '../replies/speech.ts';
import { releaseCalls, type RawCall } from '../replies/tool-calls.ts';
import type { Reply, ReplyFault, ReplyOptions, ReplyWarning } from '../replies/types.ts';

const PROTOCOL = 'openai-responses-v1';

const listOf = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);

/** Texts of the parts of a kind in a list. */
const texts = (parts: Json | undefined, type: string, key: string): readonly string[] =>
  listOf(parts).flatMap((part) => (field(part, 'type') === type ? textOf(field(part, key)) : []));

/** Texts of an item of reasoning: its summary, or what the model thought where no summary is made. */
export function reasoningTexts(item: Json): readonly string[] {
  const summary = texts(field(item, 'summary'), 'summary_text', 'text').filter((text) => text.trim() !== '');
  return summary.length > 0 ? summary : texts(field(item, 'content'), 'reasoning_text', 'text');
}

export const messageText = (output: readonly Json[]): string =>
  output
    .flatMap((item) => (field(item, 'type') === 'message' ? texts(field(item, 'content'), 'output_text', 'text') : []))
    .join('');

function refusalIn(output: readonly Json[]): string {
  const found = output.flatMap((item) =>
    field(item, 'type') === 'message' ? texts(field(item, 'content'), 'refusal', 'refusal') : [],
  );
  return found.join('');
}

/** How a response ended: its raw word, or the fault that its status says. */
function endOf(response: JsonObject): { readonly raw: string } | ReplyFault {
  const status = textOf(response['status']);
  const error = errorIn(response);
  if (error !== undefined) return errorFault(error, null);
  if (status === 'completed') return { raw: status };
  if (status === 'incomplete') return { raw: nameOf(field(response['incomplete_details'], 'reason')) ?? status };
  return faultOf('unknown', status === '' ? 'the reply has no status' : `the reply ended with status ${status}`);
}

/** The items that can go back: a call only if it was released, and with the id that its result will name. */
function backItems(output: readonly Json[], ids: ReadonlyMap<number, string>): readonly Json[] {
  let call = 0;
  return output.flatMap((item): readonly Json[] => {
    if (!isObject(item)) return [];
    if (item['type'] !== 'function_call') return [item];
    const id = ids.get(call++);
    return id === undefined ? [] : [item['call_id'] === id ? item : { ...item, call_id: id }];
  });
}

export function outputOf(response: JsonObject): readonly Json[] {
  return listOf(response['output']);
}

/**
 * A response with its output. `said`: what a stream said of it already; null: nothing. `refusal`: a refusal that was
 * streamed.
 */
export function responsesReply(
  response: JsonObject,
  said: Said | null,
  refusal: string,
  options: ReplyOptions,
): Reply | ReplyFault {
  const end = endOf(response);
  const usage = usageOf(PROTOCOL, response['usage'], options);
  if ('code' in end) return { ...end, usage };
  const output = outputOf(response);
  const refused = refusalIn(output) || refusal;
  if (refused !== '') return faultOf('refused', refused, usage);
  const speech = createSpeech(silent, true);
  const raws: RawCall[] = [];
  for (const item of output) {
    const type = field(item, 'type');
    if (type === 'reasoning') {
      for (const text of reasoningTexts(item)) {
        speech.nextBlock();
        speech.reasoning(text);
      }
    }
    if (type === 'function_call') {
      raws.push({
        index: raws.length,
        id: nameOf(field(item, 'call_id')) ?? nameOf(field(item, 'id')),
        name: nameOf(field(item, 'name')),
        arguments: textOf(field(item, 'arguments')),
      });
    }
  }
  speech.text(messageText(output));
  const last = speech.end();
  const whole =
    said === null ? last : { ...said, text: last.text || said.text, reasoning: last.reasoning || said.reasoning };
  const warnings: ReplyWarning[] = said === null || said.text === last.text ? [] : ['text-differs'];
  const raw = finishOf(PROTOCOL, end.raw, 0);
  // A response that stopped early for a reason of its own is still cut off.
  const cut = raw.unified === 'other' ? 'length' : raw.unified;
  const { calls, ids, warnings: dropped } = releaseCalls(raws, cut, options);
  const back = backItems(output, ids);
  const native = back.some((item) => field(item, 'type') !== 'message');
  return {
    text: whole.text,
    reasoning: whole.reasoning,
    reasoningFrom: whole.reasoning === '' ? null : whole.inline ? 'inline' : 'native',
    toolCalls: calls,
    finish: raw.unified === 'other' ? { unified: 'length', raw: end.raw } : finishOf(PROTOCOL, end.raw, calls.length),
    usage,
    continuation: native ? continuationOf(PROTOCOL, options, back) : null,
    diagnostics: diagnosticsOf(
      { id: response['id'], model: response['model'] },
      response['usage'],
      [...warnings, ...dropped],
      cacheDiagnosis(response['prompt_cache_diagnostics'], 'cache_missed_tokens'),
    ),
  };
}

/** The body of a Responses reply (HTTP 200); never throws. */
export function parseResponsesReply(json: Json, options: ReplyOptions): Reply | ReplyFault {
  if (!isObject(json)) return malformed('the reply is no JSON object');
  if (json['type'] === 'error') return errorFault(json, null);
  if (
    errorIn(json) === undefined &&
    !isList(json['output']) &&
    ['completed', 'incomplete'].includes(textOf(json['status']))
  ) {
    return malformed('the reply has no list of output items');
  }
  return responsesReply(json, null, '', options);
}
