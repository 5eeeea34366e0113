/** Did the prefix hold, where did it break, why, and what could be done. */
import type { ReactNode } from 'react';
import { useText } from '../../app/language/index.ts';
import { Code, formatInt, formatPercent } from '../../ui/index.ts';
import { runtimeName } from '../../app/runtime-name.ts';
import { tokenShare } from '../parts/share.ts';
import { useSentence } from '../parts/use-sentence.ts';
import { Reasons, Verdict } from '../parts/Verdict.tsx';
import { toneOf } from '../parts/verdict.ts';
import type { LayoutModel } from './view-model.ts';

export function LayoutVerdict({ model }: { readonly model: LayoutModel }): ReactNode {
  const t = useText();
  const say = useSentence();
  const { detail, cut, segments } = model;
  const { comparison } = detail;
  const tone = toneOf(comparison);
  const stands = cut?.isDifference ? segments[cut.segment] : undefined;
  const owner = comparison?.divergence?.gone ?? (stands && { kind: stands.kind, label: stands.origin.label });
  const evidence = comparison?.cause.evidence.length
    ? comparison.cause.evidence
    : [{ key: `cause.${comparison?.cause.kind ?? 'unknown'}.meaning`, values: {} }];
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
          t('verdict.first', { runtime: runtimeName(detail.row.runtimeId, t) })
        ) : (
          <>
            {t(
              tone === 'held'
                ? 'verdict.held'
                : tone === 'missed'
                  ? 'verdict.missed'
                  : owner
                    ? 'verdict.broke-in'
                    : 'verdict.broke',
            )}
            {tone === 'broken' && owner && (
              <>
                {' '}
                <Code>{say.segment(owner.kind, owner.label)}</Code>
              </>
            )}
            {' · '}
            {say.word(`cause.${comparison.cause.kind}`)}
          </>
        )
      }
    >
      {comparison ? (
        <Reasons
          reasons={[
            t('verdict.shared', {
              shared: formatInt(comparison.shared.tokens.value),
              size: formatInt(comparison.size.tokens.value),
              share: formatPercent(tokenShare(comparison.shared.tokens, comparison.size.tokens)),
              turn: comparison.aTurn,
            }),
            ...evidence.map((one) => say.say(one)),
          ]}
          advice={comparison.cause.advice && say.say(comparison.cause.advice)}
        />
      ) : (
        <p>{t('verdict.first.hint')}</p>
      )}
      {facts.length > 0 && <p>{say.join(facts)}</p>}
    </Verdict>
  );
}
