import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CAUSE_KINDS, PROTOCOLS, type JsonObject, type Protocol } from '../../shared/model/index.ts';
import { turnIndex } from '../../shared/units.ts';
import { nameSegments, parseBody } from '../adapters/index.ts';
import { changesBetween, textOf } from './changes.ts';
import { compareCalls } from './compare.ts';
import { islandsBetween } from './island.ts';
import { valueAt } from './json-walk.ts';
import { changedOptions } from './options.ts';
import { readableDiff } from './readable.ts';
import { edited, randomBody } from './testing/random.ts';
import { nextTurn, RECIPE, sideOf, type Recipe } from './testing/requests.ts';
import type { CallSide } from './types.ts';

const QUIET = { compacted: [], pruned: 0 };
const MOOD = nextTurn(RECIPE, { body: RECIPE.body.replace('calm', 'afraid') });

describe.each([...PROTOCOLS, null])('%s', (protocol) => {
  test('the divergence is a unit of the later body, and its segment owns it', () => {
    const b = sideOf(protocol, MOOD);
    const { divergence, share } = compareCalls(sideOf(protocol, RECIPE), b, QUIET);
    const value = valueAt(b.body, divergence?.path ?? '');
    expect(typeof value === 'string' && value.slice(divergence?.offset)).toMatch(/^afraid\./);
    expect(divergence?.now).toContain('Mood of the town: afraid');
    expect(divergence?.was).toContain('Mood of the town: calm');
    const owner = b.segments.find((segment) => segment.id === divergence?.segment);
    expect(owner?.kind).toBe('runtime-body');
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThan(1);
  });

  test('a grown request has no divergence and shares all of the earlier one', () => {
    const a = sideOf(protocol, RECIPE);
    const b = sideOf(protocol, { ...RECIPE, steps: [{ tool: 'roll-dice', result: '17' }] });
    const found = compareCalls(a, b, QUIET);
    expect(found.divergence).toBeNull();
    expect(found.shared).toEqual(compareCalls(a, a, QUIET).size);
    expect(found.changed.map(({ change, kind }) => [change, kind])).toEqual([
      ['added', 'tool-call'],
      ['added', 'tool-result'],
    ]);
  });

  test('the lines of the diff are where the texts part', () => {
    const diff = readableDiff(sideOf(protocol, RECIPE), sideOf(protocol, MOOD));
    expect(diff.left.split('\n')[(diff.leftLine ?? 0) - 1]).toBe('Mood of the town: calm.');
    expect(diff.right.split('\n')[(diff.rightLine ?? 0) - 1]).toBe('Mood of the town: afraid.');
    expect(diff.equalParts).toBeGreaterThanOrEqual(2);
    expect(diff.equalTokens.value).toBeGreaterThan(0);
    expect(diff.left.split('\n')[0]).toBe('── tool 1 · get-character ──');
    for (const text of [...RECIPE.history.map(([, said]) => said), ...RECIPE.context.map(([, said]) => said)]) {
      expect(diff.left.split('\n')).toContain(text);
    }
  });

  test('equal requests have no line to go to', () => {
    const side = sideOf(protocol, RECIPE);
    const diff = readableDiff(side, side);
    expect(diff).toMatchObject({ leftLine: null, rightLine: null });
    expect(diff.left).toBe(diff.right);
  });
});

describe('readable text', () => {
  test('keeps the units that editors break lines at on their line', () => {
    const side = (player: string) => sideOf('anthropic-messages-v1', { ...RECIPE, player });
    const diff = readableDiff(side('a\r\u2028b\nlast'), side('a\r\u2028b\nLast'));
    expect(diff.left.split('\n').slice((diff.leftLine ?? 0) - 2)).toEqual(['a\u240d\u2424b', 'last', '']);
  });
  test('shows no cache marks', () => {
    expect(
      readableDiff(sideOf('anthropic-messages-v1', RECIPE), sideOf('anthropic-messages-v1', RECIPE)).left,
    ).not.toContain('ephemeral');
  });
  test('two protocols part at their first line', () => {
    const diff = readableDiff(sideOf('openai-chat-v1', RECIPE), sideOf('openai-responses-v1', RECIPE));
    expect(diff).toMatchObject({ equalParts: 0, equalTokens: { value: 0 } });
    expect([diff.leftLine, diff.rightLine]).not.toContain(null);
  });
});

describe('changed segments', () => {
  const kinds = (a: Recipe, b: Recipe): readonly string[] =>
    changesBetween(sideOf('openai-chat-v1', a).segments, sideOf('openai-chat-v1', b).segments).list.map(
      ({ change, kind, label }) => `${change} ${kind} ${label}`,
    );
  const first = {
    ...RECIPE,
    extensions: [
      ['a', 'One.'],
      ['b', 'Two.'],
      ['c', 'Three.'],
    ] as const,
  };
  const CASES: readonly (readonly [what: string, a: Recipe, b: Recipe, changes: readonly string[]])[] = [
    ['equal', RECIPE, RECIPE, []],
    [
      'a block with another text',
      RECIPE,
      { ...RECIPE, context: [['memory-blocks', 'Dark.'], RECIPE.context[1]!] },
      ['modified turn-context memory-blocks'],
    ],
    [
      'a block more',
      RECIPE,
      { ...RECIPE, context: [['status', 'Well.'], ...RECIPE.context] },
      ['added turn-context status'],
    ],
    ['a block less', RECIPE, { ...RECIPE, context: [RECIPE.context[1]!] }, ['removed turn-context memory-blocks']],
    [
      'a block at another place',
      first,
      { ...first, extensions: [first.extensions[2], first.extensions[0], first.extensions[1]] },
      ['moved extension c'],
    ],
    ['a last block less', { ...RECIPE, lore: ['Bell.'] }, RECIPE, ['removed lore world-info']],
    ['a last block more', RECIPE, { ...RECIPE, lore: ['Bell.'] }, ['added lore world-info']],
    [
      'a last block of the turn context less',
      RECIPE,
      { ...RECIPE, context: [RECIPE.context[0]!] },
      ['removed turn-context world-dimensions'],
    ],
  ];
  for (const [what, a, b, changes] of CASES) test(`changes: ${what}`, () => expect(kinds(a, b)).toEqual(changes));

  test.each([...PROTOCOLS, null])('%s: a neighbour of what came or went is unchanged', (protocol) => {
    const lists = CASES.slice(2).map(([, a, b, changes]) => [
      changesBetween(sideOf(protocol, a).segments, sideOf(protocol, b).segments).list.map(
        ({ change, kind, label }) => `${change} ${kind} ${label}`,
      ),
      changes,
    ]);
    for (const [found, changes] of lists) expect(found).toEqual(changes);
  });
  test.each([...PROTOCOLS, null])('%s: what is gone is named as what broke the prefix', (protocol) => {
    const a = sideOf(protocol, { ...RECIPE, lore: ['Bell.'] });
    const { divergence, cause } = compareCalls(a, sideOf(protocol, nextTurn(RECIPE)), QUIET);
    expect(divergence?.gone).toEqual({ kind: 'lore', label: 'world-info' });
    expect(cause.evidence[0]).toMatchObject({
      key: 'evidence.where-gone',
      values: { kind: 'lore', label: 'world-info' },
    });
    expect(cause.evidence[1]).toMatchObject({ key: 'evidence.segment-removed', values: { label: 'world-info' } });
    const came = compareCalls(sideOf(protocol, RECIPE), sideOf(protocol, nextTurn(RECIPE, { lore: ['Bell.'] })), QUIET);
    expect(came.divergence?.gone).toBeNull();
    expect(came.cause.evidence[0]).toMatchObject({ key: 'evidence.where', values: { kind: 'lore' } });
  });

  test('removed and added rows of the history are no changed row', () => {
    const list = kinds(RECIPE, nextTurn(RECIPE, { history: nextTurn(RECIPE).history.slice(2) }));
    expect(list.filter((line) => line.includes('history'))).toEqual([
      'removed history turn 1',
      'removed history turn 1',
      'added history turn 3',
      'added history turn 3',
    ]);
  });
  test('standing and partner agree with the list', () => {
    const [a, b] = [sideOf('openai-chat-v1', RECIPE).segments, sideOf('openai-chat-v1', MOOD).segments];
    const changes = changesBetween(a, b);
    for (const segment of b) {
      const partner = changes.partner(segment);
      expect(changes.standing(segment) === 'added').toBe(partner === null);
      const isSame = partner !== null && textOf(partner) === textOf(segment);
      expect(['equal', 'moved'].includes(changes.standing(segment))).toBe(isSame);
    }
  });
});

describe('islands of a template', () => {
  const CASES: readonly (readonly [
    what: string,
    was: string,
    now: string,
    count: number,
    island: readonly [number, string, string],
  ])[] = [
    ['one word', 'a calm town', 'a loud town', 1, [2, 'calm', 'loud']],
    ['an inserted word', 'a town', 'a big town', 1, [2, '', 'big ']],
    ['an inserted line', 'a\nb\nc', 'a\nx\nb\nc', 1, [2, '', 'x']],
    ['two lines of many', 'p\nx1\nq\nr\ny1\ns', 'p\nx2\nq\nr\ny2\ns', 2, [3, '1', '2']],
    ['a value of several lines', 'head\none\ntwo\ntail', 'head\nthree\nfour\ntail', 1, [5, 'one\ntwo', 'three\nfour']],
  ];
  for (const [what, was, now, count, [offset, from, to]] of CASES) {
    test(`islands: ${what}`, () =>
      expect(islandsBetween(was, now)).toMatchObject({ count, offset, was: from, now: to }));
  }
  test('equal texts have none', () => expect(islandsBetween('a', 'a')).toBeNull());
  test('the share is what stays', () => {
    expect(islandsBetween(`${'x'.repeat(90)}${'a'.repeat(10)}`, `${'x'.repeat(90)}${'b'.repeat(10)}`)?.share).toBe(0.9);
    expect(islandsBetween('one', 'two')?.share).toBe(0);
  });
});

describe('settings', () => {
  test('are named by their leaf, with both values', () => {
    expect(
      changedOptions(
        { text: { format: { type: 'text' }, verbosity: 'low' } },
        { text: { format: { type: 'text' }, verbosity: 'high' }, tool_choice: 'none' },
      ),
    ).toEqual([
      { field: 'tool_choice', was: null, now: '"none"' },
      { field: 'text.verbosity', was: '"low"', now: '"high"' },
    ]);
  });
  test('sampling, limits and transport are none', () => {
    expect(
      changedOptions(
        { temperature: 1, stream: true },
        { temperature: 0, max_tokens: 5, seed: 1, generationConfig: { topK: 1 } },
      ),
    ).toEqual([]);
  });
});

describe('any two bodies', () => {
  const sideOfBody = (protocol: Protocol, body: JsonObject): CallSide => {
    const prompt = parseBody(protocol, body);
    const evidence = { kernel: null, turnId: 't', runtimeId: 'r', pluginId: 'p', playerText: null, rows: [] };
    const side = { id: 'c', model: 'm', provider: 'p', turnIndex: turnIndex(1) };
    return { ...side, protocol, body, prompt, segments: nameSegments(prompt, evidence) };
  };
  test.each(PROTOCOLS)('of %s have a cause, and a divergence that is a place of the later one', (protocol) => {
    fc.assert(
      fc.property(randomBody[protocol], randomBody[protocol], fc.nat(), fc.boolean(), (x, other, pick, near) => {
        const [a, b] = [sideOfBody(protocol, x), sideOfBody(protocol, near ? edited(x, pick) : other)];
        const { cause, divergence, shared, size, share } = compareCalls(a, b, QUIET);
        expect(CAUSE_KINDS).toContain(cause.kind);
        expect(shared.chars).toBeLessThanOrEqual(size.chars);
        expect(share).toBe(size.chars === 0 ? 1 : shared.chars / size.chars);
        if (divergence) {
          const value = valueAt(b.body, divergence.path);
          const room = typeof value === 'string' ? value.length : 0;
          if (value === undefined || divergence.offset > room) throw new Error(JSON.stringify(divergence));
        }
        const diff = readableDiff(a, b);
        const lines = diff.right.split('\n').length;
        if (diff.rightLine !== null && (diff.rightLine < 1 || diff.rightLine > lines))
          throw new Error(`${diff.rightLine}`);
        expect(diff.rightLine === null).toBe(divergence === null);
      }),
    );
  });
});

describe('the segment of a divergence', () => {
  const label = (a: Recipe, b: Recipe): string => {
    const side = sideOf('openai-chat-v1', b);
    const { divergence } = compareCalls(sideOf('openai-chat-v1', a), side, QUIET);
    const owner = side.segments.find((segment) => segment.id === divergence?.segment);
    return `${owner?.kind} ${owner?.origin.label}`;
  };
  test('is what came in behind a blank line', () => {
    expect(label(RECIPE, nextTurn(RECIPE, { lore: ['Bell.'] }))).toBe('lore world-info');
  });
  test('is what follows what went away at the end of a string', () => {
    expect(label({ ...RECIPE, lore: ['Bell.'] }, nextTurn(RECIPE))).toBe('history turn 1');
  });
  test('is what lost its end', () => {
    const shorter = nextTurn(RECIPE, { extensions: [], lore: [], body: 'Body.' });
    expect(label({ ...RECIPE, extensions: [], lore: [], body: 'Body. More.' }, shorter)).toBe('runtime-body narrator');
  });
  test('is the message whose role differs', () => {
    expect(label(RECIPE, nextTurn(RECIPE))).toBe('history turn 3');
  });
});
