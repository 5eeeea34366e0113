/** A verdict in one sentence, its evidence tier, and beneath it what it rests on and one piece of advice. */
import type { ReactNode } from 'react';
import type { Tier } from '../../../shared/units.ts';
import { Tag } from '../../ui/index.ts';
import { SIGN, type Tone } from './verdict.ts';
import './verdict.css';

export type VerdictProps = {
  readonly tone: Tone;
  readonly title: ReactNode;
  /** Tier of the figures in the title and beneath it; null when there are none. */
  readonly tier: Tier | null;
  readonly children?: ReactNode;
};

export function Verdict({ tone, title, tier, children }: VerdictProps): ReactNode {
  return (
    <section className={`verdict verdict-${tone}`} aria-live="polite" data-testid="verdict">
      <span className="verdict-sign" aria-hidden="true">
        {SIGN[tone]}
      </span>
      <h2>{title}</h2>
      {tier !== null && <Tag tier={tier} />}
      <div className="verdict-sub">{children}</div>
    </section>
  );
}
