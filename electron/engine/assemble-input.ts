/**
 * The JSON input of `assemble`: the parameters of `buildContext`. Every field may be left out or be null unless a rule
 * needs it. Names are plain keys, `constructor` and `__proto__` among them.
 */
import { z } from 'zod';
import { CHARS4, COVEL_ESTIMATOR } from '../assembler/budget/estimator.ts';
import { storeOf } from '../assembler/data/inject.ts';
import type { BuildParams } from '../assembler/types.ts';
import type { Json } from '../../shared/model/index.ts';

/** Whatever JSON.parse gives; not looked into, because it may be nested 10,000 deep. */
const json = z.custom<Json>();
const text = z.string();
const list = <T extends z.ZodType>(schema: T) => z.array(schema);

/** May be left out; null is as good as absent. */
const maybe = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);
const or = <T extends z.ZodType>(schema: T, fallback: z.output<T>) =>
  schema.nullish().transform((value) => value ?? fallback);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object with any names, all as its own properties. */
const record = <T extends z.ZodType>(schema: T) =>
  z.custom<Readonly<Record<string, unknown>>>(isObject, 'Invalid input: expected object').transform((value, context) =>
    Object.fromEntries(
      Object.entries(value).map(([name, one]): [string, z.output<T>] => {
        const parsed = schema.safeParse(one);
        if (parsed.success) return [name, parsed.data];
        const [issue] = parsed.error.issues;
        context.issues.push({
          code: 'custom',
          input: one,
          message: issue?.message ?? 'Invalid input',
          path: [name, ...(issue?.path ?? [])],
        });
        return [name, z.NEVER];
      }),
    ),
  );

const ROLES = ['system', 'user', 'assistant'] as const;
const role = z.enum(ROLES);

const source = z.object({ pluginId: text, runtimeId: text });
const slot = z.discriminatedUnion('cardinality', [
  z.object({ cardinality: z.literal('one'), value: or(json, null), source }),
  z.object({ cardinality: z.literal('all'), items: list(z.object({ value: or(json, null), source })) }),
]);

const inject = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('runtime'), from: text, field: text, as: text }),
  z.object({
    kind: z.literal('plugin-data'),
    namespace: text,
    as: text,
    format: maybe(z.enum(['summary', 'full', 'ids-only'])),
    maxEntries: maybe(z.number()),
  }),
]);

const manifest = z.object({
  name: or(text, 'runtime'),
  pluginId: or(text, 'plugin'),
  stage: maybe(text),
  outputKind: maybe(text),
  outputContract: maybe(text),
  output: maybe(z.object({ schema: maybe(json) })),
  input: maybe(z.object({ inject: maybe(list(inject)) })),
  advertiseEvents: maybe(z.boolean()),
  requireToolUse: maybe(z.boolean()),
  completeAfterTools: maybe(list(text)),
});

const turnInput = z.object({
  sessionId: or(text, ''),
  turnId: or(text, ''),
  origin: or(text, 'player'),
  playerMessage: or(text, ''),
  locale: maybe(text),
  manualTrigger: maybe(z.object({ runtimeId: text })),
});

const segment = z.object({
  id: or(text, ''),
  content: text,
  position: or(z.union([z.enum(['system', 'pre-history', 'post-history']), z.object({ depth: z.number() })]), 'system'),
  role: maybe(role),
  audience: or(z.union([z.enum(['all', 'self', 'story']), z.object({ contract: text })]), 'all'),
  volatility: or(z.enum(['stable', 'session', 'turn']), 'stable'),
  order: maybe(z.number()),
  providerPluginId: maybe(text),
});

/** Kept whole: the sheet of a character shows every field of its record. */
const character = z.looseObject({
  id: text,
  name: text,
  aliases: list(text).optional(),
  type: text,
  description: text.optional(),
  fields: record(json).optional(),
});

const contribution = z.object({
  kind: or(text, 'lore_entry'),
  sourceType: maybe(text),
  sourceId: maybe(text),
  content: text,
  position: z.enum(['before_plugin', 'after_plugin', 'at_depth']),
  order: maybe(z.number()),
  depth: maybe(z.number()),
  role: maybe(role),
});

const dimension = z.object({
  name: json.optional(),
  description: json.optional(),
  schema: json.optional(),
  value: json.optional(),
  version: z.number().optional(),
  updateRule: text.optional(),
});

const world = z.object({
  name: maybe(text),
  description: maybe(text),
  tags: maybe(list(text)),
  lore: maybe(text),
  schema: maybe(json),
  entries: maybe(json),
  dimensions: maybe(
    record(dimension).transform((all) =>
      Object.fromEntries(Object.entries(all).map(([id, one]) => [id, { ...one, id }])),
    ),
  ),
});

const sessionMeta = z.object({
  turnNumber: maybe(z.number()),
  characters: maybe(list(character)),
  lastFormValues: maybe(record(json)),
});

const sessionContext = z.object({
  turnNumber: maybe(z.number()),
  world: maybe(world),
  characters: maybe(list(character)),
  sessionMeta: maybe(sessionMeta),
  contributions: maybe(list(contribution)),
  seats: maybe(list(z.object({ id: text, characterId: or(text.nullable(), null), primary: maybe(z.boolean()) }))),
});

const rowOf = (speaker: z.ZodType<(typeof ROLES)[number]>) =>
  z.object({
    role: speaker,
    content: text,
    name: maybe(text),
    turnId: maybe(text),
    sourceType: maybe(text),
    sourcePluginId: maybe(text),
    sourceRuntimeId: maybe(text),
    compactedAtTurnId: maybe(text),
    ui: maybe(json),
  });

const pluginDataRow = z.object({
  pluginId: text,
  namespace: text,
  key: text,
  value: or(json, null),
  createdAt: or(text, ''),
  updatedAt: or(text, ''),
});

export const AssembleInput = z.object({
  promptTemplate: or(text, ''),
  manifest: manifest.prefault({}),
  turnInput: turnInput.prefault({}),
  completedResults: maybe(record(z.object({ output: or(json, null) }))),
  messageHistory: maybe(list(rowOf(role))),
  executionStory: maybe(list(rowOf(or(role, 'assistant')))),
  pictureAttachments: maybe(z.number()),
  promptSegments: maybe(list(segment)),
  sessionMeta: maybe(sessionMeta),
  sessionContext: maybe(sessionContext),
  summaries: maybe(list(z.object({ id: text, content: text, focusSections: or(list(text), []) }))),
  inputSlots: maybe(record(slot)),
  exportSlots: maybe(record(slot)),
  activation: maybe(
    z.object({
      source: z.enum(['stage', 'event', 'manual']),
      detached: or(z.boolean(), false),
      payload: or(json, null),
    }),
  ),
  eventCatalogText: maybe(text),
  userSettings: maybe(record(json)),
  store: maybe(z.object({ pluginData: or(list(pluginDataRow), []) })),
  estimator: maybe(z.enum(['covel', 'chars4'])),
  contextBudget: maybe(
    z.object({
      maxInputTokens: z.number(),
      reservedForResponse: maybe(z.number()),
      protectLastUserTurns: maybe(z.number()),
    }),
  ),
  frameworkPreamble: maybe(text),
  injectCacheBreakpoints: maybe(z.boolean()),
  instructionLocale: maybe(z.enum(['en', 'zh'])),
});

/** The parameters that an input stands for. A field that is undefined is absent to the assembler. */
export function buildParams(input: z.output<typeof AssembleInput>): BuildParams {
  const { completedResults, store, estimator, ...rest } = input;
  return {
    ...rest,
    completedResults: new Map(Object.entries(completedResults ?? {})),
    store: store && storeOf(store.pluginData),
    estimator: estimator && (estimator === 'covel' ? COVEL_ESTIMATOR : CHARS4),
  } as BuildParams;
}
