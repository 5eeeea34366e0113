/** The session turn by turn: what was sent, what was billed for it, and what it cost; a click jumps to the turn. */
import { memo, useMemo, useState, type MouseEvent, type ReactNode } from 'react';
import { Bar, ComposedChart, Line, ResponsiveContainer, YAxis } from 'recharts';
import type { CacheCall } from '../../../shared/model/index.ts';
import { useText, type Translate } from '../../app/language/index.ts';
import { actions, useLens } from '../../app/store.ts';
import { indexOfTurn } from '../../app/turns.ts';
import { formatInt, formatPercent, formatUsd, IconButton, Sign } from '../../ui/index.ts';
import { shareOf } from '../parts/share.ts';
import { billedSum, chartTurns, roundUp, sentOf, turnsToABar, type ChartTurn } from './chart-model.ts';

/** From so many turns on neighbours stand as close as they can, and the line of cost has no dots. */
const MANY = 80;

/** Of a session of few turns the bars stay bars (px). */
const WIDEST = 48;

type PlotProps = { readonly turns: readonly ChartTurn[]; readonly most: number; readonly dearest: number };

/** Drawn again only when its data change: stepping moves the frame of the current turn above it, nothing else. */
const Plot = memo(function Plot({ turns, most, dearest }: PlotProps): ReactNode {
  const isMany = turns.length > MANY;
  const still = { isAnimationActive: false } as const;
  const bar = { ...still, yAxisId: 'tokens', maxBarSize: WIDEST } as const;
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart
        data={[...turns]}
        margin={{ top: 0, right: 0, bottom: 0, left: 0 }}
        barCategoryGap={isMany ? 0.5 : '14%'}
        barGap={isMany ? 0 : 1}
        accessibilityLayer={false}
      >
        <YAxis yAxisId="tokens" hide domain={[0, most]} />
        <YAxis yAxisId="cost" hide orientation="right" domain={[0, dearest || 1]} />
        <Bar {...bar} dataKey="shared" stackId="sent" fill="var(--read)" />
        <Bar {...bar} dataKey="fresh" stackId="sent" fill="var(--k-turn)" />
        <Bar {...bar} dataKey="read" stackId="billed" fill="var(--read)" />
        <Bar {...bar} dataKey="write" stackId="billed" fill="var(--write)" />
        <Bar {...bar} dataKey="uncached" stackId="billed" fill="var(--uncached)" />
        <Line
          {...still}
          yAxisId="cost"
          dataKey="cost"
          type="linear"
          stroke="var(--ink)"
          strokeWidth={1.5}
          dot={isMany ? false : { r: 2, fill: 'var(--ink)', stroke: 'var(--surface)', strokeWidth: 1 }}
          activeDot={false}
          connectNulls={false}
        />
      </ComposedChart>
    </ResponsiveContainer>
  );
});

/** Everything that is drawn of a turn, in words. */
function turnText(turn: ChartTurn, t: Translate): readonly string[] {
  const name = t(turn.from === turn.to ? 'cache.chart.turn' : 'cache.chart.turns', { from: turn.from, to: turn.to });
  if (turn.calls === 0) return [name, t('cache.chart.none')];
  const sent = sentOf(turn);
  return [
    name,
    t('cache.chart.sent.words', { n: formatInt(sent), share: formatPercent(sent > 0 ? turn.shared / sent : 0) }),
    ...(billedSum(turn) > 0
      ? [
          t('cache.chart.billed.words', {
            read: formatInt(turn.read),
            write: formatInt(turn.write),
            uncached: formatInt(turn.uncached),
          }),
        ]
      : []),
    ...(turn.unbilled > 0 ? [t('cache.chart.unbilled', { n: turn.unbilled })] : []),
    turn.cost === null ? t('cache.chart.cost.unknown') : formatUsd(turn.cost),
    ...(turn.cost !== null && turn.unpriced > 0 ? [t('cache.unpriced', { n: turn.unpriced })] : []),
  ];
}

export function CacheChart({ calls }: { readonly calls: readonly CacheCall[] }): ReactNode {
  const t = useText();
  const rows = useLens((state) => state.calls);
  const total = useLens((state) => state.turnTotal);
  const turn = useLens((state) => indexOfTurn(state.turns, state.turnId) + 1);
  const [pointed, setPointed] = useState<number | null>(null);

  const turns = useMemo(() => {
    const share = (id: string): number | null => {
      const row = rows.get(id);
      return row ? shareOf(row) : null;
    };
    return chartTurns(calls, total, share);
  }, [calls, rows, total]);
  const most = useMemo(
    () => roundUp(turns.reduce((max, one) => Math.max(max, sentOf(one), billedSum(one)), 0)),
    [turns],
  );
  const dearest = useMemo(() => roundUp(turns.reduce((max, one) => Math.max(max, one.cost ?? 0), 0)), [turns]);
  const current = turns.findIndex((one) => turn >= one.from && turn <= one.to);
  const size = turnsToABar(total);
  const words = turns[pointed ?? current];

  const find = (event: MouseEvent<HTMLElement>): number => {
    const box = event.currentTarget.getBoundingClientRect();
    return Math.min(turns.length - 1, Math.floor(((event.clientX - box.left) / box.width) * turns.length));
  };

  return (
    <section className="cache-chart" aria-label={t('cache.chart')}>
      <div className="cache-chart-head">
        <span>
          {t('cache.chart')}
          {size > 1 && ` · ${t('chart.binned', { n: size })}`}
        </span>
        <Key name="sent" parts={['shared', 'new']} />
        <Key name="billed" parts={['read', 'write', 'uncached']} />
        <span className="cache-chart-cost">
          <i /> {t('cache.chart.cost')}
        </span>
        <IconButton label={t('chart.close')} onClick={actions.toggleChart}>
          <Sign name="cross" size={8} />
        </IconButton>
      </div>
      <div className="cache-chart-body" aria-hidden="true">
        <Axis values={[most, most / 2, 0]} format={formatInt} />
        <div className="cache-chart-plot">
          {most > 0 && <Plot turns={turns} most={most} dearest={dearest} />}
          {current >= 0 && (
            <span
              className="cache-chart-current"
              style={{ left: `${(current / turns.length) * 100}%`, width: `${100 / turns.length}%` }}
            />
          )}
          {/* Turns are chosen by keys as well: this is the same jump for the mouse. */}
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
          <div
            className="cache-chart-columns"
            onMouseMove={(event) => setPointed(find(event))}
            onMouseLeave={() => setPointed(null)}
            onClick={(event) => {
              const to = turns[find(event)];
              if (to) actions.selectTurnIndex(to.from);
            }}
          />
        </div>
        <Axis values={dearest > 0 ? [dearest, dearest / 2, 0] : []} format={axisUsd} isRight />
      </div>
      <p className="cache-chart-words">{words ? turnText(words, t).join(' · ') : ''}</p>
      <Table turns={turns} />
    </section>
  );
}

const PART_WORDS = {
  shared: 'chart.shared',
  new: 'chart.new',
  read: 'cache.chart.read',
  write: 'cache.chart.write',
  uncached: 'cache.chart.uncached',
} as const;

/** A round amount without the digits it does not need. */
const axisUsd = (micros: number): string => `$${Number((micros / 1e6).toPrecision(3))}`;

/** One of the two bars of a turn, by its parts. */
function Key(props: {
  readonly name: 'sent' | 'billed';
  readonly parts: readonly (keyof typeof PART_WORDS)[];
}): ReactNode {
  const t = useText();
  return (
    <span className="cache-chart-key">
      {t(`cache.chart.${props.name}`)}
      {props.parts.map((part) => (
        <span key={part}>
          <i className={`cache-part-${part}`} /> {t(PART_WORDS[part])}
        </span>
      ))}
    </span>
  );
}

function Axis(props: {
  readonly values: readonly number[];
  readonly format: (value: number) => string;
  readonly isRight?: boolean;
}): ReactNode {
  return (
    <div className={props.isRight ? 'cache-axis cache-axis-right' : 'cache-axis'}>
      {props.values.map((value) => (
        <span key={value}>{props.format(value)}</span>
      ))}
    </div>
  );
}

/** The same figures for those who do not see the bars. */
const Table = memo(function Table({ turns }: { readonly turns: readonly ChartTurn[] }): ReactNode {
  const t = useText();
  return (
    <ol className="visually-hidden" aria-label={t('cache.chart')}>
      {turns.map((turn) => (
        <li key={turn.from}>{turnText(turn, t).join(', ')}</li>
      ))}
    </ol>
  );
});
