/** One segment of an assembled prompt from close: where it comes from, where it stands, and its text. */
import type { ReactNode } from 'react';
import type { AssembledRow } from '../../../shared/api.ts';
import { useText } from '../../app/language/index.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Code, formatInt } from '../../ui/index.ts';
import { LongText } from '../../ui/LongText.tsx';
import { originOf } from '../parts/names.ts';
import { useSentence } from '../parts/use-sentence.ts';
import { SegmentSize } from './SegmentSize.tsx';
import './inspector.css';

type Props = { readonly segment: AssembledRow; readonly total: number };

export function AssembledText({ segment, total }: Props): ReactNode {
  const t = useText();
  const say = useSentence();
  const name = say.segment(segment.kind, segment.origin.label);
  return (
    <aside className="inspector" aria-label={t('inspector.label')} data-testid="assembled-text">
      <header>
        <h2 title={name}>{name}</h2>
        <CopyButton
          text={segment.text}
          label={t('copy.text')}
          copiedLabel={t('copy.done')}
          failedLabel={t('copy.failed')}
        />
      </header>
      <dl>
        <dt>{t('inspector.kind')}</dt>
        <dd>
          {say.kind(segment.kind)} · {say.word(`role.${segment.role}`)}
        </dd>
        <dt>{t('assembled.from')}</dt>
        <dd>{say.word(`from.${segment.from}`)}</dd>
        <dt>{t('inspector.origin')}</dt>
        <dd>{originOf(segment) || '—'}</dd>
        <dt>{t('inspector.path')}</dt>
        <dd>
          <Code>{segment.spans[0]?.path ?? '—'}</Code>
        </dd>
        <SegmentSize segment={segment} total={total} />
      </dl>
      <section
        className="inspector-text"
        // A box that scrolls must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={t('inspector.text')}
      >
        <LongText
          text={segment.text.replaceAll('\ue000COVEL_CACHE_BREAK\ue000', '')}
          marks={[]}
          markLabel={t('inspector.changed')}
          moreLabel={t('text.more', { n: formatInt(segment.text.length) })}
        />
      </section>
    </aside>
  );
}
