/**
 * The command line's way into the adapters: a prompt as JSON, and back the request that a protocol sends, with the
 * segment of every character.
 */
import { createHash } from 'node:crypto';
import {
  BuildError,
  buildRequest,
  isObject,
  segmentedRequest,
  tracedRequest,
  UNSET,
  UNSET_OPTIONS,
  valueAt,
  type BuildRequest,
  type BuiltRequest,
  type PlainMessage,
  type PlainPart,
  type PlainRequest,
  type SourceSpan,
} from '../adapters/index.ts';
import { runtimeId } from '../assembler/runtime-id.ts';
import type {
  AssembledContext,
  BuildParams,
  FrameworkTexts,
  InstructionLanguage,
  LlmMessage,
  LlmPart,
} from '../assembler/types.ts';
import { ok, type Result } from '../../shared/error.ts';
import {
  isProtocol,
  PROTOCOLS,
  type Json,
  type JsonObject,
  type JsonPointer,
  type Protocol,
  type SegmentId,
  type SegmentRow,
  type TextAt,
} from '../../shared/model/index.ts';
import { estimateTokens } from '../../shared/tokens.ts';
import { chars, estimated } from '../../shared/units.ts';
import { ConvertInput, conversationFault, isTooDeep } from './convert-input.ts';
import { parseInput, refuse } from './json-input.ts';
import { createPromptTexts } from './prompt-texts.ts';

export type MapEntry = TextAt & { readonly segment: SegmentId };

/** The contract's answer. `segments`: those of the map, their spans in the body, in the order of the body. */
export type ConvertReport = Omit<BuiltRequest, 'map' | 'warnings'> & {
  readonly map: readonly MapEntry[];
  readonly warnings: readonly string[];
};

type Owner = Pick<SegmentRow, 'id' | 'kind' | 'role' | 'origin' | 'volatility' | 'proof'>;

const sha256Hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

const textsFor = (resources: string, language: InstructionLanguage): BuildRequest['options']['texts'] =>
  sentencesOf(createPromptTexts(resources).framework(language));

const sentencesOf = (texts: FrameworkTexts): BuildRequest['options']['texts'] => ({
  opener: texts.text('conversation.opener'),
  responseFormat: texts.text('response-format'),
});

/** Errors: `bad-input` on field `protocol`. */
export const readProtocol = (value: string | null): Result<Protocol> =>
  isProtocol(value) ? ok(value) : refuse('protocol', `expected one of ${PROTOCOLS.join(', ')}`);

/**
 * Converts one JSON input. `resources`: the package's folder of that name. `language`: of the sentences that an
 * adapter adds. Errors: `bad-input`, with the field.
 */
export function convertJson(
  inputText: string,
  protocol: Protocol,
  resources: string,
  language: InstructionLanguage = 'en',
): Result<ConvertReport & { readonly segments: readonly SegmentRow[] }> {
  const parsed = parseInput(inputText, ConvertInput);
  if (!parsed.ok) return parsed;
  const fault = conversationFault(parsed.value.messages);
  if (fault !== null) return refuse(fault.field, fault.detail);
  const { request, segments } = segmentedRequest(plainRequest(parsed.value, textsFor(resources, language)));
  const built = build(protocol, request);
  if (!built.ok) return built;
  const report = reportOf(built.value);
  return ok({ ...report, segments: segmentRows(report, [...segments, ...OWN_WORDS]) });
}

function build(protocol: Protocol, request: BuildRequest): Result<BuiltRequest> {
  try {
    return ok(buildRequest(protocol, request));
  } catch (thrown) {
    if (thrown instanceof BuildError) return refuse(thrown.field, thrown.message);
    throw thrown;
  }
}

/** Left out and undefined are the same to an adapter, and not to the type checker. */
type Defined<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> };
const defined = <T extends object>(value: T): Defined<Partial<T>> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Defined<Partial<T>>;

function plainRequest(input: ConvertInput, texts: BuildRequest['options']['texts']): PlainRequest {
  const { toolChoice, tool_choice: nativeChoice, ...overrides } = input.parameterOverrides;
  const chosen = nativeChoice ?? toolChoice;
  const { metadata } = input;
  const table = metadata['parameterOverrides'];
  const below = isObject(table) ? table : {};
  return {
    model: input.model,
    systemPrompt: input.systemPrompt,
    messages: input.messages.map((message) => defined(message)) as unknown as PlainRequest['messages'],
    tools: input.tools.map((tool) => defined(tool)) as unknown as PlainRequest['tools'],
    toolChoice: input.toolChoice,
    reasoning: input.reasoning,
    maxOutputTokens: input.maxOutputTokens,
    responseFormat: input.responseFormat,
    parameterOverrides: defined(overrides),
    metadata: chosen === undefined ? metadata : { ...metadata, parameterOverrides: { ...below, tool_choice: chosen } },
    options: { ...input.options, texts, sha256Hex },
  };
}

/**
 * What a protocol sends of an assembled prompt. `segments`: the prompt's own, with their addresses in the answer of
 * `assemble`; the map names them. No model is chosen yet, so a placeholder stands for it. `added`: what only the body
 * holds (a response schema, an adapter's own words), addressed under `/wire/body`. Errors: `bad-input`.
 */
export function wireOf(
  context: Pick<AssembledContext, 'systemPrompt' | 'messages'>,
  segments: readonly SegmentRow[],
  params: Pick<BuildParams, 'manifest' | 'turnInput'>,
  protocol: Protocol,
  texts: FrameworkTexts,
): Result<{ readonly wire: ConvertReport; readonly added: readonly SegmentRow[] }> {
  const { manifest, turnInput } = params;
  const schema = manifest.output?.schema;
  const format = formatOwner(`s${segments.length + 1}`);
  const request = tracedRequest(
    {
      ...UNSET,
      model: PLACEHOLDER_MODEL,
      systemPrompt: context.systemPrompt,
      messages: context.messages.map(plainMessage),
      responseFormat: isSchema(schema) ? { schema } : null,
      options: {
        ...UNSET_OPTIONS,
        sessionId: turnInput.sessionId || null,
        runtimeId: runtimeId(manifest),
        // The bytes of pictures are read right before a call; until then a placeholder stands for them.
        imageInput: false,
        texts: sentencesOf(texts),
        sha256Hex,
      },
    },
    segments,
    { system: '/systemPrompt', message: (index) => `/messages/${index}`, tool: (index) => `/tools/${index}` },
    format.id,
  );
  const built = build(protocol, request);
  if (!built.ok) return built;
  const wire = reportOf(built.value);
  const added = segmentRows(wire, [format, ...OWN_WORDS]).map((row) => ({
    ...row,
    spans: row.spans.map((span) => ({ ...span, path: `/wire/body${span.path}` })),
  }));
  return ok({ wire, added });
}

const PLACEHOLDER_MODEL = 'model';

function plainMessage({ content, providerContinuation: _native, ...message }: LlmMessage): PlainMessage {
  const part = (one: LlmPart): PlainPart => (one.type === 'media' ? { type: 'image', image: '' } : one);
  return { ...message, content: typeof content === 'string' ? content : content.map(part) };
}

const isSchema = (value: Json | undefined): value is JsonObject => isObject(value) && !isTooDeep(value);

const OPENER = 'opener';
const ADAPTER = 'adapter';

const ownWords = (id: string, kind: SegmentRow['kind'], role: SegmentRow['role']): Owner => ({
  id,
  kind,
  role,
  origin: { plugin: null, runtime: null, label: id, turnId: null },
  volatility: 'stable',
  proof: 'structure',
});
const formatOwner = (id: SegmentId): Owner => ({
  ...ownWords(id, 'response-format', 'system'),
  origin: { plugin: null, runtime: null, label: 'response format', turnId: null },
});

/** Texts that an adapter adds of itself. */
const OWN_WORDS: readonly Owner[] = [
  ownWords(OPENER, 'pre-history', 'user'),
  { ...ownWords(ADAPTER, 'unknown', 'system'), volatility: null, proof: 'none' },
  ownWords('metadata', 'tool', 'system'),
];

function reportOf({ map, warnings, ...built }: BuiltRequest): ConvertReport {
  const owner = ({ path, segment }: SourceSpan): SegmentId =>
    segment ?? (path.startsWith('/messages/0/') ? OPENER : ADAPTER);
  return {
    ...built,
    map: map.map((span) => ({ ...span, segment: owner(span) })),
    warnings: warnings.map((warning) => warning.message),
  };
}

function stringAt(body: JsonObject, path: JsonPointer): string {
  const value = valueAt(body, path);
  return typeof value === 'string' ? value : '';
}

/** Rows of the segments that have text in the body, in the order in which they first appear there. */
function segmentRows(
  { body, map }: Pick<ConvertReport, 'body' | 'map'>,
  owners: readonly Owner[],
): readonly SegmentRow[] {
  const known = new Map(owners.map((owner) => [owner.id, owner]));
  return [...Map.groupBy(map, ({ segment }) => segment)].flatMap(([id, entries]) => {
    const owner = known.get(id);
    if (owner === undefined) return [];
    const { kind, role, origin, volatility, proof } = owner;
    const spans = entries.map(({ path, start, end }) => ({ path, start, end }));
    const pieces = spans.map(({ path, start, end }) => stringAt(body, path).slice(start, end));
    const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const tokens = estimated(estimateTokens(pieces.join('\n')));
    return [{ id, kind, role, origin, volatility, proof, chars: chars(size), tokens, spans }];
  });
}
