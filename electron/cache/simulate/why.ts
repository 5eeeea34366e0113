/** A prediction in sentences (shared/language, `predict.*`): what is read and written, what was lost, what is unknown. */
import { say } from '../../../shared/language/types.ts';
import type { Sentence } from '../../../shared/model/index.ts';
import { billsWrites } from '../rules.ts';
import type { Outcome, Work } from './work.ts';

/** Seconds as they are shown: whole ones, of short times a tenth. */
const shown = (seconds: number): number => (seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds));

export function whyOf(work: Work, outcome: Outcome): readonly Sentence[] {
  const { lost } = outcome;
  const why: Sentence[] = [reading(outcome)];
  for (const [ttl, count] of Object.entries(outcome.writes)) {
    if (count > 0) why.push(say('predict.write', { tokens: count, ttl }));
  }
  if (Object.keys(outcome.writes).length === 0 && billsWrites(work.rule) === false) why.push(say('predict.kept', {}));
  if (lost.expired) {
    const { tokens, ageS: age, lifetimeS } = lost.expired;
    why.push(say('predict.expired', { tokens, age: shown(age), lifetime: lifetimeS }));
  }
  if (lost.notReady) why.push(say('predict.not-ready', { tokens: lost.notReady.tokens }));
  if (lost.beyondLookback) why.push(say('predict.beyond-lookback', lost.beyondLookback));
  if (lost.tooShort) why.push(say('predict.too-short', lost.tooShort));
  if (lost.unmarked) why.push(say('predict.unmarked', lost.unmarked));
  for (const note of ['lifetime-unknown', 'minimum-unknown', 'units-unknown'] as const) {
    if (work.notes.has(note)) why.push(say(`predict.${note}`, {}));
  }
  return why;
}

function reading({ read, from, lost }: Outcome): Sentence {
  if (read > 0 && from) {
    const turn = from.call.turnIndex;
    return from.ageS === null
      ? say('predict.read-any-age', { tokens: read, turn })
      : say('predict.read', { tokens: read, turn, age: shown(from.ageS) });
  }
  if (read > 0) return say('predict.read-shared', { tokens: read });
  const isLost = Object.values(lost).some((one) => one !== null);
  return isLost ? say('predict.nothing', {}) : say('predict.nothing-equal', {});
}
