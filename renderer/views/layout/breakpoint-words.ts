/**
 * A breakpoint is a place up to which a provider may keep the request: for how long, how many tokens stand before it,
 * and whether that is enough for the provider to keep it at all.
 */
import type { Breakpoint } from '../../../shared/model/index.ts';
import type { Translate } from '../../app/language/index.ts';
import { formatInt } from '../../ui/index.ts';

export type BreakpointWords = {
  /** Under the strip: `5m · 6,908`, `5m · too short, 1,024 of 2,048`. */
  readonly short: string;
  /** The same in a sentence, with its place and its minimum. */
  readonly long: string;
};

export function breakpointWords(one: Breakpoint, t: Translate): BreakpointWords {
  const n = formatInt(one.prefixTokens.value);
  const kind = one.kind === 'implicit' ? t('layout.mark.implicit') : (one.ttl ?? t('layout.mark.explicit'));
  const least = one.minimum === null ? null : formatInt(one.minimum);
  const isShort = one.belowMinimum === true && least !== null;
  const reached = one.belowMinimum === null || least === null ? 'unknown' : one.belowMinimum ? 'below' : 'reached';
  return {
    short: [kind, isShort ? t('layout.mark.short', { n, least }) : n].join(' · '),
    long: [
      t('layout.mark.title', { words: kind, path: one.path || '/', n, tier: t(`tier.${one.prefixTokens.tier}`) }),
      t(`layout.mark.${reached}`, { n, least: least ?? '' }),
    ].join(t('app.comma')),
  };
}
