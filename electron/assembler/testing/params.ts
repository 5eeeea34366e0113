/** A small input of `buildContext` for tests; every field can be replaced. */
import { buildContext } from '../build-context.ts';
import type {
  AssembledContext,
  BuildParams,
  HistoryRecord,
  LoreContribution,
  PluginDataRow,
  PromptSegment,
  RuntimeManifest,
  TurnInput,
} from '../types.ts';
import { en } from './texts.ts';

type Overrides = Omit<Partial<BuildParams>, 'manifest' | 'turnInput'> & {
  readonly manifest?: Partial<RuntimeManifest>;
  readonly turnInput?: Partial<TurnInput>;
};

export const params = ({ manifest, turnInput, ...rest }: Overrides = {}): BuildParams => ({
  promptTemplate: 'Body.',
  ...rest,
  manifest: { name: 'narrator', pluginId: 'narrator', ...manifest },
  turnInput: { sessionId: 's1', turnId: 't9', origin: 'player', playerMessage: 'I knock.', ...turnInput },
});

export const build = (overrides: Overrides = {}, texts = en): Promise<AssembledContext> =>
  buildContext(params(overrides), texts);

export const segment = (content: string, rest: Partial<PromptSegment> = {}): PromptSegment => ({
  id: content,
  content,
  position: 'system',
  audience: 'all',
  volatility: 'stable',
  ...rest,
});

/** One row a text, `a…` by the assistant and all others by the user, each of its own turn. */
export const rows = (...texts: readonly string[]): readonly HistoryRecord[] =>
  texts.map((content, i) => ({ role: content.startsWith('a') ? 'assistant' : 'user', content, turnId: `t${i}` }));
export const lore = (content: string, rest: Partial<LoreContribution> = {}): LoreContribution => ({
  kind: 'lore_entry',
  content,
  position: 'before_plugin',
  ...rest,
});
export const row = (key: string, value: PluginDataRow['value'], at = 1): PluginDataRow => ({
  pluginId: 'narrator',
  namespace: 'codex',
  key,
  value,
  createdAt: `2026-01-0${at}T00:00:00Z`,
  updatedAt: `2026-01-0${at}T00:00:00Z`,
});
export const CODEX = [{ kind: 'plugin-data', namespace: 'codex', as: '<codex>' }] as const;

/** Messages as `R:text`, R the first letter of the role. */
export const brief = ({ messages }: Pick<AssembledContext, 'messages'>): readonly string[] =>
  messages.map(
    ({ role, content }) =>
      `${(role[0] ?? '').toUpperCase()}:${typeof content === 'string' ? content : JSON.stringify(content)}`,
  );

/** Throws unless the segments cover the system prompt and every message exactly once. */
export function checkCover(context: AssembledContext): void {
  const covered = context.system.segments.map(({ text }) => text).join('');
  if (covered !== context.systemPrompt || context.system.text !== context.systemPrompt) {
    throw new Error('the segments are not the system prompt');
  }
  if (context.segmented.length !== context.messages.length) throw new Error('messages and segments differ in number');
  context.segmented.forEach(({ message, segments }, i) => {
    const { content } = message;
    const text =
      typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    if (message !== context.messages[i]) throw new Error(`message ${i} is another object`);
    if (segments.map((one) => one.text).join('') !== text) throw new Error(`the segments are not message ${i}`);
  });
}
