/**
 * The thin bar under the strip and its words: what the rules predict for each stretch of the request, and beside it what
 * the provider billed. Without a prediction the bar shows the bill, without a bill what the text shares.
 */
/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a drawing made of elements is one image to a screen reader */
import { useId, useState, type ReactNode } from 'react';
import type { CallDetail } from '../../../shared/api.ts';
import type { CacheState, Usage } from '../../../shared/model/index.ts';
import { useText } from '../../app/language/index.ts';
import { formatInt, Sign, Tag } from '../../ui/index.ts';
import { useSentence } from '../parts/use-sentence.ts';
import { billedBar, sharedBar, type Bar, type BarPart } from './billing.ts';
import { predictedRuns, predictionState } from './predicted.ts';
import type { Scale } from './scale.ts';
import type { LayoutModel } from './view-model.ts';

const BUCKETS = ['read', 'write', 'uncached'] as const satisfies readonly CacheState[];

/** Where no writes are billed and none are predicted there is nothing to say of them. */
const bucketsOf = ({ prediction, usage }: CallDetail): readonly CacheState[] =>
  prediction?.write === 0 && usage?.write == null ? ['read', 'uncached'] : BUCKETS;

/** The bar that stands in for a prediction that there is none of. */
const otherBar = ({ detail, cut, total }: LayoutModel): Bar | null =>
  (detail.usageProblems.length > 0 ? null : billedBar(detail.usage)) ??
  sharedBar(detail.comparison, cut?.tokens ?? 0, total);

type BarProps = { readonly model: LayoutModel; readonly scale: Scale };

export function StateBar({ model, scale }: BarProps): ReactNode {
  const t = useText();
  const state = predictionState(model.detail);
  if (state === 'pending') return <div className="strip-state strip-state-none" />;
  const { prediction } = model.detail;
  if (prediction) {
    const words = bucketsOf(model.detail)
      .map((name) => t(`layout.bar.${name}`, { n: formatInt(prediction[name]) }))
      .join(' · ');
    return (
      <div className="strip-state strip-predicted" role="img" aria-label={t('layout.predicted.name', { words })}>
        {predictedRuns(model).map((run, i) => {
          const left = scale.at(run.from);
          return <i key={i} className={`strip-${run.state}`} style={{ width: Math.max(0, scale.at(run.to) - left) }} />;
        })}
      </div>
    );
  }
  const bar = otherBar(model);
  if (!bar) return <div className="strip-state strip-state-none" />;
  const words = bar.parts.map((part) => t(`layout.bar.${part.name}`, { n: formatInt(part.tokens) })).join(' · ');
  return (
    <div
      className={`strip-state strip-state-${bar.tier}`}
      role="img"
      aria-label={t('layout.bar.name', { tier: t(`tier.${bar.tier}`), words })}
    >
      {bar.parts.map((part) => (
        <i key={part.name} className={`strip-${part.name}`} style={{ width: `${part.share * 100}%` }} />
      ))}
    </div>
  );
}

/** Prediction and bill, each with its evidence; what is not reported is unknown, never 0. */
export function Legend({ model }: { readonly model: LayoutModel }): ReactNode {
  const { detail } = model;
  const bar = predictionState(detail) === 'none' ? otherBar(model) : null;
  if (predictionState(detail) === 'none' && !bar && !detail.usage) return null;
  return (
    <figcaption className="strip-legend">
      <Predicted model={model} />
      {bar?.tier === 'estimated' && <Shared model={model} bar={bar} />}
      {detail.usage && <Billed model={model} usage={detail.usage} isDrawn={bar?.tier === 'billed'} />}
    </figcaption>
  );
}

function Predicted({ model }: { readonly model: LayoutModel }): ReactNode {
  const t = useText();
  const say = useSentence();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { prediction, predictionState: state } = model.detail;
  if (!prediction)
    return (
      <span className={`strip-line${state === 'pending' ? ' strip-foretold' : ''}`}>
        <span className="strip-who">
          {t(
            state === 'pending'
              ? 'layout.predicted'
              : model.detail.row.error !== null
                ? 'layout.predicted.unanswered'
                : 'layout.predicted.none',
          )}
        </span>
        {state === 'pending' && <span title={t('layout.predicted.pending')}>…</span>}
      </span>
    );
  return (
    <>
      <span className="strip-line strip-foretold" data-testid="predicted">
        <span className="strip-who">{t('layout.predicted')}</span>
        {bucketsOf(model.detail).map((name) => (
          <Part key={name} name={name} n={formatInt(prediction[name])} isDrawn />
        ))}
        <Tag tier={prediction.tier} />
        {prediction.why.length > 0 && (
          <button
            type="button"
            className="strip-why"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            {t('layout.predicted.why')}
          </button>
        )}
      </span>
      {isOpen && (
        <span id={id} className="strip-reasons">
          {say.join(prediction.why.map((one) => say.say(one)))}
        </span>
      )}
    </>
  );
}

type BilledProps = { readonly model: LayoutModel; readonly usage: Usage; readonly isDrawn: boolean };

function Billed({ model, usage, isDrawn }: BilledProps): ReactNode {
  const t = useText();
  const say = useSentence();
  const problems = model.detail.usageProblems
    .map((problem) => say.word(`usage-problem.${problem}`))
    .join(t('app.comma'));
  return (
    <span className="strip-line" data-testid="billed">
      <span className="strip-who">{t('layout.billed')}</span>
      {bucketsOf(model.detail).map((name) => {
        const value = usage[name];
        return (
          <Part key={name} name={name} n={value === null ? t('app.unknown') : formatInt(value)} isDrawn={isDrawn} />
        );
      })}
      <Tag tier="billed" />
      {problems !== '' && (
        <span className="strip-problem">
          <Sign name="warning" /> {t('layout.billed.problem', { problem: problems })}
        </span>
      )}
    </span>
  );
}

function Shared({ model, bar }: { readonly model: LayoutModel; readonly bar: Bar }): ReactNode {
  const t = useText();
  const known = new Map(bar.parts.map((part) => [part.name, part.tokens]));
  return (
    <span className="strip-line">
      <span className="strip-who">{t('layout.against', { turn: model.detail.comparison?.aTurn ?? 0 })}</span>
      {(['shared', 'new'] as const).map((name) => (
        <Part key={name} name={name} n={formatInt(known.get(name) ?? 0)} isDrawn />
      ))}
      <Tag tier={bar.tier} />
    </span>
  );
}

/** `isDrawn`: the bar above is made of these parts, so they carry its colours. */
function Part(props: { readonly name: BarPart['name']; readonly n: string; readonly isDrawn: boolean }): ReactNode {
  const t = useText();
  return (
    <span>
      {props.isDrawn && <i className={`strip-${props.name}`} />}
      {t(`layout.bar.${props.name}`, { n: props.n })}
    </span>
  );
}
