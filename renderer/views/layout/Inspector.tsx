/** One segment from close: what it is, what proved it, where it stands in the body, and its text. */
import { useMemo, type ReactNode } from 'react';
import type { CallDetail } from '../../../shared/api.ts';
import type { SegmentRow, TextAt } from '../../../shared/model/index.ts';
import type { TurnIndex } from '../../../shared/units.ts';
import { useText } from '../../app/language/index.ts';
import { useLens } from '../../app/store.ts';
import { turnOf } from '../../app/turns.ts';
import { useEngine } from '../../app/use-engine.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Code, ErrorNote, formatInt, Loading } from '../../ui/index.ts';
import { LongText } from '../../ui/LongText.tsx';
import { originOf } from '../parts/names.ts';
import { useSentence } from '../parts/use-sentence.ts';
import { breakpointWords } from './breakpoint-words.ts';
import { predictionState } from './predicted.ts';
import { SegmentSize } from './SegmentSize.tsx';
import './inspector.css';

/** A tool has one path a string of its schema; only the first ones are listed. */
const SHOWN_PATHS = 6;

type InspectorProps = {
  readonly sourceId: string;
  readonly callId: string;
  readonly segment: SegmentRow;
  readonly total: number;
  readonly since: TurnIndex | null;
  /** The call, for what the cache does with the segment. */
  readonly detail: CallDetail;
};

export function Inspector({ sourceId, callId, segment, total, since, detail }: InspectorProps): ReactNode {
  const t = useText();
  const say = useSentence();
  const turns = useLens((state) => state.turns);
  const answer = useEngine('call.segment', { sourceId, callId, segmentId: segment.id });
  const turn = turnOf(turns, segment.origin.turnId);
  const name = say.segment(segment.kind, segment.origin.label);
  const copied = { copiedLabel: t('copy.done'), failedLabel: t('copy.failed') };
  const origin = [originOf(segment), turn ? t('layout.turn', { n: turn.index }) : '']
    .filter((part) => part !== '')
    .join(' · ');

  return (
    <aside className="inspector" aria-label={t('inspector.label')} data-testid="inspector">
      <header>
        <h2 title={name}>{name}</h2>
        <CopyButton text={() => answer.value?.text ?? ''} label={t('copy.text')} {...copied} />
        <CopyButton text={segment.spans[0]?.path ?? ''} label={t('copy.path')} {...copied} />
      </header>
      <dl>
        <dt>{t('inspector.kind')}</dt>
        <dd>
          {say.kind(segment.kind)} · {say.word(`role.${segment.role}`)}
        </dd>
        <dt>{t('inspector.origin')}</dt>
        <dd>{origin || '—'}</dd>
        <dt>{t('inspector.proof')}</dt>
        <dd>{say.word(`proof.${segment.proof}`)}</dd>
        <dt>{t('inspector.path')}</dt>
        <dd>
          <Paths spans={segment.spans} />
        </dd>
        <dt>{t('inspector.since')}</dt>
        <dd>{since === null ? '—' : t('layout.turn', { n: since })}</dd>
        <CacheFacts segment={segment} detail={detail} />
        <SegmentSize segment={segment} total={total} />
      </dl>
      <section
        className="inspector-text"
        // A box that scrolls must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={t('inspector.text')}
        aria-busy={answer.isStale}
      >
        {answer.error ? (
          <div className="inspector-note">
            <ErrorNote error={answer.error} />
          </div>
        ) : answer.value ? (
          <LongText
            text={answer.value.text}
            marks={answer.value.changed}
            markLabel={t('inspector.changed')}
            moreLabel={t('text.more', { n: formatInt(answer.value.text.length) })}
          />
        ) : (
          <Loading />
        )}
      </section>
    </aside>
  );
}

/** What is predicted for the segment, and the breakpoints that stand behind it. */
function CacheFacts({ segment, detail }: Pick<InspectorProps, 'segment' | 'detail'>): ReactNode {
  const t = useText();
  const state = detail.segmentStates[segment.id];
  const isPending = predictionState(detail) === 'pending';
  const points = detail.breakpoints.filter(({ afterSegment }) => afterSegment === segment.id);
  return (
    <>
      <dt>{t('inspector.cache')}</dt>
      <dd>{isPending ? '…' : state ? t('inspector.cache.predicted', { state: t(`layout.cache.${state}`) }) : '—'}</dd>
      {points.length > 0 && (
        <>
          <dt>{t('inspector.breakpoint')}</dt>
          {points.map((point, i) => (
            <dd key={i}>{breakpointWords(point, t).long}</dd>
          ))}
        </>
      )}
    </>
  );
}

function Paths({ spans }: { readonly spans: readonly TextAt[] }): ReactNode {
  const t = useText();
  const merged = useMemo(() => mergeSpans(spans), [spans]);
  return (
    <ul className="inspector-paths">
      {merged.slice(0, SHOWN_PATHS).map((span) => (
        <li key={`${span.path} ${span.start}`}>
          <Code>{span.path}</Code>{' '}
          <span className="inspector-range">
            {formatInt(span.start)}–{formatInt(span.end)}
          </span>
        </li>
      ))}
      {merged.length > SHOWN_PATHS && <li>{t('inspector.paths.more', { n: merged.length - SHOWN_PATHS })}</li>}
    </ul>
  );
}

/** Spans of one string that follow each other are listed as one. */
function mergeSpans(spans: readonly TextAt[]): readonly TextAt[] {
  const merged: TextAt[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last && last.path === span.path && last.end === span.start)
      merged[merged.length - 1] = { ...last, end: span.end };
    else merged.push(span);
  }
  return merged;
}
