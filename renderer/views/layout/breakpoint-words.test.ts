import { describe, expect, test } from 'vitest';
import type { Breakpoint } from '../../../shared/model/index.ts';
import { counted, estimated, tokens } from '../../../shared/units.ts';
import { text, type Translate } from '../../app/language/index.ts';
import { breakpointWords } from './breakpoint-words.ts';

const t: Translate = (key, values) => text('en', key, values);
const point = (rest: Partial<Breakpoint> = {}): Breakpoint => ({
  kind: 'explicit',
  path: '/system/1',
  ttl: '5m',
  afterSegment: null,
  prefixTokens: estimated(6908),
  belowMinimum: false,
  minimum: tokens(1024),
  ...rest,
});

describe('breakpoints in words', () => {
  test.each([
    ['lifetime and covered tokens', {}, '5m · 6,908'],
    ['too short', { belowMinimum: true, prefixTokens: estimated(1024), minimum: tokens(2048) }, '5m · too short, 1,024 of 2,048'],
    ['automatic', { kind: 'implicit', ttl: null }, 'automatic · 6,908'],
    ['explicit without a lifetime', { ttl: null }, 'breakpoint · 6,908'],
  ] as const)('%s', (_, rest, expected) => expect(breakpointWords(point(rest), t).short).toBe(expected)); // prettier-ignore

  test.each([
    [{}, 'the minimum of 1,024 is reached'],
    [{ belowMinimum: true, minimum: tokens(8000) }, 'below the minimum: 6,908 of 8,000'],
    [{ belowMinimum: null, minimum: null }, 'the minimum of this model is not known'],
  ] as const)('%j', (rest, expected) => expect(breakpointWords(point(rest), t).long).toContain(expected));

  test('the tier of its tokens is said', () =>
    expect(breakpointWords(point({ prefixTokens: counted(7) }), t).long).toBe(
      '5m: /system/1, 7 tokens before it (counted), the minimum of 1,024 is reached',
    ));
});
