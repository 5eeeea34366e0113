/**
 * What an adapter needs to make a body: the assembled prompt with its segments, the runtime's wishes, and what the slot
 * says about the endpoint. Names are those of the command line's `convert` (cli-contract).
 */
import type { Json, JsonObject, JsonPointer, Protocol, SegmentId } from '../../../shared/model/index.ts';
import type { SourceSpan, Traced } from './traced.ts';

export type BuildPart =
  | { readonly type: 'text'; readonly text: Traced }
  /** `image`: an http(s) URL, a data URL or bare base64. */
  | { readonly type: 'image'; readonly image: string; readonly mediaType?: string; readonly segment: SegmentId };

/** Native blocks of an earlier reply, to be sent back as they came where protocol, model and base URL are the same. */
export type ProviderContinuation = {
  readonly protocol: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly blocks: readonly Json[];
};

export type BuildToolCall = {
  readonly id: string;
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
  readonly segment: SegmentId;
};

export type BuildMessage = {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  /** null: an assistant message that only calls tools. */
  readonly content: Traced | readonly BuildPart[] | null;
  readonly name?: string;
  readonly toolCalls?: readonly BuildToolCall[];
  readonly toolCallId?: string;
  readonly reasoningContent?: Traced;
  readonly providerContinuation?: ProviderContinuation;
  /** Owner of what is no text of the message (name, id of a result, native blocks); else that of its first text. */
  readonly segment?: SegmentId;
};

export type BuildTool = {
  readonly name: string;
  readonly description?: string;
  readonly jsonSchema?: JsonObject;
  readonly segment: SegmentId;
};

export type ToolChoice = 'required' | { readonly name: string } | null;

/** Ranges and effects: slots page, 2.4; wire names: assembler page, 8.2. */
export type ParameterOverrides = {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly maxOutputTokens?: number;
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  readonly reasoningEffort?: string;
};

export type BuildOptions = {
  /** null: the protocol's own (slots page, 4.1). */
  readonly cacheStrategy: 'anthropic-explicit' | 'auto-prefix' | 'none' | null;
  /** null: not set. */
  readonly lateSystemAsUser: boolean | null;
  readonly promptCacheKey: boolean | null;
  /** null: the protocol's public endpoint. */
  readonly baseUrl: string | null;
  readonly sessionId: string | null;
  readonly runtimeId: string | null;
  readonly stream: boolean;
  /** The model accepts pictures. */
  readonly imageInput: boolean;
  /** Fixed sentences that an adapter adds: the opener before a first message that is not the user's, and the rule before a response schema. */
  readonly texts: { readonly opener: string; readonly responseFormat: string };
  /** SHA-256 of a text as 64 hex digits; passed in, because this room does no cryptography of its own. */
  readonly sha256Hex: (text: string) => string;
};

/** `system` is the assembled system prompt with its cache sentinels; it becomes the first message. */
export type BuildRequest = {
  readonly model: string;
  readonly system: Traced;
  readonly messages: readonly BuildMessage[];
  readonly tools: readonly BuildTool[];
  readonly toolChoice: ToolChoice;
  /** false: the runtime asks for no reasoning; null: no wish. */
  readonly reasoning: false | null;
  readonly maxOutputTokens: number | null;
  readonly responseFormat: { readonly schema: JsonObject; readonly segment: SegmentId } | null;
  readonly parameterOverrides: ParameterOverrides;
  /** Preset and per-call provider metadata, already merged (slots page, 2.3). */
  readonly metadata: JsonObject;
  readonly options: BuildOptions;
};

/** A warning for people: what was asked for and is not sent. Stable code, English sentence. */
export type BuildWarning = { readonly code: string; readonly message: string };

export type BuiltRequest = {
  readonly protocol: Protocol;
  readonly url: string;
  /** Names in lower case; the key's header stands there with `…` for its value. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  /** Covers every text of the body (adapters/texts.ts) exactly once, in its order. */
  readonly map: readonly SourceSpan[];
  readonly warnings: readonly BuildWarning[];
};

/** A configuration fault: nothing is sent. `field` names what is wrong. Code in Covel: CONFIG_ERROR. */
export class BuildError extends Error {
  override readonly name = 'BuildError';
  readonly code = 'CONFIG_ERROR';
  readonly field: string;
  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** Where an object of the body stands, for marks. */
export type At = JsonPointer;
