/** A way from the ledger to a call, in the view where one sees what happened to it. */
import type { ReactNode } from 'react';
import type { LedgerCall } from '../../../shared/model/index.ts';
import { shortRuntime } from '../../app/lanes.ts';
import { useText } from '../../app/language/index.ts';
import { actions } from '../../app/store.ts';

export function CallLink({ call }: { readonly call: LedgerCall }): ReactNode {
  const t = useText();
  return (
    <button
      type="button"
      className="ledger-call"
      title={t('ledger.call.hint')}
      onClick={() => actions.showDiff(call.callId, call.turnIndex)}
    >
      {t('ledger.call', { runtime: shortRuntime(call.runtimeId), n: call.turnIndex })}
    </button>
  );
}
