/**
 * What was taken away from the prompts of a session, and what that cost: summaries in the place of history, messages
 * cut for a budget, tool results of long runs. It belongs to the session, so stepping through turns leaves it standing.
 */
import { useState, type ReactNode } from 'react';
import type { Ledger } from '../../../shared/model/index.ts';
import { useText } from '../../app/language/index.ts';
import { useLens } from '../../app/store.ts';
import { useEngine } from '../../app/use-engine.ts';
import { ErrorNote, formatInt, Loading, Split, Tag } from '../../ui/index.ts';
import { sideWidth } from '../side-width.ts';
import { shownSummary, totalsOf } from './ledger-model.ts';
import { LedgerLine } from './LedgerLine.tsx';
import { Prunings, ToolGroups } from './Losses.tsx';
import { SummaryPane } from './SummaryPane.tsx';
import { SummaryTable } from './SummaryTable.tsx';
import './ledger.css';

export function LedgerView(): ReactNode {
  const t = useText();
  const sourceId = useLens((state) => state.source?.sourceId ?? null);
  const sessionId = useLens((state) => state.sessionId);
  const ref = sourceId === null || sessionId === null ? null : { sourceId, sessionId };
  const answer = useEngine('ledger.get', ref);
  if (answer.error)
    return (
      <div className="view-note">
        <ErrorNote error={answer.error} title={t('ledger.failed')} />
      </div>
    );
  if (!ref || !answer.value) return <Loading />;
  return <Screen sourceId={ref.sourceId} ledger={answer.value} isStale={answer.isStale} />;
}

type ScreenProps = { readonly sourceId: string; readonly ledger: Ledger; readonly isStale: boolean };

function Screen({ sourceId, ledger, isStale }: ScreenProps): ReactNode {
  const t = useText();
  const inspectorOpen = useLens((state) => state.inspectorOpen);
  const [chosen, setChosen] = useState<string | null>(null);
  const summary = shownSummary(ledger.summaries, chosen);
  const totals = totalsOf(ledger.summaries);

  return (
    <Split
      id="ledger"
      orientation="horizontal"
      label={t('ledger.resize')}
      panels={[
        {
          id: 'pane',
          min: 320,
          content: (
            // A box that scrolls must be reachable by keyboard.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            <section className="ledger" tabIndex={0} aria-label={t('view.ledger')} aria-busy={isStale}>
              <p className="ledger-counts">
                {ledger.summaries.length === 0 ? (
                  t('ledger.none')
                ) : (
                  <>
                    {t('ledger.counts', {
                      ...totals,
                      messages: formatInt(totals.messages),
                      tokens: formatInt(totals.tokens),
                    })}{' '}
                    <Tag tier="estimated" />
                  </>
                )}
              </p>
              <LedgerLine ledger={ledger} chosen={summary?.key ?? null} onChoose={setChosen} />
              {ledger.summaries.length > 0 && (
                <SummaryTable summaries={ledger.summaries} chosen={summary?.key ?? null} onChoose={setChosen} />
              )}
              <Prunings pruned={ledger.pruned} />
              <ToolGroups groups={ledger.toolGroups} />
              <section className="ledger-losses">
                <h2>{t('ledger.decay')}</h2>
                <p>{t('ledger.decay.none')}</p>
              </section>
            </section>
          ),
        },
        {
          id: 'inspector',
          open: inspectorOpen && summary !== null,
          size: sideWidth(),
          min: 240,
          content: summary && (
            <SummaryPane
              key={summary.key}
              sourceId={sourceId}
              sessionId={ledger.sessionId}
              summary={summary}
              all={ledger.summaries}
            />
          ),
        },
      ]}
    />
  );
}
