/**
 * Why the cache cannot give all of an earlier request back. A difference in content is the cause before any rule of
 * a provider's cache; a request that only grew is never called a miss.
 */
import type { Cause } from '../../shared/model/index.ts';
import { CACHE_CAUSES, CONTENT_CAUSES, KEPT, SETTING_CAUSES, type CauseRow } from './cause-table.ts';
import { unexplained } from './cause-request.ts';
import type { Facts } from './facts.ts';
import { optionSentences } from './say.ts';
import { volatileSentences } from './volatile-evidence.ts';

/** The cause of a difference, with its evidence and advice. Never fails: what is not explained is `unknown`. */
export function causeOf(facts: Facts): Cause {
  const outer = firstOf(CACHE_CAUSES, facts);
  if (outer) return outer;
  const content = firstOf(CONTENT_CAUSES, facts) ?? { kind: 'unknown', ...unexplained(facts) };
  if (KEPT.includes(content.kind)) return firstOf(SETTING_CAUSES, facts) ?? content;
  const beside = content.kind === 'options' ? [] : optionSentences(facts);
  return { ...content, evidence: [...content.evidence, ...volatileSentences(content.kind, facts), ...beside] };
}

function firstOf(rows: readonly CauseRow[], facts: Facts): Cause | null {
  for (const { kind, test } of rows) {
    const found = test(facts);
    if (found) return { kind, ...found };
  }
  return null;
}
