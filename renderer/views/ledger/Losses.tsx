/** What was left out of single requests: messages cut for the budget, tool results of a long run. */
import type { ReactNode } from 'react';
import type { LedgerPruning, LedgerToolGroup } from '../../../shared/model/index.ts';
import { useText } from '../../app/language/index.ts';
import { shortRuntime } from '../../app/lanes.ts';
import { formatInt, Sign } from '../../ui/index.ts';
import { CallLink } from './CallLink.tsx';

export function Prunings({ pruned }: { readonly pruned: readonly LedgerPruning[] }): ReactNode {
  const t = useText();
  return (
    <section className="ledger-losses">
      <h2>{t('ledger.prunings')}</h2>
      {pruned.length === 0 ? (
        <p>{t('ledger.prunings.none')}</p>
      ) : (
        <ul>
          {pruned.map((one, i) => (
            <li key={`${one.createdAt} ${i}`}>
              <Sign name="cut" size={11} />
              {one.callId !== null && one.runtimeId !== null && one.turnIndex !== null ? (
                <CallLink call={{ callId: one.callId, runtimeId: one.runtimeId, turnIndex: one.turnIndex }} />
              ) : (
                <span>
                  {one.turnIndex === null
                    ? shortRuntime(one.runtimeId ?? '') || t('app.unknown')
                    : t('ledger.call', {
                        runtime: one.runtimeId === null ? t('app.unknown') : shortRuntime(one.runtimeId),
                        n: one.turnIndex,
                      })}
                </span>
              )}
              <span className="ledger-dim">
                {one.messages === null
                  ? t('ledger.pruning.unknown')
                  : t('ledger.pruning.messages', { n: one.messages })}
                {one.callId === null && ` · ${t('ledger.pruning.no-call')}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

export function ToolGroups({ groups }: { readonly groups: readonly LedgerToolGroup[] }): ReactNode {
  const t = useText();
  return (
    <section className="ledger-losses">
      <h2>{t('ledger.tools')}</h2>
      {groups.length === 0 ? (
        <p>{t('ledger.tools.none')}</p>
      ) : (
        <ul>
          {groups.map((group, i) => (
            <li key={`${group.callId} ${i}`}>
              <CallLink call={group} />
              <span>{group.tools.join(', ')}</span>
              <span className="ledger-dim">
                {t(`ledger.tools.${group.kind}`)} ·{' '}
                {t('ledger.tools.size', {
                  before: formatInt(group.before.value),
                  after: group.after === null ? t('app.unknown') : formatInt(group.after.value),
                })}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
