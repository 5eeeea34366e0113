/** Bills that cannot be true: they are named and left out of every sum, since no sum of them would be right. */
import type { ReactNode } from 'react';
import type { CacheCall } from '../../../shared/model/index.ts';
import { useText } from '../../app/language/index.ts';
import { Sign } from '../../ui/index.ts';
import { useSentence } from '../parts/use-sentence.ts';
import { CallLink } from './CallLink.tsx';
import { callText } from './words.ts';

const SHOWN = 3;

export function Flagged({ calls }: { readonly calls: readonly CacheCall[] }): ReactNode {
  const t = useText();
  const say = useSentence();
  if (calls.length === 0) return null;
  return (
    <p className="cache-flagged" data-testid="cache-flagged">
      <Sign name="warning" /> {t('cache.flagged', { n: calls.length })}{' '}
      {calls.slice(0, SHOWN).map((call) => (
        <CallLink key={call.id} call={call}>
          {t('cache.flagged.call', {
            call: callText(t, call),
            problem: call.usageProblems.map((problem) => say.word(`usage-problem.${problem}`)).join(t('app.comma')),
          })}
        </CallLink>
      ))}
      {calls.length > SHOWN && t('cache.flagged.more', { n: calls.length - SHOWN })}
    </p>
  );
}
