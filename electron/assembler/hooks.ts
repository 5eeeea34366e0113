/**
 * Hooks may rewrite what was assembled, but not the framework's head: without it the model would not know which
 * language the session is in. Where a hook's system prompt does not begin with it, it is put back (seed 1, section 3).
 */
import type { Json } from '../../shared/model/index.ts';
import { resegment, resegmentMessages } from './resegment.ts';
import { BLANK_LINE } from './system-prompt.ts';
import type { AssembledContext, BuildParams, Character, HistoryRecord, LlmMessage } from './types.ts';

/** What a PostContextAssembly hook sees. All but the first two fields are sources, frozen, and cannot be replaced. */
export type PostContextAssemblyPayload = {
  readonly systemPrompt: string;
  readonly messages: readonly LlmMessage[];
  readonly outputKind: string | null;
  readonly locale: string | null;
  /** The localized body before interpolation. */
  readonly promptTemplate: string;
  readonly inputSlots: BuildParams['inputSlots'];
  readonly characters: readonly Pick<Character, 'id' | 'name' | 'type' | 'description'>[];
};

export type RewrittenPrompt = { readonly systemPrompt?: string; readonly messages?: readonly LlmMessage[] };
export type PostContextAssemblyHook = (payload: PostContextAssemblyPayload) => Promise<RewrittenPrompt | null>;

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}

const withHead = (systemPrompt: string, head: string): string => {
  if (head === '' || systemPrompt.startsWith(head)) return systemPrompt;
  return systemPrompt === '' ? head : head + BLANK_LINE + systemPrompt;
};

/** The context with a new system prompt or new messages; their segments are found again. */
export function rewritten(context: AssembledContext, { systemPrompt, messages }: RewrittenPrompt): AssembledContext {
  const prompt = systemPrompt === undefined ? context.systemPrompt : withHead(systemPrompt, context.frameworkHead);
  const isOld = prompt === context.systemPrompt;
  const segmented =
    messages === undefined || messages === context.messages
      ? context.segmented
      : resegmentMessages(messages, context.segmented);
  return {
    ...context,
    systemPrompt: prompt,
    system: isOld ? context.system : resegment(prompt, context.system.segments, 'system'),
    messages: segmented.map((one) => one.message),
    segmented,
  };
}

/** Runs the hooks one after another, each on the result of the one before. A hook that rejects rejects the whole. */
export async function postContextAssembly(
  context: AssembledContext,
  params: BuildParams,
  hooks: readonly PostContextAssemblyHook[],
): Promise<AssembledContext> {
  if (hooks.length === 0) return context;
  const { sessionContext, sessionMeta } = params;
  const characters =
    sessionContext?.sessionMeta?.characters ?? sessionContext?.characters ?? sessionMeta?.characters ?? [];
  const sources = {
    outputKind: params.manifest.outputKind ?? null,
    locale: params.turnInput.locale ?? null,
    promptTemplate: params.promptTemplate,
    inputSlots: frozen(structuredClone(params.inputSlots)),
    characters: frozen(
      characters.map(({ id, name, type, description }) => ({
        id,
        name,
        type,
        ...(description === undefined ? {} : { description }),
      })),
    ),
  };
  let current = context;
  for (const hook of hooks) {
    const { systemPrompt, messages } = current;
    const given = await hook({ ...sources, systemPrompt, messages });
    if (given) current = rewritten(current, given);
  }
  return current;
}

/** What a PreLLMCall hook sees and may change, before each call; the request budget is checked behind it. */
export type LlmCallDraft = {
  readonly systemPrompt: string;
  readonly messages: readonly LlmMessage[];
  /** Which configured model slot the call goes to. */
  readonly slot: string;
};
export type PreLlmCallHook = (draft: LlmCallDraft) => Promise<Partial<LlmCallDraft> | null>;

export async function preLlmCall(draft: LlmCallDraft, hooks: readonly PreLlmCallHook[]): Promise<LlmCallDraft> {
  let current = draft;
  for (const hook of hooks) current = { ...current, ...(await hook(current)) };
  return current;
}

/** A provider of `prompt.history-transform@1`: gets the result of the provider before it. */
export type HistoryTransform = (history: readonly HistoryRecord[]) => Promise<readonly HistoryRecord[]>;

/** Runs the transforms on a copy; rows that were loaded stay as they are. */
export async function transformHistory(
  history: readonly HistoryRecord[],
  transforms: readonly HistoryTransform[],
): Promise<readonly HistoryRecord[]> {
  if (transforms.length === 0) return history;
  let current: readonly HistoryRecord[] = structuredClone(history);
  for (const transform of transforms) current = await transform(current);
  return current;
}

export type ToolChoice = 'required' | { readonly name: string };
/** `agent.reasoning` and `agent.toolChoice` of a runtime. */
export type AgentPreferences = { readonly reasoning?: false; readonly toolChoice?: ToolChoice };

/** What the player's slot and the preset say themselves: parameter overrides and provider metadata. */
export type ExplicitSettings = {
  /** Any reasoning setting, under whatever name. */
  readonly reasoning: Json | null;
  readonly toolChoice: Json | null;
  /** The reasoning effort is `provider-default`: the runtime's preferences are not sent at all. */
  readonly isProviderDefault: boolean;
};

export type RequestDefaults = { readonly reasoning: false | null; readonly toolChoice: ToolChoice | null };

/** A runtime's preferences for its requests, as far as nobody set something else (seed 1, section 3). */
export function requestDefaults(agent: AgentPreferences, explicit: ExplicitSettings): RequestDefaults {
  if (explicit.isProviderDefault) return { reasoning: null, toolChoice: null };
  return {
    reasoning: agent.reasoning === false && explicit.reasoning === null ? false : null,
    toolChoice: explicit.toolChoice === null ? (agent.toolChoice ?? null) : null,
  };
}
