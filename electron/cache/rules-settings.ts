/**
 * Settings beside the text of a request can end a cached prefix at the beginning of a tier. Where they stand in a body
 * is the protocols' matter; which tier they end is the rule's (cache-rules page, the table in 3.1 and the list in 3.2).
 */
import type { Json, JsonObject } from '../../shared/model/index.ts';
import { compactJson, isObject } from './json-walk.ts';
import { CACHE_TIERS, type CacheRule, type CacheTier } from './rules-schema.ts';

export type Setting = {
  /** As the rule names it. */
  readonly name: string;
} & (
  | {
      readonly kind: 'field';
      /** Keys from the body down, one path for each protocol that has the setting. */
      readonly paths: readonly (readonly string[])[];
    }
  | {
      /** Whether the request has any of these anywhere; how many, and which, is its text. */
      readonly kind: 'presence';
      readonly of: 'web-search-tool' | 'citations' | 'image';
    }
);

export type SettingsByTier = Readonly<Record<CacheTier, readonly Setting[]>>;

const field = (name: string, ...paths: readonly (readonly string[])[]): Setting => ({ name, kind: 'field', paths });

/** Settings by the rules' names. `model`, `tools`, `system` and `message` are the text itself or apart from it. */
const SETTINGS: readonly Setting[] = [
  field('speed', ['speed']),
  { name: 'web_search', kind: 'presence', of: 'web-search-tool' },
  { name: 'citations', kind: 'presence', of: 'citations' },
  field('tool_choice', ['tool_choice']),
  { name: 'images', kind: 'presence', of: 'image' },
  field('thinking', ['thinking']),
  field('effort', ['output_config', 'effort']),
  field('parallel_tool_calls', ['parallel_tool_calls']),
  field('text.format', ['text', 'format'], ['response_format']),
  field('reasoning.effort', ['reasoning', 'effort'], ['reasoning_effort']),
  field('text.verbosity', ['text', 'verbosity'], ['verbosity']),
  field('context_management', ['context_management']),
];

const NO_SETTINGS: SettingsByTier = { tools: [], system: [], messages: [] };
const kept = new WeakMap<CacheRule, SettingsByTier | null>();

/**
 * The settings that end a prefix, each at the first tier that surely falls with it: a tier marked `?` in the rule falls
 * for some models only, and is not counted. null: the rule says nothing about settings.
 */
export function settingsOf(rule: CacheRule): SettingsByTier | null {
  const there = kept.get(rule);
  if (there !== undefined) return there;
  const found = readSettings(rule);
  kept.set(rule, found);
  return found;
}

function readSettings({ invalidates, prefixSettings, renderOrder }: CacheRule): SettingsByTier | null {
  if (invalidates === null && prefixSettings === null) return null;
  const order = renderOrder ?? CACHE_TIERS;
  const tierOf = (name: string): CacheTier | null => {
    if (prefixSettings?.includes(name)) return order[0] ?? null;
    const ended = invalidates !== null && Object.hasOwn(invalidates, name) ? invalidates[name] : undefined;
    return order.find((tier) => ended?.includes(tier)) ?? null;
  };
  return SETTINGS.reduce((all, setting) => {
    const tier = tierOf(setting.name);
    return tier === null ? all : { ...all, [tier]: [...all[tier], setting] };
  }, NO_SETTINGS);
}

/** What a body says of the settings of one tier: equal texts are equal settings. Empty where nothing is set. */
export function settingValues(settings: readonly Setting[], body: JsonObject): string {
  const said = settings.flatMap((setting): readonly string[] => {
    const value = setting.kind === 'field' ? fieldValue(setting.paths, body) : has(setting.of, body);
    return value === null ? [] : [`${setting.name}=${value}`];
  });
  return said.join('\n');
}

function fieldValue(paths: readonly (readonly string[])[], body: JsonObject): string | null {
  for (const path of paths) {
    let value: Json | undefined = body;
    for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    if (value !== undefined && value !== null) return compactJson(value);
  }
  return null;
}

/** Types of the blocks that hold a picture, in all protocols; Gemini tells it by the media type. */
const IMAGE_TYPES: readonly string[] = ['image', 'image_url', 'input_image'];
const IMAGE_FIELDS: readonly string[] = ['inlineData', 'fileData'];

const isImage = (value: JsonObject): boolean => {
  const { type } = value;
  if (typeof type === 'string' && IMAGE_TYPES.includes(type)) return true;
  return IMAGE_FIELDS.some((key) => {
    const data = Object.hasOwn(value, key) ? value[key] : undefined;
    return isObject(data) && typeof data['mimeType'] === 'string' && data['mimeType'].startsWith('image/');
  });
};

const hasCitations = (value: JsonObject): boolean =>
  isObject(value['citations']) && value['citations']['enabled'] === true;

function has(what: 'web-search-tool' | 'citations' | 'image', body: JsonObject): string | null {
  if (what === 'web-search-tool') {
    const tools = body['tools'];
    const isSearch = (tool: Json): boolean =>
      isObject(tool) && typeof tool['type'] === 'string' && tool['type'].startsWith('web_search');
    return Array.isArray(tools) && (tools as readonly Json[]).some(isSearch) ? 'on' : null;
  }
  const test = what === 'image' ? isImage : hasCitations;
  const texts = [body['system'], body['messages'], body['input'], body['contents']];
  return texts.some((value) => anywhere(value, test)) ? 'on' : null;
}

/** Blocks of messages, and of the tool results inside them; arguments and schemas are no blocks. */
function anywhere(value: Json | undefined, test: (object: JsonObject) => boolean): boolean {
  if (Array.isArray(value)) return (value as readonly Json[]).some((item) => anywhere(item, test));
  if (!isObject(value)) return false;
  return test(value) || anywhere(value['content'], test) || anywhere(value['parts'], test);
}
