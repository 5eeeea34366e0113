import { describe, expect, test } from 'vitest';
import type { CallRow, Usage } from '../../../shared/model/index.ts';
import { tokens } from '../../../shared/units.ts';
import { fixtureSession } from '../../test-support/fixture-data.ts';
import { pillBar, pillState } from './pill.ts';

const call = fixtureSession('s', 12).calls.find((row) => row.id === 'c12-0-0-0') as CallRow;
const usage = (read: number | null, write: number | null, uncached: number | null): Usage => ({
  read: read === null ? null : tokens(read),
  write: write === null ? null : tokens(write),
  uncached: uncached === null ? null : tokens(uncached),
  output: null,
});

describe('pillBar', () => {
  test('billed buckets in shares of their sum', () => {
    expect(pillBar({ ...call, usage: usage(700, 200, 100) })).toEqual({
      kind: 'billed',
      read: 0.7,
      write: 0.2,
      uncached: 0.1,
    });
  });
  test('a provider that reports no writes', () => {
    expect(pillBar({ ...call, usage: usage(75, null, 25) })).toEqual({
      kind: 'billed',
      read: 0.75,
      write: 0,
      uncached: 0.25,
    });
  });
  test('a usage without cache figures says nothing about the cache', () => {
    expect(pillBar({ ...call, usage: usage(null, null, 100) }).kind).toBe('estimated');
  });
  test('nothing billed: the share of the baseline, as an estimate', () => {
    const bar = pillBar({ ...call, usage: null });
    expect(bar.kind === 'estimated' && bar.shared).toBeCloseTo(0.87, 2);
  });
  test('nothing billed and nothing measured', () => {
    expect(pillBar({ ...call, usage: null, prefix: null })).toEqual({ kind: 'none' });
    expect(pillBar({ ...call, usage: usage(0, 0, 0), prefix: null })).toEqual({ kind: 'none' });
  });
});

describe('pillState', () => {
  test.each([
    ['answered', {}, 'ok'],
    ['an error', { error: 'HTTP 529' }, 'failed'],
    ['a bad finish', { finishReason: 'content-filter' }, 'failed'],
    ['no reply yet', { replyId: null }, 'running'],
    ['an error without a reply', { replyId: null, error: 'cut' }, 'failed'],
    ['a damaged recording', { replyId: null, empty: true, runtimeId: '?' }, 'unreadable'],
    ['a damaged recording with an error', { error: 'cut', empty: true, runtimeId: '?' }, 'unreadable'],
    ['a concealed prompt', { empty: true }, 'concealed'],
    ['a concealed prompt without a reply', { replyId: null, empty: true }, 'concealed'],
    ['a concealed prompt that failed', { empty: true, error: 'HTTP 529' }, 'failed'],
  ] as const)('%s', (_name, change, expected) => {
    expect(pillState({ ...call, ...change })).toBe(expected);
  });
});
