/**
 * A declaration comes from a plugin or a file, so its words may be none of ours. Everything is looked at before
 * anything is built: an error names the field, and nothing is half-built.
 */
import { checkInjects } from './data/inject.ts';
import { AssemblyError, type BuildParams, type PromptSegment } from './types.ts';

const POSITIONS = ['system', 'pre-history', 'post-history'] as const;
const ROLES = ['system', 'user', 'assistant'] as const;
const VOLATILITIES = ['stable', 'session', 'turn'] as const;
const LORE_POSITIONS = ['before_plugin', 'after_plugin', 'at_depth'] as const;
const SOURCES = ['stage', 'event', 'manual'] as const;

function refuse(field: string, value: unknown, wanted: string): never {
  const shown = typeof value === 'string' ? JSON.stringify(value) : String(value);
  throw new AssemblyError('configuration', field, `${field} is ${wanted}, not ${shown}.`);
}

function oneOf(field: string, value: unknown, allowed: readonly string[]): void {
  if (!allowed.includes(value as string)) refuse(field, value, `one of ${allowed.join(', ')}`);
}

function text(field: string, value: unknown): void {
  if (typeof value !== 'string') refuse(field, value, 'a text');
}

function finite(field: string, value: unknown): void {
  if (typeof value !== 'number' || !Number.isFinite(value)) refuse(field, value, 'a finite number');
}

function whole(field: string, value: unknown, least: number): void {
  if (!Number.isSafeInteger(value) || (value as number) < least)
    refuse(field, value, `a whole number from ${least} on`);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function checkSegment(segment: PromptSegment, field: string): void {
  text(`${field}.id`, segment.id);
  text(`${field}.content`, segment.content);
  const { position, audience }: { position: unknown; audience: unknown } = segment;
  if (isObject(position)) finite(`${field}.position.depth`, position['depth']);
  else oneOf(`${field}.position`, position, POSITIONS);
  if (isObject(audience)) text(`${field}.audience.contract`, audience['contract']);
  else oneOf(`${field}.audience`, audience, ['all', 'self', 'story']);
  oneOf(`${field}.volatility`, segment.volatility, VOLATILITIES);
  if (segment.role !== undefined) oneOf(`${field}.role`, segment.role, ROLES);
  if (segment.order !== undefined) finite(`${field}.order`, segment.order);
}

/** Throws AssemblyError: `configuration`, `bad-tag`, `hidden-namespace`, or `store` for a missing store. */
export function checkParams(params: BuildParams): void {
  const { manifest, turnInput } = params;
  text('promptTemplate', params.promptTemplate);
  text('manifest.name', manifest.name);
  text('manifest.pluginId', manifest.pluginId);
  text('turnInput.playerMessage', turnInput.playerMessage);
  params.promptSegments?.forEach((segment, i) => checkSegment(segment, `promptSegments[${i}]`));
  manifest.input?.inject?.forEach((inject, i) => {
    const field = `manifest.input.inject[${i}]`;
    oneOf(`${field}.kind`, inject.kind, ['runtime', 'plugin-data']);
    text(`${field}.as`, inject.as);
    if (inject.kind === 'plugin-data') text(`${field}.namespace`, inject.namespace);
  });
  checkInjects(manifest.input?.inject ?? [], params.store);
  for (const name of ['messageHistory', 'executionStory'] as const) {
    params[name]?.forEach((row, i) => {
      oneOf(`${name}[${i}].role`, row.role, ROLES);
      text(`${name}[${i}].content`, row.content);
    });
  }
  params.summaries?.forEach((summary, i) => {
    text(`summaries[${i}].id`, summary.id);
    text(`summaries[${i}].content`, summary.content);
  });
  params.sessionContext?.contributions?.forEach((lore, i) => {
    const field = `sessionContext.contributions[${i}]`;
    oneOf(`${field}.position`, lore.position, LORE_POSITIONS);
    text(`${field}.content`, lore.content);
    if (lore.role !== undefined) oneOf(`${field}.role`, lore.role, ROLES);
    if (lore.depth !== undefined) finite(`${field}.depth`, lore.depth);
    if (lore.order !== undefined) finite(`${field}.order`, lore.order);
  });
  if (params.activation) oneOf('activation.source', params.activation.source, SOURCES);
  if (params.pictureAttachments !== undefined) whole('pictureAttachments', params.pictureAttachments, 0);
}
