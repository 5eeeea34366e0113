/**
 * A percentage stands beside token figures, so it is the ratio of those figures and of nothing else. The share that the
 * contract carries counts characters, which weigh unequally: a CJK character is a token, four others make one.
 */
import type { CallRow } from '../../../shared/model/index.ts';
import type { Measured } from '../../../shared/units.ts';

/** Ratio of two token counts, from 0 to 1. A request without tokens shares all of nothing. */
export const tokenShare = (part: Measured, whole: Measured): number =>
  whole.value > 0 ? Math.min(1, Math.max(0, part.value / whole.value)) : 1;

/** Share of the request's estimated tokens that its baseline already had; null where it was not measured. */
export const shareOf = (call: Pick<CallRow, 'prefix' | 'estimate'>): number | null =>
  call.prefix && call.estimate ? tokenShare(call.prefix.shared, call.estimate) : null;
