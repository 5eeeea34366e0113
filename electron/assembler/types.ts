/**
 * What the assembler takes and gives. Names are Covel's (`buildContext(params)`); the one difference is that the
 * prompt is kept as segments, and its strings (`systemPrompt`, `turnContext`, `messages`) are derived from them.
 */
import type { Json, SegmentKind, Role, Volatility } from '../../shared/model/index.ts';

export type InstructionLanguage = 'en' | 'zh';

/** Where an extension asked to stand. */
export type Position = 'system' | 'pre-history' | 'post-history' | { readonly depth: number };
export type Audience = 'all' | 'self' | 'story' | { readonly contract: string };

/** A collected extension segment (`prompt.segment@1`, `contributes.prompt`). `providerPluginId` is stamped by the host. */
export type PromptSegment = {
  readonly id: string;
  readonly content: string;
  readonly position: Position;
  /** Default `system`, at every position. */
  readonly role?: 'system' | 'user' | 'assistant';
  readonly audience: Audience;
  readonly volatility: Volatility;
  /** Default 0. */
  readonly order?: number;
  readonly providerPluginId?: string;
};

export type InjectDeclaration =
  | { readonly kind: 'runtime'; readonly from: string; readonly field: string; readonly as: string }
  | {
      readonly kind: 'plugin-data';
      readonly namespace: string;
      readonly as: string;
      readonly format?: 'summary' | 'full' | 'ids-only';
      readonly maxEntries?: number;
    };

export type RuntimeManifest = {
  readonly name: string;
  readonly pluginId: string;
  readonly stage?: string | null;
  readonly outputKind?: string;
  readonly outputContract?: string;
  readonly output?: { readonly schema?: Json };
  readonly input?: { readonly inject?: readonly InjectDeclaration[] };
  readonly advertiseEvents?: boolean;
  readonly requireToolUse?: boolean;
  readonly completeAfterTools?: readonly string[];
};

export type TurnInput = {
  readonly sessionId: string;
  readonly turnId: string;
  readonly origin: string;
  readonly playerMessage: string;
  /** Without a locale there is no framework preamble. */
  readonly locale?: string;
  readonly manualTrigger?: { readonly runtimeId: string };
};

export type SlotSource = { readonly pluginId: string; readonly runtimeId: string; readonly resultId?: string };
export type Slot =
  | { readonly cardinality: 'one'; readonly value: Json; readonly source: SlotSource }
  | { readonly cardinality: 'all'; readonly items: readonly { readonly value: Json; readonly source: SlotSource }[] };

export type Activation = {
  readonly source: 'stage' | 'event' | 'manual';
  readonly detached: boolean;
  readonly payload: Json;
};

export type Character = {
  readonly id: string;
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly type: string;
  readonly description?: string;
  readonly fields?: { readonly [key: string]: Json };
};

export type LoreContribution = {
  readonly kind: string;
  readonly sourceType?: string;
  readonly sourceId?: string;
  readonly content: string;
  readonly position: 'before_plugin' | 'after_plugin' | 'at_depth';
  readonly order?: number;
  readonly depth?: number;
  readonly role?: 'system' | 'user' | 'assistant';
};

export type Dimension = {
  readonly id: string;
  readonly name?: Json;
  readonly description?: Json;
  readonly schema?: Json;
  readonly value?: Json;
  readonly version?: number;
  readonly updateRule?: string;
};

export type World = {
  readonly name?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly lore?: string;
  readonly schema?: Json;
  readonly entries?: Json;
  readonly dimensions?: { readonly [id: string]: Dimension };
};

export type Seat = { readonly id: string; readonly characterId: string | null; readonly primary?: boolean };

export type SessionMeta = {
  readonly turnNumber?: number;
  readonly characters?: readonly Character[];
  readonly lastFormValues?: { readonly [key: string]: Json };
};

export type SessionContext = {
  readonly turnNumber?: number;
  readonly world?: World;
  readonly characters?: readonly Character[];
  readonly sessionMeta?: SessionMeta;
  readonly contributions?: readonly LoreContribution[];
  readonly seats?: readonly Seat[];
};

/** A reference to picture bytes that are kept elsewhere. */
export type MediaRef = { readonly id: string; readonly mime: string; readonly size: number };

export type HistoryRecord = {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string;
  readonly name?: string;
  readonly turnId?: string;
  readonly sourceType?: string;
  /** Plugin and runtime that wrote the row; without a runtime id its `name` stands for it. */
  readonly sourcePluginId?: string;
  readonly sourceRuntimeId?: string;
  /** Id of the summary that stands for this row; the field's name in Covel is a misnomer. */
  readonly compactedAtTurnId?: string | null;
  readonly ui?: Json;
};

export type SummaryRecord = {
  readonly id: string;
  readonly content: string;
  readonly focusSections: readonly string[];
};

export type PluginDataRow = {
  readonly pluginId: string;
  readonly namespace: string;
  readonly key: string;
  readonly value: Json;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** What the builder asks of a store: a bounded window of rows and the count of all (seed 1, section 4). */
export type PluginDataStore = {
  getPluginDataPromptWindow(
    sessionId: string,
    pluginId: string,
    namespace: string,
    maxEntries: number,
  ): Promise<{ readonly entries: readonly PluginDataRow[]; readonly total: number }>;
};

export type ContextBudget = {
  readonly maxInputTokens: number;
  readonly reservedForResponse?: number;
  readonly protectLastUserTurns?: number;
};

/** Counts the tokens of a text. */
export type Estimator = (text: string) => number;

export type BuildParams = {
  readonly promptTemplate: string;
  readonly manifest: RuntimeManifest;
  readonly turnInput: TurnInput;
  /** By `plugin` or `plugin/runtime`. */
  readonly completedResults?: ReadonlyMap<string, { readonly output: Json }>;
  readonly messageHistory?: readonly HistoryRecord[];
  readonly executionStory?: readonly HistoryRecord[];
  /** How many of the newest pictures are shown; 0 or absent: none. */
  readonly pictureAttachments?: number;
  readonly promptSegments?: readonly PromptSegment[];
  readonly sessionMeta?: SessionMeta;
  readonly sessionContext?: SessionContext;
  readonly summaries?: readonly SummaryRecord[];
  readonly inputSlots?: { readonly [name: string]: Slot };
  readonly exportSlots?: { readonly [name: string]: Slot };
  readonly activation?: Activation;
  readonly eventCatalogText?: string;
  readonly userSettings?: { readonly [key: string]: Json };
  readonly store?: PluginDataStore;
  readonly estimator?: Estimator;
  readonly contextBudget?: ContextBudget;
  readonly frameworkPreamble?: string;
  /** Default true. */
  readonly injectCacheBreakpoints?: boolean;
  /** `COVEL_INSTRUCTION_LOCALE`: forces the instruction language. */
  readonly instructionLocale?: InstructionLanguage;
};

export type LlmPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'media'; readonly ref: MediaRef }
  | { readonly type: 'image'; readonly image: string; readonly mediaType: string };

export type LlmMessage = {
  readonly role: Role;
  readonly content: string | readonly LlmPart[];
  readonly name?: string;
  readonly toolCallId?: string;
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly reasoningContent?: string;
  readonly providerContinuation?: Json;
};

/** A run of assembled text with one origin, before it has an address in a body. */
export type AssembledSegment = {
  readonly kind: SegmentKind;
  readonly role: Role;
  readonly plugin: string | null;
  readonly runtime: string | null;
  readonly label: string;
  readonly turnId: string | null;
  readonly volatility: Volatility | null;
  readonly position: Position | null;
  readonly text: string;
};

/** Where the segments of one assembled text stand in it; together they cover it exactly once. */
export type SegmentedText = { readonly text: string; readonly segments: readonly AssembledSegment[] };

export type SegmentedMessage = {
  readonly message: LlmMessage;
  /** In the order of the message's text; their texts joined are the message's text (parts joined in order). */
  readonly segments: readonly AssembledSegment[];
};

export type AssembledContext = {
  /** With cache sentinels in it. */
  readonly systemPrompt: string;
  /** Preamble and its sentinel; empty without a preamble. Hooks neither see nor replace it. */
  readonly frameworkHead: string;
  readonly messages: readonly LlmMessage[];
  /** Content of the turn-context message; empty when there is none. */
  readonly turnContext: string;
  readonly currentTurnUserMessages: number;
  readonly prunedMessageCount: number;
  readonly overBudget: boolean;
  readonly system: SegmentedText;
  readonly segmented: readonly SegmentedMessage[];
};

/** A fault in what was passed in: names the field, and nothing is half-built. */
export class AssemblyError extends Error {
  override readonly name = 'AssemblyError';
  readonly code: 'configuration' | 'store' | 'hidden-namespace' | 'bad-tag';
  readonly field: string;
  constructor(code: AssemblyError['code'], field: string, message: string) {
    super(message);
    this.code = code;
    this.field = field;
  }
}

/** Fixed sentences of the assembler in one instruction language; the texts live in resources/prompts. */
export type FrameworkTexts = {
  readonly language: InstructionLanguage;
  /** By id; placeholders `{name}` are filled from `values`, once: what is filled in is not read again. */
  text(id: FrameworkTextId, values?: Readonly<Record<string, string | number>>): string;
};

export const FRAMEWORK_TEXT_IDS = [
  'preamble.runtime',
  'preamble.language',
  'preamble.completion.story',
  'preamble.completion.completing-tool',
  'preamble.completion.structured-output',
  'preamble.completion.runtime-done',
  'preamble.completion.runtime-done-required',
  'cue.manual',
  'cue.turn',
  'cue.story',
  'note.narrative-sent',
  'note.summary',
  'note.rows-shown',
  'note.npcs-not-shown',
  'note.none',
  'events.instruction',
  'lore.heading',
  'picture.note',
  'picture.note-of',
  'picture.intro',
  'picture.line',
  'picture.line-of',
  'history.pruned-marker',
  'tools.omitted',
  'tools.folded-title',
  'tools.result-truncated',
  'history.truncated',
  'summary.truncated',
  'summary.focus-events',
  'summary.focus-relations',
  'summary.focus-world',
  'summary.target',
  'retry.hint',
  'response-format',
  'dimensions.not-shown',
  'dimensions.rules-truncated',
  'notes.voice',
  'notes.manner',
  'notes.nature',
  'notes.traits',
  'notes.goals',
  'notes.fears',
  'notes.secrets',
  'notes.ties',
  'notes.state',
  'notes.rules',
  'notes.lines',
  'notes.line-to',
  'notes.not-shown',
  'conversation.opener',
] as const;
export type FrameworkTextId = (typeof FRAMEWORK_TEXT_IDS)[number];
