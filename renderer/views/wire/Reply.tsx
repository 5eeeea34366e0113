/** What came back, what it cost in the provider's own count, and what the engine asked for around it. */
import type { ReactNode } from 'react';
import type { WireDetail } from '../../../shared/api.ts';
import type { Usage } from '../../../shared/model/index.ts';
import { useText } from '../../app/language/index.ts';
import { Code, formatDuration, formatInt, Tag } from '../../ui/index.ts';
import { LongText } from '../../ui/LongText.tsx';
import { shownBody } from './wire-facts.ts';

type ReplyProps = { readonly reply: WireDetail['reply']; readonly request: WireDetail['request'] };

export function Reply({ reply, request }: ReplyProps): ReactNode {
  const t = useText();
  const more = (text: string): string => t('text.more', { n: formatInt(text.length) });
  return (
    // A box that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <aside className="reply" aria-label={t('reply.label')} tabIndex={0}>
      <h2>{t('reply.label')}</h2>
      {!reply && <p className="reply-none">{t('reply.none')}</p>}
      {reply && (
        <dl>
          <dt>{t('reply.finish')}</dt>
          <dd>{reply.finishReason === null ? t('app.unknown') : <Code>{reply.finishReason}</Code>}</dd>
          <dt>{t('reply.duration')}</dt>
          <dd>{reply.durationMs === null ? t('app.unknown') : formatDuration(reply.durationMs)}</dd>
        </dl>
      )}
      {reply?.error != null && (
        <Section title={t('reply.error')} isError>
          <LongText text={reply.error} moreLabel={more(reply.error)} />
        </Section>
      )}
      {reply && <UsageTable usage={reply.usage} />}
      {reply?.text != null && reply.text !== '' && (
        <Section title={t('reply.text')}>
          <LongText text={reply.text} moreLabel={more(reply.text)} />
        </Section>
      )}
      {reply?.reasoning != null && reply.reasoning !== '' && (
        <Section title={t('reply.reasoning')}>
          <LongText text={reply.reasoning} moreLabel={more(reply.reasoning)} />
        </Section>
      )}
      {reply?.toolCalls.map((call, i) => (
        <Section
          key={`${i} ${call.id}`}
          title={
            <>
              {t('reply.tool-call')} <Code>{call.name}</Code>
            </>
          }
        >
          <LongText text={shownBody(call.arguments).text} moreLabel={more(call.arguments)} />
        </Section>
      ))}
      {reply?.diagnostics != null && (
        <Section title={t('reply.diagnostics')}>
          <LongText text={reply.diagnostics} moreLabel={more(reply.diagnostics)} />
        </Section>
      )}
      <RequestFacts request={request} />
    </aside>
  );
}

type SectionProps = { readonly title: ReactNode; readonly isError?: boolean; readonly children: ReactNode };

function Section({ title, isError = false, children }: SectionProps): ReactNode {
  return (
    <details open className={isError ? 'reply-section reply-error' : 'reply-section'}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

const BUCKETS = ['uncached', 'read', 'write', 'output'] as const;

/** Disjoint buckets; what the provider did not report is unknown, never 0. */
function UsageTable({ usage }: { readonly usage: Usage | null }): ReactNode {
  const t = useText();
  return (
    <table className="reply-usage">
      <caption>
        {t('reply.usage')} {usage && <Tag tier="billed" />}
      </caption>
      <tbody>
        {BUCKETS.map((bucket) => {
          const tokens = usage?.[bucket] ?? null;
          return (
            <tr key={bucket}>
              <th scope="row">
                <i className={`reply-${bucket}`} />
                {t(`reply.usage.${bucket}`)}
              </th>
              <td>{tokens === null ? t('app.unknown') : formatInt(tokens)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function RequestFacts({ request }: { readonly request: ReplyProps['request'] }): ReactNode {
  const t = useText();
  const unknown = t('app.unknown');
  return (
    <Section title={t('request.label')}>
      <dl>
        <dt>{t('request.slot')}</dt>
        <dd>{request.slot === null ? unknown : <Code>{request.slot}</Code>}</dd>
        <dt>{t('request.streaming')}</dt>
        <dd>{t(request.streaming ? 'request.yes' : 'request.no')}</dd>
        <dt>{t('request.wait')}</dt>
        <dd>{request.queueWaitMs === null ? unknown : formatDuration(request.queueWaitMs)}</dd>
        <dt>{t('request.max-output')}</dt>
        <dd>{request.maxOutputTokens === null ? unknown : formatInt(request.maxOutputTokens)}</dd>
        <dt>{t('request.defaults')}</dt>
        <dd>{request.defaults === null ? t('app.none') : <Code>{request.defaults}</Code>}</dd>
      </dl>
    </Section>
  );
}
