/**
 * A long run gives up the results of its old tool calls: first their bulk, then all but a line a call (seed 1,
 * section 5). No event tells of it, and the wording is Covel's; but two requests of one run show it, because the later
 * one should hold all that the earlier one held.
 */
import type { LedgerToolGroup, PromptMessage, PromptPart, Segment, WirePrompt } from '../../../shared/model/index.ts';
import { estimateTokens } from '../../../shared/tokens.ts';
import { estimated } from '../../../shared/units.ts';
import { isCutOf } from './envelopes.ts';

type Group = { readonly key: string; readonly tools: readonly string[]; readonly results: readonly string[] };
export type Shrunk = Pick<LedgerToolGroup, 'kind' | 'tools' | 'before' | 'after'>;

/** What is looked at of a request. */
export type RunRequest = { readonly prompt: WirePrompt; readonly segments: readonly Segment[] };

type ToolPart = Extract<PromptPart, { readonly type: 'tool-call' | 'tool-result' }>;

/** What was said: the ids and names that pair calls with results are texts of the body too. */
const textOf = ({ id, name, texts }: ToolPart): string =>
  texts
    .map(({ text }) => text)
    .filter((text) => text !== id && text !== name)
    .join('\n');

/** Calls of one answer with their results, in order. A call is known by its id, or by its words where there is none. */
function groupsOf(messages: readonly PromptMessage[]): readonly Group[] {
  const groups: { keys: string[]; tools: string[]; results: string[] }[] = [];
  const seen = new Map<string, number>();
  for (const part of messages.flatMap((message) => message.parts)) {
    const last = groups.at(-1);
    if (part.type === 'tool-call') {
      const words = part.id ?? `${part.name} ${textOf(part)}`;
      const nth = seen.get(words) ?? 0;
      seen.set(words, nth + 1);
      const open = last && last.results.length === 0 ? last : { keys: [], tools: [], results: [] };
      if (open !== last) groups.push(open);
      open.keys.push(`${words} ${nth}`);
      open.tools.push(part.name);
    } else if (part.type === 'tool-result') last?.results.push(textOf(part));
  }
  return groups.map(({ keys, tools, results }) => ({ key: keys.join('\n'), tools, results }));
}

const sizeOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + estimateTokens(text), 0);

const foldsOf = ({ segments }: RunRequest): readonly string[] =>
  segments
    .filter(({ origin }) => origin.label === 'folded steps')
    .map(({ texts }) => texts.map(({ text }) => text).join('\n'));

/** Tool groups of an earlier request of a run that the later one holds in less words. */
export function shrunkGroups(earlier: RunRequest, later: RunRequest): readonly Shrunk[] {
  const now = new Map(groupsOf(later.prompt.messages).map((group) => [group.key, group]));
  const before = groupsOf(earlier.prompt.messages).filter((group) => group.results.length > 0);
  const known = foldsOf(earlier);
  const folds = foldsOf(later).filter((fold) => !known.includes(fold));
  const gone = before.filter((group) => !now.has(group.key));
  return before.flatMap((group): readonly Shrunk[] => {
    const { tools, results } = group;
    const size = estimated(sizeOf(results));
    const same = now.get(group.key);
    if (!same) {
      if (folds.length === 0) return [];
      const fold = folds.length === gone.length ? folds[gone.indexOf(group)] : undefined;
      return [{ kind: 'folded', tools, before: size, after: fold === undefined ? null : estimated(sizeOf([fold])) }];
    }
    const isShorter = same.results.length === results.length && sizeOf(same.results) < sizeOf(results);
    if (!isShorter) return [];
    const isCut = results.some((result, i) => same.results[i] !== result && isCutOf(same.results[i] ?? '', result));
    const kind = isCut && !results.some(isEnvelope) ? 'truncated' : 'omitted';
    return [{ kind, tools, before: size, after: estimated(sizeOf(same.results)) }];
  });
}

/** An answer that keeps its bulk under `data`: only that gives way. */
function isEnvelope(result: string): boolean {
  try {
    const value: unknown = JSON.parse(result);
    return typeof value === 'object' && value !== null && 'data' in value;
  } catch {
    return false;
  }
}
