/**
 * A tool answers with a JSON envelope: `data` is the bulk, while `summary`, `error`, `code` and `staged` say what came of
 * the call. What a long run may forget is the bulk, never the outcome (seed 1, section 5).
 */
import type { Json, JsonObject } from '../../../shared/model/index.ts';
import { escapeXml, stripSentinels } from '../data/escape.ts';
import { compactJson, modelFacingJson } from '../data/model-facing.ts';
import type { LlmMessage } from '../types.ts';
import type { GroupCall } from './tool-groups.ts';
import { oneLine } from './truncate.ts';

const ARGUMENTS_LENGTH = 120;
const SUMMARY_LENGTH = 80;

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const ENVELOPE_FIELDS = ['data', 'summary', 'error', 'staged', 'success'] as const;

/** The envelope in a result, or null for any other text: no JSON object, or one with none of an envelope's fields. */
function envelopeOf(content: string): JsonObject | null {
  const value = parsed(content);
  return isObject(value) && ENVELOPE_FIELDS.some((field) => Object.hasOwn(value, field)) ? value : null;
}

/**
 * A result without its bulk: of an envelope `data` alone gives way to the marker, another text wholly. null when there
 * is nothing to leave out: content in parts, an envelope without `data`.
 */
export function withoutData(content: LlmMessage['content'], marker: string): string | null {
  if (typeof content !== 'string') return null;
  const envelope = envelopeOf(content);
  if (!envelope) return marker;
  return Object.hasOwn(envelope, 'data') ? compactJson({ ...envelope, data: marker }) : null;
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** `ok` with the envelope's summary, or `failed` with its error code; both as far as they are there. */
function outcome(content: LlmMessage['content']): string {
  const envelope = typeof content === 'string' ? envelopeOf(content) : null;
  const { success, summary, error, code } = envelope ?? {};
  const failed = success === false || (success !== true && error !== undefined && error !== null);
  const detail = failed ? text(code) || text(isObject(error) ? error['code'] : undefined) : text(summary);
  return `${failed ? 'failed' : 'ok'}${detail === '' ? '' : `: ${quoted(detail, SUMMARY_LENGTH)}`}`;
}

/** Foreign text on one line of a system message: it can neither close a block nor be taken for a cache break. */
const quoted = (value: string, length: number): string => escapeXml(oneLine(stripSentinels(value), length));

function argumentPreview(written: string): string {
  const value = parsed(written);
  return quoted(value === undefined ? written : compactJson(modelFacingJson(value)), ARGUMENTS_LENGTH);
}

/**
 * The frozen summary of a group: the title, then a line for each call with tool, arguments (at most 120 units) and
 * outcome (at most 80). It holds neither call ids nor times, and is the same for the same group.
 */
export function foldedText(calls: readonly GroupCall[], title: string): string {
  const lines = calls.map(
    (call) => `- ${quoted(call.name, ARGUMENTS_LENGTH)} | ${argumentPreview(call.arguments)} | ${outcome(call.result)}`,
  );
  return [title, ...lines].join('\n');
}
