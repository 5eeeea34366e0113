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

/** Milliseconds as `840 ms`, `9.1 s`, `2 min 05 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}${THIN}ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)}${THIN}s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}${THIN}min ${String(seconds % 60).padStart(2, '0')}${THIN}s`;
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
