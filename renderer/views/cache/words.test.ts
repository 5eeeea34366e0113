import { describe, expect, test } from 'vitest';
import { turnIndex } from '../../../shared/units.ts';
import { text, type Translate } from '../../app/language/index.ts';
import { callText, intText, shortGap } from './words.ts';

const t: Translate = (key, values) => text('en', key, values);

test.each([
  [900, '1 s'],
  [45_000, '45 s'],
  [90_000, '1.5 min'],
  [312_000, '5.2 min'],
  [720_000, '12 min'],
  [7_560_000, '2.1 h'],
  [86_400_000, '1 d'],
])('shortGap(%d)', (ms, expected) => expect(shortGap(ms).replaceAll('\u202f', ' ')).toBe(expected));

test('unknown is a dash, nothing is a zero', () => expect([intText(null), intText(0), intText(1234)]).toEqual(['–', '0', '1,234'])); // prettier-ignore

describe('calls', () => {
  const call = { runtimeId: 'world-init/dimension-tracker', turnIndex: turnIndex(1200), step: 0 };
  test('by the short name of their runtime', () => expect(callText(t, call)).toBe('dimension-tracker, turn 1,200'));
  test('later steps are named', () => expect(callText(t, { ...call, step: 2 })).toContain('step 2'));
});
