/** Fields that the replies of all protocols have under one name or another. */
import type { Json, JsonObject, Protocol } from '../../../shared/model/index.ts';
import { tokens } from '../../../shared/units.ts';
import type { ProviderContinuation } from '../build/types.ts';
import { baseUrlOf } from '../build/url.ts';
import { field, nameOf } from '../json.ts';
import { conventionOf } from '../usage-conventions.ts';
import { normaliseUsage } from '../usage.ts';
import type { CacheDiagnosis, Reply, ReplyDiagnostics, ReplyOptions, ReplyWarning } from './types.ts';

export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** null or left out. */
export const isNone = (value: Json | undefined): value is null | undefined => value === undefined || value === null;

export const indexOf = (value: Json | undefined): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

export const usageOf = (protocol: Protocol, raw: Json | undefined, options: ReplyOptions): Reply['usage'] =>
  normaliseUsage(raw, conventionOf(protocol, options.usageRule));

/** The provider's word on its cache: a reason (or type) and the tokens it missed. */
export function cacheDiagnosis(value: Json | undefined, missed: string): CacheDiagnosis | null {
  const reason = nameOf(field(value, 'reason')) ?? nameOf(field(value, 'type'));
  if (reason === null) return null;
  const count = indexOf(field(value, missed));
  return { reason, missedTokens: count === null ? null : tokens(count) };
}

export const diagnosticsOf = (
  ids: { readonly id: Json | undefined; readonly model: Json | undefined },
  rawUsage: Json | undefined,
  warnings: readonly ReplyWarning[],
  cache: CacheDiagnosis | null = null,
): ReplyDiagnostics => ({
  responseId: nameOf(ids.id),
  model: nameOf(ids.model),
  cache,
  warnings,
  rawUsage: rawUsage ?? null,
});

export const continuationOf = (
  protocol: Protocol,
  options: ReplyOptions,
  blocks: readonly Json[],
): ProviderContinuation => ({
  protocol,
  model: options.model,
  baseUrl: baseUrlOf(protocol, options.baseUrl),
  blocks,
});

/** JSON text of a value; null where it is nested too deep to be written. */
export function jsonText(value: Json): string | null {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}

/** Fields of `more` that say something, over those of `base`. */
export const merged = (base: JsonObject, more: JsonObject): JsonObject => ({
  ...base,
  ...Object.fromEntries(Object.entries(more).filter(([, value]) => value !== null)),
});
