/** The session in turns, to scale: which turns a summary stands for, when it was written, where something was cut. */
import type { ReactNode } from 'react';
import type { Ledger, LedgerSummary } from '../../../shared/model/index.ts';
import { useText } from '../../app/language/index.ts';
import { useLens } from '../../app/store.ts';
import { indexOfTurn } from '../../app/turns.ts';
import { formatInt, Sign, type SignName } from '../../ui/index.ts';
import { useWidth } from '../../ui/use-width.ts';
import { barsOf, lanesIn, ticksOf } from './ledger-model.ts';
import { rangeText } from './words.ts';

const percent = (share: number): string => `${share * 100}%`;

type LineProps = {
  readonly ledger: Ledger;
  readonly chosen: string | null;
  readonly onChoose: (key: string) => void;
};

export function LedgerLine({ ledger, chosen, onChoose }: LineProps): ReactNode {
  const t = useText();
  const [ref, width] = useWidth<HTMLDivElement>();
  const turn = useLens((state) => indexOfTurn(state.turns, state.turnId) + 1);
  const { turns, summaries, pruned } = ledger;
  const bars = barsOf(summaries, turns);
  const written = [...new Set(summaries.flatMap(({ madeIn }) => madeIn ?? []))];
  const cuts = [...new Set(pruned.flatMap(({ turnIndex }) => turnIndex ?? []))];

  return (
    <figure className="ledger-line">
      <figcaption>
        {t('ledger.line')} ·{' '}
        <span>
          <i className="ledger-key" /> {t('ledger.live')}
        </span>{' '}
        <span>
          <i className="ledger-key ledger-vanished" /> {t('ledger.vanished')}
        </span>{' '}
        <span>
          <Sign name="diamond" size={8} /> {t('ledger.written')}
        </span>{' '}
        <span>
          <Sign name="cut" size={10} /> {t('ledger.pruned')}
        </span>
      </figcaption>
      <div className="ledger-plot" ref={ref}>
        <div className="ledger-ruler" aria-hidden="true">
          {ticksOf(turns, width).map((tick) => (
            <span key={tick} style={{ left: percent((tick - 0.5) / turns) }}>
              {formatInt(tick)}
            </span>
          ))}
        </div>
        <div className="ledger-lanes" style={{ '--lanes': lanesIn(bars) } as React.CSSProperties}>
          {bars.map((bar) => (
            <button
              key={bar.summary.key}
              type="button"
              className={`ledger-bar${bar.summary.live ? '' : ' ledger-vanished'}`}
              aria-pressed={bar.summary.key === chosen}
              aria-label={barText(t, bar.summary)}
              title={barText(t, bar.summary)}
              style={{ left: percent(bar.left), width: percent(bar.width), '--lane': bar.lane } as React.CSSProperties}
              onClick={() => onChoose(bar.summary.key)}
            />
          ))}
        </div>
        <div className="ledger-marks">
          {written.map((at) => (
            <Mark key={at} name="diamond" at={at} turns={turns} label={t('ledger.written.in', { n: at })} />
          ))}
          {cuts.map((at) => (
            <Mark key={at} name="cut" at={at} turns={turns} label={t('ledger.pruned.in', { n: at })} />
          ))}
        </div>
        {turn > 0 && turns > 0 && (
          <span
            className="ledger-current"
            aria-hidden="true"
            style={{ left: percent((turn - 1) / turns), width: percent(1 / turns) }}
          />
        )}
      </div>
    </figure>
  );
}

const barText = (t: ReturnType<typeof useText>, summary: LedgerSummary): string =>
  t('ledger.bar', {
    state: t(summary.live ? 'ledger.live' : 'ledger.vanished'),
    range: rangeText(t, summary),
    n: summary.tokens === null ? t('app.unknown') : formatInt(summary.tokens.value),
  });

type MarkProps = {
  readonly name: SignName;
  readonly at: number;
  readonly turns: number;
  readonly label: string;
};

const Mark = ({ name, at, turns, label }: MarkProps): ReactNode => (
  <span className={`ledger-mark-${name}`} style={{ left: percent((at - 0.5) / turns) }}>
    <Sign name={name} size={name === 'cut' ? 11 : 8} label={label} />
  </span>
);
