/** Causes that are told by the whole request: its model, its settings, and how one text stands to the other. */
import { say } from '../../shared/language/types.ts';
import type { CacheMark } from '../../shared/model/index.ts';
import { prefixTokens } from '../../shared/tokens.ts';
import { textOf } from './changes.ts';
import type { Facts } from './facts.ts';
import { cacheKeyOf } from './options.ts';
import { listOf, optionSentences, whereItParts, type CauseTest } from './say.ts';

/** A wire body and the kernel view are no two forms of one text. */
export const viewsDiffer: CauseTest = ({ a, b }) =>
  (a.protocol === null) !== (b.protocol === null) ? { evidence: [say('evidence.views', {})], advice: null } : null;

/** Old recordings leave names out or empty: what is not known is not different. */
const differ = (was: string | null, now: string | null): boolean => Boolean(was) && Boolean(now) && was !== now;

export const anotherModel: CauseTest = ({ a, b }) => {
  const model = differ(a.model, b.model);
  const provider = differ(a.provider, b.provider);
  const protocol = a.protocol !== b.protocol;
  if (!model && !provider && !protocol) return null;
  const pair = (was: string | null, now: string | null) => ({ was: was ?? '–', now: now ?? '–' });
  return {
    evidence: [
      ...(model ? [say('evidence.model', pair(a.model, b.model))] : []),
      ...(provider ? [say('evidence.provider', pair(a.provider, b.provider))] : []),
      ...(protocol ? [say('evidence.protocol', pair(a.protocol, b.protocol))] : []),
    ],
    advice: say('advice.model', {}),
  };
};

export const cacheKeyChanged: CauseTest = ({ a, b }) => {
  const [was, now] = [cacheKeyOf(a.body), cacheKeyOf(b.body)];
  if (was === now) return null;
  return {
    evidence: [say('evidence.cache-key', { was: was ?? '–', now: now ?? '–' })],
    advice: say('advice.cache-key', {}),
  };
};

export const optionsChanged: CauseTest = (facts) =>
  facts.options.length === 0
    ? null
    : {
        evidence: optionSentences(facts),
        advice: say('advice.options', { field: listOf(facts.options.map((option) => option.field)) }),
      };

/** A schema that the adapter wrote into the prompt is a setting in the form of text. */
export const responseFormatText: CauseTest = (facts) => {
  const owners = [facts.parting?.ownerA, facts.parting?.ownerB];
  const found = owners.find((segment) => segment?.kind === 'response-format');
  if (!found || ['equal', 'moved'].includes(facts.changes.standing(found))) return null;
  return {
    evidence: [...whereItParts(facts), ...optionSentences(facts)],
    advice: say('advice.options', { field: found.origin.label }),
  };
};

export const markersOnly: CauseTest = ({ a, b, relation }) => {
  if (relation !== 'same') return null;
  const describe = (marks: readonly CacheMark[]): string =>
    listOf(marks.map(({ path, ttl }) => (ttl === null ? path : `${path} (${ttl})`))) || '–';
  const [was, now] = [describe(a.prompt.marks), describe(b.prompt.marks)];
  return was === now ? null : { evidence: [say('evidence.marks', { was, now })], advice: null };
};

export const identical: CauseTest = ({ relation, prefix }) =>
  relation === 'same' ? { evidence: [say('evidence.identical', { chars: prefix.size.chars })], advice: null } : null;

export const appended: CauseTest = (facts) => {
  const { relation, keyA, keyB, prefix } = facts;
  if (relation === 'grew') {
    const tokens = prefixTokens(prefix.size) - prefixTokens(prefix.shared);
    const parts = keyB.parts.length - keyA.parts.length;
    return { evidence: [say('evidence.appended', { parts, tokens })], advice: null };
  }
  if (relation !== 'grew-inside-last') return null;
  return {
    evidence: [say('evidence.appended-inside', { part: keyB.parts[keyA.parts.length - 1]?.label ?? '' })],
    advice: null,
  };
};

export const endedEarlier: CauseTest = ({ relation, keyA, keyB }) =>
  relation === 'ended'
    ? { evidence: [say('evidence.ends-earlier', { parts: keyA.parts.length - keyB.parts.length })], advice: null }
    : null;

/** Always finds: what is known is where the texts part. */
export const unexplained = (facts: Facts) => {
  const { parting } = facts;
  const owner = parting?.ownerB ?? parting?.ownerA;
  const nameless = !owner || owner.kind === 'unknown' || textOf(owner) === '';
  return {
    evidence: [...whereItParts(facts), ...(nameless ? [say('evidence.unnamed', {})] : [])],
    advice: null,
  };
};
