/**
 * The shape of resources/cache-rules.json (cache-rules page, 3.1 to 3.3). Minimum sizes, lifetimes and mechanisms of
 * prompt caches change with time, so they are data with dates. A field that a rule leaves out, `null` and
 * `verified: false` all mean that no source was found: unknown, and never a number.
 */
import { z } from 'zod';

/** The three stretches of a request that a provider may keep or lose apart from each other. */
export const CACHE_TIERS = ['tools', 'system', 'messages'] as const;
export type CacheTier = (typeof CACHE_TIERS)[number];
const Tier = z.enum(CACHE_TIERS);

const Day = z.string().regex(/^\d{4}-\d\d-\d\d$/);
/** A fact that was found in a source; everything is, unless it says otherwise. */
const verified = z.boolean().default(true);
const orNull = <T extends z.ZodType>(type: T) => type.nullable().default(null);

const Minimum = z.strictObject({
  /** Pattern of the model's name. */
  match: z.string(),
  tokens: z.number().nullable(),
  verified,
  note: orNull(z.string()),
});

const Ttl = z.strictObject({
  id: z.string(),
  seconds: z.number().nullable(),
  /** What a written token costs, in input tokens; null: not known. */
  writeX: z.number().nullable(),
  default: z.boolean().default(false),
  /** Entries may live longer. */
  isMinimum: z.boolean().default(false),
  /** Entries may be dropped before. */
  isMaximum: z.boolean().default(false),
  /** Only behind this request shape. */
  api: orNull(z.string()),
  /** Only for models of this pattern. */
  match: orNull(z.string()),
  /** Keeping the entry is billed by the hour. */
  storagePerHour: z.boolean().default(false),
  verified,
});

const ReadFactor = z.strictObject({
  match: z.string(),
  /** What a read token costs, in input tokens; null: not a factor, see the prices. */
  x: z.number().nullable(),
  /** First and last day (UTC) on which it holds. */
  from: orNull(Day),
  until: orNull(Day),
  note: orNull(z.string()),
});

/** Dotted paths of a reply's usage. */
const UsagePaths = z.strictObject({
  total: orNull(z.string()),
  uncached: orNull(z.string()),
  read: orNull(z.string()),
  miss: orNull(z.string()),
  write: orNull(z.string()),
  write5m: orNull(z.string()),
  write1h: orNull(z.string()),
  output: orNull(z.string()),
});

const UsageRule = UsagePaths.extend({
  /** `inclusive`: read and written tokens are inside the total; `additive`: they stand beside the uncached ones. */
  convention: z.enum(['additive', 'inclusive']),
  chat: orNull(UsagePaths),
  responses: orNull(UsagePaths),
});

const Rule = z.strictObject({
  id: z.string(),
  /** Names of the request shapes, separated by commas. */
  api: z.string(),
  /** Pattern of the model's name. */
  match: z.string(),
  /** `resource`: the cached text is an object of its own, which a request names. */
  mechanism: z.enum(['explicit+auto', 'implicit+explicit', 'explicit', 'implicit', 'resource']),
  /** How a client marks a breakpoint, where it is not the common way. */
  marker: orNull(z.string()),
  /** Field of the body that marks the whole request. */
  autoField: orNull(z.string()),
  renderOrder: orNull(z.array(Tier)),
  maxBreakpoints: orNull(z.number()),
  /** Newest breakpoints among which a match is looked for. */
  matchBreakpoints: orNull(z.number()),
  /** Blocks that a mark looks back, itself the first. */
  lookbackBlocks: orNull(z.number()),
  granularityTokens: orNull(z.number()),
  /** `whole_prefix_unit`: only whole units are read; `unitsAt` says where they end. */
  unit: orNull(z.enum(['whole_prefix_unit'])),
  unitsAt: orNull(z.array(z.enum(['end_of_user_input', 'end_of_output', 'fixed_interval', 'detected_common_prefix']))),
  minTokens: z.array(Minimum).default([]),
  ttl: z.array(Ttl).default([]),
  ttlFrom: orNull(z.enum(['request_start'])),
  refreshOnRead: orNull(z.boolean()),
  ttlOrder: orNull(z.enum(['longest_first'])),
  /** For rules whose writes cost the same whatever their lifetime. */
  writeX: orNull(z.number()),
  readX: z.array(ReadFactor).default([]),
  readableAfter: orNull(z.enum(['first_stream_event'])),
  isolation: orNull(z.string()),
  /** A change, and the tiers that it ends; `?`: by model. */
  invalidates: orNull(z.record(z.string(), z.array(z.enum([...CACHE_TIERS, 'tools?', 'system?', 'messages?'])))),
  /** Settings that are part of the prefix from its beginning. */
  prefixSettings: orNull(z.array(z.string())),
  routingKey: orNull(z.string()),
  routing: orNull(z.strictObject({ chatHeader: orNull(z.string()), responsesField: orNull(z.string()) })),
  /** Id of the rule that does not hold for a request for which this one does. */
  excludes: orNull(z.string()),
  usage: orNull(UsageRule),
  diagnostics: orNull(
    z.strictObject({ request: z.string(), response: z.string(), tokens: z.string(), api: orNull(z.string()) }),
  ),
  source: z.string().default(''),
  verified,
});

const Rules = z.strictObject({
  schema: z.literal('cache-rules/1'),
  asOf: Day,
  note: orNull(z.string()),
  rules: z.array(Rule),
});

export type CacheRule = z.infer<typeof Rule>;
export type CacheRules = z.infer<typeof Rules>;

/** Reads the rules file. Throws on any other shape, unknown fields included: the file is ours. */
export const parseCacheRules = (json: unknown): CacheRules => Rules.parse(json);
