/** Tools come first in the cache key: the first one that differs decides, and all that differ are named. */
import { say } from '../../shared/language/types.ts';
import type { CauseKind, Sentence, ToolDef } from '../../shared/model/index.ts';
import type { Facts } from './facts.ts';
import { compactJson } from './json-walk.ts';
import { zoneOf } from './key-text.ts';
import { listOf, whereItParts, type CauseTest } from './say.ts';

export type ToolCause = Extract<CauseKind, `tools-${string}`>;

type Lists = {
  readonly names: readonly [readonly string[], readonly string[]];
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly modified: readonly string[];
};

function compareTools(a: readonly ToolDef[], b: readonly ToolDef[]): Lists {
  const was = new Map(a.map((tool) => [tool.name, compactJson(tool.value)]));
  const now = new Map(b.map((tool) => [tool.name, compactJson(tool.value)]));
  return {
    names: [a.map((tool) => tool.name), b.map((tool) => tool.name)],
    added: [...now.keys()].filter((name) => !was.has(name)),
    removed: [...was.keys()].filter((name) => !now.has(name)),
    modified: [...now.keys()].filter((name) => was.has(name) && was.get(name) !== now.get(name)),
  };
}

/** What happened to the tool at which the requests part. */
function kindAt(facts: Facts, lists: Lists): ToolCause | null {
  const { parting } = facts;
  if (!parting) return null;
  const nameAt = (side: 'a' | 'b'): string | null => {
    const part = side === 'a' ? parting.partA : parting.partB;
    if (!part || zoneOf(part) !== 'tool') return null;
    return facts[side].prompt.tools.find((tool) => tool.path === part.path)?.name ?? part.label;
  };
  const was = nameAt('a');
  const now = nameAt('b');
  if (was === null && now === null) return null;
  if (was === now) return 'tools-modified';
  const isNew = now !== null && lists.added.includes(now);
  const isGone = was !== null && lists.removed.includes(was);
  if (isNew && isGone) return 'tools-modified';
  if (isNew) return 'tools-added';
  if (isGone) return 'tools-removed';
  return 'tools-reordered';
}

const NAMED: readonly (readonly [
  'added' | 'removed' | 'modified',
  'evidence.tools-added' | 'evidence.tools-removed' | 'evidence.tools-modified',
])[] = [
  ['added', 'evidence.tools-added'],
  ['removed', 'evidence.tools-removed'],
  ['modified', 'evidence.tools-modified'],
];

export const toolsChanged =
  (kind: ToolCause): CauseTest =>
  (facts) => {
    const lists = compareTools(facts.a.prompt.tools, facts.b.prompt.tools);
    if (kindAt(facts, lists) !== kind) return null;
    const evidence: Sentence[] = [...whereItParts(facts)];
    for (const [list, key] of NAMED) {
      if (lists[list].length > 0) evidence.push(say(key, { names: listOf(lists[list]) }));
    }
    const [was, now] = lists.names;
    if (kind === 'tools-reordered') evidence.push(say('evidence.tools-order', { was: listOf(was), now: listOf(now) }));
    return { evidence, advice: say(kind === 'tools-reordered' ? 'advice.tools-reordered' : 'advice.tools', {}) };
  };
