import { expect, test } from 'vitest';
import { isMessageKey, sentence } from '../../shared/language/index.ts';
import { PROTOCOLS, type CauseKind } from '../../shared/model/index.ts';
import { compareCalls } from './compare.ts';
import { nextTurn, RECIPE, sideOf, type Recipe } from './testing/requests.ts';
import { VOLATILE_KINDS } from './volatile.ts';

const inBody = (value: string): string => RECIPE.body.replace('calm', value);
const withBody = (value: string): Recipe => ({ ...RECIPE, body: inBody(value) });

type Case = readonly [what: string, cause: CauseKind, evidence: string | null, a: Recipe, b: Recipe];
const CASES: readonly Case[] = [
  [
    'a time that is filled into the body',
    'template-variable',
    'evidence.volatile-timestamp',
    withBody('2026-11-24T13:02:00Z'),
    nextTurn(RECIPE, { body: inBody('2026-11-24T13:09:00Z') }),
  ],
  [
    'an id that is filled into the body',
    'template-variable',
    'evidence.volatile-uuid',
    withBody('3f0c1a52-9d1e-4c5b-8a77-0d7a1b2c3d4e'),
    nextTurn(RECIPE, { body: inBody('3f0c1a52-9d1e-4c5b-8a77-0d7a1b2c3d4f') }),
  ],
  [
    'a counter in a session segment',
    'extension-segment',
    'evidence.volatile-counter',
    { ...RECIPE, extensions: [['notes', 'As of turn 12.']] },
    nextTurn(RECIPE, { extensions: [['notes', 'As of turn 13.']] }),
  ],
  [
    'a counter in Chinese in the preamble',
    'system-text',
    'evidence.volatile-counter',
    { ...RECIPE, preamble: `${RECIPE.preamble}\n现在是第 12 回合。` },
    nextTurn(RECIPE, { preamble: `${RECIPE.preamble}\n现在是第 13 回合。` }),
  ],
  [
    'a time in the definition of a tool',
    'tools-modified',
    'evidence.volatile-timestamp',
    { ...RECIPE, toolText: 'Reads one record. Updated 2026-11-24T13:02:00Z.' },
    nextTurn(RECIPE, { toolText: 'Reads one record. Updated 2026-11-24T13:09:00Z.' }),
  ],
  [
    'a time span in a message that was sent',
    'message-edited',
    'evidence.volatile-duration',
    { ...RECIPE, history: RECIPE.history.with(1, ['assistant', 'Lin left 5 minutes ago.']) },
    nextTurn({ ...RECIPE, history: RECIPE.history.with(1, ['assistant', 'Lin left 9 minutes ago.']) }),
  ],
  ['a rewritten body', 'system-text', null, RECIPE, nextTurn(RECIPE, { body: 'Something else entirely.' })],
  [
    'a time in the turn context, where it belongs',
    'turn-context',
    null,
    { ...RECIPE, context: [['clock', '2026-11-24T13:02:00Z']] },
    nextTurn(RECIPE, { context: [['clock', '2026-11-24T13:09:00Z']] }),
  ],
];

for (const protocol of [...PROTOCOLS, null]) {
  test.each(CASES)(`${protocol ?? 'kernel view'}: %s`, (_, kind, evidence, a, b) => {
    const { cause } = compareCalls(sideOf(protocol, a), sideOf(protocol, b), { compacted: [], pruned: 0 });
    const found = cause.evidence.filter(({ key }) => key.startsWith('evidence.volatile-'));
    expect([cause.kind, ...found.map(({ key }) => key)]).toEqual(evidence === null ? [kind] : [kind, evidence]);
    for (const said of found) expect(sentence('en', said)).toMatch(/Before: “.+”; now: “.+”\.$/);
  });
}

test('every kind of value has its sentence', () => {
  for (const kind of VOLATILE_KINDS) expect(isMessageKey(`evidence.volatile-${kind}`)).toBe(true);
});
