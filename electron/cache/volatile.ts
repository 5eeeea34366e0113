/**
 * Values that are new with every request (a time, an id, a count) end a prefix wherever they stand. The text that two
 * requests share takes in the head of such a value, `2026-11-` of a date, so it is looked for around the place where
 * they part, and told with both whole values.
 */

export const VOLATILE_KINDS = ['timestamp', 'epoch', 'uuid', 'id', 'counter', 'duration'] as const;
export type VolatileKind = (typeof VOLATILE_KINDS)[number];

export type Volatile = { readonly kind: VolatileKind; readonly was: string; readonly now: string };

/** How far around the place a value may reach, UTF-16 units. */
const REACH = 160;

type Detector = {
  readonly kind: VolatileKind;
  readonly pattern: RegExp;
  /** Whether two values that both fit the pattern are volatile indeed. */
  readonly isVolatile?: (was: string, now: string) => boolean;
};

const MONTH =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)';
const WEEKDAY = '(?:(?:Mon|Tue(?:s)?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,?\\s+)?';
const ZONE = '(?:\\s?(?:Z|UTC|GMT)?(?:[+-]\\d{2}:?\\d{2})?)';
const CLOCK = `(?:[01]?\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:[.,]\\d{1,9})?)?(?:\\s?[AaPp]\\.?[Mm]\\b\\.?)?${ZONE}`;
const THEN_CLOCK = `(?:(?:[T,]|\\s)\\s?(?:at\\s)?${CLOCK})?`;
const DAYTIME = '(?:凌晨|清晨|早上|上午|中午|下午|傍晚|晚上|夜里|深夜)';
const CLOCK_ZH = `(?:${DAYTIME}?\\s?\\d{1,2}\\s?[点时](?:\\s?\\d{1,2}\\s?分(?:\\s?\\d{1,2}\\s?秒)?)?|${DAYTIME}?\\s?${CLOCK})`;
const ORDINAL = '(?:st|nd|rd|th)?';

const TIMES: readonly string[] = [
  `\\d{4}-\\d{2}-\\d{2}(?!\\d)${THEN_CLOCK}`,
  `\\d{4}[/.]\\d{1,2}[/.]\\d{1,2}(?!\\d)${THEN_CLOCK}`,
  `\\d{1,2}[/.]\\d{1,2}[/.]\\d{4}(?!\\d)${THEN_CLOCK}`,
  `${WEEKDAY}(?:\\d{1,2}${ORDINAL}\\s+(?:of\\s+)?${MONTH}|${MONTH}\\s+\\d{1,2}${ORDINAL}),?\\s+\\d{4}(?!\\d)${THEN_CLOCK}`,
  `\\d{4}\\s?年\\s?\\d{1,2}\\s?月\\s?\\d{1,2}\\s?[日号](?:\\s*${CLOCK_ZH})?`,
  // A clock alone: with two digits for the hour, or with its half of the day.
  `(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:[.,]\\d{1,9})?)?(?:\\s?[AaPp]\\.?[Mm]\\b\\.?)?${ZONE}`,
  '(?:1[0-2]|[1-9])(?::[0-5]\\d)?\\s?[AaPp]\\.?[Mm]\\b\\.?',
  `${DAYTIME}\\s?\\d{1,2}\\s?[点时](?:\\s?\\d{1,2}\\s?分)?`,
  '\\d{1,2}\\s?[点时]\\s?\\d{1,2}\\s?分(?:\\s?\\d{1,2}\\s?秒)?',
];

const HAN_NUMBER = '[〇零一二三四五六七八九十百千两]+';
/** What counts up while a session goes on, before its number. */
const COUNTED =
  '(?:turns?|rounds?|steps?|messages?|msg|seq(?:uence)?|index|counter|count|version|revision|rev|attempt|iteration|tick|request|retry)';
const COUNTED_ZH = '(?:回合|轮次?|步骤?|条消息|消息|次请求|请求|次尝试|版)';
const NAMED_COUNTERS: readonly string[] = [
  `(?<![A-Za-z])${COUNTED}(?:[_ -]?(?:number|no\\.?|num|id))?["']?\\s?[:：=#]?\\s?["']?\\d{1,12}(?![\\d.]*\\.?\\d)(?!\\w)`,
  `第\\s?(?:\\d{1,9}|${HAN_NUMBER})\\s?${COUNTED_ZH}`,
  `(?:回合数?|轮次|步数|版本|序号|计数)\\s?[:：=]?\\s?\\d{1,12}(?![\\d.])`,
];

const DURATIONS: readonly string[] = [
  '\\d+(?:[.,]\\d+)?\\s?(?:ms|milliseconds?|µs|毫秒)(?![A-Za-z])',
  '\\d+\\.\\d+\\s?(?:s|sec|secs|seconds?|秒)(?![A-Za-z])',
  '\\d+\\s?h(?:\\s?\\d+\\s?m(?:in)?)?(?:\\s?\\d+\\s?s)?(?![A-Za-z])',
  '\\d+\\s?m(?:in)?\\s?\\d+\\s?s(?![A-Za-z])',
  '\\d+(?:\\.\\d+)?\\s?(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?)\\s(?:ago|elapsed|passed|since|left|remaining)(?![A-Za-z])',
  '\\d+(?:\\.\\d+)?\\s?个?(?:秒钟?|分钟|小时|天|周|月)(?:以?前|之前|过去)',
  '(?:已?经?过去?了?|已过|耗时|用时|持续)\\s?\\d+(?:\\.\\d+)?\\s?个?(?:秒钟?|分钟|小时|天)',
];

const any = (patterns: readonly string[]): string => `(?:${patterns.join('|')})`;
/** Not in the middle of a longer number or word. */
const apart = (pattern: string): RegExp => new RegExp(`(?<![\\w/-])(?<!\\d[.,:])${pattern}(?!\\w)`, 'g');

const digits = (text: string): number => text.replaceAll(/\D/g, '').length;
const letters = (text: string): number => text.replaceAll(/[^A-Za-z]/g, '').length;
const isMixed = (text: string): boolean => digits(text) >= 2 && letters(text) >= 2;
/** Two or more digits and letters of both cases: no word, no name of a file. */
const isRandom = (text: string): boolean => digits(text) >= 2 && /[a-z]/.test(text) && /[A-Z]/.test(text);
/** The tail of `call_8f3a2c1b`. */
const tailOf = (id: string): string => id.slice(Math.max(id.lastIndexOf('_'), id.lastIndexOf('-')) + 1);

/** A count goes on by a small step; amounts of money and of goods go anywhere. */
const goesOn = (was: string, now: string): boolean => {
  const [from, to] = [Number(was), Number(now)];
  return to > from && to - from <= from / 10;
};

/** The surest first. */
const DETECTORS: readonly Detector[] = [
  { kind: 'uuid', pattern: apart('[\\da-fA-F]{8}-(?:[\\da-fA-F]{4}-){3}[\\da-fA-F]{12}') },
  { kind: 'timestamp', pattern: apart(any(TIMES)) },
  // Seconds, milli-, micro- and nanoseconds since 1970, from 2017 to 2033.
  { kind: 'epoch', pattern: apart('1[5-9]\\d{8}(?:\\d{3}|\\d{6}|\\d{9})?(?:\\.\\d{1,9})?') },
  { kind: 'duration', pattern: apart(any(DURATIONS)) },
  { kind: 'counter', pattern: new RegExp(any(NAMED_COUNTERS), 'gi') },
  {
    kind: 'id',
    pattern: apart('(?:0x)?(?:[\\da-f]{8,}|[\\dA-F]{8,})'),
    isVolatile: (was, now) => [was, now].every((value) => digits(value) >= 2 && letters(value) >= 1),
  },
  { kind: 'id', pattern: apart('[0-7][\\dA-HJKMNP-TV-Z]{25}') },
  {
    kind: 'id',
    pattern: apart('[A-Za-z]{2,16}(?:[_-][A-Za-z]{2,16})?[_-][\\dA-Za-z]{6,}'),
    isVolatile: (was, now) => [was, now].every((value) => isMixed(tailOf(value)) || /^\d{8,}$/.test(tailOf(value))),
  },
  {
    kind: 'id',
    pattern: apart('[\\w+/-]{12,}={0,2}'),
    isVolatile: (was, now) => [was, now].every(isRandom),
  },
  { kind: 'counter', pattern: /(?<![\w.,$€£¥￥-])\d{6,15}(?![\w.,%元])/g, isVolatile: goesOn },
];

/**
 * The value at which two texts part, if it is one of those that change by themselves.
 * @param offset UTF-16 units that both texts have in common
 */
export function volatileAt(was: string, now: string, offset: number): Volatile | null {
  for (const { kind, pattern, isVolatile } of DETECTORS) {
    const there = around(was, offset, pattern);
    for (const value of around(now, offset, pattern)) {
      const before = there.find((one) => one.start === value.start);
      if (!before || before.text === value.text) continue;
      if (isVolatile && !isVolatile(before.text, value.text)) continue;
      return { kind, was: before.text, now: value.text };
    }
  }
  return null;
}

/** Values that begin in what both texts share and reach to the place or over it. */
function around(
  text: string,
  offset: number,
  pattern: RegExp,
): readonly { readonly start: number; readonly text: string }[] {
  const from = Math.max(0, offset - REACH);
  const found: { readonly start: number; readonly text: string }[] = [];
  for (const match of text.slice(from, offset + REACH).matchAll(pattern)) {
    const start = from + match.index;
    if (start <= offset && start + match[0].length >= offset) found.push({ start, text: match[0].trim() });
  }
  return found;
}
