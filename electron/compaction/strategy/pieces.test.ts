import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { estimateTokens } from '../../../shared/tokens.ts';
import { summaryBudget } from '../limits.ts';
import { chars4, row, rows, summary } from '../testing/scene.ts';
import { cutToBudget } from './cut.ts';
import { planMerge } from './merge.ts';
import { candidatesOf, longestFitting, protectStart } from './prefix.ts';

const note = (n: number) => row(n, { role: 'user', sourceType: 'system' });

describe('what stays as it is', () => {
  test.each([
    ['two turns of the player when they reach further than five rows', [0, 1, 2, 1, 1, 1, 2, 1, 1, 1], 2],
    ['five rows when they reach further than two turns', [0, 1, 0, 1, 0, 1, 0, 1, 0, 1], 5],
    ['everything with one turn of the player', [0, 1, 1, 1, 1, 1, 1, 1], 0],
    ['everything with five rows', [0, 1, 0, 1, 0], 0],
  ])('%s', (_name, roles, start) => {
    // 0 and 2: a row of the player
    const messages = roles.map((role, n) => row(n, { role: role === 1 ? 'assistant' : 'user' }));
    expect(protectStart(messages, { userTurns: 2, tail: 5 })).toBe(start);
  });

  test('without protection of turns only the last five rows', () => {
    const messages = rows(9).map((message) => ({ ...message, role: 'assistant' as const }));
    expect(protectStart(messages, { userTurns: 0, tail: 5 })).toBe(4);
    expect(protectStart(messages, { userTurns: 2, tail: 5 })).toBe(0);
  });

  test('a picture note is no turn of the player', () => {
    const messages = [row(0), row(1), row(2), row(3), note(4), row(5), note(6), row(7), row(8), row(9)];
    expect(protectStart(messages, { userTurns: 2, tail: 1 })).toBe(2);
  });

  test('candidates begin after the last tagged row', () => {
    const messages = rows(10).map((message, n) => (n < 3 ? { ...message, compactedAtTurnId: 'a0' } : message));
    expect(candidatesOf(messages, { userTurns: 2, tail: 5 }).map(({ id }) => id)).toEqual(['m3', 'm4']);
  });

  test('the longest that fits', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.nat(60), (limit, edge) => {
        expect(longestFitting(limit, (n) => n <= edge)).toBe(Math.min(limit, edge));
      }),
    );
  });
});

describe('cutting to a budget', () => {
  test.each([
    ['equality fits', 'abcdefgh', 2, '#', 'abcdefgh', false],
    ['beginning and marker on its own line', 'a'.repeat(100), 5, '[cut]', `${'a'.repeat(14)}\n[cut]`, true],
    ['no space before the marker', `aaa${' '.repeat(90)}b`, 5, '[cut]', 'aaa\n[cut]', true],
    ['a marker that leaves no room: as many characters as tokens', 'abcdefghijklmnop', 2, 'm'.repeat(8), 'ab', true],
    ['a marker larger than the budget', 'abcdefghijklmnop', 1, 'm'.repeat(80), 'a', true],
    ['a pair stays whole with the marker', `a${'😀'.repeat(50)}`, 4, '[cut]', `a${'😀'.repeat(4)}\n[cut]`, true],
    ['a pair stays whole without it', '😀'.repeat(50), 1, 'm'.repeat(80), '😀', true],
  ])('%s', (_name, text, budget, marker, expected, truncated) => {
    expect(cutToBudget(text, budget, marker, chars4)).toEqual({ text: expected, truncated });
  });

  test('never over the budget, never half a pair, always a beginning of the text', () => {
    const word = fc.constantFrom('word ', '字', '😀', '\n', 'a', '，');
    const text = fc.array(word, { minLength: 1, maxLength: 80 }).map((words) => words.join('').trim());
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom('[cut]', '[……截短]'),
        (full, budget, marker) => {
          fc.pre(full !== '');
          const cut = cutToBudget(full, budget, marker, estimateTokens);
          expect(estimateTokens(cut.text)).toBeLessThanOrEqual(budget);
          expect(cut.text.isWellFormed()).toBe(true);
          const kept = cut.truncated ? cut.text.replace(`\n${marker}`, '') : cut.text;
          expect(kept).not.toBe('');
          expect(full.startsWith(kept)).toBe(true);
          expect(cut.truncated).toBe(estimateTokens(full) > budget);
        },
      ),
    );
  });
});

describe('which segments are merged', () => {
  const sized = (...sizes: number[]) => sizes.map((size, n) => summary(n, { content: 'x'.repeat(4 * size) }));
  const plan = (sizes: number[], freshTokens: number, window: number) => {
    const { selected, budget } = planMerge(sized(...sizes), freshTokens, summaryBudget(window), chars4);
    return [selected.length, budget];
  };
  // 10,000: total 1,200, segment 400. 1,000: total and segment 128.
  test.each([
    ['none while there is room', [100, 100], 100, 10_000, [0, 0]],
    ['none at exactly the total', [400, 400], 400, 10_000, [0, 0]],
    ['the oldest two of eight', Array<number>(8).fill(10), 10, 10_000, [2, 15]],
    ['none of seven', Array<number>(7).fill(10), 10, 10_000, [0, 0]],
    ['the oldest alone, shortened, when that suffices', [400, 400], 401, 10_000, [1, 300]],
    ['as many as the total asks for', [300, 300, 300, 300], 350, 10_000, [2, 250]],
    ['all, with what is left', [128], 64, 1_000, [1, 64]],
    ['never more than a segment', [400, 400, 400], 1, 10_000, [1, 300]],
    ['nothing to merge', [], 128, 1_000, [0, 0]],
  ])('%s', (_name, sizes, freshTokens, window, expected) => {
    expect(plan(sizes, freshTokens, window)).toEqual(expected);
  });

  test('a plan always fits, and one segment less would not', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 8 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 400 }), (given, freshTokens) => {
        const limits = summaryBudget(10_000);
        const existing = sized(...given);
        const { selected, budget } = planMerge(existing, freshTokens, limits, chars4);
        const room = (taken: number): number =>
          limits.maxTokens - given.slice(taken).reduce((sum, size) => sum + size, freshTokens);
        expect(budget).toBeLessThanOrEqual(Math.min(limits.maxSegmentTokens, room(selected.length)));
        if (selected.length === 0) return;
        const few = selected.length - 1;
        const source = given.slice(0, few).reduce((sum, size) => sum + size, 0);
        const needed = few === 0 ? 0 : Math.min(400, Math.max(1, room(few)), Math.ceil(source * 0.75));
        const segments = given.length - few + (few > 0 ? 2 : 1);
        expect(segments > 8 || needed > room(few)).toBe(true);
      }),
    );
  });
});
