/**
 * A dimension is a value of the world that a session keeps (a reputation, the tide). The story sees values, whole
 * while they fit, because every value that is cut makes the model ask a tool and send the prompt again. The tracker
 * that updates them sees rules and schemas (they hold for the session) apart from the frozen values (they change every
 * turn), and no versions (seed 1, sections 2 and 4).
 *
 * Texts: `dimensions.not-shown` {count}; `dimensions.rules-truncated`.
 */
import type { Json } from '../../../shared/model/index.ts';
import type { Dimension, FrameworkTexts, PromptSegment } from '../types.ts';
import { block, cut, escapeXml } from './escape.ts';
import { localisedText, localisedValue } from './localised.ts';
import { compactJson } from './model-facing.ts';

/** Characters of a story projection, of one value cut short, and of the tracker's rules and values together. */
const STORY_BUDGET = 12_000;
const SHORT_VALUE = 240;
const TRACKER_BUDGET = 24_000;

export type Dimensions = { readonly [id: string]: Dimension };
export type DimensionOptions = {
  readonly locale?: string | undefined;
  readonly texts: FrameworkTexts;
  /** Characters; the default is that of the view. */
  readonly budget?: number;
};

const ruleOf = ({ updateRule }: Dimension, locale: string | undefined): string =>
  localisedText(updateRule, locale)?.trim() ?? '';

/** `id (name, v3): `, with what is known of name and version. */
function headOf(id: string, { name, version }: Dimension, locale: string | undefined): string {
  const notes = [localisedText(name, locale), version === undefined ? null : `v${version}`].filter(Boolean);
  return escapeXml(`${id}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}: `);
}

/**
 * One line a dimension within the budget. Over it, the longest values are cut to 240 characters and `…`, longest
 * first, until all fit; what still does not fit is left out and counted in a last line. Empty without dimensions.
 */
export function projectDimensions(
  dimensions: Dimensions,
  { locale, texts, budget = STORY_BUDGET }: DimensionOptions,
): string {
  const rows = Object.entries(dimensions).map(([id, dimension]) => {
    const value = compactJson(localisedValue(dimension.value ?? null, dimension.schema, locale));
    return { head: headOf(id, dimension, locale), value, shown: escapeXml(value) };
  });
  const sizeOf = ({ head, shown }: (typeof rows)[number]): number => head.length + shown.length + 1;
  let total = rows.reduce((sum, row) => sum + sizeOf(row), -1);
  for (const row of rows.toSorted((a, b) => b.value.length - a.value.length)) {
    if (total <= budget || row.value.length <= SHORT_VALUE) break;
    const short = escapeXml(cut(row.value, SHORT_VALUE, '…'));
    total += short.length - row.shown.length;
    row.shown = short;
  }
  if (total <= budget) return rows.map(({ head, shown }) => head + shown).join('\n');
  const notShown = (count: number): string => texts.text('dimensions.not-shown', { count });
  const room = budget - notShown(rows.length).length;
  const lines: string[] = [];
  let used = 0;
  for (const row of rows) {
    if (used + sizeOf(row) > room) continue;
    lines.push(row.head + row.shown);
    used += sizeOf(row);
  }
  return [...lines, notShown(rows.length - lines.length)].join('\n');
}

/**
 * `<world-dimensions>` for story runtimes. Dimensions without an update rule do not change in play and stand in a
 * session segment of their own; the tracked ones are turn data.
 */
export function storyDimensionSegments(dimensions: Dimensions, options: DimensionOptions): readonly PromptSegment[] {
  const segment = (id: string, volatility: 'session' | 'turn', tracked: boolean): readonly PromptSegment[] => {
    const own = Object.entries(dimensions).filter(([, d]) => (ruleOf(d, options.locale) !== '') === tracked);
    const text = projectDimensions(Object.fromEntries(own), options);
    if (text === '') return [];
    return [{ id, content: block('world-dimensions', text), position: 'system', audience: 'story', volatility }];
  };
  return [...segment('static-dimensions', 'session', false), ...segment('dimensions', 'turn', true)];
}

/**
 * The tracker's own segments: `<dimension-rules>` (session) with rule and schema of each dimension that has a rule,
 * `<dimension-values>` (turn) with `id: value`. Dimensions beyond the budget are listed by id below the rules and
 * have no value line. Without any rule there is no segment, and nothing to maintain.
 */
export function trackerDimensionSegments(
  dimensions: Dimensions,
  { locale, texts, budget = TRACKER_BUDGET }: DimensionOptions,
): readonly PromptSegment[] {
  const rules: string[] = [];
  const values: string[] = [];
  const beyond: string[] = [];
  let used = 0;
  for (const [id, dimension] of Object.entries(dimensions)) {
    const rule = ruleOf(dimension, locale);
    if (rule === '') continue;
    const schema = dimension.schema === undefined ? '' : `\n  schema: ${compactJson(dimension.schema)}`;
    const ruleText = escapeXml(`- ${id}: ${rule}${schema}`);
    const valueText = escapeXml(`${id}: ${compactJson((dimension.value ?? null) satisfies Json)}`);
    const size = ruleText.length + valueText.length + 2;
    if (used + size > budget) {
      beyond.push(escapeXml(`- ${id}`));
      continue;
    }
    used += size;
    rules.push(ruleText);
    values.push(valueText);
  }
  if (beyond.length > 0) rules.push(texts.text('dimensions.rules-truncated'), ...beyond);
  const segment = (id: string, volatility: 'session' | 'turn', lines: readonly string[]): readonly PromptSegment[] =>
    lines.length === 0 ? [] : [{ id, content: block(id, ...lines), position: 'system', audience: 'self', volatility }];
  return [...segment('dimension-rules', 'session', rules), ...segment('dimension-values', 'turn', values)];
}
