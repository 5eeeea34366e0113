/**
 * How far the rules can be trusted: on how many calls of each provider the predicted read was the billed one, and the
 * calls on which it was not, with what is known to make the two differ.
 */
import { useState, type ReactNode } from 'react';
import type { CacheOverview } from '../../../shared/model/index.ts';
import { useText } from '../../app/language/index.ts';
import { formatInt, formatPercent } from '../../ui/index.ts';
import { useSentence } from '../parts/use-sentence.ts';
import type { Miss } from './cache-model.ts';
import { CallLink } from './CallLink.tsx';

/** Misses that are listed at first, and with each step more. */
const AT_ONCE = 12;

type Props = { readonly id: string; readonly overview: CacheOverview; readonly misses: readonly Miss[] };

export function Calibration({ id, overview, misses }: Props): ReactNode {
  const t = useText();
  const { calibration, calibrationByProvider, calls } = overview;
  const left = calls.length - calibration.calls;
  return (
    <section id={id} className="cache-calibration" aria-label={t('cache.calibration')}>
      <table className="ui-table cache-table cache-providers">
        <thead>
          <tr>
            <th scope="col">{t('cache.calibration.provider')}</th>
            <th scope="col" className="ui-num">
              {t('cache.calibration.held')}
            </th>
            <th scope="col" className="ui-num">
              {t('cache.calibration.calls')}
            </th>
            <th scope="col" className="ui-num">
              {t('cache.calibration.share')}
            </th>
          </tr>
        </thead>
        <tbody>
          {calibrationByProvider.map((one) => (
            <tr key={one.provider}>
              <th scope="row">{one.provider}</th>
              <td className="ui-num">{formatInt(one.matched)}</td>
              <td className="ui-num">{formatInt(one.calls)}</td>
              <td className="ui-num">{one.calls > 0 && formatPercent(one.matched / one.calls)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="cache-misses">
        {misses.length === 0 ? (
          <p>{t('cache.calibration.all', { n: formatInt(calibration.toleranceTokens) })}</p>
        ) : (
          <Misses misses={misses} />
        )}
        {left > 0 && <p>{t('cache.calibration.left', { n: left })}</p>}
      </div>
    </section>
  );
}

function Misses({ misses }: { readonly misses: readonly Miss[] }): ReactNode {
  const t = useText();
  const say = useSentence();
  const [shown, setShown] = useState(AT_ONCE);
  return (
    <>
      <table className="ui-table cache-table" aria-label={t('cache.calibration.misses')}>
        <thead>
          <tr>
            <th scope="col">{t('cache.calibration.misses')}</th>
            <th scope="col" className="ui-num">
              {t('cache.calibration.predicted')}
            </th>
            <th scope="col" className="ui-num">
              {t('cache.calibration.billed')}
            </th>
            <th scope="col" className="ui-num">
              {t('cache.calibration.off')}
            </th>
            <th scope="col">{t('cache.calibration.why')}</th>
          </tr>
        </thead>
        <tbody>
          {misses.slice(0, shown).map(({ call, predicted, billed }) => (
            <tr key={call.id}>
              <th scope="row">
                <CallLink call={call} />
              </th>
              <td className="ui-num">{formatInt(predicted)}</td>
              <td className="ui-num">{formatInt(billed)}</td>
              <td className="ui-num">{formatInt(Math.abs(predicted - billed))}</td>
              <td className="cache-mid">
                {call.errorSources.length === 0
                  ? t('cache.calibration.why.none')
                  : call.errorSources.map((source, i) => (
                      <span key={source} title={say.word(`error-source.${source}.meaning`)}>
                        {i > 0 && t('app.comma')}
                        {say.word(`error-source.${source}`)}
                      </span>
                    ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {misses.length > shown && (
        <button type="button" className="cache-link cache-more" onClick={() => setShown(shown + AT_ONCE)}>
          {t('cache.more', { n: misses.length - shown })}
        </button>
      )}
    </>
  );
}
