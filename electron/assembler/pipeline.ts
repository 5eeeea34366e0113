/**
 * From the rows of a session to what a runtime is sent, in one order (seed 1, section 1; assembler page, 5.5): load,
 * transform a copy, filter or window, assemble, one compaction barrier for runtimes that share the history, hooks,
 * budget. What touches a store or a model is a function passed in.
 */
import { buildContext, withinBudget } from './build-context.ts';
import { postContextAssembly, transformHistory, type HistoryTransform, type PostContextAssemblyHook } from './hooks.ts';
import { applyHistoryWindow, filterRuntimeHistory, type HistoryWindow } from './messages/history.ts';
import { runtimeId } from './runtime-id.ts';
import type { AssembledContext, BuildParams, FrameworkTexts, HistoryRecord, SummaryRecord } from './types.ts';

export type LoadedHistory = {
  /** Rows for which no summary stands. */
  readonly history: readonly HistoryRecord[];
  /** Oldest first. */
  readonly summaries: readonly SummaryRecord[];
};

/** What the barrier estimates: the turn context counts with the system prompt. */
export type SharedView = LoadedHistory & { readonly systemPrompt: string; readonly turnContext: string };

export type PipelineSteps = {
  load(): Promise<LoadedHistory>;
  readonly transforms: readonly HistoryTransform[];
  /** `agent.history` of the runtime; null shares the whole history and waits for the barrier. */
  readonly window: HistoryWindow | null;
  /** Compacts where it must; true when it did, and the history is loaded again. One barrier serves a whole turn. */
  barrier(view: SharedView): Promise<boolean>;
  readonly hooks: readonly PostContextAssemblyHook[];
};

export type PipelineParams = Omit<BuildParams, 'messageHistory' | 'summaries'>;

export async function assembleRun(
  params: PipelineParams,
  steps: PipelineSteps,
  texts: FrameworkTexts,
): Promise<AssembledContext> {
  const { window } = steps;
  const project = async (): Promise<LoadedHistory> => {
    const loaded = await steps.load();
    return { history: await transformHistory(loaded.history, steps.transforms), summaries: loaded.summaries };
  };
  const paramsFor = ({ history, summaries }: LoadedHistory): BuildParams => {
    const own = filterRuntimeHistory(history, runtimeId(params.manifest));
    return {
      ...params,
      messageHistory: window ? applyHistoryWindow(own, window) : own,
      summaries: window && window.includeSummaries !== true ? [] : summaries,
    };
  };

  let view = await project();
  let given = paramsFor(view);
  let context = await buildContext(given, texts);
  if (!window) {
    const { systemPrompt, turnContext } = context;
    if (await steps.barrier({ ...view, systemPrompt, turnContext })) {
      view = await project();
      given = paramsFor(view);
      context = await buildContext(given, texts);
    }
  }
  return withinBudget(await postContextAssembly(context, given, steps.hooks), given, texts);
}
