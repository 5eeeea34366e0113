/**
 * Gemini: one candidate. What Google refused is a refusal whatever else stands in the reply; of the rest only a natural
 * end and the output limit are replies, and calls count only with a natural end (assembler page, 9.4).
 */
import type { Json } from '../../../shared/model/index.ts';
import { field, isList, isObject, nameOf } from '../json.ts';
import { errorFault, errorIn, faultOf, malformed } from '../replies/failure.ts';
import { continuationOf, diagnosticsOf, isNone, jsonText, textOf, usageOf } from '../replies/fields.ts';
import { finishOf } from '../replies/finish.ts';
import { createSpeech, silent } from '../replies/speech.ts';
import { releaseCalls, type RawCall } from '../replies/tool-calls.ts';
import type { Reply, ReplyFault, ReplyOptions } from '../replies/types.ts';

const PROTOCOL = 'google-generative-ai-v1';

const REFUSALS: ReadonlySet<string> = new Set([
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
]);

/** Values that say nothing yet. */
const wordOf = (value: Json | undefined): string | null => {
  const word = nameOf(value);
  return word?.endsWith('_UNSPECIFIED') ? null : word;
};

export const finishIn = (candidate: Json | undefined): string | null => wordOf(field(candidate, 'finishReason'));

/** What was refused in a reply or in a chunk of one; null: nothing. */
export function refusalIn(json: Json): string | null {
  const feedback = field(json, 'promptFeedback');
  const blocked = wordOf(field(feedback, 'blockReason'));
  if (blocked !== null) return nameOf(field(feedback, 'blockReasonMessage')) ?? `the prompt was blocked: ${blocked}`;
  const list = field(json, 'candidates');
  for (const candidate of isList(list) ? list : []) {
    const reason = finishIn(candidate);
    if (reason !== null && REFUSALS.has(reason)) {
      return nameOf(field(candidate, 'finishMessage')) ?? `the reply was stopped: ${reason}`;
    }
  }
  return null;
}

export type Candidate = { readonly finish: string | null; readonly parts: readonly Json[] };

/** The one candidate of a reply or chunk; null where it has none; a fault where there are more or its shape is wrong. */
export function candidateIn(json: Json): Candidate | ReplyFault | null {
  const list = field(json, 'candidates');
  if (isNone(list)) return null;
  if (!isList(list)) return malformed('the candidates are no list');
  const candidate = list[0];
  if (candidate === undefined) return null;
  if (list.length > 1 || (field(candidate, 'index') ?? 0) !== 0)
    return malformed('the reply has more than one candidate');
  const content = field(candidate, 'content');
  const parts = field(content, 'parts');
  if (!isObject(candidate) || !(isNone(content) || isObject(content)) || !(isNone(parts) || isList(parts))) {
    return malformed('the candidate has no list of parts');
  }
  const all = isList(parts) ? parts : [];
  const wrong = all.map(partFault).find((fault) => fault !== null);
  return wrong ?? { finish: finishIn(candidate), parts: all };
}

function partFault(part: Json): ReplyFault | null {
  if (!isObject(part)) return malformed('a part of the reply is no object');
  if (!isNone(part['text']) && typeof part['text'] !== 'string') return malformed('the text of a part is no text');
  const call = part['functionCall'];
  if (isNone(call)) return null;
  const name = nameOf(field(call, 'name'));
  if (!isObject(call) || name === null) return malformed('a function call has no name');
  if (!isNone(call['partialArgs']) || call['willContinue'] === true) {
    return malformed(`the arguments of ${name} are partial`);
  }
  if (!isNone(call['args']) && !isObject(call['args'])) {
    return malformed(`the arguments of ${name} are no object`);
  }
  return null;
}

/** Text of a part, and whether it is thought. */
export const voiceOf = (part: Json): { readonly thought: boolean; readonly text: string } => ({
  thought: field(part, 'thought') === true,
  text: textOf(field(part, 'text')),
});

/** The body of a generateContent reply (HTTP 200), or the sum of a stream; never throws. */
export function parseGeminiReply(json: Json, options: ReplyOptions): Reply | ReplyFault {
  if (!isObject(json)) return malformed('the reply is no JSON object');
  const usage = usageOf(PROTOCOL, json['usageMetadata'], options);
  const error = errorIn(json);
  if (error !== undefined) return errorFault(error, null);
  const refusal = refusalIn(json);
  if (refusal !== null) return faultOf('refused', refusal, usage);
  const candidate = candidateIn(json);
  const wrong = (message: string): ReplyFault => ({ ...malformed(message), usage });
  if (candidate === null) return wrong('the reply has no candidate');
  if ('code' in candidate) return { ...candidate, usage };
  const { finish, parts } = candidate;
  if (finish === null) return wrong('the reply has no finish reason');
  if (finish !== 'STOP' && finish !== 'MAX_TOKENS') return wrong(`the reply ended with ${finish}`);
  const speech = createSpeech(silent, false);
  const raws: RawCall[] = [];
  for (const part of parts) {
    const { thought, text } = voiceOf(part);
    if (thought) speech.reasoning(text);
    else speech.text(text);
    const call = field(part, 'functionCall');
    if (isNone(call)) continue;
    const args = jsonText(field(call, 'args') ?? {});
    if (args === null) return wrong('the arguments of a call are nested too deep');
    raws.push({
      index: raws.length,
      id: nameOf(field(call, 'id')),
      name: nameOf(field(call, 'name')),
      arguments: args,
    });
  }
  if (raws.length > 0 && finish !== 'STOP') return wrong(`the reply calls tools and ended with ${finish}`);
  const said = speech.end();
  const { calls, warnings } = releaseCalls(raws, 'stop', options);
  const native = raws.length > 0 || parts.some((part) => nameOf(field(part, 'thoughtSignature')) !== null);
  return {
    text: said.text,
    reasoning: said.reasoning,
    reasoningFrom: said.reasoning === '' ? null : 'native',
    toolCalls: calls,
    finish: finishOf(PROTOCOL, finish, calls.length),
    usage,
    continuation: native ? continuationOf(PROTOCOL, options, parts) : null,
    diagnostics: diagnosticsOf(
      { id: json['responseId'], model: json['modelVersion'] },
      json['usageMetadata'],
      warnings,
    ),
  };
}
