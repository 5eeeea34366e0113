/** Four figures for the whole session: how much was read, what was lost, whether the rules are right, who costs most. */
import type { ReactNode } from 'react';
import { useText } from '../../app/language/index.ts';
import { shortRuntimeName } from '../../app/runtime-name.ts';
import { formatInt, formatPercent, formatUsd, Sign } from '../../ui/index.ts';
import type { CardFacts } from './cache-model.ts';

type CardsProps = {
  readonly facts: CardFacts;
  readonly calibrationId: string;
  readonly calibrationOpen: boolean;
  readonly onCalibration: () => void;
};

export function Cards({ facts, calibrationId, calibrationOpen, onCalibration }: CardsProps): ReactNode {
  const t = useText();
  const { hitRate, coverage, wasted, held, compared, tolerance, dearest } = facts;
  return (
    <ul className="cache-cards" aria-label={t('cache.cards')}>
      <Card
        name={t('cache.hit')}
        figure={hitRate === null ? null : formatPercent(hitRate)}
        title={coverage.reported < coverage.all ? t('cache.hit.over', coverage) : undefined}
      >
        {[
          t(hitRate === null ? 'cache.hit.none' : 'cache.hit.formula'),
          ...(hitRate !== null && coverage.reported < coverage.all ? [t('cache.hit.calls', coverage)] : []),
        ].join(' · ')}
      </Card>
      <Card name={t('cache.wasted')} figure={formatInt(wasted)} title={t('cache.wasted.hint')}>
        <WastedMoney facts={facts} />
      </Card>
      <Card
        name={t('cache.held')}
        figure={compared === 0 ? null : t('cache.held.of', { held: formatInt(held), all: formatInt(compared) })}
      >
        <span className="cache-card-line">
          <span>{compared === 0 ? t('cache.held.none') : t('cache.held.within', { n: formatInt(tolerance) })}</span>
          {compared > 0 && (
            <button
              type="button"
              className="cache-link"
              aria-expanded={calibrationOpen}
              aria-controls={calibrationId}
              onClick={onCalibration}
            >
              {t('cache.held.open')} <Sign name="chevron" size={9} />
            </button>
          )}
        </span>
      </Card>
      <Card
        name={t('cache.dearest')}
        figure={dearest && shortRuntimeName(dearest.runtimeId, t)}
        title={dearest?.runtimeId}
        isName
      >
        {!dearest
          ? t('cache.dearest.none')
          : dearest.hitRate === null
            ? t('cache.dearest.rate-unknown', { share: formatPercent(dearest.share) })
            : t('cache.dearest.of', { share: formatPercent(dearest.share), rate: formatPercent(dearest.hitRate) })}
      </Card>
    </ul>
  );
}

/** What the waste cost, of what all cost; a sum that leaves calls out says so. */
function WastedMoney({ facts }: { readonly facts: CardFacts }): ReactNode {
  const t = useText();
  const { wastedCost, cost, unpriced } = facts;
  const parts = [
    cost === null
      ? t('cache.wasted.unknown')
      : t('cache.wasted.of', {
          wasted: wastedCost === null ? t('app.unknown') : formatUsd(wastedCost),
          cost: formatUsd(cost),
        }),
    ...(cost !== null && unpriced > 0 ? [t('cache.unpriced', { n: unpriced })] : []),
  ];
  return parts.join(' · ');
}

type CardProps = {
  readonly name: string;
  /** null: unknown. */
  readonly figure: string | null;
  readonly title?: string | undefined;
  /** The figure is a name, which is longer than a number. */
  readonly isName?: boolean;
  readonly children: ReactNode;
};

function Card({ name, figure, title, isName = false, children }: CardProps): ReactNode {
  const t = useText();
  return (
    <li className="cache-card" title={title}>
      <span className="cache-card-name">{name}</span>
      <b className={`${isName ? 'cache-card-words' : ''}${figure === null ? ' cache-card-unknown' : ''}`}>
        {figure ?? t('app.unknown')}
      </b>
      <span className="cache-card-sub">{children}</span>
    </li>
  );
}
