/** Turn ranges and counts in words, the same in the table, on the line and beside it. */
import type { LedgerSummary } from '../../../shared/model/index.ts';
import type { Translate } from '../../app/language/index.ts';
import { formatInt } from '../../ui/index.ts';

/** `turns 1–8`, `turn 3`, `turns ?–8`, or that it is unknown. */
export function rangeText(t: Translate, { turns: [from, to] }: Pick<LedgerSummary, 'turns'>): string {
  if (from === null && to === null) return t('ledger.range.unknown');
  if (from === to && from !== null) return t('layout.turn', { n: from });
  return t('ledger.range', { from: from === null ? '?' : formatInt(from), to: to === null ? '?' : formatInt(to) });
}

export const countText = (t: Translate, n: number | null): string => (n === null ? t('app.unknown') : formatInt(n));

export function yesText(t: Translate, value: boolean | null): string {
  if (value === null) return t('app.unknown');
  return t(value ? 'request.yes' : 'request.no');
}

/** `made from messages`, `2 summaries`, or that it is unknown. */
export function mergedText(t: Translate, mergedFrom: number | null): string {
  return mergedFrom === null ? t('app.unknown') : t('ledger.merged', { n: mergedFrom });
}
