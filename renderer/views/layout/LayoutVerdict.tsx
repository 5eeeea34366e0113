/** Did the prefix hold, where did it break, why, what did the provider bill, and what could be done. */
import type { ReactNode } from 'react';
import { useText } from '../../app/language/index.ts';
import { Code, formatInt, formatPercent, Tag } from '../../ui/index.ts';
import { useSentence } from '../parts/use-sentence.ts';
import { Verdict } from '../parts/Verdict.tsx';
import { toneOf } from '../parts/verdict.ts';
import { billedBar } from './billing.ts';
import type { LayoutModel } from './view-model.ts';

export function LayoutVerdict({ model }: { readonly model: LayoutModel }): ReactNode {
  const t = useText();
  const say = useSentence();
  const { detail, cut, segments } = model;
  const { comparison } = detail;
  const tone = toneOf(comparison);
  const owner = cut?.isDifference ? segments[cut.segment] : undefined;
  const facts = [
    ...(detail.view === 'kernel' ? [t('layout.kernel')] : []),
    ...(detail.omittedFields ? [t('layout.omitted', { n: detail.omittedFields })] : []),
    ...(detail.unknownShare > 0 ? [t('layout.unknown', { share: formatPercent(detail.unknownShare) })] : []),
  ];

  return (
    <Verdict
      tone={tone}
      tier={comparison ? comparison.shared.tokens.tier : null}
      title={
        !comparison ? (
          t('verdict.first', { runtime: detail.row.runtimeId })
        ) : tone === 'broken' && owner ? (
          <>
            {t('verdict.broke')} <Code>{say.segment(owner.kind, owner.origin.label)}</Code>
            {': '}
            {say.word(`cause.${comparison.cause.kind}`)}
          </>
        ) : (
          say.word(`cause.${comparison.cause.kind}`)
        )
      }
    >
      {comparison ? (
        <p>
          {t('verdict.shared', {
            shared: formatInt(comparison.shared.tokens.value),
            size: formatInt(comparison.size.tokens.value),
            share: formatPercent(comparison.shared.share),
            turn: comparison.aTurn,
          })}{' '}
          {comparison.cause.evidence.map((one) => say.say(one)).join(' ')}{' '}
          {comparison.cause.advice && <span className="verdict-advice">{say.say(comparison.cause.advice)}</span>}
        </p>
      ) : (
        <p>{t('verdict.first.hint')}</p>
      )}
      <Billed model={model} />
      {facts.length > 0 && <p>{facts.join(' ')}</p>}
    </Verdict>
  );
}

function Billed({ model }: { readonly model: LayoutModel }): ReactNode {
  const t = useText();
  const { usage } = model.detail;
  const bar = billedBar(usage);
  if (!usage || !bar) return null;
  const amount = (n: number | null): string => (n === null ? t('app.unknown') : formatInt(n));
  return (
    <p>
      {t('verdict.billed', { read: amount(usage.read), write: amount(usage.write), uncached: amount(usage.uncached) })}{' '}
      <Tag tier="billed" />
    </p>
  );
}
