/** The session at a glance: input tokens per turn of one runtime, what was shared and what was new; a click jumps. */
import { memo, useMemo, type MouseEvent, type ReactNode } from 'react';
import { Bar, BarChart, ResponsiveContainer, YAxis } from 'recharts';
import { useText } from '../../app/language/index.ts';
import { shortRuntimeName } from '../../app/runtime-name.ts';
import { actions, useLens } from '../../app/store.ts';
import { indexOfTurn } from '../../app/turns.ts';
import { formatInt, formatPercent, IconButton, Sign } from '../../ui/index.ts';
import { barOfTurn, barShare, barTotal, binSize, chartBars, chartRuntime, type ChartBar } from './chart-data.ts';
import './session-chart.css';

/** Drawn again only when its data change: stepping moves the frame of the current turn above it, nothing else. */
const Bars = memo(function Bars(props: {
  readonly bars: readonly ChartBar[];
  readonly max: number;
  /** Kept free above the tallest bar (px). */
  readonly headRoom: number;
}): ReactNode {
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart
        data={[...props.bars]}
        margin={{ top: props.headRoom, right: 0, bottom: 0, left: 0 }}
        barCategoryGap={props.bars.length > 120 ? 0.5 : 1.5}
        accessibilityLayer={false}
      >
        <YAxis hide domain={[0, props.max]} />
        <Bar dataKey="shared" stackId="turn" fill="var(--read)" isAnimationActive={false} />
        <Bar dataKey="fresh" stackId="turn" fill="var(--k-turn)" isAnimationActive={false} />
      </BarChart>
    </ResponsiveContainer>
  );
});

/** Pixels; a diamond may not be much wider than its bar. */
const diamondSize = (bars: readonly ChartBar[]): number => (bars.length > 120 ? 3 : 8);

function useBarText(): (bar: ChartBar) => string {
  const t = useText();
  return (bar) =>
    t(bar.from === bar.to ? 'chart.bar' : 'chart.bars', {
      from: formatInt(bar.from),
      to: formatInt(bar.to),
      tokens: formatInt(barTotal(bar)),
      share: formatPercent(barShare(bar)),
    });
}

/** Names of the bars under the pointer, and the diamonds of compactions. */
const Columns = memo(function Columns(props: { readonly bars: readonly ChartBar[] }): ReactNode {
  const text = useBarText();
  const t = useText();
  const size = diamondSize(props.bars);
  return props.bars.map((bar) => (
    <i key={bar.from} title={bar.calls > 0 ? text(bar) : undefined}>
      {bar.compactions > 0 && <Sign name="diamond" size={size} label={t('mark.compaction', { n: bar.compactions })} />}
    </i>
  ));
});

/** The same figures for those who do not see the bars. */
const Table = memo(function Table(props: { readonly bars: readonly ChartBar[]; readonly caption: string }): ReactNode {
  const t = useText();
  return (
    <table className="visually-hidden">
      <caption>{props.caption}</caption>
      <thead>
        <tr>
          <th scope="col">{t('chart.turn')}</th>
          <th scope="col">{t('chart.tokens')}</th>
          <th scope="col">{t('chart.shared')}</th>
        </tr>
      </thead>
      <tbody>
        {props.bars.map((bar) => (
          <tr key={bar.from}>
            <th scope="row">{bar.from === bar.to ? bar.from : `${bar.from}–${bar.to}`}</th>
            <td>{formatInt(barTotal(bar))}</td>
            <td>{formatPercent(barShare(bar))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
});

export function SessionChart(): ReactNode {
  const t = useText();
  const turns = useLens((state) => state.turns);
  const calls = useLens((state) => state.calls);
  const callsByTurn = useLens((state) => state.callsByTurn);
  const runtimeId = useLens((state) =>
    chartRuntime(state.callId === null ? undefined : state.calls.get(state.callId), state.calls),
  );
  const turn = useLens((state) => indexOfTurn(state.turns, state.turnId) + 1);

  const bars = useMemo(
    () => (runtimeId === null ? [] : chartBars(turns, callsByTurn, calls, runtimeId)),
    [turns, callsByTurn, calls, runtimeId],
  );
  const max = useMemo(() => bars.reduce((most, bar) => Math.max(most, barTotal(bar)), 0), [bars]);
  // Diamonds stand above the bars, never on them.
  const headRoom = bars.some((bar) => bar.compactions > 0) ? diamondSize(bars) + 3 : 0;
  const current = barOfTurn(bars, turn);
  const size = binSize(turns.length);
  const caption = t('chart.label', { runtime: shortRuntimeName(runtimeId ?? '', t) });
  const jump = (event: MouseEvent<HTMLElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const bar = bars[Math.floor(((event.clientX - box.left) / box.width) * bars.length)];
    if (bar) actions.selectTurnIndex(bar.from);
  };

  return (
    <section className="chart" aria-label={caption}>
      <div className="chart-head">
        <span>
          {caption} ·{' '}
          <span className="chart-shared">
            <i /> {t('chart.shared')}
          </span>{' '}
          <span className="chart-new">
            <i /> {t('chart.new')}
          </span>{' '}
          <span className="chart-compaction">
            <Sign name="diamond" size={8} /> {t('chart.compaction')}
          </span>
          {size > 1 && ` · ${t('chart.binned', { n: size })}`}
        </span>
        <span className="chart-max" title={t('chart.max')}>
          {max > 0 && formatInt(max)}
        </span>
        <IconButton label={t('chart.close')} onClick={actions.toggleChart}>
          <Sign name="cross" size={8} />
        </IconButton>
      </div>
      {max === 0 ? (
        <p className="chart-empty">{t('chart.empty')}</p>
      ) : (
        <div className="chart-plot" aria-hidden="true">
          <Bars bars={bars} max={max} headRoom={headRoom} />
          {current >= 0 && (
            <span
              className="chart-current"
              style={{ left: `${(current / bars.length) * 100}%`, width: `${100 / bars.length}%` }}
            />
          )}
          {/* Turns are chosen by keys as well: this is the same jump for the mouse. */}
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
          <div className="chart-columns" onClick={jump}>
            <Columns bars={bars} />
          </div>
        </div>
      )}
      <Table bars={bars} caption={caption} />
    </section>
  );
}
