/** What went over the wire: each HTTP attempt with its body, the engine's own view of it, and what came back. */
import { Suspense, useMemo, useState, type ReactNode } from 'react';
import type { WireDetail } from '../../../shared/api.ts';
import type { HttpAttempt } from '../../../shared/model/index.ts';
import { useText } from '../../app/language/index.ts';
import { useEngine } from '../../app/use-engine.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Empty, ErrorNote, formatDuration, formatInt, Loading, Split } from '../../ui/index.ts';
import { lazyEditor } from '../../ui/monaco/words.tsx';
import { LongText } from '../../ui/LongText.tsx';
import { sideWidth } from '../side-width.ts';
import { useSentence } from '../parts/use-sentence.ts';
import { useCall, type CallRef } from '../use-call.ts';
import { useDrawnTheme } from '../use-drawn-theme.ts';
import { Reply } from './Reply.tsx';
import { bodyOf, firstTab, hasFailed, shownBody, tabsOf, type WireTab } from './wire-facts.ts';
import './wire.css';

const CodeText = lazyEditor(() => import('../../ui/monaco/CodeText.tsx').then((module) => module.CodeText));

export function WireView(): ReactNode {
  const t = useText();
  const call = useCall();
  const answer = useEngine('call.wire', call);
  if (answer.error)
    return (
      <div className="view-note">
        <ErrorNote error={answer.error} title={t('wire.failed')} />
      </div>
    );
  if (!call || !answer.value) return <Loading />;
  return <Wire call={call} detail={answer.value} isStale={answer.isStale} />;
}

type WireProps = { readonly call: CallRef; readonly detail: WireDetail; readonly isStale: boolean };

function Wire({ call, detail, isStale }: WireProps): ReactNode {
  const t = useText();
  // A tab that a person chose holds for its call alone; the next call shows what was answered.
  const [chosen, setChosen] = useState<{ readonly callId: string; readonly tab: WireTab } | null>(null);
  const tabs = tabsOf(detail);
  const tab = chosen?.callId === call.callId && tabs.includes(chosen.tab) ? chosen.tab : firstTab(detail);
  const choose = (next: WireTab): void => setChosen({ callId: call.callId, tab: next });

  return (
    <Split
      id="wire"
      orientation="horizontal"
      label={t('wire.resize')}
      panels={[
        {
          id: 'request',
          min: 320,
          content: (
            <div className="wire-pane" aria-busy={isStale}>
              <Tabs detail={detail} tabs={tabs} tab={tab} onChoose={choose} />
              <div id="wire-panel" className="wire-panel" role="tabpanel" aria-labelledby={`wire-tab-${tab}`}>
                <Request detail={detail} tab={tab} />
              </div>
            </div>
          ),
        },
        {
          id: 'reply',
          size: sideWidth(),
          min: 240,
          content: <Reply reply={detail.reply} request={detail.request} />,
        },
      ]}
    />
  );
}

type TabsProps = {
  readonly detail: WireDetail;
  readonly tabs: readonly WireTab[];
  readonly tab: WireTab | null;
  readonly onChoose: (tab: WireTab) => void;
};

function Tabs({ detail, tabs, tab, onChoose }: TabsProps): ReactNode {
  const t = useText();
  const step = (event: React.KeyboardEvent): void => {
    const by = { '[': -1, ']': 1 }[event.key];
    if (by === undefined || tab === null) return;
    const next = tabs[tabs.indexOf(tab) + by];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next);
    document.getElementById(`wire-tab-${next}`)?.focus();
  };
  return (
    <div className="wire-tabs" role="tablist" aria-label={t('wire.attempts')}>
      {tabs.map((one) => {
        const attempt = one === 'kernel' ? undefined : detail.attempts[one];
        return (
          <button
            key={one}
            id={`wire-tab-${one}`}
            type="button"
            role="tab"
            aria-selected={one === tab}
            aria-controls="wire-panel"
            title={t('wire.tab.hint')}
            onClick={() => onChoose(one)}
            onKeyDown={step}
          >
            {attempt ? <AttemptWords attempt={attempt} /> : t('wire.kernel')}
          </button>
        );
      })}
    </div>
  );
}

function AttemptWords({ attempt }: { readonly attempt: HttpAttempt }): ReactNode {
  const t = useText();
  return (
    <>
      {hasFailed(attempt) && (
        <b className="wire-failed" aria-hidden="true">
          ✕
        </b>
      )}
      <span>{t('wire.attempt', { n: attempt.index + 1 })}</span>
      <small>
        {attempt.statusCode ?? t(attempt.failed ? 'wire.no-answer' : 'wire.no-status')}
        {attempt.durationMs !== null && ` · ${formatDuration(attempt.durationMs)}`}
      </small>
    </>
  );
}

function Request({ detail, tab }: { readonly detail: WireDetail; readonly tab: WireTab | null }): ReactNode {
  const t = useText();
  const say = useSentence();
  const attempt = typeof tab === 'number' ? detail.attempts[tab] : undefined;
  const body = tab === 'kernel' ? detail.kernel : attempt ? bodyOf(attempt, detail.attempts) : null;
  return (
    <>
      {detail.payloadProblem !== null && (
        <p className="wire-problem" role="alert">
          {t('wire.problem', { reason: say.word(`unreadable.${detail.payloadProblem}`) })}
        </p>
      )}
      <div className="wire-facts">
        <p>{tab === 'kernel' ? t('wire.kernel.hint') : attempt && <Facts attempt={attempt} />}</p>
        {body !== null && (
          <CopyButton text={body} label={t('copy.body')} copiedLabel={t('copy.done')} failedLabel={t('copy.failed')} />
        )}
      </div>
      {body === null ? (
        <Empty title={t('wire.nobody')} hint={t(tab === null ? 'wire.concealed' : 'wire.nobody.hint')} />
      ) : (
        <Body body={body} />
      )}
    </>
  );
}

function Facts({ attempt }: { readonly attempt: HttpAttempt }): ReactNode {
  const t = useText();
  const facts = [
    attempt.protocol,
    attempt.provider,
    ...(attempt.retryReason === null ? [] : [t('wire.retry', { reason: attempt.retryReason })]),
    ...(attempt.sameBodyAs === null ? [] : [t('wire.same', { n: attempt.sameBodyAs + 1 })]),
    ...(attempt.transportAttempt ? [t('wire.transport', { n: attempt.transportAttempt })] : []),
    attempt.omittedFields
      ? t('wire.omitted', { n: attempt.omittedFields })
      : attempt.complete === true
        ? t('wire.complete')
        : null,
  ];
  return facts.filter((fact) => fact !== null).join(' · ');
}

function Body({ body }: { readonly body: string }): ReactNode {
  const t = useText();
  const theme = useDrawnTheme();
  const shown = useMemo(() => shownBody(body), [body]);
  if (shown.kind === 'plain')
    return (
      // A box that scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      <section className="wire-plain" tabIndex={0} aria-label={t('wire.body')}>
        <LongText text={shown.text} moreLabel={t('text.more', { n: formatInt(shown.text.length) })} />
      </section>
    );
  return (
    <div className="wire-box">
      <Suspense fallback={<Loading />}>
        <CodeText text={shown.text} language="json" theme={theme} label={t('wire.body')} />
      </Suspense>
    </div>
  );
}
