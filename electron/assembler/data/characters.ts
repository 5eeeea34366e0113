/**
 * A model reads a character by its name, never by an id: one line each with description and fields, so that it need
 * not ask a tool for everybody who appears. The current character, the one the player acts as, has a sheet of its own
 * (seed 1, section 4).
 *
 * Text: `note.npcs-not-shown` {names}.
 */
import type { Json } from '../../../shared/model/index.ts';
import type { BuildParams, Character, FrameworkTexts, PromptSegment, Seat } from '../types.ts';
import { block, cut, escapeXml, stripSentinels } from './escape.ts';
import { compactJson, modelFacingJson } from './model-facing.ts';

/** Characters of all profile lines together, and of a description or the fields of one. */
const PROFILES_BUDGET = 8000;
const PROFILE_PART = 400;

/** A numeric attribute of the world's character schema. `min` and `max` give the range a number is read in. */
export type CharacterAttribute = {
  readonly id: string;
  readonly type: string;
  readonly min?: number;
  readonly max?: number;
};
export type CharacterSchema = { readonly attributes: readonly CharacterAttribute[] };

export type ProfileOptions = {
  /** Left out of the lines. */
  readonly currentCharacterId?: string | undefined;
  /** Characters in a seat are played by somebody and tagged `[player]`. */
  readonly seats?: readonly Seat[] | undefined;
  readonly schema?: CharacterSchema | null | undefined;
  readonly texts: FrameworkTexts;
};

/** The session's characters: the snapshot wins. */
export function sessionCharacters(params: Pick<BuildParams, 'sessionContext' | 'sessionMeta'>): readonly Character[] {
  const { sessionContext, sessionMeta } = params;
  return sessionContext?.sessionMeta?.characters ?? sessionContext?.characters ?? sessionMeta?.characters ?? [];
}

/**
 * The character of the primary seat (the first seat where none is marked); without seats the only player. null when
 * there is none: an empty primary seat, no player, or several players and no seats to choose by.
 */
export function currentCharacter(context: Pick<BuildParams, 'sessionContext' | 'sessionMeta'>): Character | null {
  const characters = sessionCharacters(context);
  const seats = context.sessionContext?.seats ?? [];
  const seat = seats.find(({ primary }) => primary === true) ?? seats[0];
  if (seat) return characters.find(({ id }) => id === seat.characterId) ?? null;
  const players = characters.filter(({ type }) => type === 'player');
  return players.length === 1 ? (players[0] as Character) : null;
}

/** Numbers with a range: `2/5`, or `8 (1–20)` where it does not start at 0. A bare 2 could mean 2/5 or 2/100. */
function withRanges(fields: { readonly [key: string]: Json }, schema: CharacterSchema | null | undefined): Json {
  const ranges = new Map<string, { readonly min: number; readonly max: number }>();
  for (const { id, type, min = 0, max } of schema?.attributes ?? []) {
    if (type === 'number' && max !== undefined) ranges.set(id, { min, max });
  }
  if (ranges.size === 0) return fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const range = ranges.get(name);
      if (range === undefined || typeof value !== 'number') return [name, value];
      return [name, range.min === 0 ? `${value}/${range.max}` : `${value} (${range.min}–${range.max})`];
    }),
  );
}

/** The fields as a model reads them; null when there are none. */
function fieldsText(character: Character, schema: CharacterSchema | null | undefined): string | null {
  const { fields, name } = character;
  if (fields === undefined || fields === null) return null;
  const shown = modelFacingJson(fields, `fields of ${name}`) as { readonly [key: string]: Json };
  return Object.keys(shown).length === 0 ? null : compactJson(withRanges(shown, schema));
}

function profileLine(character: Character, type: string, schema: CharacterSchema | null | undefined): string {
  const { name, aliases = [], description } = character;
  const parts = [`- ${name}${aliases.length > 0 ? ` (aka ${aliases.join(', ')})` : ''} [${type}]`];
  if (description) parts.push(cut(description, PROFILE_PART));
  const fields = fieldsText(character, schema);
  if (fields !== null) parts.push(cut(fields, PROFILE_PART));
  return parts.join(' | ');
}

/**
 * `{{ characters.npcs }}`: everybody but the current character, `- name (aka a, b) [type] | description | fields`.
 * From the first line that does not fit the budget on, only names follow in one last line.
 */
export function npcLines(characters: readonly Character[], options: ProfileOptions): string {
  const { currentCharacterId, seats = [], schema, texts } = options;
  const played = new Set(seats.map(({ characterId }) => characterId));
  const lines: string[] = [];
  const unlisted: string[] = [];
  let used = 0;
  for (const character of characters) {
    if (character.id === currentCharacterId) continue;
    const line = profileLine(character, played.has(character.id) ? 'player' : character.type, schema);
    if (unlisted.length > 0 || used + line.length > PROFILES_BUDGET) {
      unlisted.push(character.name);
      continue;
    }
    lines.push(line);
    used += line.length + 1;
  }
  if (unlisted.length > 0) {
    const names = unlisted.join(texts.language === 'zh' ? '、' : ', ');
    lines.push(`- ${texts.text('note.npcs-not-shown', { names })}`);
  }
  return stripSentinels(lines.join('\n'));
}

/**
 * The sheets as one turn segment of the plugin that asks for them: `<player-character>` is the same JSON as
 * `{{ player.character }}`, `<character-profiles>` (with `profiles`) the lines of `{{ characters.npcs }}`; both read
 * numbers in the ranges of the schema. Without a current character and profiles there is no segment.
 */
export function characterSheetSegments(
  characters: readonly Character[],
  options: ProfileOptions & { readonly profiles?: boolean },
): readonly PromptSegment[] {
  const blocks: string[] = [];
  const current = characters.find(({ id }) => id === options.currentCharacterId);
  if (current) {
    const shown = modelFacingJson(current, `character ${current.name}`) as { readonly [key: string]: Json };
    const fields = shown['fields'];
    const sheet =
      typeof fields === 'object' && fields !== null
        ? { ...shown, fields: withRanges(fields as { readonly [key: string]: Json }, options.schema) }
        : shown;
    blocks.push(block('player-character', escapeXml(compactJson(sheet))));
  }
  const profiles = options.profiles ? npcLines(characters, options) : '';
  if (profiles) blocks.push(block('character-profiles', escapeXml(profiles)));
  if (blocks.length === 0) return [];
  return [
    {
      id: 'character-sheets',
      content: blocks.join('\n'),
      position: 'system',
      audience: 'self',
      volatility: 'turn',
    },
  ];
}
