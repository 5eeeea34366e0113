/** Cells of the tables: a figure, or a dash that says on being pointed at why there is none. */
import type { ReactNode } from 'react';
import { useText } from '../../app/language/index.ts';
import { formatInt, formatPercent, formatUsd } from '../../ui/index.ts';
import type { Coverage } from './cache-model.ts';
import { UNKNOWN } from './words.ts';

type CellProps = { readonly className?: string };

function Cell(props: CellProps & { readonly words: string | null; readonly missing: string }): ReactNode {
  const { words, missing, className = '' } = props;
  return (
    <td className={`ui-num ${className}`} title={words === null ? missing : undefined}>
      {words ?? (
        <>
          <span aria-hidden="true">{UNKNOWN}</span>
          <span className="visually-hidden">{missing}</span>
        </>
      )}
    </td>
  );
}

export function TokensCell(
  props: CellProps & { readonly value: number | null; readonly missing: 'usage' | 'rule' },
): ReactNode {
  const t = useText();
  const { value, missing, className = '' } = props;
  return (
    <Cell
      className={className}
      words={value === null ? null : formatInt(value)}
      missing={t(`cache.unknown.${missing}`)}
    />
  );
}

/** `decimals`: those of the whole column. */
export function MoneyCell(props: CellProps & { readonly micros: number | null; readonly decimals: number }): ReactNode {
  const t = useText();
  const { micros, decimals, className = '' } = props;
  return (
    <Cell
      className={className}
      words={micros === null ? null : formatUsd(micros, decimals)}
      missing={t('cache.cost.unknown')}
    />
  );
}

/** A rate that does not rest on all calls says on how many. */
export function RateCell(props: { readonly share: number | null; readonly coverage: Coverage | undefined }): ReactNode {
  const t = useText();
  const { share, coverage } = props;
  if (share === null || !coverage || coverage.reported >= coverage.all)
    return <Cell words={share === null ? null : formatPercent(share)} missing={t('cache.unknown.usage')} />;
  return (
    <td className="ui-num" title={t('cache.hit.over', coverage)}>
      <small>{t('cache.hit.part', coverage)}</small> {formatPercent(share)}
    </td>
  );
}
