/** How a prediction is made, by the mechanism that the rule names. */
import type { CacheRule } from '../rules.ts';
import { byLongestPrefix } from './longest-prefix.ts';
import { byBreakpoints, byMarks } from './marks.ts';
import { byUnits } from './units.ts';
import type { Strategy } from './work.ts';

const BY_MECHANISM: Readonly<Record<CacheRule['mechanism'], Strategy | null>> = {
  'explicit+auto': byMarks,
  explicit: byMarks,
  'implicit+explicit': byBreakpoints,
  implicit: byLongestPrefix,
  // The cached text is an object of its own, which a request names.
  resource: null,
};

export const strategyOf = ({ mechanism, unit }: CacheRule): Strategy | null =>
  unit === 'whole_prefix_unit' ? byUnits : BY_MECHANISM[mechanism];
