/** One row a summary: what it covers, what it weighs, what it came from, and whose prefix it ended. */
import type { ReactNode } from 'react';
import type { LedgerSummary } from '../../../shared/model/index.ts';
import { useText } from '../../app/language/index.ts';
import { formatInt } from '../../ui/index.ts';
import { CallLink } from './CallLink.tsx';
import { fillOf, SEGMENT_CAP } from './ledger-model.ts';
import { countText, mergedText, rangeText, yesText } from './words.ts';

type TableProps = {
  readonly summaries: readonly LedgerSummary[];
  readonly chosen: string | null;
  readonly onChoose: (key: string) => void;
};

export function SummaryTable({ summaries, chosen, onChoose }: TableProps): ReactNode {
  const t = useText();
  return (
    <table className="ui-table ledger-table" aria-label={t('ledger.summaries')}>
      <thead>
        <tr>
          <th scope="col">{t('ledger.column.covers')}</th>
          <th scope="col" className="ui-num">
            {t('ledger.column.messages')}
          </th>
          <th scope="col" className="ui-num">
            {t('ledger.column.size')}
          </th>
          <th scope="col">{t('ledger.column.budget')}</th>
          <th scope="col" className="ledger-wide">
            {t('ledger.column.merged')}
          </th>
          <th scope="col" className="ledger-wide">
            {t('ledger.column.truncated')}
          </th>
          <th scope="col" className="ui-num ledger-mid">
            {t('ledger.column.written')}
          </th>
          <th scope="col">{t('ledger.column.broke')}</th>
        </tr>
      </thead>
      <tbody>
        {summaries.map((summary) => (
          // The button of the row does the same by keyboard.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
          <tr
            key={summary.key}
            className={summary.key === chosen ? 'ledger-on' : ''}
            onClick={() => onChoose(summary.key)}
          >
            <th scope="row">
              <button type="button" aria-pressed={summary.key === chosen} onClick={() => onChoose(summary.key)}>
                <i className={`ledger-key${summary.live ? '' : ' ledger-vanished'}`} aria-hidden="true" />
                <span>{rangeText(t, summary)}</span>
                {!summary.live && <small>{t('ledger.vanished')}</small>}
              </button>
            </th>
            <td className="ui-num">{countText(t, summary.messages)}</td>
            <td className="ui-num">{countText(t, summary.tokens?.value ?? null)}</td>
            <td>
              <Budget summary={summary} />
            </td>
            <td className="ledger-wide">{mergedText(t, summary.mergedFrom)}</td>
            <td className="ledger-wide">{yesText(t, summary.truncated)}</td>
            <td className="ui-num ledger-mid">
              {summary.madeIn === null ? t('app.unknown') : t('layout.turn', { n: summary.madeIn })}
            </td>
            <td className="ledger-broke">
              {summary.broke.length === 0
                ? '—'
                : summary.broke.map((call) => <CallLink key={call.callId} call={call} />)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** To scale of the budget; where that is unknown, of what no budget exceeds, and the frame of the bar is dashed. */
function Budget({ summary }: { readonly summary: LedgerSummary }): ReactNode {
  const t = useText();
  const { budget } = summary;
  return (
    <span className="ledger-budget" title={budget ? undefined : t('ledger.budget.hint', { n: formatInt(SEGMENT_CAP) })}>
      <span className={`ledger-size${budget ? '' : ' ledger-size-unknown'}`} aria-hidden="true">
        <i style={{ width: `${fillOf(summary) * 100}%` }} />
      </span>
      {budget ? formatInt(budget.segment) : t('app.unknown')}
    </span>
  );
}
