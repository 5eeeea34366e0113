/**
 * Gemini pairs calls and results by name and order; an id is known only where the model gave one. So results stand in the
 * order of their calls, each call is answered once, and a reply that carries a signature goes back as it came or not at
 * all (assembler page, section 9.4).
 */
import type { Json, JsonObject, SegmentId } from '../../../shared/model/index.ts';
import { field, isObject, nameOf } from '../json.ts';
import { isText, ownerOf, textOf } from '../build/content.ts';
import { own, plain, type Owned, type Traced } from '../build/traced.ts';
import { BuildError, type BuildMessage } from '../build/types.ts';
import { sameBaseUrl } from '../build/url.ts';

export const PROTOCOL = 'google-generative-ai-v1';

export type FunctionCall = { readonly id?: string; readonly name: string; readonly args: JsonObject };
export type CallPart = { readonly functionCall: FunctionCall };
export type ResponsePart = {
  readonly functionResponse: {
    readonly id?: string;
    readonly name: string;
    readonly response: JsonObject | { readonly result: Traced };
  };
};

/** A call that was made: where it stands among all calls, and the id that the model gave it. */
type MadeCall = {
  readonly order: number;
  readonly name: string;
  readonly nativeId: string | null;
  readonly segment: SegmentId;
};

/** Calls made so far, by our id; an answered call is taken out. */
export type OpenCalls = Map<string, MadeCall>;

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Equal as JSON; the order of keys does not count. */
function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  const member = (value: object, key: string): Json | undefined => (value as Record<string, Json>)[key];
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(member(a, key), member(b, key)))
  );
}

/** The arguments of a call, which must be a JSON object; none at all is an empty one. */
function argsOf(text: string, at: string): JsonObject {
  const value = text.trim() === '' ? {} : parsed(text);
  if (!isObject(value)) throw new BuildError(`${at}.arguments`, 'The arguments of a call must be a JSON object.');
  return value;
}

/** Where the request goes: the model without `models/`; a base URL of null is the public endpoint. */
export type Target = { readonly model: string; readonly baseUrl: string | null };

/** Notes the calls of a message and gives one part for each. `at` names the message in errors. */
export function callParts(
  message: BuildMessage,
  at: string,
  open: OpenCalls,
  made: number,
): readonly Owned<CallPart>[] {
  return (message.toolCalls ?? []).map(({ id, name, arguments: text, segment }, i) => {
    const args = argsOf(text, `${at}.toolCalls[${i}]`);
    open.set(id, { order: made + i, name, nativeId: null, segment });
    return own({ functionCall: { name, args } }, segment);
  });
}

const nativeCall = (part: Json): JsonObject | null => {
  const call = field(part, 'functionCall');
  return isObject(call) ? call : null;
};

/**
 * The parts of an earlier reply as they came, or null where they are not to be used. Errors: parts with a signature for
 * another model or base URL; calls that no longer are those of the message.
 */
export function replayParts(
  message: BuildMessage,
  at: string,
  to: Target,
  open: OpenCalls,
  made: number,
): readonly Owned<Json>[] | null {
  const { providerContinuation: continuation, toolCalls = [] } = message;
  if (continuation?.protocol !== PROTOCOL || continuation.blocks.length === 0) return null;
  const refuse = (what: string): never => {
    throw new BuildError(`${at}.providerContinuation`, what);
  };
  const model = continuation.model.replace(/^models\//, '');
  if (model !== to.model || !sameBaseUrl(PROTOCOL, continuation.baseUrl, to.baseUrl)) {
    const isSigned = continuation.blocks.some((part) => field(part, 'thoughtSignature') !== undefined);
    return isSigned ? refuse('Signed parts belong to another model or base URL.') : null;
  }
  const calls = continuation.blocks.map(nativeCall).filter((call) => call !== null);
  if (calls.length !== toolCalls.length) refuse('The reply made another number of calls than the message.');
  for (const [i, call] of toolCalls.entries()) {
    const native = calls[i] ?? {};
    const nativeId = nameOf(native['id']);
    if (native['name'] !== call.name) refuse(`Call ${i + 1} has another name than in the reply.`);
    if (nativeId !== null && nativeId !== call.id) refuse(`Call ${i + 1} has another id than in the reply.`);
    if (!sameJson(native['args'] ?? {}, argsOf(call.arguments, `${at}.toolCalls[${i}]`))) {
      refuse(`Call ${i + 1} has other arguments than in the reply.`);
    }
    open.set(call.id, { order: made + i, name: call.name, nativeId, segment: call.segment });
  }
  const owner = ownerOf(message);
  const spoken = isText(message.content) ? message.content : null;
  let called = 0;
  return continuation.blocks.map((part) => {
    if (nativeCall(part) !== null) return own(part, toolCalls[called++]?.segment ?? owner);
    if (isObject(part) && spoken !== null && part['thought'] !== true && part['text'] === plain(spoken)) {
      return own({ ...part, text: spoken }, owner);
    }
    return own(part, owner);
  });
}

export type Answer = { readonly order: number; readonly part: Owned<ResponsePart> };

/** The result of a call. Errors: a result of no call, or a second one. */
export function answer(message: BuildMessage, at: string, open: OpenCalls): Answer {
  const call = open.get(message.toolCallId ?? '');
  if (call === undefined) {
    throw new BuildError(`${at}.toolCallId`, 'A tool result must belong to an earlier call that has no result yet.');
  }
  open.delete(message.toolCallId ?? '');
  const text = textOf(message.content);
  const value = parsed(plain(text));
  const response = isObject(value) ? value : { result: text };
  const { name, nativeId, order, segment } = call;
  const id = nativeId === null ? {} : { id: nativeId };
  return { order, part: own({ functionResponse: { ...id, name, response } }, ownerOf(message) ?? segment) };
}
