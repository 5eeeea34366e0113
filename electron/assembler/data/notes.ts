/**
 * A world's author writes for each character how it is played: voice, manner, aims, secrets, rules, example lines.
 * These notes stand in the stable part of a story's system prompt. Their text changes only with the roster, so the
 * cards are ordered by character id and shortened all together, step by step: example lines first, then rules; the
 * voice is never cut (seed 1, section 4).
 *
 * Texts: `notes.voice`, `notes.manner`, `notes.nature`, `notes.traits`, `notes.goals`, `notes.fears`, `notes.secrets`,
 * `notes.ties`, `notes.state`, `notes.rules`, `notes.lines` {text}; `notes.line-to` {asked} {said};
 * `notes.not-shown` {names}.
 */
import type { Json } from '../../../shared/model/index.ts';
import { estimateTokens } from '../../../shared/tokens.ts';
import type { Character, Estimator, FrameworkTextId, FrameworkTexts, PromptSegment } from '../types.ts';
import { block, byUnits, cut, escapeXml, stripSentinels } from './escape.ts';
import { compactJson, modelFacingJson } from './model-facing.ts';

/** Estimated tokens of the whole block; characters of one line; items of one list. */
export const NOTES_TOKENS = 6000;
const LINE_CHARS = 300;
const LIST_ITEMS = 4;

/** What a blueprint says for playing a character; all of it is optional but the id. */
export type CharacterCard = {
  readonly id: string;
  readonly persona?: {
    readonly voice?: string;
    readonly style?: string;
    readonly summary?: string;
    readonly traits?: readonly string[];
    readonly goals?: readonly string[];
    readonly fears?: readonly string[];
    readonly secrets?: readonly string[];
  };
  readonly scenarioDefaults?: {
    readonly relationships?: { readonly [who: string]: string };
    readonly state?: { readonly [name: string]: Json };
  };
  readonly rules?: readonly { readonly text: string; readonly priority?: number }[];
  readonly dialogueExamples?: readonly { readonly user?: string; readonly character: string }[];
};

export type NotesOptions = {
  /** Played by the player: has no notes. Characters of type `player` have none either. */
  readonly currentCharacterId?: string | undefined;
  readonly texts: FrameworkTexts;
  readonly estimate?: Estimator;
  readonly budget?: number;
};

/** How much of every card is shown. */
type Step = { readonly lines: number; readonly rules: number; readonly parts: readonly Part[] };
const ALL = ['manner', 'nature', 'traits', 'goals', 'fears', 'secrets', 'ties', 'state'] as const;
type Part = (typeof ALL)[number];
const PERSON: readonly Part[] = ['manner', 'nature', 'traits', 'goals', 'fears', 'secrets'];
const STEPS: readonly Step[] = [
  { lines: 2, rules: 3, parts: ALL },
  { lines: 1, rules: 3, parts: ALL },
  { lines: 0, rules: 3, parts: ALL },
  { lines: 0, rules: 2, parts: ALL },
  { lines: 0, rules: 1, parts: ALL },
  { lines: 0, rules: 0, parts: ALL },
  { lines: 0, rules: 0, parts: PERSON },
  { lines: 0, rules: 0, parts: ['manner', 'secrets'] },
  { lines: 0, rules: 0, parts: [] },
];

const oneLine = (text: string): string => stripSentinels(text).replace(/\s+/g, ' ').trim();
const clean = (text: string): string => escapeXml(cut(oneLine(text), LINE_CHARS));

type Noted = { readonly character: Character; readonly card: CharacterCard };
type Names = ReadonlyMap<string, string>;

/** The cards of characters in play, by character id. A character `npc-x` may have the card `x`. */
function notedCharacters(
  cards: readonly CharacterCard[],
  characters: readonly Character[],
  currentCharacterId: string | undefined,
): readonly Noted[] {
  const byId = new Map(cards.map((card) => [card.id, card]));
  return characters
    .flatMap((character): readonly Noted[] => {
      if (character.type === 'player' || character.id === currentCharacterId) return [];
      const card =
        byId.get(character.id) ?? (character.id.startsWith('npc-') ? byId.get(character.id.slice(4)) : undefined);
      return card ? [{ character, card }] : [];
    })
    .toSorted((a, b) => byUnits(a.character.id, b.character.id));
}

function partText(part: Part, { persona = {}, scenarioDefaults = {} }: CharacterCard, names: Names): string {
  const list = (items: readonly string[] = []): string => items.slice(0, LIST_ITEMS).map(oneLine).join('; ');
  switch (part) {
    case 'manner':
      return persona.style ?? '';
    case 'nature':
      return persona.summary ?? '';
    case 'traits':
    case 'goals':
    case 'fears':
    case 'secrets':
      return list(persona[part]);
    case 'ties':
      return Object.entries(scenarioDefaults.relationships ?? {})
        .map(([who, tie]) => `${names.get(who) ?? who}: ${tie}`)
        .join('; ');
    case 'state': {
      const { state = {} } = scenarioDefaults;
      return Object.keys(state).length === 0 ? '' : compactJson(modelFacingJson(state, 'scenarioDefaults.state'));
    }
  }
}

/** Heading and lines of one card at a step; null when it has nothing to say even in full. */
function cardText({ character, card }: Noted, step: Step, names: Names, texts: FrameworkTexts): string | null {
  const lines: string[] = [];
  const add = (id: FrameworkTextId, text: string): void => {
    const shown = clean(text);
    if (shown !== '') lines.push(texts.text(id, { text: shown }));
  };
  add('notes.voice', card.persona?.voice ?? '');
  for (const part of step.parts) add(`notes.${part}`, partText(part, card, names));
  const rules = (card.rules ?? []).toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0)).slice(0, step.rules);
  for (const { text } of rules) add('notes.rules', text);
  for (const { user, character: said } of (card.dialogueExamples ?? []).slice(0, step.lines)) {
    add('notes.lines', user ? texts.text('notes.line-to', { asked: oneLine(user), said: oneLine(said) }) : said);
  }
  return lines.length === 0 ? null : [`## ${clean(character.name)}`, ...lines].join('\n');
}

/**
 * `<character-notes>` for story runtimes: the cards of the session's characters, the player's aside, within the
 * budget. Where even the voices alone do not fit, the last characters are only named.
 */
export function characterNotesSegments(
  cards: readonly CharacterCard[],
  characters: readonly Character[],
  { currentCharacterId, texts, estimate = estimateTokens, budget = NOTES_TOKENS }: NotesOptions,
): readonly PromptSegment[] {
  const names: Names = new Map(
    characters.flatMap(({ id, name }) => [
      [id, name] as const,
      ...(id.startsWith('npc-') ? [[id.slice(4), name] as const] : []),
    ]),
  );
  const noted = notedCharacters(cards, characters, currentCharacterId);
  const at = (step: Step): readonly string[] => noted.flatMap((one) => cardText(one, step, names, texts) ?? []);
  const blockOf = (lines: readonly string[]): string => block('character-notes', ...lines);
  const segmentOf = (content: string): readonly PromptSegment[] => [
    { id: 'character-notes', content, position: 'system', audience: 'story', volatility: 'session' },
  ];
  for (const step of STEPS) {
    const parts = at(step);
    if (parts.length === 0 && step === STEPS[0]) return [];
    const content = blockOf(parts);
    if (parts.length > 0 && estimate(content) <= budget) return segmentOf(content);
  }
  return segmentOf(blockOf(voicesThatFit(noted, names, texts, (lines) => estimate(blockOf(lines)) <= budget)));
}

/** As many voices as fit, in order, and one line with the names of all others. */
function voicesThatFit(
  noted: readonly Noted[],
  names: Names,
  texts: FrameworkTexts,
  fits: (lines: readonly string[]) => boolean,
): readonly string[] {
  const voice = STEPS.at(-1) as Step;
  const linesFor = (count: number): readonly string[] => [
    ...noted.slice(0, count).flatMap((one) => cardText(one, voice, names, texts) ?? []),
    texts.text('notes.not-shown', {
      names: noted
        .slice(count)
        .map(({ character }) => clean(character.name))
        .join(texts.language === 'zh' ? '、' : ', '),
    }),
  ];
  let [low, high] = [0, Math.max(0, noted.length - 1)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(linesFor(middle))) low = middle;
    else high = middle - 1;
  }
  return linesFor(low);
}
