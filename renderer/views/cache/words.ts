/** Money, figures and calls in words, the same in every table of the screen. */
import type { CacheCall } from '../../../shared/model/index.ts';
import { shortRuntimeName } from '../../app/runtime-name.ts';
import type { Translate } from '../../app/language/index.ts';
import { formatInt, THIN } from '../../ui/index.ts';

/** What stands where a figure is not known; the title of its place says why. */
export const UNKNOWN = '–';

export const intText = (n: number | null): string => (n === null ? UNKNOWN : formatInt(n));

/** `narrator, turn 12`, with the step where it is not the first of its turn. */
export function callText(
  t: Translate,
  { runtimeId, turnIndex, step }: Pick<CacheCall, 'runtimeId' | 'turnIndex' | 'step'>,
): string {
  const values = { runtime: shortRuntimeName(runtimeId, t), n: turnIndex, step };
  return t(step > 0 ? 'cache.call.step' : 'cache.call', values);
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const;

/** A gap where there is little room: `45 s`, `5.2 min`, `12 min`, `2.1 h`, `3 d`. */
export function shortGap(ms: number): string {
  const [unit, name] = UNITS.find(([least]) => ms >= least) ?? [1000, 's'];
  const value = ms / unit;
  return `${value < 10 && name !== 's' ? String(Math.round(value * 10) / 10) : Math.round(value)}${THIN}${name}`;
}
