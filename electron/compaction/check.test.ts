import { describe, expect, test } from 'vitest';
import { checkOutput } from './check.ts';
import { chars4, fresh, merge, summary } from './testing/scene.ts';
import { REJECTION_CODES, type RejectionCode } from './types.ts';

const against = {
  uncompactedIds: ['m0', 'm1', 'm2', 'm3'],
  existing: [summary(0), summary(1), summary(2)],
  budget: { maxTokens: 100, maxSegmentTokens: 50, maxSegments: 5 },
  estimate: chars4,
};
const long = 'y'.repeat(4 * 50);

const REFUSED: readonly (readonly [RejectionCode, string, unknown])[] = [
  ['bad-shape', 'no object', 'nothing'],
  ['bad-shape', 'undefined', undefined],
  ['bad-shape', 'no list', { summaries: null }],
  ['bad-shape', 'an id that is no text', { summaries: [{ ...fresh(), messageIds: [1] }] }],
  ['bad-shape', 'no focus sections', { summaries: [{ ...fresh('m0'), focusSections: undefined }] }],
  ['no-segments', 'an empty list', { summaries: [] }],
  ['blank-content', 'white space alone', { summaries: [{ ...fresh('m0'), content: ' \n' }] }],
  ['both-sources', 'messages and summaries', { summaries: [{ ...fresh('m0'), replacesSummaryIds: ['a0'] }] }],
  ['no-source', 'neither', { summaries: [fresh()] }],
  ['segment-over-budget', 'one token too many', { summaries: [{ ...fresh('m0'), content: `${long}.` }] }],
  ['message-duplicate', 'twice in one segment', { summaries: [fresh('m0', 'm0')] }],
  ['message-duplicate', 'twice in two segments', { summaries: [fresh('m0', 'm1'), fresh('m1', 'm2')] }],
  ['message-foreign', 'of another session', { summaries: [fresh('m0', 'other')] }],
  ['message-reordered', 'second before first', { summaries: [fresh('m1', 'm0')] }],
  ['message-reordered', 'across segments', { summaries: [fresh('m2', 'm3'), fresh('m0', 'm1')] }],
  ['message-skipped', 'not from the beginning', { summaries: [fresh('m1', 'm2')] }],
  ['message-skipped', 'a gap', { summaries: [fresh('m0', 'm2')] }],
  ['summary-duplicate', 'twice', { summaries: [merge('a0', 'a0')] }],
  ['summary-foreign', 'unknown', { summaries: [merge('zz')] }],
  ['summary-reordered', 'second before first', { summaries: [merge('a1', 'a0')] }],
  ['summary-skipped', 'not from the oldest', { summaries: [merge('a1')] }],
  ['too-many-segments', 'three kept and three new', { summaries: [fresh('m0'), fresh('m1'), fresh('m2')] }],
  [
    'total-over-budget',
    'old and new together',
    {
      summaries: [
        { ...fresh('m0'), content: long },
        { ...fresh('m1'), content: long },
      ],
    },
  ],
];

describe('answers that are refused', () => {
  test.each(REFUSED)('%s: %s', (code, _name, output) => {
    expect(checkOutput(output, against)).toMatchObject({ kind: 'rejected', rejection: { code } });
  });

  test('every reason has a case', () => {
    expect(new Set(REFUSED.map(([code]) => code))).toEqual(new Set(REJECTION_CODES));
  });
});

describe('answers that are taken', () => {
  test.each([
    ['one fresh segment', { summaries: [fresh('m0', 'm1')] }, ['m0', 'm1'], ['a0', 'a1', 'a2']],
    [
      'two fresh segments, one after the other',
      { summaries: [fresh('m0'), fresh('m1')] },
      ['m0', 'm1'],
      ['a0', 'a1', 'a2'],
    ],
    ['a merge alone', { summaries: [merge('a0', 'a1')] }, [], ['a2']],
    ['two merges, one after the other', { summaries: [merge('a0'), merge('a1', 'a2')] }, [], []],
    ['a merge and a fresh segment', { summaries: [merge('a0', 'a1'), fresh('m0')] }, ['m0'], ['a2']],
    ['exactly the segment budget', { summaries: [{ ...fresh('m0'), content: long }] }, ['m0'], ['a0', 'a1', 'a2']],
    [
      'an explicit undefined flag',
      { summaries: [{ ...fresh('m0'), truncated: undefined }] },
      ['m0'],
      ['a0', 'a1', 'a2'],
    ],
  ])('%s', (_name, output, messageIds, retained) => {
    const checked = checkOutput(output, against);
    expect(checked).toMatchObject({
      kind: 'accepted',
      segments: output.summaries,
      messageIds,
      retained: retained.map((id) => ({ id })),
    });
  });
});
