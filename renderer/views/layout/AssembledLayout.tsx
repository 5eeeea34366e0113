/**
 * The prompt of one call, assembled anew: the verdict on how it stands to the recorded one, the same strip and table,
 * and for each segment whether the database still holds it or only the recording does.
 */
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import type { AssembledDetail, CallDetail, TakenFrom } from '../../../shared/api.ts';
import { useText } from '../../app/language/index.ts';
import { useEngine } from '../../app/use-engine.ts';
import { Code, ErrorNote, formatPercent, Loading } from '../../ui/index.ts';
import { useSentence } from '../parts/use-sentence.ts';
import { Verdict } from '../parts/Verdict.tsx';
import { AssembledText } from './AssembledText.tsx';
import { linesOf } from './folding.ts';
import { LayoutFrame } from './LayoutFrame.tsx';
import { ModeSwitch } from './ModeSwitch.tsx';
import { modelOf } from './view-model.ts';

type Props = { readonly sourceId: string; readonly recorded: CallDetail };

export function AssembledLayout({ sourceId, recorded }: Props): ReactNode {
  const t = useText();
  const answer = useEngine('call.assembled', { sourceId, callId: recorded.row.id });
  if (answer.error)
    return (
      <div className="layout-pane">
        <ModeSwitch />
        <ErrorNote error={answer.error} title={t('assembled.failed')} />
      </div>
    );
  if (!answer.value) return <Loading />;
  return <Layout assembled={answer.value} recorded={recorded} isStale={answer.isStale} />;
}

type LayoutProps = {
  readonly assembled: AssembledDetail;
  readonly recorded: CallDetail;
  readonly isStale: boolean;
};

function Layout({ assembled, recorded, isStale }: LayoutProps): ReactNode {
  const say = useSentence();
  const [chosen, setChosen] = useState<string | null>(null);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());

  // What was billed and compared belongs to the recorded request.
  const model = useMemo(
    () =>
      modelOf({
        ...recorded,
        segments: assembled.segments,
        breakpoints: [],
        marks: [],
        usage: null,
        usageProblems: [],
        predictionState: 'done',
        prediction: null,
        predictedEnds: [],
        segmentStates: {},
        comparison: null,
      }),
    [assembled, recorded],
  );
  const lines = useMemo(() => linesOf(model.runs, open), [model, open]);
  const wanted = chosen ?? assembled.first?.segmentId ?? null;
  const found = assembled.segments.findIndex(({ id }) => id === wanted);
  const selected = found < 0 && assembled.segments.length > 0 ? 0 : found;
  const segment = assembled.segments[selected];

  const select = useCallback((index: number) => setChosen(assembled.segments[index]?.id ?? null), [assembled]);
  const toggle = useCallback((run: number) => {
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(run)) next.add(run);
      return next;
    });
  }, []);
  const sourceOf = useCallback(
    (index: number) => say.word(`from.${assembled.segments[index]?.from ?? 'database'}`),
    [assembled, say],
  );

  return (
    <LayoutFrame
      verdict={<AssembledVerdict assembled={assembled} />}
      detail={segment ? <AssembledText segment={segment} total={model.total} /> : null}
      isStale={isStale}
      model={model}
      lines={lines}
      selected={selected}
      since={null}
      sourceOf={sourceOf}
      onSelect={select}
      onToggle={toggle}
    />
  );
}

/** Share of the characters by where they come from. */
function sharesOf({ segments, chars }: AssembledDetail): Readonly<Record<TakenFrom, string>> {
  const of = (from: TakenFrom): string =>
    formatPercent(chars > 0 ? segments.reduce((sum, one) => sum + (one.from === from ? one.chars : 0), 0) / chars : 0);
  return { database: of('database'), framework: of('framework'), recorded: of('recorded') };
}

function AssembledVerdict({ assembled }: { readonly assembled: AssembledDetail }): ReactNode {
  const t = useText();
  const say = useSentence();
  const { first, window } = assembled;
  const facts = [
    t('assembled.sources', sharesOf(assembled)),
    ...(window === null ? [] : [t('assembled.window', { n: window })]),
  ];
  if (!first)
    return (
      <Verdict tone="held" tier={null} title={t('assembled.equal')}>
        <p>{say.join(facts)}</p>
      </Verdict>
    );
  const name = first.kind === null ? say.part(first.where) : say.segment(first.kind, first.segment ?? '');
  return (
    <Verdict
      tone="broken"
      tier={null}
      title={
        <>
          {t('assembled.differs')} <Code>{name}</Code>
        </>
      }
    >
      <p>
        {say.join([
          say.word(`reassembly.${first.reason}`),
          t('assembled.place', { where: say.part(first.where), n: first.offset }),
        ])}
      </p>
      <dl className="assembled-sides">
        <dt>{t('assembled.was')}</dt>
        <dd title={first.recorded ?? ''}>{first.recorded ?? t('assembled.nothing')}</dd>
        <dt>{t('assembled.now')}</dt>
        <dd title={first.assembled ?? ''}>{first.assembled ?? t('assembled.nothing')}</dd>
      </dl>
      <p>{say.join(facts)}</p>
    </Verdict>
  );
}
