/**
 * Settings that a rule counts stand in the chain of a request like blocks without a size, each at the beginning of its
 * tier: requests that differ in them share no prefix from there on. From one request to the next they are nearly always
 * the same bytes, so those are looked up before anything is parsed.
 */
import type { Json, JsonObject } from '../../../shared/model/index.ts';
import { isObject } from '../json-walk.ts';
import { settingsOf, settingValues, type CacheRule, type CacheTier } from '../rules.ts';
import type { BlockMark } from '../simulate/types.ts';
import { decodeJson, type ByteRange } from './json-bytes.ts';
import type { Fields } from './layout.ts';
import { PRESENCES, ttlOf } from './part-blocks.ts';

/** The body that settings are looked up in: its fields in `bytes`. */
export type SettingsBody = { readonly bytes: Buffer; readonly fields: Fields };

/**
 * @param numberOf number of a text; equal settings get one
 * @returns what a body says of the settings of a tier, as a number; 0: nothing
 */
export function createSettingNumbers(numberOf: (text: string) => number) {
  const known = new Map<string, number>();
  return ({ bytes, fields }: SettingsBody, rule: CacheRule, tier: CacheTier, presence: number): number => {
    const settings = settingsOf(rule)?.[tier] ?? [];
    if (settings.length === 0) return 0;
    const ranges = new Map<string, ByteRange>();
    let recorded = `${rule.id} ${tier} ${presence}`;
    for (const setting of settings) {
      if (setting.kind !== 'field') continue;
      for (const [name = ''] of setting.paths) {
        const range = fields.get(name);
        if (!range || ranges.has(name)) continue;
        ranges.set(name, range);
        recorded += `\n${name} ${bytes.toString('latin1', range.start, range.end)}`;
      }
    }
    const there = known.get(recorded);
    if (there !== undefined) return there;
    const body: JsonObject = Object.fromEntries([...ranges].map(([name, range]) => [name, valueAt(bytes, range)]));
    const values = settingValues(
      settings.filter(({ kind }) => kind === 'field'),
      body,
    );
    const present = PRESENCES.filter(
      ({ setting, bit }) => (presence & bit) !== 0 && settings.some(({ name }) => name === setting.name),
    );
    const text = [values, ...present.map(({ setting }) => setting.name)].filter((one) => one !== '').join('\n');
    const number = text === '' ? 0 : numberOf(`settings ${text}`);
    known.set(recorded, number);
    return number;
  };
}

const valueAt = (bytes: Buffer, range: ByteRange): Json => (decodeJson(bytes, range) ?? null) as Json;

export type RequestOptions = {
  readonly automatic: { readonly ttl: string | null } | null;
  readonly explicitOnly: boolean;
  readonly marks: readonly BlockMark[];
};

/** What the body says of caching the whole request; a mark without a lifetime of its own inherits the request's. */
export function requestOptions(body: SettingsBody | null, marks: readonly BlockMark[]): RequestOptions {
  const read = (name: string): Json => {
    const range = body?.fields.get(name);
    return body && range ? valueAt(body.bytes, range) : null;
  };
  const mark = read('cache_control');
  if (isObject(mark)) return { automatic: { ttl: ttlOf(mark) }, explicitOnly: false, marks };
  const options = read('prompt_cache_options');
  if (isObject(options)) {
    const ttl = ttlOf(options);
    const inherited = ttl === null ? marks : marks.map((own) => ({ ...own, ttl: own.ttl ?? ttl }));
    return { automatic: { ttl }, explicitOnly: options['mode'] === 'explicit', marks: inherited };
  }
  const retention = read('prompt_cache_retention');
  return { automatic: typeof retention === 'string' ? { ttl: retention } : null, explicitOnly: false, marks };
}
