/**
 * The contract between a client (window, command line, test) and the engine. Each method has one zod schema
 * for what comes in; what goes out is typed. Both hosts and the in-process client carry the same messages (rpc.ts).
 */
import { z } from 'zod';
import type {
  Breakpoint,
  CallRow,
  Cause,
  CacheMark,
  CacheOverview,
  CacheState,
  Divergence,
  HttpAttempt,
  Ledger,
  Prediction,
  Problem,
  SegmentChange,
  SegmentRow,
  SessionRow,
  TurnBlock,
  TurnRow,
  Usage,
  UsageProblem,
} from './model/index.ts';
import type { Chars, Measured, TurnIndex } from './units.ts';

const id = z.string().min(1).max(4096);
const source = { sourceId: id };
const session = { ...source, sessionId: id };
const call = { ...source, callId: id };

export const SettingsSchema = z.object({
  theme: z.enum(['system', 'dark', 'light']),
  language: z.enum(['system', 'en', 'zh']),
  /** Sizes in per cent, by panel group. */
  panels: z.record(z.string().max(64), z.array(z.number()).max(8)),
  inspectorOpen: z.boolean(),
  chartOpen: z.boolean(),
});
export type Settings = z.infer<typeof SettingsSchema>;
export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  language: 'system',
  panels: {},
  inspectorOpen: true,
  chartOpen: true,
};

export type RecentFile = { readonly path: string; readonly openedAt: string; readonly exists: boolean };

export type AppInfo = {
  readonly version: string;
  readonly host: 'desktop' | 'browser' | 'in-process';
  readonly platform: string;
  /** The file named on the command line, opened by the window at its start. */
  readonly openAtStart: string | null;
};

/** How a covel.db is read: in place (nothing beside it changes), or from a private copy that follows it. */
export type ReadMode = 'immutable' | 'snapshot';

export type SourceSummary = {
  readonly sourceId: string;
  readonly kind: 'covel-db';
  readonly name: string;
  readonly path: string;
  readonly isSample: boolean;
  readonly generation: string;
  readonly mode: ReadMode;
  readonly bytes: number;
  readonly sessions: readonly SessionRow[];
};

export type TurnPage = { readonly total: number; readonly rows: readonly TurnRow[] };

export type CallDetail = {
  readonly row: CallRow;
  readonly sessionId: string;
  /** Which recording the segments come from. */
  readonly view: 'wire' | 'kernel';
  readonly complete: boolean | null;
  readonly omittedFields: number | null;
  readonly segments: readonly SegmentRow[];
  readonly breakpoints: readonly Breakpoint[];
  readonly marks: readonly CacheMark[];
  readonly turnContext: readonly TurnBlock[];
  readonly usage: Usage | null;
  /** Contradictions in what was reported; such usage is shown, never summed. */
  readonly usageProblems: readonly UsageProblem[];
  /** `pending`: the session is still being simulated; `cache.ready` tells when to ask again. */
  readonly predictionState: 'pending' | 'done';
  /** What the rules say of this call; null where no rule is known, the call was not answered, or nothing was recorded. */
  readonly prediction: Prediction | null;
  /**
   * Where in the request each predicted state ends: UTF-16 units of the key text in cache key order, ascending. `tokens`
   * are those of this stretch alone.
   */
  readonly predictedEnds: readonly { readonly state: CacheState; readonly end: Chars; readonly tokens: Measured }[];
  /** Predicted state by segment; the one that covers most of it. Segments outside the key text are left out. */
  readonly segmentStates: Readonly<Record<string, CacheState>>;
  /** Sum of the segments. */
  readonly chars: Chars;
  readonly tokens: Measured;
  /** Share of the characters that no evidence names. */
  readonly unknownShare: number;
  /** Against the default baseline; null where there is none. */
  readonly comparison: Comparison | null;
};

export type SegmentText = {
  readonly text: string;
  /** Ranges of `text` that differ from the same segment of the baseline, UTF-16 units. Empty when equal or unknown. */
  readonly changed: readonly { readonly start: Chars; readonly end: Chars }[];
};

/** Side `a` is the baseline, side `b` the call that was asked for. */
export type Comparison = {
  readonly a: string;
  readonly aTurn: TurnIndex;
  readonly b: string;
  readonly bTurn: TurnIndex;
  readonly size: { readonly chars: Chars; readonly tokens: Measured };
  readonly shared: { readonly chars: Chars; readonly tokens: Measured; readonly share: number };
  readonly divergence: Divergence | null;
  readonly cause: Cause;
  readonly changed: readonly SegmentChange[];
};

/** The two requests as readable text, one heading line a part, texts unescaped; for a diff editor. */
export type DiffDetail = {
  readonly comparison: Comparison;
  readonly left: string;
  readonly right: string;
  /** 1-based line of the divergence in each text; null when the texts do not part. */
  readonly leftLine: number | null;
  readonly rightLine: number | null;
  /** Parts at the beginning that are equal, and their estimated tokens. */
  readonly equalParts: number;
  readonly equalTokens: Measured;
};

export type Baseline = {
  readonly callId: string;
  readonly turnIndex: TurnIndex;
  readonly runtimeId: string;
  readonly step: number;
  readonly attempt: number;
  readonly isDefault: boolean;
};

export type ContextBlock = TurnBlock & {
  /** What put it there: plugin and runtime where they are known. */
  readonly label: string;
  readonly text: string;
  /** The block of the same name in the previous turn's first call; null when it was not there. */
  readonly previousText: string | null;
};
export type ContextDetail = { readonly blocks: readonly ContextBlock[]; readonly previousTurn: TurnIndex | null };

export type WireDetail = {
  readonly attempts: readonly HttpAttempt[];
  /** Kernel view as indented JSON; null when concealed. */
  readonly kernel: string | null;
  readonly payloadProblem: string | null;
  readonly reply: {
    readonly text: string | null;
    readonly reasoning: string | null;
    readonly toolCalls: readonly { readonly id: string | null; readonly name: string; readonly arguments: string }[];
    readonly finishReason: string | null;
    readonly error: string | null;
    readonly durationMs: number | null;
    readonly usage: Usage | null;
    readonly diagnostics: string | null;
  } | null;
  readonly request: {
    readonly slot: string | null;
    readonly streaming: boolean;
    readonly queueWaitMs: number | null;
    readonly maxOutputTokens: number | null;
    readonly defaults: string | null;
  };
};

/** Where a text of a prompt that was assembled anew comes from; `framework`: the assembler's own sentences. */
export type TakenFrom = 'database' | 'framework' | 'recorded';
/** Why an assembled prompt is not the recorded one; `unknown` where nothing proves it. */
export type ReassemblyReason =
  | 'turn-data-order'
  | 'separator'
  | 'history-changed'
  | 'row-missing'
  | 'pruned'
  | 'summary-merged'
  | 'summary-changed'
  | 'summary-missing'
  | 'world-changed'
  | 'lore-differs'
  | 'story-changed'
  | 'player-changed'
  | 'picture'
  | 'unknown';
export type AssembledRow = SegmentRow & { readonly from: TakenFrom; readonly text: string };

/** A recorded request, assembled anew from what the database holds, beside the recorded one. */
export type AssembledDetail = {
  readonly callId: string;
  /** What it was compared with: the kernel's view, or the wire where that one was concealed. */
  readonly view: 'wire' | 'kernel';
  readonly equal: boolean;
  /** The first difference; null when equal. */
  readonly first: {
    /** `system` for the system prompt, which is message 1, else `message 7 (user)`. */
    readonly where: string;
    readonly segmentId: string | null;
    readonly segment: string | null;
    readonly kind: SegmentRow['kind'] | null;
    readonly offset: Chars;
    /** Around the difference; null where the side has no such message. */
    readonly recorded: string | null;
    readonly assembled: string | null;
    readonly reason: ReassemblyReason;
  } | null;
  readonly taken: readonly {
    readonly segmentId: string;
    readonly label: string;
    readonly kind: SegmentRow['kind'];
    readonly from: TakenFrom;
  }[];
  /** Player turns of the runtime's history window, told by the recording; null: the whole history. */
  readonly window: number | null;
  /** `spans` point into the assembled prompt (`/systemPrompt`, `/messages/3/content`); those of tools and of the tool loop into the recorded request. */
  readonly segments: readonly AssembledRow[];
  readonly chars: Chars;
  readonly tokens: Measured;
};

export type SearchHit = {
  readonly sessionId: string;
  readonly turnId: string;
  readonly turnIndex: TurnIndex;
  readonly callId: string | null;
  readonly runtimeId: string | null;
  readonly before: string;
  readonly match: string;
  readonly after: string;
};

/** A message of turn_messages. */
export type LedgerMessage = {
  readonly id: string;
  readonly turnIndex: TurnIndex | null;
  readonly role: string;
  /** `player`, `runtime`, … as recorded. */
  readonly sourceType: string;
  readonly runtime: string | null;
  /** The note of a picture that was shown to the player. */
  readonly picture: boolean;
  readonly text: string;
};

/** `in`: schema of the argument. `out`: value of the reply. `item`: what is streamed before it. */
type Method<In extends z.ZodType, Out, Item = never> = { readonly in: In; readonly out: Out; readonly item: Item };
const method =
  <Out, Item = never>() =>
  <In extends z.ZodType>(input: In): Method<In, Out, Item> => ({
    in: input,
    out: undefined as Out,
    item: undefined as unknown as Item,
  });

export const API = {
  'app.info': method<AppInfo>()(z.object({})),
  'settings.get': method<Settings>()(z.object({})),
  'settings.set': method<Settings>()(SettingsSchema.partial()),
  'recent.list': method<readonly RecentFile[]>()(z.object({})),
  'recent.forget': method<readonly RecentFile[]>()(z.object({ path: id })),
  'source.open': method<SourceSummary>()(z.union([z.object({ path: id }), z.object({ sample: z.literal(true) })])),
  'source.close': method<null>()(z.object(source)),
  'source.problems': method<readonly Problem[]>()(z.object(source)),
  'turns.list': method<TurnPage>()(z.object({ ...session, from: z.int().min(0), limit: z.int().min(1).max(2000) })),
  /** Streams the rows of every call of a session in order, in chunks; the first within 200 ms. */
  'calls.index': method<{ readonly calls: number }, readonly CallRow[]>()(z.object(session)),
  'turn.calls': method<readonly CallRow[]>()(z.object({ ...session, turnId: id })),
  'call.get': method<CallDetail>()(z.object(call)),
  /** For each segment: the turn since which it is unchanged in the first calls of this runtime. */
  'call.since': method<Readonly<Record<string, TurnIndex>>>()(z.object(call)),
  'call.segment': method<SegmentText>()(z.object({ ...call, segmentId: id })),
  'call.baselines': method<readonly Baseline[]>()(z.object(call)),
  'call.diff': method<DiffDetail | null>()(z.object({ ...call, baselineId: id.nullable() })),
  'call.context': method<ContextDetail>()(z.object(call)),
  /** The request assembled anew from the database, and how it stands to the recorded one. */
  'call.assembled': method<AssembledDetail>()(z.object(call)),
  'call.wire': method<WireDetail>()(z.object(call)),
  /** Summaries, prunings and tool groups of a session. Reads every payload once. */
  'ledger.get': method<Ledger>()(z.object(session)),
  /** Messages that a summary covers, in order; ids that are no message any more are left out. */
  'ledger.messages': method<readonly LedgerMessage[]>()(z.object({ ...session, messageIds: z.array(id).max(100_000) })),
  /** What the cache should have done, call by call, and what it did. Reads every payload once; reports progress. */
  'cache.get': method<CacheOverview>()(z.object(session)),
  /** Streams hits; literal, case-insensitive for ASCII, over the player's words and the recorded requests. */
  search: method<{ readonly hits: number; readonly complete: boolean }, readonly SearchHit[]>()(
    z.object({ ...session, query: z.string().min(1).max(500), limit: z.int().min(1).max(1000) }),
  ),
} as const;

export type MethodName = keyof typeof API;
export type MethodIn<M extends MethodName> = z.input<(typeof API)[M]['in']>;
export type MethodOut<M extends MethodName> = (typeof API)[M]['out'];
export type MethodItem<M extends MethodName> = (typeof API)[M]['item'];

/** Told to every client without being asked. */
export type EngineEvent =
  /** The file grew or was replaced: the summary is new; ask again for what is shown. */
  | { readonly name: 'source.changed'; readonly source: SourceSummary }
  /** The session was simulated: `call.get`, `call.diff` and `cache.get` know their predictions now. */
  | { readonly name: 'cache.ready'; readonly sourceId: string; readonly sessionId: string }
  /** The file can no longer be read; what is loaded stays on screen. */
  | { readonly name: 'source.lost'; readonly sourceId: string; readonly code: string }
  /** The engine thread died and runs again; sources must be opened again. */
  | { readonly name: 'engine.restarted'; readonly reason: string }
  /** The desktop shell asks the window to do something (menu item, dropped or associated file). */
  | { readonly name: 'shell.command'; readonly command: string; readonly argument: string | null };
