/**
 * From a prompt whose segments have addresses to traced texts: each string of the prompt is cut where its segments
 * meet. Addresses come from naming (a prompt of unknown making) or from the assembler (one that we made ourselves).
 */
import type { JsonObject, JsonPointer, Segment, SegmentId, TextAt } from '../../../shared/model/index.ts';
import { parseKernel } from '../kernel/parse.ts';
import { nameSegments } from '../naming/name.ts';
import { RETRY_OPEN } from '../naming/tags.ts';
import { trace, traceRuns, type Traced } from './traced.ts';
import type { BuildMessage, BuildPart, BuildRequest, BuildTool, BuildToolCall, ProviderContinuation } from './types.ts';

export type PlainPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly image: string; readonly mediaType?: string };

/** A message as the assembler hands it to an adapter. */
export type PlainMessage = {
  readonly role: BuildMessage['role'];
  readonly content: string | null | readonly PlainPart[];
  readonly name?: string;
  readonly toolCalls?: readonly Omit<BuildToolCall, 'segment'>[];
  readonly toolCallId?: string;
  readonly reasoningContent?: string;
  readonly providerContinuation?: ProviderContinuation;
};
export type PlainTool = Omit<BuildTool, 'segment'>;

/** A request whose texts have no owners yet. */
export type PlainRequest = Omit<BuildRequest, 'system' | 'messages' | 'tools' | 'responseFormat'> & {
  readonly systemPrompt: string;
  readonly messages: readonly PlainMessage[];
  readonly tools: readonly PlainTool[];
  readonly responseFormat: { readonly schema: JsonObject } | null;
};

/** A segment and where its texts stand. */
export type Placed = { readonly id: SegmentId; readonly spans: readonly TextAt[] };

/** Where the texts of a request stand, for the spans of its segments. */
export type Addresses = {
  readonly system: JsonPointer;
  message(index: number): JsonPointer;
  tool(index: number): JsonPointer;
};

/** Owner of what has no text at all. */
const NOBODY = 'nobody';

type Tracer = {
  /** A string of the prompt with its segments. What no segment covers is nobody's. */
  text(path: JsonPointer, text: string): Traced;
  /** Segment of the first text at or under a place. */
  owner(path: JsonPointer): SegmentId | undefined;
};

/** Pointers to a value and to what it stands in, down to a part or a call of a message. */
function placesAbove(path: JsonPointer): readonly JsonPointer[] {
  const steps = path.split('/');
  return steps.slice(1, 5).map((_, i) => steps.slice(0, i + 2).join('/'));
}

function createTracer(segments: readonly Placed[]): Tracer {
  const spans = new Map<JsonPointer, (TextAt & { readonly segment: SegmentId })[]>();
  const owners = new Map<JsonPointer, SegmentId>();
  for (const { id, spans: own } of segments) {
    for (const span of own) {
      const list = spans.get(span.path);
      if (list) list.push({ ...span, segment: id });
      else spans.set(span.path, [{ ...span, segment: id }]);
      for (const place of placesAbove(span.path)) if (!owners.has(place)) owners.set(place, id);
    }
  }
  return {
    text(path, text) {
      const own = spans.get(path)?.toSorted((a, b) => a.start - b.start) ?? [];
      const runs = own.map(({ start, end, segment }) => ({ text: text.slice(start, end), segment }));
      const traced = traceRuns(runs);
      return traced.length === text.length ? traced : trace(text, own[0]?.segment ?? null);
    },
    owner: (path) => owners.get(path),
  };
}

function traceMessage(message: PlainMessage, path: JsonPointer, tracer: Tracer): BuildMessage {
  const { role, content, name, toolCalls, toolCallId, reasoningContent, providerContinuation } = message;
  const owner = tracer.owner(`${path}/providerContinuation`) ?? tracer.owner(path);
  const part = (one: PlainPart, i: number): BuildPart => {
    const here = `${path}/content/${i}`;
    return one.type === 'text'
      ? { type: 'text', text: tracer.text(`${here}/text`, one.text) }
      : { ...one, segment: tracer.owner(here) ?? owner ?? NOBODY };
  };
  return {
    role,
    content:
      content === null || typeof content !== 'string'
        ? (content?.map(part) ?? null)
        : tracer.text(`${path}/content`, content),
    ...(name === undefined ? {} : { name }),
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(reasoningContent === undefined
      ? {}
      : { reasoningContent: tracer.text(`${path}/reasoningContent`, reasoningContent) }),
    ...(providerContinuation === undefined ? {} : { providerContinuation }),
    ...(owner === undefined ? {} : { segment: owner }),
    ...(toolCalls === undefined
      ? {}
      : {
          toolCalls: toolCalls.map((call, i) => ({
            ...call,
            segment: tracer.owner(`${path}/toolCalls/${i}`) ?? owner ?? NOBODY,
          })),
        }),
  };
}

/** The request with the owner of every text. `format`: owner of the response schema. */
export function tracedRequest(
  plain: PlainRequest,
  segments: readonly Placed[],
  addresses: Addresses,
  format: SegmentId,
): BuildRequest {
  const tracer = createTracer(segments);
  const { systemPrompt, messages, tools, responseFormat, ...rest } = plain;
  return {
    ...rest,
    system: tracer.text(addresses.system, systemPrompt),
    messages: messages.map((message, i) => traceMessage(message, addresses.message(i), tracer)),
    tools: tools.map((tool, i) => ({ ...tool, segment: tracer.owner(addresses.tool(i)) ?? NOBODY })),
    responseFormat: responseFormat && { ...responseFormat, segment: format },
  };
}

/**
 * A prompt of unknown making: its messages are read as the kernel view and named by what they themselves prove. The
 * last segment is that of the response schema, where there is one (without spans: it stands in no message yet).
 */
export function segmentedRequest(plain: PlainRequest): {
  readonly request: BuildRequest;
  readonly segments: readonly Segment[];
} {
  const { systemPrompt, messages, tools, responseFormat, options } = plain;
  const leading = systemPrompt === '' ? [] : [{ role: 'system', content: systemPrompt }];
  const kernel = { messages: [...leading, ...messages.map(kernelMessage)], tools };
  const prompt = parseKernel(kernel as unknown as { messages: JsonObject[]; tools: JsonObject[] });
  const named = (playerText: string | null): readonly Segment[] =>
    nameSegments(prompt, {
      kernel: null,
      turnId: '',
      runtimeId: options.runtimeId,
      pluginId: null,
      playerText,
      rows: [],
    });
  const alone = named(null);
  const hasPlayer = alone.some(({ kind }) => kind === 'player');
  const segments = (hasPlayer ? alone : named(lastWords(messages))).map(withoutRows);
  const format = `s${segments.length + 1}`;
  const addresses: Addresses = {
    system: '/messages/0/content',
    message: (index) => `/messages/${index + leading.length}`,
    tool: (index) => `/tools/${index}`,
  };
  const placed = segments.map(({ id, texts }) => ({ id, spans: texts }));
  return {
    request: tracedRequest(plain, placed, addresses, format),
    segments: responseFormat === null ? segments : [...segments, formatSegment(format)],
  };
}

/** What the user said last before the model called tools; null where that is nothing. */
function lastWords(messages: readonly PlainMessage[]): string | null {
  const loop = messages.findIndex(({ role, toolCalls = [] }) => role === 'tool' || toolCalls.length > 0);
  const before = loop < 0 ? messages : messages.slice(0, loop);
  const texts = before.flatMap(({ role, content }) => (role === 'user' ? [wordsOf(content)] : []));
  return texts.findLast((text) => text.trim() !== '' && !text.startsWith(RETRY_OPEN)) ?? null;
}

const wordsOf = (content: PlainMessage['content']): string =>
  content === null || typeof content === 'string'
    ? (content ?? '')
    : content.map((part) => (part.type === 'text' ? part.text : '')).join('');

/** No turn and no row is known here: what looks proved by one is known by its place alone. */
const withoutRows = (segment: Segment): Segment => ({
  ...segment,
  proof: segment.proof === 'row' ? 'position' : segment.proof,
  origin: { ...segment.origin, turnId: segment.origin.turnId || null },
});

/** The blocks of a continuation stand for the whole of it: its address is no text of the prompt. */
const kernelMessage = ({ providerContinuation, ...message }: PlainMessage): object =>
  providerContinuation === undefined ? message : { ...message, providerContinuation: providerContinuation.blocks };

const formatSegment = (id: SegmentId): Segment => ({
  id,
  kind: 'response-format',
  role: 'system',
  origin: { plugin: null, runtime: null, label: 'response format', turnId: null },
  volatility: 'stable',
  proof: 'structure',
  message: null,
  texts: [],
});
