/** One summary from close: its facts, its text, and the messages that gave way to it. */
import { useState, type ReactNode } from 'react';
import type { LedgerMessage } from '../../../shared/api.ts';
import type { LedgerSummary } from '../../../shared/model/index.ts';
import { LANGUAGE_TAGS, useLanguage, useText } from '../../app/language/index.ts';
import { shortRuntime } from '../../app/lanes.ts';
import { useEngine } from '../../app/use-engine.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Code, ErrorNote, formatInt, Loading, Tag } from '../../ui/index.ts';
import { LongText } from '../../ui/LongText.tsx';
import { useSentence } from '../parts/use-sentence.ts';
import { SEGMENT_CAP, TOTAL_CAP } from './ledger-model.ts';
import { mergedText, rangeText, yesText } from './words.ts';
import '../layout/inspector.css';

type PaneProps = {
  readonly sourceId: string;
  readonly sessionId: string;
  readonly summary: LedgerSummary;
  readonly all: readonly LedgerSummary[];
};

export function SummaryPane({ sourceId, sessionId, summary, all }: PaneProps): ReactNode {
  const t = useText();
  const text = summary.content;
  const heir = all.find((other) => other.key === summary.replacedBy);
  return (
    <aside className="inspector ledger-pane" aria-label={t('ledger.summary')} data-testid="ledger-summary">
      <header>
        <h2>{t('ledger.title', { range: rangeText(t, summary) })}</h2>
        {text !== null && (
          <CopyButton text={text} label={t('copy.text')} copiedLabel={t('copy.done')} failedLabel={t('copy.failed')} />
        )}
      </header>
      <section
        className="inspector-text"
        // A box that scrolls must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={t('ledger.text')}
      >
        <Facts summary={summary} heir={heir ?? null} />
        {text === null ? (
          <p className="ledger-note">{t('ledger.text.gone')}</p>
        ) : (
          <LongText text={text} moreLabel={t('text.more', { n: formatInt(text.length) })} />
        )}
        <Replaced sourceId={sourceId} sessionId={sessionId} summary={summary} />
      </section>
    </aside>
  );
}

function Facts({ summary, heir }: { readonly summary: LedgerSummary; readonly heir: LedgerSummary | null }): ReactNode {
  const t = useText();
  const language = useLanguage();
  const { tokens, budget, saved, createdAt, madeIn } = summary;
  const time =
    createdAt === null || Number.isNaN(Date.parse(createdAt))
      ? null
      : new Intl.DateTimeFormat(LANGUAGE_TAGS[language], { dateStyle: 'medium', timeStyle: 'short' }).format(
          new Date(createdAt),
        );
  const written = [madeIn === null ? null : t('layout.turn', { n: madeIn }), time].filter((part) => part !== null);
  return (
    <dl>
      <dt>{t('ledger.state')}</dt>
      <dd>
        {summary.live
          ? t('ledger.state.live')
          : heir
            ? t('ledger.state.merged', { range: rangeText(t, heir) })
            : t('ledger.state.vanished')}
      </dd>
      <dt>{t('ledger.column.messages')}</dt>
      <dd>{summary.messages === null ? t('app.unknown') : formatInt(summary.messages)}</dd>
      <dt>{t('ledger.column.size')}</dt>
      <dd>
        {tokens === null ? (
          t('app.unknown')
        ) : (
          <>
            {t('layout.tokens', { n: formatInt(tokens.value) })} <Tag tier={tokens.tier} />
          </>
        )}
      </dd>
      <dt>{t('ledger.column.budget')}</dt>
      <dd>
        {budget
          ? t('ledger.budget.known', { n: formatInt(budget.segment), total: formatInt(budget.total) })
          : t('ledger.budget.unknown', { n: formatInt(SEGMENT_CAP), total: formatInt(TOTAL_CAP) })}
      </dd>
      <dt>{t('ledger.column.merged')}</dt>
      <dd>{mergedText(t, summary.mergedFrom)}</dd>
      <dt>{t('ledger.column.truncated')}</dt>
      <dd>{yesText(t, summary.truncated)}</dd>
      <dt>{t('ledger.column.written')}</dt>
      <dd>{written.length === 0 ? t('app.unknown') : written.join(' · ')}</dd>
      {saved !== null && (
        <>
          <dt>{t('ledger.saved')}</dt>
          <dd>
            {t('layout.tokens', { n: formatInt(saved.value) })} <Tag tier={saved.tier} />
          </dd>
        </>
      )}
      {summary.focusSections.length > 0 && (
        <>
          <dt>{t('ledger.focus')}</dt>
          <dd>{summary.focusSections.join(language === 'zh' ? '、' : ', ')}</dd>
        </>
      )}
      {summary.id !== null && (
        <>
          <dt>{t('ledger.id')}</dt>
          <dd>
            <Code>{summary.id}</Code>
          </dd>
        </>
      )}
    </dl>
  );
}

function Replaced({ sourceId, sessionId, summary }: Omit<PaneProps, 'all'>): ReactNode {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const ids = summary.messageIds;
  const answer = useEngine('ledger.messages', isOpen && ids ? { sourceId, sessionId, messageIds: [...ids] } : null);
  if (ids === null || ids.length === 0) return <p className="ledger-note">{t('ledger.messages.unknown')}</p>;
  return (
    <div className="ledger-replaced">
      <h3>
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen((open) => !open)}>
          <i aria-hidden="true">{isOpen ? '▾' : '▸'}</i> {t('ledger.messages', { n: ids.length })}
        </button>
      </h3>
      {isOpen &&
        (answer.error ? (
          <ErrorNote error={answer.error} />
        ) : answer.value ? (
          <ol>
            {answer.value.map((message) => (
              <Message key={message.id} message={message} />
            ))}
          </ol>
        ) : (
          <Loading />
        ))}
    </div>
  );
}

function Message({ message }: { readonly message: LedgerMessage }): ReactNode {
  const t = useText();
  const say = useSentence();
  const { sourceType, runtime, picture } = message;
  const kind = picture ? 'picture-note' : sourceType === 'player' ? 'player' : null;
  const speaker = kind ? say.kind(kind) : runtime === null ? sourceType : shortRuntime(runtime);
  return (
    <li>
      <details>
        <summary>
          <span className="ledger-speaker">
            {message.turnIndex !== null && `${t('layout.turn', { n: message.turnIndex })} · `}
            {speaker}
          </span>
          <span className="ledger-words">{message.text}</span>
        </summary>
        <LongText text={message.text} moreLabel={t('text.more', { n: formatInt(message.text.length) })} />
      </details>
    </li>
  );
}
