/**
 * The JSON of the command line is a public contract: keys may be added, none may be missing or renamed, and what is
 * not known is null. These schemas say so for the commands that exist; unknown keys pass.
 */
import { z } from 'zod';
import { CAUSE_KINDS, PROTOCOLS, SEGMENT_KINDS } from '../../../shared/model/index.ts';

const count = z.int().min(0);
const text = z.string();
const maybe = <T extends z.ZodType>(schema: T) => schema.nullable();

export const Tokens = z.object({ value: count, tier: z.enum(['billed', 'counted', 'estimated']) });
export const Usage = z.object({
  uncached: maybe(count),
  read: maybe(count),
  write: maybe(count),
  output: maybe(count),
});

export const ErrorReport = z.object({ error: z.object({ code: text, message: text.min(1), hint: text }) });

export const Sessions = z.object({
  sessions: z.array(
    z.object({
      id: text,
      worldId: maybe(text),
      locale: maybe(text),
      status: maybe(text),
      createdAt: maybe(text),
      turns: count,
      calls: count,
      attempts: count,
      summaries: count,
    }),
  ),
  problems: z.array(z.object({ code: text, message: text, row: text })),
});

export const Turns = z.object({
  sessionId: text,
  turns: z.array(
    z.object({
      index: z.int().min(1),
      turnId: text,
      origin: maybe(text),
      playerText: maybe(text),
      status: z.enum(['committed', 'failed', 'interrupted', 'running', 'unknown']),
      startedAt: maybe(text),
      calls: z.array(
        z.object({
          id: text,
          runtimeId: text,
          step: count,
          attempt: count,
          protocol: maybe(text),
          provider: maybe(text),
          model: maybe(text),
          finishReason: maybe(text),
          durationMs: maybe(z.number()),
          inputTokens: maybe(Tokens),
          usage: maybe(Usage),
        }),
      ),
    }),
  ),
});

export const Prefix = z.array(
  z.object({
    sessionId: text,
    runtimeId: text,
    turns: count,
    calls: count,
    totalChars: count,
    firstRequestChars: z.array(count),
    pairs: z.array(
      z.object({
        size: count,
        tokens: count,
        shared: count,
        sharedTokens: count,
        firstDifference: text,
        offset: count,
        was: maybe(text).optional(),
        now: maybe(text).optional(),
      }),
    ),
  }),
);

const Segments = z.array(
  z.object({
    id: text,
    kind: z.enum(SEGMENT_KINDS),
    role: z.enum(['system', 'user', 'assistant', 'tool']),
    origin: z.object({ plugin: maybe(text), runtime: maybe(text), label: text }),
    volatility: maybe(z.enum(['stable', 'session', 'turn'])),
    chars: count,
    tokens: Tokens,
    spans: z.array(z.object({ path: text.startsWith('/'), start: count, end: count })),
  }),
);

export const Call = z.object({
  id: text,
  sessionId: text,
  turnId: text,
  runtimeId: text,
  protocol: maybe(text),
  provider: maybe(text),
  model: maybe(text),
  complete: maybe(z.boolean()),
  omittedFields: maybe(count),
  segments: Segments,
  breakpoints: z.array(
    z.object({
      kind: z.enum(['explicit', 'implicit']),
      path: text,
      ttl: maybe(text),
      afterSegment: maybe(text),
      prefixTokens: Tokens,
      belowMinimum: maybe(z.boolean()),
    }),
  ),
  turnContext: z.array(
    z.object({ tag: maybe(text), chars: count, tokens: Tokens, changedSincePreviousTurn: maybe(z.boolean()) }),
  ),
  usage: maybe(Usage),
  prediction: maybe(
    z.object({
      rule: text,
      read: count,
      write: count,
      uncached: count,
      tier: z.enum(['billed', 'counted', 'estimated']),
      why: z.array(text.min(1)),
    }),
  ),
  notes: z.array(text.min(1)),
});

/** Additional key `assembled` of `call --assembled`. */
export const AssembledCall = Call.extend({
  assembled: z.object({
    view: z.enum(['kernel', 'wire']),
    equal: z.boolean(),
    first: maybe(
      z.object({
        where: text,
        segment: maybe(text),
        offset: count,
        recorded: maybe(text),
        assembled: maybe(text),
        reason: text,
        why: text.min(1),
      }),
    ),
    taken: z.array(
      z.object({ segmentId: text, label: text, kind: text, from: z.enum(['database', 'framework', 'recorded']) }),
    ),
    window: maybe(count),
    segments: Segments,
  }),
});

export const Ledger = z.object({
  sessionId: text,
  summaries: z.array(
    z.object({
      id: maybe(text),
      turnRange: z.tuple([maybe(text), maybe(text)]),
      messageIds: maybe(z.array(text)),
      tokens: maybe(Tokens),
      budget: maybe(z.object({ segment: count, total: count })),
      mergedFrom: maybe(count),
      truncated: maybe(z.boolean()),
      createdAt: maybe(text),
      live: z.boolean(),
    }),
  ),
  pruned: z.array(z.object({ callId: maybe(text), messages: maybe(count) })),
  toolGroups: z.array(
    z.object({
      callId: text,
      kind: z.enum(['omitted', 'truncated', 'folded']),
      tools: z.array(text),
      before: Tokens,
      after: maybe(Tokens),
    }),
  ),
  decay: z.array(z.unknown()),
});

export const Diff = z.object({
  a: text,
  b: text,
  shared: z.object({ chars: count, tokens: Tokens, share: z.number().min(0).max(1) }),
  divergence: maybe(
    z.object({ part: text, path: text, offset: count, segment: maybe(text), was: maybe(text), now: maybe(text) }),
  ),
  cause: z.object({ kind: z.enum(CAUSE_KINDS), evidence: z.array(text), advice: maybe(text) }),
  changed: z.array(
    z.object({ segment: text, kind: z.enum(SEGMENT_KINDS), change: z.enum(['added', 'removed', 'modified', 'moved']) }),
  ),
});

const money = z.number().min(0);
const share = z.number().min(0).max(1);
const Calibration = z.object({ calls: count, matched: count, toleranceTokens: count });

export const Cache = z.object({
  sessionId: text,
  calibration: Calibration,
  runtimes: z.array(
    z.object({
      runtimeId: text,
      calls: count,
      inputTokens: count,
      read: maybe(count),
      write: maybe(count),
      predictedRead: maybe(count),
      hitRate: maybe(share),
      wastedTokens: count,
      costUsd: maybe(money),
      wastedUsd: maybe(money),
      causes: z.array(z.object({ kind: z.enum(CAUSE_KINDS), calls: count, tokens: count, usd: maybe(money) })),
      unpriced: count,
      unreported: count,
    }),
  ),
  calibrationByProvider: z.array(Calibration.extend({ provider: text })),
  flagged: z.array(text),
  notes: z.array(z.object({ note: text, calls: count })),
  rulesAsOf: text,
  pricesAsOf: text,
});

export const Check = z.object({
  ok: z.boolean(),
  broken: z.array(
    z.object({
      runtimeId: text,
      turnIndex: z.int().min(1),
      callId: text,
      share,
      limit: z.number().min(0),
      cause: z.enum(CAUSE_KINDS),
      sessionId: text,
      rule: z.enum(['min-shared', 'max-miss-tokens']),
      missTokens: maybe(count),
    }),
  ),
  judged: count,
});

export const Assembled = z.object({
  systemPrompt: text,
  frameworkHead: text,
  turnContext: text,
  messages: z.array(z.object({ role: text, content: z.union([text, z.array(z.looseObject({ type: text }))]) })),
  currentTurnUserMessages: count,
  prunedMessageCount: count,
  overBudget: z.boolean(),
  segments: Segments,
});

const Sent = z.object({
  protocol: z.enum(PROTOCOLS),
  url: z.url(),
  headers: z.record(text, text),
  body: z.record(text, z.unknown()),
  map: z.array(z.object({ path: text, start: count, end: count, segment: text })),
  warnings: z.array(text),
});
export const Converted = Sent.extend({ segments: Segments });
export const AssembledWire = Assembled.extend({ wire: Sent });
