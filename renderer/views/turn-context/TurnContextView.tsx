/** The turn context block by block: who put it there, what it weighs, and what became of it since the turn before. */
import { useMemo, useState, type ReactNode } from 'react';
import type { ContextDetail } from '../../../shared/api.ts';
import type { CallRow } from '../../../shared/model/index.ts';
import { useText } from '../../app/language/index.ts';
import { runtimeName } from '../../app/runtime-name.ts';
import { useLens } from '../../app/store.ts';
import { useEngine } from '../../app/use-engine.ts';
import { Empty, ErrorNote, formatInt, Loading, Tag } from '../../ui/index.ts';
import { useCall } from '../use-call.ts';
import { Block } from './Block.tsx';
import { countBlocks, shownBlocks } from './block-state.ts';
import './turn-context.css';

export function TurnContextView(): ReactNode {
  const t = useText();
  const call = useCall();
  const row = useLens((state) => (state.callId === null ? undefined : state.calls.get(state.callId)));
  const answer = useEngine('call.context', call);
  // The blocks that are gone stand only in the previous turn's own context.
  const previousId = usePreviousFirst(row, answer.value?.previousTurn ?? null);
  const previous = useEngine(
    'call.context',
    call && previousId ? { sourceId: call.sourceId, callId: previousId } : null,
  );

  if (answer.error)
    return (
      <div className="context-pane">
        <ErrorNote error={answer.error} title={t('context.failed')} />
      </div>
    );
  if (!answer.value) return <Loading />;
  return (
    <Blocks
      now={answer.value}
      previous={previous.isStale ? null : previous.value}
      runtimeId={row?.runtimeId ?? ''}
      isStale={answer.isStale}
    />
  );
}

/** The first call of the same runtime in an earlier turn, from the rows that are there. */
function usePreviousFirst(row: CallRow | undefined, turn: number | null): string | null {
  return useLens((state) => {
    if (!row || turn === null) return null;
    const turnId = state.turns[turn - 1]?.turnId;
    const ids = (turnId !== undefined && state.callsByTurn.get(turnId)) || [];
    return ids.find((id) => state.calls.get(id)?.runtimeId === row.runtimeId) ?? null;
  });
}

type BlocksProps = {
  readonly now: ContextDetail;
  readonly previous: ContextDetail | null;
  readonly runtimeId: string;
  readonly isStale: boolean;
};

function Blocks({ now, previous, runtimeId, isStale }: BlocksProps): ReactNode {
  const t = useText();
  /** Closed blocks by key, kept from turn to turn. */
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [showChanges, setShowChanges] = useState(true);
  const blocks = useMemo(() => shownBlocks(now, previous), [now, previous]);
  const counts = useMemo(() => countBlocks(blocks), [blocks]);
  if (blocks.length === 0)
    return <Empty title={t('context.none')} hint={t('context.none.hint', { runtime: runtimeName(runtimeId, t) })} />;

  const tokens = now.blocks.reduce((sum, block) => sum + block.tokens.value, 0);
  const toggle = (key: string): void =>
    setClosed((keys) => {
      const next = new Set(keys);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  const areAllClosed = blocks.every((shown) => closed.has(shown.key));

  return (
    <div className="context-pane" aria-busy={isStale}>
      <header className="context-head">
        <p>
          {t('context.blocks', { n: now.blocks.length })} · {t('layout.tokens', { n: formatInt(tokens) })}{' '}
          <Tag tier="estimated" />
        </p>
        <p className="context-counts">
          {now.previousTurn === null ? t('context.first') : t('context.counts', { turn: now.previousTurn, ...counts })}
        </p>
        <div className="context-tools" role="toolbar" aria-label={t('context.tools')}>
          <button type="button" aria-pressed={showChanges} onClick={() => setShowChanges((shown) => !shown)}>
            {t('context.changes')}
          </button>
          <button
            type="button"
            onClick={() => setClosed(areAllClosed ? new Set() : new Set(blocks.map((shown) => shown.key)))}
          >
            {t(areAllClosed ? 'context.open-all' : 'context.close-all')}
          </button>
        </div>
      </header>
      <div className="context-list">
        {blocks.map((shown) => (
          <Block
            key={shown.key}
            shown={shown}
            isOpen={!closed.has(shown.key)}
            showChanges={showChanges}
            onToggle={() => toggle(shown.key)}
          />
        ))}
      </div>
    </div>
  );
}
