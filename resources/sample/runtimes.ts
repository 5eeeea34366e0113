/**
 * The sample's four runtimes: what each one gives to the assembler at a given turn. Order, blocks and sentences are the
 * assembler's own; bodies and what plugins bring stand in prompts.ts and in the stories.
 */
import { fileURLToPath } from 'node:url';
import { buildContext } from '../../electron/assembler/build-context.ts';
import { COVEL_ESTIMATOR } from '../../electron/assembler/budget/estimator.ts';
import { block } from '../../electron/assembler/data/escape.ts';
import { compileLorebook } from '../../electron/assembler/data/lore.ts';
import { instructionLanguage } from '../../electron/assembler/locale.ts';
import { applyHistoryWindow, type HistoryWindow } from '../../electron/assembler/messages/history.ts';
import { messageText } from '../../electron/assembler/piece.ts';
import type {
  BuildParams,
  FrameworkTexts,
  HistoryRecord,
  LlmMessage,
  PromptSegment,
  SummaryRecord,
} from '../../electron/assembler/types.ts';
import { createPromptTexts } from '../../electron/engine/prompt-texts.ts';
import { BODIES, GUIDE_BODY, TOOLS, type Tool } from './prompts.ts';
import type { Story } from './story.ts';
import type { KernelMessage, KernelPart } from './wire.ts';

export type Scene = {
  readonly story: Story;
  /** Position in story.turns, from 0. */
  readonly at: number;
  readonly player: string;
  /** This turn's story text; the narrator does not see it. */
  readonly narration: string;
  /** Rows of earlier turns, oldest first, and the summaries that stand for some of them. */
  readonly past: readonly HistoryRecord[];
  readonly summaries: readonly SummaryRecord[];
  readonly hasJoined: boolean;
  readonly hasPostmarkTool: boolean;
  readonly isRevised: boolean;
  readonly isReordered: boolean;
  /** The guide's request does not fit its budget. */
  readonly isPruned: boolean;
};

/** `pruned`: messages that the budget cut. */
export type Assembled = {
  readonly messages: readonly KernelMessage[];
  readonly tools: readonly Tool[];
  readonly pruned: number;
};

const prompts = createPromptTexts(fileURLToPath(new URL('..', import.meta.url)));
export const textsOf = (locale: string): FrameworkTexts => prompts.framework(instructionLanguage(locale));

/** Characters of the recorded picture's base64 text. */
const BASE64_CHARS = 412_660;

/** As the trace keeps a message: bytes of pictures give way to their length. */
const kernelMessage = ({ role, content }: LlmMessage): KernelMessage => ({
  role,
  content:
    typeof content === 'string'
      ? content
      : content.map((part): KernelPart =>
          part.type === 'text'
            ? part
            : {
                type: 'image',
                image: `[image data omitted: ${BASE64_CHARS} base64 characters]`,
                mediaType: 'image/png',
              },
        ),
});

/** What a runtime adds to the parameters that all runtimes of a turn share; without a window it reads everything. */
type Own = Partial<BuildParams> &
  Pick<BuildParams, 'manifest' | 'promptTemplate'> & { readonly window?: HistoryWindow };

async function assemble({ story, player, past, summaries }: Scene, { window, ...own }: Own, tools: readonly Tool[]) {
  const params: BuildParams = {
    turnInput: {
      sessionId: story.sessionId,
      turnId: '',
      origin: 'player',
      playerMessage: player,
      locale: story.locale,
    },
    messageHistory: window ? applyHistoryWindow(past, window) : past,
    summaries: window && window.includeSummaries !== true ? [] : summaries,
    ...own,
  };
  const context = await buildContext(params, textsOf(story.locale));
  const system: KernelMessage = { role: 'system', content: context.systemPrompt };
  return { messages: [system, ...context.messages.map(kernelMessage)], tools, pruned: context.prunedMessageCount };
}

const segment = (
  plugin: string,
  tag: string,
  text: string,
  volatility: PromptSegment['volatility'],
  rest: Partial<PromptSegment> = {},
): PromptSegment => ({
  id: tag,
  content: block(tag, text),
  position: 'system',
  audience: 'all',
  volatility,
  providerPluginId: plugin,
  ...rest,
});

function card({ story, at }: Scene): string {
  const zh = story.locale === 'zh-CN';
  const moods = zh ? ['拘谨', '好奇', '镇定', '不安', '坦然'] : ['alert', 'wry'];
  const mood = moods[Math.min(moods.length - 1, Math.floor(at / 5))] ?? '';
  return JSON.stringify({ name: story.player, fields: { mood, lamp: zh ? '亮' : 'out' } });
}

const valueOf = (at: number, values: readonly string[]): string => values[at] ?? values.at(-1) ?? '';

function narrator(scene: Scene): Promise<Assembled> {
  const { story, at, player } = scene;
  const { locale } = story;
  const notes = [...story.notes, ...(scene.hasJoined ? [story.joined] : [])];
  const live = scene.past.filter((row) => row.role === 'assistant' && row.compactedAtTurnId === undefined);
  const memory = live.slice(-2).map((row) => `- ${row.content.slice(0, 40)}…`);
  const dimensions = story.dimensions.map(
    ([id, label, , values]) => `${label} (${id}): ${valueOf(at, values)} (v${Math.max(1, at)})`,
  );
  const { rollDice, getCharacter, emitEvent, readPostmark } = TOOLS;
  const tools = scene.isReordered ? [emitEvent, rollDice, getCharacter] : [rollDice, getCharacter, emitEvent];
  return assemble(
    scene,
    {
      manifest: { name: 'narrator', pluginId: 'narrator', outputKind: 'story' },
      promptTemplate: (scene.isRevised ? BODIES.narratorRevised : BODIES.narrator)[locale],
      pictureAttachments: 2,
      sessionContext: {
        world: { lore: story.lore },
        contributions: compileLorebook(
          story.entries.map(([keyword, content], i) => ({
            id: `rule-${i + 1}`,
            keys: [keyword],
            content,
            strategy: 'selective',
            position: 'after_plugin',
            insertionOrder: 100 + i,
          })),
          { playerMessage: player, tail: [], texts: textsOf(locale) },
        ),
      },
      promptSegments: [
        segment(
          'character-blueprint',
          'character-notes',
          notes.map(([name, text]) => `## ${name}\n${text}`).join('\n'),
          'session',
        ),
        ...(memory.length === 0 ? [] : [segment('memory', 'memory-blocks', memory.join('\n'), 'turn', { order: 10 })]),
        segment('world-init', 'world-dimensions', dimensions.join('\n'), 'turn', { order: 20 }),
        segment('char-creator', 'player-character', card(scene), 'turn', { order: 30 }),
      ],
      inputSlots: {
        dicePool: {
          cardinality: 'one',
          value: [0, 1, 2].map((i) => ((at * 7 + i * 5) % 20) + 1),
          source: { pluginId: 'dice-check', runtimeId: 'dice-check/pool' },
        },
      },
    },
    scene.hasPostmarkTool ? [...tools, readPostmark] : tools,
  );
}

/** This turn's story, as the runtimes of later stages read it. */
const storyOf = ({ narration }: Scene): readonly HistoryRecord[] => [
  { role: 'assistant', content: narration, sourceType: 'runtime', sourceRuntimeId: 'narrator' },
];

function dimensionTracker(scene: Scene): Promise<Assembled> {
  const { story, at } = scene;
  const rules = story.dimensions.map(([id, label, rule]) => `- ${id} (${label}): ${rule} schema: {"type":"string"}`);
  const values = story.dimensions.map(([id, , , all]) => `${id}: ${valueOf(at, all)}`);
  return assemble(
    scene,
    {
      manifest: {
        name: 'world-init/dimension-tracker',
        pluginId: 'world-init',
        requireToolUse: true,
        completeAfterTools: [TOOLS.updateDimensions.name],
      },
      promptTemplate: BODIES.dimensions[story.locale],
      window: { maxTurns: 1 },
      executionStory: storyOf(scene),
      promptSegments: [
        segment('world-init', 'dimension-rules', rules.join('\n'), 'session'),
        segment('world-init', 'dimension-values', values.join('\n'), 'turn'),
      ],
    },
    [TOOLS.updateDimensions],
  );
}

function characterTracker(scene: Scene): Promise<Assembled> {
  const { story, at } = scene;
  const zh = story.locale === 'zh-CN';
  const roster = story.profiles.map(([name, type, description]) => `- ${name} [${type}] | ${description}`);
  if (scene.hasJoined) roster.push(`- ${story.joined[0]} [npc] | ${story.joined[1].slice(0, 24)}`);
  const fields = story.profiles.map(
    ([name, , , values], i) => `${name}: ${JSON.stringify({ ...values, seen: Math.max(0, at - i) })}`,
  );
  const mood = at % 3 === 0 ? (zh ? '安静' : 'quiet') : zh ? '紧张' : 'tense';
  return assemble(
    scene,
    {
      manifest: { name: 'char-creator/character-tracker', pluginId: 'char-creator' },
      promptTemplate: BODIES.characters[story.locale],
      window: { maxTurns: 0 },
      executionStory: storyOf(scene),
      promptSegments: [
        segment('char-creator', 'existing-characters', roster.join('\n'), 'session'),
        // A plugin that declares this turn's mood as pre-history: it stands behind the last boundary of the system prompt.
        segment('char-creator', 'mood-board', `${mood} · ${at + 1}`, 'turn', { position: 'pre-history' }),
        segment('char-creator', 'character-fields', fields.join('\n'), 'turn'),
      ],
    },
    [TOOLS.updateCharacter, TOOLS.getCharacter, TOOLS.runtimeDone],
  );
}

/** Estimated tokens of a whole request. */
const sizeOf = ({ messages }: Assembled): number =>
  messages.reduce((sum, { role, content }) => sum + COVEL_ESTIMATOR(messageText({ role, content })), 0);

async function guide(scene: Scene): Promise<Assembled> {
  const { locale } = scene.story;
  const own: Own = {
    manifest: { name: 'guide', pluginId: 'guide', output: { schema: { type: 'object' } } },
    promptTemplate: GUIDE_BODY[locale],
    // The body interpolates the player's card, so it changes whenever the card does.
    userSettings: { card: card(scene) },
    window: { maxTurns: 1, includeSummaries: true },
    executionStory: storyOf(scene),
    inputSlots: {
      narrative: {
        cardinality: 'one',
        value: scene.narration,
        source: { pluginId: 'narrator', runtimeId: 'narrator' },
      },
    },
  };
  const whole = await assemble(scene, own, [TOOLS.submitGuide]);
  if (!scene.isPruned) return whole;
  const reservedForResponse = 1000;
  const contextBudget = { maxInputTokens: sizeOf(whole) + reservedForResponse - 1, reservedForResponse };
  return assemble(scene, { ...own, estimator: COVEL_ESTIMATOR, contextBudget }, [TOOLS.submitGuide]);
}

export type TurnPrompts = {
  readonly narrator: Assembled;
  readonly dimensionTracker: Assembled;
  readonly characterTracker: Assembled;
  readonly guide: Assembled;
};

/** The first requests of a turn's four runtimes. */
export async function assembleTurn(scene: Scene): Promise<TurnPrompts> {
  return {
    narrator: await narrator(scene),
    dimensionTracker: await dimensionTracker(scene),
    characterTracker: await characterTracker(scene),
    guide: await guide(scene),
  };
}
