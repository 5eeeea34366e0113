/** Numbers read the same in both languages: thousands by comma, a narrow space before the unit, figures of one width. */

/** Narrow no-break space. */
export const THIN = '\u202f';

const integers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** `8,120` */
export const formatInt = (n: number): string => integers.format(n);

/** A share from 0 to 1 as `86.7 %`. Not quite 0 and not quite all are never rounded to 0 % or 100 %. */
export function formatPercent(share: number, digits = 1): string {
  const step = 10 ** -digits;
  let value = share * 100;
  if (share > 0 && value < step) return `<${THIN}${step.toFixed(digits)}${THIN}%`;
  if (share < 1 && value > 100 - step) value = 100 - step;
  return `${value.toFixed(digits)}${THIN}%`;
}

const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;
const two = (n: number): string => String(n).padStart(2, '0');

/** Milliseconds as `840 ms`, `9.1 s`, `2 min 05 s`, `2 h 05 min`, `3 d 04 h`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}${THIN}ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)}${THIN}s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < HOUR_S) return `${Math.floor(seconds / MINUTE_S)}${THIN}min ${two(seconds % MINUTE_S)}${THIN}s`;
  const minutes = Math.round(seconds / MINUTE_S);
  if (seconds < DAY_S) return `${Math.floor(minutes / 60)}${THIN}h ${two(minutes % 60)}${THIN}min`;
  const hours = Math.round(seconds / HOUR_S);
  return `${Math.floor(hours / 24)}${THIN}d ${two(hours % 24)}${THIN}h`;
}

/** A lifetime in whole seconds in its largest whole unit, as prices name it: `5 min`, `1 h`, `24 h`. */
export function formatLifetime(seconds: number): string {
  if (seconds % HOUR_S === 0 && seconds > 0) return `${seconds / HOUR_S}${THIN}h`;
  if (seconds % MINUTE_S === 0 && seconds > 0) return `${seconds / MINUTE_S}${THIN}min`;
  return `${formatInt(seconds)}${THIN}s`;
}

/** Most decimals of a dollar: a millionth is the unit in which prices are kept. */
const MOST_DECIMALS = 6;

/** Decimals with which an amount in millionths of a dollar shows at least two significant digits. */
export function usdDecimals(micros: number): number {
  const usd = Math.abs(micros) / 1e6;
  if (usd === 0 || usd >= 0.1) return 2;
  if (usd >= 0.001) return 4;
  return Math.min(MOST_DECIMALS, 1 - Math.floor(Math.log10(usd)));
}

/** Decimals with which every amount of a column shows its digits, so that the points of the column stand in one line. */
export const columnDecimals = (amounts: readonly (number | null)[]): number =>
  amounts.reduce<number>((most, micros) => (micros === null ? most : Math.max(most, usdDecimals(micros))), 2);

const dollars = new Map<number, Intl.NumberFormat>();

/** Millionths of a dollar as `$1.12`, `$0.0123`; more than nothing is never shown as nothing. */
export function formatUsd(micros: number, decimals = usdDecimals(micros)): string {
  let format = dollars.get(decimals);
  if (!format) {
    format = new Intl.NumberFormat('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
    dollars.set(decimals, format);
  }
  // Nothing has no digits to show.
  if (micros === 0 && decimals > 2) return '$0';
  const least = 10 ** -decimals;
  if (micros > 0 && micros / 1e6 < least / 2) return `<${THIN}$${format.format(least)}`;
  return `$${format.format(micros / 1e6)}`;
}

const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** Bytes as `961 MB`; a kilobyte is 1,000 bytes. */
export function formatBytes(bytes: number): string {
  let unit = 0;
  let value = bytes;
  while (value >= 1000 && unit < BYTE_UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit > 0 && value < 10 ? 1 : 0;
  return `${value.toFixed(digits)}${THIN}${BYTE_UNITS[unit]}`;
}

const KEY_SIGNS: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ' ': 'Space',
  Escape: 'Esc',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
};

/** A key of the registry of commands as it is printed: `mod+k` is `Ctrl K`, or `⌘ K` on Apple systems. */
export function formatKey(key: string, apple: boolean): string {
  const [last = '', ...modifiers] = key.split('+').reverse();
  const sign = KEY_SIGNS[last] ?? (last.length === 1 && modifiers.length > 0 ? last.toUpperCase() : last);
  return [...modifiers.reverse().map((name) => (name === 'mod' ? (apple ? '⌘' : 'Ctrl') : name)), sign].join(' ');
}
