/**
 * The sample's four runtimes: what each one's request holds at a given turn. Order of parts and messages is that
 * of seed 1, section 2; the texts are in prompts.ts and in the stories.
 */
import { BODIES, CUES, ENDINGS, TOOLS, guideBody, preamble, ruleHeading, type Tool } from './prompts.ts';
import type { Story } from './story.ts';
import { SENTINEL, type KernelMessage, type KernelPart } from './to-wire.ts';

export type HistoryEntry = {
  readonly turn: number;
  readonly kind: 'player' | 'story' | 'picture' | 'summary';
  readonly text: string;
};

export type Scene = {
  readonly story: Story;
  /** Position in story.turns, from 0. */
  readonly at: number;
  readonly player: string;
  /** This turn's story text; null while the narrator writes it. */
  readonly narration: string | null;
  /** What the prompt history holds, oldest first, summaries in place. */
  readonly history: readonly HistoryEntry[];
  readonly picture: { readonly caption: string; readonly base64Chars: number } | null;
  readonly hasJoined: boolean;
  readonly hasPostmarkTool: boolean;
  readonly isRevised: boolean;
  readonly isReordered: boolean;
  readonly prunedMarker: string | null;
};

export type Assembled = { readonly messages: readonly KernelMessage[]; readonly tools: readonly Tool[] };

const system = (parts: readonly (string | null)[]): KernelMessage => ({
  role: 'system',
  content: parts.filter((part) => part !== null && part !== '').join('\n\n'),
});
const cut = (text: string): string => `${text}${SENTINEL}`;
const block = (tag: string, text: string): string => `<${tag}>\n${text}\n</${tag}>`;
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export function card({ story, at }: Scene): string {
  const zh = story.locale === 'zh-CN';
  const moods = zh ? ['拘谨', '好奇', '镇定', '不安', '坦然'] : ['alert', 'wry'];
  const mood = moods[Math.min(moods.length - 1, Math.floor(at / 5))] ?? '';
  return JSON.stringify({ name: story.player, fields: { mood, lamp: zh ? '亮' : 'out' } });
}

function historyMessages(scene: Scene, entries: readonly HistoryEntry[]): readonly KernelMessage[] {
  const { locale } = scene.story;
  return entries.map(({ kind, text }): KernelMessage => {
    if (kind !== 'summary') return { role: kind === 'story' ? 'assistant' : 'user', content: text };
    const sections =
      locale === 'zh-CN' ? '关键事件, 人物关系, 世界状态' : 'Key events, Character relations, World state';
    return {
      role: 'user',
      content: `<compacted_history>\n# sections: ${sections}\n${escaped(text)}\n</compacted_history>\n${CUES.summaryNote[locale]}`,
    };
  });
}

const lastTurns = (entries: readonly HistoryEntry[], turns: number): readonly HistoryEntry[] => {
  const kept = new Set(
    [...new Set(entries.filter((entry) => entry.kind === 'player').map((entry) => entry.turn))].slice(-turns),
  );
  return entries.filter((entry) => entry.kind !== 'summary' && kept.has(entry.turn));
};

const notes = ({ story, hasJoined }: Scene): string =>
  block(
    'character-notes',
    [...story.notes, ...(hasJoined ? [story.joined] : [])].map(([name, text]) => `## ${name}\n${text}`).join('\n'),
  );

const dimensionValues = ({ story, at }: Scene, from: number): readonly string[] =>
  story.dimensions.map(([id, , , values]) => `${id}: ${values[Math.max(0, at + from)] ?? values.at(-1) ?? ''}`);

export function narrator(scene: Scene): Assembled {
  const { story, player } = scene;
  const { locale } = story;
  const body = scene.isRevised ? BODIES.narratorRevised[locale] : BODIES.narrator[locale];
  const active = story.entries.filter(([keyword]) => player.includes(keyword));
  const rules = active.map(([keyword, text]) => `${ruleHeading(locale, keyword)}\n${text}`).join('\n\n');
  const said = scene.history.filter((entry) => entry.kind === 'story').slice(-2);
  const memory = said.map((entry) => `- ${entry.text.slice(0, 40)}…`).join('\n');
  const turnContext = [
    memory === '' ? null : block('memory-blocks', memory),
    block(
      'world-dimensions',
      story.dimensions
        .map(
          ([id, label], i) =>
            `${label} (${id}): ${dimensionValues(scene, 0)[i]?.split(': ')[1] ?? ''} (v${Math.max(1, scene.at)})`,
        )
        .join('\n'),
    ),
    block('player-character', card(scene)),
    block(
      'runtime-inputs',
      escaped(
        JSON.stringify({
          dicePool: {
            cardinality: 'one',
            value: [0, 1, 2].map((i) => ((scene.at * 7 + i * 5) % 20) + 1),
            source: { pluginId: 'dice-check', runtimeId: 'dice-check/pool' },
          },
        }),
      ),
    ),
  ];
  const pictures: KernelPart[] = scene.picture
    ? [
        { type: 'text', text: CUES.pictures[locale] },
        { type: 'text', text: `${CUES.pictureLine[locale]}${scene.picture.caption}` },
        {
          type: 'image',
          image: `[image data omitted: ${scene.picture.base64Chars} base64 characters]`,
          mediaType: 'image/png',
        },
      ]
    : [];
  const { rollDice, getCharacter, emitEvent, readPostmark } = TOOLS;
  const tools = scene.isReordered ? [emitEvent, rollDice, getCharacter] : [rollDice, getCharacter, emitEvent];
  return {
    messages: [
      system([
        cut(preamble(locale, ENDINGS.story)),
        cut(body),
        cut([block('world-lore', story.lore), notes(scene)].join('\n\n')),
        rules === '' ? null : cut(rules),
      ]),
      ...historyMessages(scene, scene.history),
      system(turnContext),
      ...(pictures.length > 0 ? [{ role: 'user', content: pictures } as const] : []),
      { role: 'user', content: player },
    ],
    tools: scene.hasPostmarkTool ? [...tools, readPostmark] : tools,
  };
}

/** The player's words, this turn's story and the cue: what every runtime after the narrator ends with. */
const aftermath = ({ story, player, narration }: Scene): readonly KernelMessage[] => [
  { role: 'user', content: player },
  { role: 'assistant', content: narration ?? '' },
  { role: 'user', content: CUES.story[story.locale] },
];

export function dimensionTracker(scene: Scene): Assembled {
  const { story } = scene;
  const rules = story.dimensions
    .map(([id, label, rule]) => `- ${id} (${label}): ${rule} schema: {"type":"string"}`)
    .join('\n');
  return {
    messages: [
      system([
        cut(preamble(story.locale, ENDINGS.tool)),
        cut(BODIES.dimensions[story.locale]),
        cut(block('dimension-rules', rules)),
      ]),
      ...historyMessages(scene, lastTurns(scene.history, 1)),
      system([block('dimension-values', dimensionValues(scene, 0).join('\n'))]),
      ...aftermath(scene),
    ],
    tools: [TOOLS.updateDimensions],
  };
}

export function characterTracker(scene: Scene): Assembled {
  const { story } = scene;
  const roster = story.profiles.map(([name, type, description]) => `- ${name} [${type}] | ${description}`);
  if (scene.hasJoined) roster.push(`- ${story.joined[0]} [npc] | ${story.joined[1].slice(0, 24)}`);
  const fields = story.profiles.map(
    ([name, , , values], i) => `${name}: ${JSON.stringify({ ...values, seen: Math.max(0, scene.at - i) })}`,
  );
  // A plugin that declares this turn's mood as pre-history: it stands behind the last cache boundary of the system prompt.
  const board = block(
    'mood-board',
    `${scene.at % 3 === 0 ? (story.locale === 'zh-CN' ? '安静' : 'quiet') : story.locale === 'zh-CN' ? '紧张' : 'tense'} · ${scene.at + 1}`,
  );
  return {
    messages: [
      system([
        cut(preamble(story.locale, ENDINGS.done)),
        cut(BODIES.characters[story.locale]),
        cut(block('existing-characters', roster.join('\n'))),
        board,
      ]),
      system([block('character-fields', fields.join('\n'))]),
      ...aftermath(scene),
    ],
    tools: [TOOLS.updateCharacter, TOOLS.getCharacter, TOOLS.runtimeDone],
  };
}

export function guide(scene: Scene): Assembled {
  const { locale } = scene.story;
  const inputs = {
    narrative: {
      cardinality: 'one',
      value: CUES.storyPointer[locale],
      source: { pluginId: 'narrator', runtimeId: 'narrator' },
    },
  };
  return {
    messages: [
      system([cut(preamble(locale, ENDINGS.json)), cut(guideBody(locale, card(scene)))]),
      ...(scene.prunedMarker === null ? [] : [system([scene.prunedMarker])]),
      ...historyMessages(scene, [
        ...scene.history.filter((entry) => entry.kind === 'summary'),
        ...lastTurns(scene.history, 1),
      ]),
      system([block('runtime-inputs', escaped(JSON.stringify(inputs)))]),
      ...aftermath(scene),
    ],
    tools: [TOOLS.submitGuide],
  };
}
