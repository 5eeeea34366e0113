/** How large a segment is, as an entry of a list of facts: tokens with their tier, share of the request, characters. */
import type { ReactNode } from 'react';
import type { SegmentRow } from '../../../shared/model/index.ts';
import { useText } from '../../app/language/index.ts';
import { formatInt, formatPercent, Tag } from '../../ui/index.ts';

type Props = { readonly segment: Pick<SegmentRow, 'tokens' | 'chars'>; readonly total: number };

/** `total`: tokens of all segments of the request. */
export function SegmentSize({ segment, total }: Props): ReactNode {
  const t = useText();
  return (
    <>
      <dt>{t('layout.column.tokens')}</dt>
      <dd>
        {formatInt(segment.tokens.value)}{' '}
        <span className="inspector-mid">
          {formatPercent(total > 0 ? segment.tokens.value / total : 0)} ·{' '}
          {t('layout.chars', { n: formatInt(segment.chars) })}
        </span>{' '}
        <Tag tier={segment.tokens.tier} />
      </dd>
    </>
  );
}
