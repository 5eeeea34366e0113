/** Why tokens were paid again, dearest first. A row opens its calls; Enter or a click on a call leads to its difference. */
/* oxlint-disable jsx-a11y/no-noninteractive-element-to-interactive-role, jsx-a11y/prefer-tag-over-role --
   A table whose rows open is a tree grid; its keys are its own. */
import { useEffect, useMemo, useRef, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import type { CacheCall, CacheCauseRow } from '../../../shared/model/index.ts';
import { useText } from '../../app/language/index.ts';
import { runtimeName, shortRuntimeName } from '../../app/runtime-name.ts';
import { actions, useLens } from '../../app/store.ts';
import { lendStep } from '../../app/view-steps.ts';
import { columnDecimals, formatInt } from '../../ui/index.ts';
import { useSentence } from '../parts/use-sentence.ts';
import { causeKey, causeLines, chosenLine, stepLine, toggled, withMore, type CauseLine } from './cause-lines.ts';
import { showCall } from './CallLink.tsx';
import { MoneyCell } from './Figure.tsx';

const lineId = (index: number): string => `cause-line-${index}`;
const COLUMNS = 7;

type Props = { readonly causes: readonly CacheCauseRow[]; readonly calls: readonly CacheCall[] };

export function CauseTable({ causes, calls }: Props): ReactNode {
  const t = useText();
  const place = useLens((state) => state.cachePlace);
  const table = useRef<HTMLTableElement>(null);
  const byId = useMemo(() => new Map(calls.map((call) => [call.id, call])), [calls]);
  const lines = useMemo(() => causeLines(causes, byId, place.open), [causes, byId, place.open]);
  const current = chosenLine(lines, place.line);
  // The calls of a cause have digits of their own: opening one must not move the figures of the others.
  const decimals = useMemo(() => {
    const ofCalls = ({ callIds }: CacheCauseRow) =>
      columnDecimals(callIds.map((id) => byId.get(id)?.wastedCost ?? null));
    return {
      causes: columnDecimals(causes.map((row) => row.cost)),
      calls: new Map(causes.map((row) => [causeKey(row), ofCalls(row)])),
    };
  }, [causes, byId]);

  const choose = (line: string | null): void => actions.setCachePlace({ line });
  const act = (line: CauseLine): void => {
    if (line.kind === 'call') return showCall(line.call);
    if (line.kind === 'cause') actions.setCachePlace({ line: line.key, open: toggled(place.open, line.key) });
    // The line of what is left stands at the end again; the first of the new calls takes its place.
    else if (line.kind === 'more') actions.setCachePlace({ open: withMore(place.open, causeKey(line.row)) });
  };

  useEffect(
    () =>
      lendStep('line', (by) => {
        table.current?.focus({ preventScroll: true });
        choose(stepLine(lines, lines[current]?.key ?? null, by));
      }),
    [lines, current],
  );
  useEffect(() => {
    // Only what a person chose is brought into sight.
    if (place.line !== null) document.getElementById(lineId(current))?.scrollIntoView({ block: 'nearest' });
  }, [place.line, current]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const line = lines[current];
    if (!line) return;
    if (event.key === 'ArrowDown') choose(stepLine(lines, line.key, 1));
    else if (event.key === 'ArrowUp') choose(stepLine(lines, line.key, -1));
    else if (event.key === 'Enter') act(line);
    else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent): void => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-line]') : null;
    const line = lines[Number(row?.dataset['line'] ?? -1)];
    if (!line) return;
    choose(line.key);
    act(line);
  };

  if (causes.length === 0) return <p className="cache-none">{t('cache.causes.none')}</p>;
  return (
    <table
      ref={table}
      className="ui-table cache-table cache-causes"
      role="treegrid"
      tabIndex={0}
      aria-label={t('cache.causes')}
      aria-activedescendant={current >= 0 ? lineId(current) : undefined}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      <thead>
        <tr>
          <th scope="col">{t('cache.column.cause')}</th>
          <th scope="col">{t('cache.column.runtime')}</th>
          <th scope="col" className="ui-num">
            {t('cache.column.calls')}
          </th>
          <th scope="col" className="ui-num">
            {t('cache.column.tokens')}
          </th>
          <th scope="col" className="ui-num">
            {t('cache.column.cost')}
          </th>
          <th scope="col" className="cache-bars">
            <span className="visually-hidden">{t('cache.column.bar')}</span>
          </th>
          <th scope="col">{t('cache.column.advice')}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => (
          <Line
            key={line.key}
            line={line}
            index={index}
            isOn={line.key === place.line}
            isCurrent={index === current}
            decimals={line.kind === 'call' ? (decimals.calls.get(causeKey(line.row)) ?? 2) : decimals.causes}
          />
        ))}
      </tbody>
    </table>
  );
}

type LineProps = {
  readonly line: CauseLine;
  readonly index: number;
  /** A person chose it. */
  readonly isOn: boolean;
  /** Where the keys go on from. */
  readonly isCurrent: boolean;
  readonly decimals: number;
};

function Line({ line, index, isOn, isCurrent, decimals }: LineProps): ReactNode {
  const t = useText();
  const say = useSentence();
  if (line.kind === 'note') {
    const { kind, advice } = line.row;
    return (
      <tr className="cache-cause-note">
        <td colSpan={COLUMNS}>
          <p>{say.join([say.word(`cause.${kind}.meaning`), ...(advice ? [say.say(advice)] : [])])}</p>
        </td>
      </tr>
    );
  }
  const row = {
    id: lineId(index),
    'data-line': index,
    'aria-selected': isCurrent,
    'aria-level': line.kind === 'cause' ? 1 : 2,
    className: `cache-line-${line.kind}${isOn ? ' cache-on' : ''}`,
  };
  if (line.kind === 'more')
    return (
      <tr {...row}>
        <td colSpan={COLUMNS}>{t('cache.cause.more', { n: line.rest })}</td>
      </tr>
    );
  if (line.kind === 'call') {
    const { call } = line;
    const evidence = say.join((call.cause?.evidence ?? []).map((one) => say.say(one)));
    return (
      <tr {...row} title={t('cache.call.hint')}>
        <td>{t('layout.turn', { n: call.turnIndex })}</td>
        <td className="cache-mid" colSpan={2}>
          {[
            ...(call.step > 0 ? [t('strip.step', { n: call.step })] : []),
            ...(call.attempt > 0 ? [t('strip.retry', { n: call.attempt })] : []),
          ].join(' · ')}
        </td>
        <td className="ui-num">{formatInt(call.wasted)}</td>
        <MoneyCell micros={call.wastedCost} decimals={decimals} />
        <td className="cache-mid cache-cut" colSpan={2} title={evidence}>
          {evidence}
        </td>
      </tr>
    );
  }
  const { kind, runtimeId, callIds, tokens, cost, advice } = line.row;
  const words = advice ? say.say(advice) : '';
  return (
    <tr {...row} aria-expanded={line.isOpen}>
      <td className="cache-cause">
        <i aria-hidden="true">{line.isOpen ? '▾' : '▸'}</i> {say.word(`cause.${kind}`)}
      </td>
      <td className="cache-mid cache-cut" title={runtimeName(runtimeId, t)}>
        {shortRuntimeName(runtimeId, t)}
      </td>
      <td className="ui-num">{formatInt(callIds.length)}</td>
      <td className="ui-num">{formatInt(tokens)}</td>
      <MoneyCell micros={cost} decimals={decimals} />
      <td className="cache-bars">
        <span className="cache-bar" aria-hidden="true">
          {line.share > 0 && <i style={{ width: `${line.share * 100}%` }} />}
        </span>
      </td>
      <td className="cache-mid cache-cut" title={words}>
        {words || '—'}
      </td>
    </tr>
  );
}
