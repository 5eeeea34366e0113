/** One row a runtime, and the session below: what was sent, read, predicted, written, lost, and what it cost. */
import type { ReactNode } from 'react';
import type { CacheRuntimeRow } from '../../../shared/model/index.ts';
import { useText } from '../../app/language/index.ts';
import { runtimeName, shortRuntimeName } from '../../app/runtime-name.ts';
import { columnDecimals, formatInt } from '../../ui/index.ts';
import { sumKnown, type CardFacts } from './cache-model.ts';
import { MoneyCell, RateCell, TokensCell } from './Figure.tsx';

type Props = {
  readonly rows: readonly CacheRuntimeRow[];
  readonly facts: CardFacts;
  /** Whose requests the ruler below shows. */
  readonly chosen: string | null;
  readonly onChoose: (runtimeId: string) => void;
};

const TOKENS = ['input', 'read', 'predicted', 'written', 'wasted'] as const;

export function RuntimeTable({ rows, facts, chosen, onChoose }: Props): ReactNode {
  const t = useText();
  const sum = (value: (row: CacheRuntimeRow) => number | null): number | null => sumKnown(rows.map(value));
  const decimals = columnDecimals([facts.cost, ...rows.flatMap((row) => [row.cost, row.wastedCost])]);
  return (
    <table className="ui-table cache-table cache-runtimes" aria-label={t('cache.runtimes')}>
      <thead>
        <tr>
          <th scope="col" rowSpan={2}>
            {t('cache.column.runtime')}
          </th>
          <th scope="col" rowSpan={2} className="ui-num">
            {t('cache.column.calls')}
          </th>
          <th scope="col" rowSpan={2} className="ui-num" title={t('cache.hit.formula')}>
            {t('cache.column.rate')}
          </th>
          <th scope="colgroup" colSpan={TOKENS.length} className="cache-group">
            {t('cache.group.tokens')}
          </th>
          <th scope="colgroup" colSpan={2} className="cache-group">
            {t('cache.group.cost')}
          </th>
        </tr>
        <tr>
          {TOKENS.map((column) => (
            <th
              key={column}
              scope="col"
              className="ui-num"
              title={column === 'predicted' ? t('cache.column.predicted.hint') : undefined}
            >
              {t(`cache.column.${column}`)}
            </th>
          ))}
          <th scope="col" className="ui-num">
            {t('cache.column.total')}
          </th>
          <th scope="col" className="ui-num">
            {t('cache.column.wasted')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          // The button of the row does the same by keyboard.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
          <tr
            key={row.runtimeId}
            className={row.runtimeId === chosen ? 'cache-on' : ''}
            onClick={() => onChoose(row.runtimeId)}
          >
            <th scope="row">
              <button
                type="button"
                aria-pressed={row.runtimeId === chosen}
                title={t('cache.ruler.choose', { runtime: runtimeName(row.runtimeId, t) })}
              >
                {shortRuntimeName(row.runtimeId, t)}
              </button>
            </th>
            <td className="ui-num">{formatInt(row.calls)}</td>
            <RateCell share={row.hitRate} coverage={facts.coverageOf.get(row.runtimeId)} />
            <TokensCell value={row.inputTokens} missing="usage" />
            <TokensCell value={row.read} missing="usage" />
            <TokensCell value={row.predictedRead} missing="rule" className="cache-mid" />
            <TokensCell value={row.write} missing="usage" />
            <TokensCell value={row.wasted} missing="usage" />
            <MoneyCell micros={row.cost} decimals={decimals} />
            <MoneyCell micros={row.wastedCost} decimals={decimals} />
          </tr>
        ))}
      </tbody>
      {rows.length > 1 && (
        <tfoot>
          <tr>
            <th scope="row">{t('cache.sum')}</th>
            <td className="ui-num">{formatInt(sum((row) => row.calls) ?? 0)}</td>
            <RateCell share={facts.hitRate} coverage={facts.coverage} />
            <TokensCell value={sum((row) => row.inputTokens)} missing="usage" />
            <TokensCell value={sum((row) => row.read)} missing="usage" />
            <TokensCell value={sum((row) => row.predictedRead)} missing="rule" className="cache-mid" />
            <TokensCell value={sum((row) => row.write)} missing="usage" />
            <TokensCell value={facts.wasted} missing="usage" />
            <MoneyCell micros={facts.cost} decimals={decimals} />
            <MoneyCell micros={facts.wastedCost} decimals={decimals} />
          </tr>
        </tfoot>
      )}
    </table>
  );
}
