/** The strip in words: one line a segment, neighbours of one sort folded, two thousand messages as quick as twelve. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role --
   A table whose rows are drawn only while in sight cannot be made of table elements. */
import { useEffect, useMemo, type ReactNode } from 'react';
import type { CacheState } from '../../../shared/model/index.ts';
import type { TurnIndex } from '../../../shared/units.ts';
import { useLens } from '../../app/store.ts';
import { useText } from '../../app/language/index.ts';
import { turnOf as turnWithId } from '../../app/turns.ts';
import { formatInt, formatPercent, VirtualList } from '../../ui/index.ts';
import { originOf } from '../parts/names.ts';
import { useSentence } from '../parts/use-sentence.ts';
import { familyColour, familyOf } from './families.ts';
import { lineOfSegment, type Line } from './folding.ts';
import { cacheStateOf, predictionState } from './predicted.ts';
import { stateOf, stateOfRun, type PrefixState } from './prefix-state.ts';
import { familyOfRun, tokensOfRun, type LayoutModel } from './view-model.ts';
import './table.css';

type TableProps = {
  readonly model: LayoutModel;
  readonly lines: readonly Line[];
  readonly selected: number;
  /** Turn since which each segment is unchanged, by id; null until it is known. */
  readonly since: Readonly<Record<string, TurnIndex>> | null;
  /** What stands first in the Origin column of a segment; nothing by default. */
  readonly sourceOf?: (segment: number) => string;
  readonly onSelect: (segment: number) => void;
  readonly onToggle: (run: number) => void;
};

const ROW_HEIGHT = 28;
const COLUMNS = ['segment', 'origin', 'volatility', 'chars', 'tokens', 'share', 'since', 'prefix', 'cache'] as const;
const NUMERIC: ReadonlySet<string> = new Set(['chars', 'tokens', 'share', 'since']);
const lineId = (index: number): string => `segment-line-${index}`;

export function SegmentTable(props: TableProps): ReactNode {
  const { model, lines, selected, since, sourceOf, onSelect, onToggle } = props;
  const t = useText();
  const current = lineOfSegment(lines, model.runs, selected);
  const rows = useRows(model, since, sourceOf);

  // The list keeps the row in its own sight; in a low window the pane around it scrolls as well.
  useEffect(() => {
    if (current < 0) return;
    const frame = requestAnimationFrame(() =>
      document.getElementById(lineId(current))?.scrollIntoView({ block: 'nearest' }),
    );
    return () => cancelAnimationFrame(frame);
  }, [current, model]);

  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    const line = lines[current];
    if (!line || model.runs[line.run]!.fold === null) return;
    event.preventDefault();
    onToggle(line.run);
  };

  const onClick = (event: React.MouseEvent): void => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-line]') : null;
    const line = lines[Number(row?.dataset['line'] ?? -1)];
    if (line?.kind === 'fold') onToggle(line.run);
    else if (line) onSelect(line.segment);
  };

  return (
    <div
      className="segments"
      role="treegrid"
      tabIndex={0}
      aria-label={t('layout.table')}
      aria-rowcount={lines.length + 1}
      aria-colcount={COLUMNS.length}
      aria-activedescendant={current >= 0 ? lineId(current) : undefined}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup" className="segments-head">
        <div role="row" aria-rowindex={1} className="segments-row">
          {COLUMNS.map((column) => (
            <span
              key={column}
              role="columnheader"
              className={`segments-${column}${NUMERIC.has(column) ? ' segments-num' : ''}`}
            >
              {t(`layout.column.${column}`)}
            </span>
          ))}
        </div>
      </div>
      <VirtualList
        count={lines.length}
        rowHeight={ROW_HEIGHT}
        current={current >= 0 ? current : null}
        className="segments-body"
        box={{ role: 'rowgroup', tabIndex: 0, onClick }} // what scrolls must be reachable by keyboard
        row={(index) => {
          const line = lines[index];
          if (!line) return null;
          const cells = rows(line);
          return (
            <div
              role="row"
              id={lineId(index)}
              data-line={index}
              aria-rowindex={index + 2}
              aria-level={cells.inFold ? 2 : 1}
              aria-selected={index === current}
              aria-expanded={line.kind === 'fold' ? line.isOpen : undefined}
              className={`segments-row${index === current ? ' segments-on' : ''}${cells.inFold ? ' segments-in' : ''}`}
            >
              <Cells cells={cells} />
            </div>
          );
        }}
      />
    </div>
  );
}

type RowCells = {
  readonly colour: string;
  /** Sign of a run that opens; null for a segment. */
  readonly fold: '▸' | '▾' | null;
  readonly inFold: boolean;
  readonly name: string;
  readonly origin: string;
  readonly volatility: string;
  readonly chars: number;
  readonly tokens: number;
  readonly share: number;
  readonly since: string;
  readonly state: PrefixState | null;
  /** Predicted; null where nothing is. */
  readonly cache: CacheState | 'mixed' | 'pending' | null;
};

function CacheCell({ state }: { readonly state: RowCells['cache'] }): ReactNode {
  const t = useText();
  const words = state === null ? '—' : state === 'pending' ? '…' : t(`layout.cache.${state}`);
  return (
    <span role="gridcell" className={`segments-cache segments-cache-${state ?? 'none'}`}>
      {words}
    </span>
  );
}

function Cells({ cells }: { readonly cells: RowCells }): ReactNode {
  const t = useText();
  return (
    <>
      <span role="gridcell" className="segments-segment" title={cells.name}>
        <i className="segments-swatch" style={{ background: cells.colour }} />
        {cells.fold && (
          <i className="segments-fold" aria-hidden="true">
            {cells.fold}
          </i>
        )}
        <span>{cells.name}</span>
      </span>
      <span role="gridcell" className="segments-origin segments-mid" title={cells.origin}>
        {cells.origin || '—'}
      </span>
      <span role="gridcell" className="segments-volatility segments-mid">
        {cells.volatility || '—'}
      </span>
      <span role="gridcell" className="segments-chars segments-num segments-mid">
        {formatInt(cells.chars)}
      </span>
      <span role="gridcell" className="segments-tokens segments-num">
        {formatInt(cells.tokens)}
      </span>
      <span role="gridcell" className="segments-share segments-num segments-mid">
        {formatPercent(cells.share)}
      </span>
      <span role="gridcell" className="segments-since segments-num segments-mid">
        {cells.since}
      </span>
      <span role="gridcell" className={`segments-prefix segments-state-${cells.state ?? 'none'}`}>
        {cells.state === null ? '—' : t(`layout.state.${cells.state}`)}
      </span>
      <CacheCell state={cells.cache} />
    </>
  );
}

/** What stands in the cells of a line. */
function useRows(
  model: LayoutModel,
  since: TableProps['since'],
  sourceOf: TableProps['sourceOf'],
): (line: Line) => RowCells {
  const t = useText();
  const say = useSentence();
  const turns = useLens((state) => state.turns);

  return useMemo(() => {
    const { segments, runs, total, cut, detail } = model;
    const cacheOf = (from: number, to: number): RowCells['cache'] =>
      predictionState(detail) === 'pending' ? 'pending' : cacheStateOf(detail, segments, from, to);
    const turnOf = (index: number): number | null => turnWithId(turns, segments[index]!.origin.turnId)?.index ?? null;
    const sinceOf = (from: number, to: number): string => {
      if (!since) return '';
      let newest = 0;
      for (let i = from; i < to; i++) newest = Math.max(newest, since[segments[i]!.id] ?? 0);
      return newest > 0 ? t('layout.turn', { n: newest }) : '';
    };
    const single = (index: number, inFold: boolean): RowCells => {
      const segment = segments[index]!;
      const turn = turnOf(index);
      return {
        colour: familyColour(familyOf(segment.kind)),
        fold: null,
        inFold,
        name:
          segment.kind === 'history'
            ? t(`layout.history.${segment.role}`)
            : say.segment(segment.kind, segment.origin.label),
        origin:
          [sourceOf?.(index) ?? '', turn === null ? '' : t('layout.turn', { n: turn }), originOf(segment)]
            .filter((part) => part !== '')
            .join(' · ') || (familyOf(segment.kind) === 'frame' ? t('layout.framework') : ''),
        volatility: segment.volatility === null ? '' : say.word(`volatility.${segment.volatility}`),
        chars: segment.chars,
        tokens: segment.tokens.value,
        share: total > 0 ? segment.tokens.value / total : 0,
        since: sinceOf(index, index + 1),
        state: stateOf(index, cut),
        cache: cacheOf(index, index + 1),
      };
    };
    const head = (index: number, isOpen: boolean): RowCells => {
      const run = runs[index]!;
      const members = segments.slice(run.from, run.to);
      const written = members.flatMap((_, i) => turnOf(run.from + i) ?? []);
      const [from, to] = [Math.min(...written), Math.max(...written)];
      const first = members[0]!;
      const isAlike = members.every((one) => originOf(one) === originOf(first));
      const volatility = members.every((one) => one.volatility === first.volatility) ? first.volatility : null;
      const sources = new Set(members.map((_, i) => sourceOf?.(run.from + i) ?? ''));
      const tokens = tokensOfRun(model, run);
      return {
        colour: familyColour(familyOfRun(model, run)),
        fold: isOpen ? '▾' : '▸',
        inFold: false,
        name: t(`layout.fold.${run.fold ?? 'history'}`, { n: members.length, kind: say.kind(first.kind) }),
        origin: [
          sources.size === 1 ? ([...sources][0] ?? '') : '',
          written.length > 0
            ? from === to
              ? t('layout.turn', { n: from })
              : t('layout.turns', { from, to })
            : isAlike
              ? originOf(first)
              : '',
        ]
          .filter((part) => part !== '')
          .join(' · '),
        volatility: volatility === null ? '' : say.word(`volatility.${volatility}`),
        chars: members.reduce((sum, one) => sum + one.chars, 0),
        tokens,
        share: total > 0 ? tokens / total : 0,
        since: sinceOf(run.from, run.to),
        state: stateOfRun(run.from, run.to, cut),
        cache: cacheOf(run.from, run.to),
      };
    };
    return (line) => (line.kind === 'segment' ? single(line.segment, line.inFold) : head(line.run, line.isOpen));
  }, [model, since, sourceOf, say, t, turns]);
}
