/**
 * A text of a world may be a map from locales to translations. Only nodes that say so are read that way: a map with
 * locale-like keys can be plain data (seed 1, section 4, "x-i18n").
 */
import type { Json } from '../../../shared/model/index.ts';
import { parseLocale } from '../locale.ts';

/**
 * The translation for a locale: the exact one, else the same language in the same script, else English, else the
 * first. A plain text is its own translation; null when there is no text.
 */
export function localisedText(value: Json | undefined, locale: string | undefined): string | null {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const wanted = parseLocale(locale);
  const texts = Object.entries(value).flatMap(([key, text]) =>
    typeof text === 'string' ? [{ text, known: parseLocale(key) }] : [],
  );
  const found =
    (wanted && texts.find(({ known }) => known?.tag === wanted.tag)) ??
    (wanted && texts.find(({ known }) => known?.language === wanted.language && known.script === wanted.script)) ??
    texts.find(({ known }) => known?.language === 'en') ??
    texts[0];
  return found?.text ?? null;
}

/** Deeper than any schema a person writes: below it values stay as they are. */
const MAX_DEPTH = 200;
type Node = { readonly [key: string]: Json };
const asNode = (value: Json | undefined): Node | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : null;

function schemaOf(schema: Node, key: string): Node | null {
  const properties = asNode(schema['properties']);
  return asNode(properties && Object.hasOwn(properties, key) ? properties[key] : schema['additionalProperties']);
}

/** The value with every node that its schema marks `x-i18n` in one language; all else as it is. */
export function localisedValue(
  value: Json,
  schema: Json | undefined,
  locale: string | undefined,
  depth = MAX_DEPTH,
): Json {
  const node = asNode(schema);
  if (node === null || depth === 0) return value;
  if (node['x-i18n']) return localisedText(value, locale) ?? value;
  if (Array.isArray(value)) return value.map((item: Json) => localisedValue(item, node['items'], locale, depth - 1));
  const object = asNode(value);
  if (object === null) return value;
  return Object.fromEntries(
    Object.entries(object).map(([key, item]) => {
      const child = schemaOf(node, key);
      return [key, child ? localisedValue(item, child, locale, depth - 1) : item];
    }),
  );
}
