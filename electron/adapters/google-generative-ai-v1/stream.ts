/**
 * A Gemini stream is a row of replies whose parts follow each other; the one with a finish reason is the last that may
 * have any. Usage in every chunk is the sum so far, so the last one counts (assembler page, 9.4).
 */
import type { Json, JsonObject } from '../../../shared/model/index.ts';
import { field, isObject, nameOf } from '../json.ts';
import { faultOf, malformed } from '../replies/failure.ts';
import { isNone, jsonText, textOf, usageOf } from '../replies/fields.ts';
import { createSpeech } from '../replies/speech.ts';
import { createReplyStream, cutOff } from '../replies/stream.ts';
import type { Reply, ReplyOptions, ReplyStream, StreamEvent } from '../replies/types.ts';
import { candidateIn, parseGeminiReply, refusalIn, voiceOf } from './reply.ts';

const TEXT_KEYS: ReadonlySet<string> = new Set(['text', 'thought']);

/** A part that is text and nothing else. */
const isPlain = (part: Json | undefined): part is JsonObject =>
  isObject(part) && typeof part['text'] === 'string' && Object.keys(part).every((key) => TEXT_KEYS.has(key));

/** An empty text is how a chunk says that it only brings the finish reason or the usage. */
const isContent = (part: Json): boolean => !(isPlain(part) && part['text'] === '');

/** Pieces of one text become one part again; a signature belongs to its own part and ends the run. */
function append(parts: Json[], part: Json): void {
  const last = parts.at(-1);
  if (isPlain(part) && isPlain(last) && (last['thought'] === true) === (part['thought'] === true)) {
    parts[parts.length - 1] = { ...last, text: textOf(last['text']) + textOf(part['text']) };
  } else {
    parts.push(part);
  }
}

export function createGeminiStream(options: ReplyOptions): ReplyStream {
  let sink: (event: StreamEvent) => void = () => undefined;
  const speech = createSpeech((event) => sink(event), false);
  const parts: Json[] = [];
  let calls = 0;
  let finish: string | null = null;
  let usage: Json | undefined;
  let ids: { responseId: Json | undefined; modelVersion: Json | undefined } = {
    responseId: undefined,
    modelVersion: undefined,
  };

  const say = (part: Json): void => {
    const { thought, text } = voiceOf(part);
    if (thought) speech.reasoning(text);
    else speech.text(text);
    const call = field(part, 'functionCall');
    if (isNone(call)) return;
    const args = jsonText(field(call, 'args') ?? {}) ?? '';
    const [id, name] = [nameOf(field(call, 'id')), nameOf(field(call, 'name'))];
    sink({ type: 'tool-argument-delta', index: calls++, id, name, text: args });
  };

  const reported = (): Reply['usage'] => usageOf('google-generative-ai-v1', usage, options);

  return createReplyStream({
    add(event, emit) {
      sink = emit;
      if (isObject(event['usageMetadata'])) usage = event['usageMetadata'];
      ids = {
        responseId: ids.responseId ?? event['responseId'],
        modelVersion: ids.modelVersion ?? event['modelVersion'],
      };
      const refusal = refusalIn(event);
      if (refusal !== null) return faultOf('refused', refusal, reported());
      const candidate = candidateIn(event);
      if (candidate === null) return null;
      if ('code' in candidate) return { ...candidate, usage: reported() };
      if (finish !== null && candidate.parts.some(isContent)) {
        return { ...malformed('content came after the finish reason'), usage: reported() };
      }
      for (const part of candidate.parts) {
        if (isContent(part)) append(parts, part);
        say(part);
      }
      finish = candidate.finish ?? finish;
      return null;
    },
    close() {
      if (finish === null) return { ...cutOff('finish reason'), usage: reported() };
      const whole: JsonObject = {
        candidates: [{ content: { role: 'model', parts }, finishReason: finish }],
        ...(usage === undefined ? {} : { usageMetadata: usage }),
        ...(ids.responseId === undefined ? {} : { responseId: ids.responseId }),
        ...(ids.modelVersion === undefined ? {} : { modelVersion: ids.modelVersion }),
      };
      return parseGeminiReply(whole, options);
    },
  });
}
