/**
 * The prompt of one call: the verdict on its prefix, the strip to scale, the table of segments, and one segment from
 * close. All of it is drawn from one answer, so that a step to the next turn changes everything at once.
 */
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import type { CallDetail } from '../../../shared/api.ts';
import { useText } from '../../app/language/index.ts';
import { actions, useLens } from '../../app/store.ts';
import { useEngine } from '../../app/use-engine.ts';
import { Empty, ErrorNote, Loading } from '../../ui/index.ts';
import { useCall } from '../use-call.ts';
import { linesOf } from './folding.ts';
import { AssembledLayout } from './AssembledLayout.tsx';
import { Inspector } from './Inspector.tsx';
import { LayoutFrame } from './LayoutFrame.tsx';
import { LayoutVerdict } from './LayoutVerdict.tsx';
import { modelOf, remember, shownSegment, type Remembered } from './view-model.ts';
import './layout.css';

export function LayoutView(): ReactNode {
  const t = useText();
  const call = useCall();
  const answer = useEngine('call.get', call);
  const mode = useLens((state) => state.layoutMode);
  if (answer.error)
    return (
      <div className="view-note">
        <ErrorNote error={answer.error} title={t('layout.failed')} />
      </div>
    );
  if (!call || !answer.value) return <Loading />;
  if (answer.value.segments.length === 0)
    return (
      <Empty
        title={t('layout.empty')}
        hint={t(answer.value.row.empty ? 'layout.empty.concealed' : 'layout.empty.hint')}
      />
    );
  if (mode === 'assembled') return <AssembledLayout sourceId={call.sourceId} recorded={answer.value} />;
  return <Layout sourceId={call.sourceId} detail={answer.value} isStale={answer.isStale} />;
}

type LayoutProps = { readonly sourceId: string; readonly detail: CallDetail; readonly isStale: boolean };

/** Opened runs are kept by name, so that an open history stays open from turn to turn. */
type OpenFolds = ReadonlySet<string>;

function Layout({ sourceId, detail, isStale }: LayoutProps): ReactNode {
  const callId = detail.row.id;
  const chosen = useLens((state) => state.segmentId);
  const [before, setBefore] = useState<Remembered | null>(null);
  const [openFolds, setOpenFolds] = useState<OpenFolds>(new Set());
  const since = useEngine('call.since', { sourceId, callId });

  const model = useMemo(() => modelOf(detail), [detail]);
  const foldKeys = useMemo(() => foldKeysOf(model.runs), [model]);
  const lines = useMemo(
    () => linesOf(model.runs, new Set(foldKeys.flatMap((key, run) => (openFolds.has(key) ? [run] : [])))),
    [model, foldKeys, openFolds],
  );
  const selected = shownSegment(model, isStale ? null : chosen, before);
  const segment = model.segments[selected];

  const select = useCallback(
    (index: number) => {
      const row = model.segments[index];
      if (!row) return;
      setBefore(remember(row));
      actions.selectSegment(row.id);
    },
    [model],
  );
  const toggle = useCallback(
    (run: number) => {
      const key = foldKeys[run] ?? '';
      setOpenFolds((open) => {
        const next = new Set(open);
        if (!next.delete(key)) next.add(key);
        return next;
      });
    },
    [foldKeys],
  );
  const known = since.isStale ? null : since.value;

  return (
    <LayoutFrame
      verdict={<LayoutVerdict model={model} />}
      detail={
        segment ? (
          <Inspector
            sourceId={sourceId}
            callId={callId}
            segment={segment}
            total={model.total}
            since={known?.[segment.id] ?? null}
            detail={detail}
          />
        ) : null
      }
      isStale={isStale}
      model={model}
      lines={lines}
      selected={selected}
      since={known}
      onSelect={select}
      onToggle={toggle}
    />
  );
}

/** `history 0`, `loop 1`: a run by its sort and its place among runs of that sort. */
function foldKeysOf(runs: readonly { readonly fold: string | null }[]): readonly string[] {
  const seen = new Map<string, number>();
  return runs.map(({ fold }) => {
    const name = fold ?? '';
    const nth = seen.get(name) ?? 0;
    seen.set(name, nth + 1);
    return `${name} ${nth}`;
  });
}
