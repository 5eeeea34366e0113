import { describe, expect, test } from 'vitest';
import type { Comparison } from '../../../shared/api.ts';
import type { CauseKind, SegmentChange } from '../../../shared/model/index.ts';
import { chars, estimated, turnIndex } from '../../../shared/units.ts';
import { countChanges, toneOf } from './verdict.ts';

const compared = (kind: CauseKind, changes: readonly SegmentChange['change'][] = []): Comparison => ({
  a: '1',
  aTurn: turnIndex(1),
  b: '2',
  bTurn: turnIndex(2),
  size: { chars: chars(10), tokens: estimated(3) },
  shared: { chars: chars(5), tokens: estimated(1), share: 0.5 },
  divergence: null,
  cause: { kind, evidence: [], advice: null },
  changed: changes.map((change, i) => ({
    segment: `s${i}`,
    kind: 'extension',
    label: 'x',
    change,
    tokens: estimated(1),
  })),
});

describe('tone', () => {
  test('nothing to compare with', () => expect(toneOf(null)).toBe('first'));
  test.each(['append-only', 'identical', 'turn-context', 'shortened', 'marker-only'] as const)('%s held', (kind) =>
    expect(toneOf(compared(kind))).toBe('held'),
  );
  test.each(['ttl-elapsed', 'below-minimum', 'lookback-exceeded', 'no-matching-breakpoint', 'provider-miss'] as const)(
    '%s missed although the text held',
    (kind) => expect(toneOf(compared(kind))).toBe('missed'),
  );
  test.each(['extension-segment', 'model', 'window-slid', 'compacted', 'unknown'] as const)('%s broke', (kind) =>
    expect(toneOf(compared(kind))).toBe('broken'),
  );
});

test('a moved segment counts as changed', () =>
  expect(countChanges(compared('system-text', ['modified', 'moved', 'added', 'removed', 'added']))).toEqual({
    modified: 2,
    added: 2,
    removed: 1,
  }));
