/** Two requests side by side, placed where they part, under a line that says where that is and what it cost. */
import { Suspense, useRef, useState, type ReactNode } from 'react';
import type { DiffDetail } from '../../../shared/api.ts';
import type { SegmentChange, SegmentRow } from '../../../shared/model/index.ts';
import { useText } from '../../app/language/index.ts';
import { runtimeName } from '../../app/runtime-name.ts';
import { actions, useLens } from '../../app/store.ts';
import { useEngine } from '../../app/use-engine.ts';
import { Code, Empty, ErrorNote, formatInt, formatPercent, Loading } from '../../ui/index.ts';
import { familyColour, familyOf } from '../layout/families.ts';
import { tokenShare } from '../parts/share.ts';
import { useSentence } from '../parts/use-sentence.ts';
import { Reasons, Verdict } from '../parts/Verdict.tsx';
import { countChanges, toneOf } from '../parts/verdict.ts';
import { useCall, type CallRef } from '../use-call.ts';
import { lazyEditor } from '../../ui/monaco/words.tsx';
import { useHidden } from '../../ui/use-hidden.ts';
import { useDrawnTheme } from '../use-drawn-theme.ts';
import { BaselineChooser } from './BaselineChooser.tsx';
import { changeRuns, ownerOf, shapeOf } from './diff-facts.ts';
import './diff.css';

const TextDiff = lazyEditor(() => import('../../ui/monaco/TextDiff.tsx').then((module) => module.TextDiff));

const NO_SEGMENTS: readonly SegmentRow[] = [];

export function DiffView(): ReactNode {
  const t = useText();
  const call = useCall();
  const baselineId = useLens((state) => state.baselineId);
  const answer = useEngine('call.diff', call && { ...call, baselineId });
  if (!call) return <Loading />;
  if (answer.error)
    return (
      <div className="diff-pane">
        <ErrorNote error={answer.error} title={t('diff.failed')}>
          <p className="diff-baseline">
            <BaselineChooser call={call} />
          </p>
        </ErrorNote>
      </div>
    );
  if (!answer.value) {
    if (answer.state !== 'ready') return <Loading />;
    return (
      <Empty title={t('diff.first')} hint={t('diff.first.hint')}>
        <p className="diff-baseline">
          <BaselineChooser call={call} />
        </p>
      </Empty>
    );
  }
  return <Diff call={call} detail={answer.value} isStale={answer.isStale} />;
}

/** Turn, step and attempt of one of the two calls, as far as its row is known. */
function useSide(): (callId: string, turn: number) => string {
  const t = useText();
  const calls = useLens((state) => state.calls);
  return (callId, turn) => {
    const row = calls.get(callId);
    return [
      t('layout.turn', { n: turn }),
      ...(row ? [t('strip.step', { n: row.step })] : []),
      ...(row && row.attempt > 0 ? [t('strip.retry', { n: row.attempt })] : []),
    ].join(' · ');
  };
}

type DiffProps = { readonly call: CallRef; readonly detail: DiffDetail; readonly isStale: boolean };

function Diff({ call, detail, isStale }: DiffProps): ReactNode {
  const t = useText();
  const theme = useDrawnTheme();
  const { comparison } = detail;
  const shape = shapeOf(detail);
  const side = useSide();

  return (
    <div className="diff-pane" aria-busy={isStale}>
      <DiffVerdict call={call} detail={detail} />
      <Changes changes={comparison.changed} />
      {shape === 'editor' && (
        <div className="diff-box">
          <div className="diff-head">
            <span>{side(comparison.a, comparison.aTurn)}</span>
            <span>{side(comparison.b, comparison.bTurn)}</span>
            {detail.equalParts > 0 && (
              <span className="diff-equal">
                {t('diff.equal', { n: detail.equalParts, tokens: formatInt(detail.equalTokens.value) })}
              </span>
            )}
          </div>
          <Suspense fallback={<Loading />}>
            <TextDiff
              left={detail.left}
              right={detail.right}
              leftLine={detail.leftLine}
              rightLine={detail.rightLine}
              pairId={`${comparison.a} ${comparison.b}`}
              theme={theme}
              leftLabel={t('diff.side', { turn: comparison.aTurn })}
              rightLabel={t('diff.side', { turn: comparison.bTurn })}
            />
          </Suspense>
        </div>
      )}
      {shape === 'identical' && <Empty title={t('diff.identical')} hint={t('diff.identical.hint')} />}
      {shape === 'too-long' && <Excerpt detail={detail} />}
    </div>
  );
}

function DiffVerdict({ call, detail }: { readonly call: CallRef; readonly detail: DiffDetail }): ReactNode {
  const t = useText();
  const say = useSentence();
  const row = useLens((state) => state.calls.get(detail.comparison.b));
  const side = useSide();
  const layout = useEngine('call.get', call);
  const { comparison } = detail;
  const { divergence, shared, cause } = comparison;
  const segments = layout.value?.row.id === comparison.b ? layout.value.segments : NO_SEGMENTS;
  const owner = ownerOf(comparison, segments);
  const counts = countChanges(comparison);
  const evidence = cause.evidence.length > 0 ? cause.evidence : [{ key: `cause.${cause.kind}.meaning`, values: {} }];
  const place = divergence && t('diff.place', { part: say.part(divergence.part), n: formatInt(divergence.offset) });

  return (
    <Verdict
      tone={toneOf(comparison)}
      tier={shared.tokens.tier}
      title={
        divergence ? (
          <>
            {t('diff.difference')}
            {owner ? (
              <>
                <Code>{say.segment(owner.kind, owner.label)}</Code>
                {t('app.comma')}
                {place}
              </>
            ) : (
              place
            )}
          </>
        ) : (
          say.word(`cause.${cause.kind}`)
        )
      }
      lead={
        <div className="diff-facts">
          <p>
            {side(comparison.a, comparison.aTurn)} → {side(comparison.b, comparison.bTurn)}
            {row && ` · ${runtimeName(row.runtimeId, t)}`}
            {' · '}
            {say.join([
              t('diff.shared', {
                shared: formatInt(shared.tokens.value),
                size: formatInt(comparison.size.tokens.value),
                share: formatPercent(tokenShare(shared.tokens, comparison.size.tokens)),
              }),
              t('diff.counts', counts),
            ])}
          </p>
          <p className="diff-baseline">
            <BaselineChooser call={call} />
          </p>
        </div>
      }
    >
      <Reasons
        head={divergence && `${say.word(`cause.${cause.kind}`)} · `}
        reasons={evidence.map((one) => say.say(one))}
        advice={cause.advice && say.say(cause.advice)}
      />
    </Verdict>
  );
}

const CHANGE_SIGN: Readonly<Record<SegmentChange['change'], string>> = {
  added: '+',
  removed: '−',
  modified: '~',
  moved: '↕',
};

/** The changed segments; one of the later request opens in the layout. */
function Changes({ changes }: { readonly changes: readonly SegmentChange[] }): ReactNode {
  const t = useText();
  const say = useSentence();
  const list = useRef<HTMLUListElement>(null);
  const [isOpen, setOpen] = useState(false);
  const hidden = useHidden(list, changes);
  if (changes.length === 0) return null;
  return (
    <div className="diff-changes">
      <ul ref={list} className={isOpen ? 'diff-open' : undefined} aria-label={t('diff.changed')}>
        {changeRuns(changes, (one) => say.segment(one.kind, one.label)).map(({ first: change, count, tokens }) => {
          const name = say.segment(change.kind, change.label);
          const words = say.word(`change.${change.change}`);
          const title = t('diff.change', { name, count, change: words, tokens: formatInt(tokens) });
          const content = (
            <>
              <i style={{ background: familyColour(familyOf(change.kind)) }} />
              <b className="diff-sign" aria-hidden="true">
                {CHANGE_SIGN[change.change]}
              </b>
              <span>{name}</span>
              {count > 1 && <small>×{formatInt(count)}</small>}
              <small>{formatInt(tokens)}</small>
            </>
          );
          return (
            <li key={`${change.change} ${change.segment}`}>
              {change.change === 'removed' ? (
                <span className="diff-change" title={title}>
                  {content}
                </span>
              ) : (
                <button
                  type="button"
                  className="diff-change"
                  title={title}
                  onClick={() => {
                    actions.selectSegment(change.segment);
                    actions.setView('layout');
                  }}
                >
                  {content}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {(hidden > 0 || isOpen) && (
        <button
          type="button"
          className="diff-more"
          aria-expanded={isOpen}
          {...(isOpen
            ? {}
            : { 'aria-label': t('diff.changed.more', { n: hidden }), title: t('diff.changed.more', { n: hidden }) })}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t('app.less') : `+${formatInt(hidden)}`}
        </button>
      )}
    </div>
  );
}

/** For texts that are too long for an editor: the place of the difference alone. */
function Excerpt({ detail }: { readonly detail: DiffDetail }): ReactNode {
  const t = useText();
  const { aTurn, bTurn, divergence } = detail.comparison;
  return (
    <div className="diff-excerpt">
      <p>{t('diff.too-long')}</p>
      {divergence && (
        <>
          <h3>{t('layout.turn', { n: aTurn })}</h3>
          <pre className="diff-was">{divergence.was}</pre>
          <h3>{t('layout.turn', { n: bTurn })}</h3>
          <pre className="diff-now">{divergence.now}</pre>
        </>
      )}
    </div>
  );
}
