import { describe, expect, test } from 'vitest';
import type { CallRow } from '../../shared/model/index.ts';
import { fixtureSession } from '../test-support/fixture-data.ts';
import { mergeCalls, type CallLists } from './call-lists.ts';

const rows = fixtureSession('s', 3).calls;
const NONE: CallLists = { calls: new Map(), callsByTurn: new Map() };
const merge = (lists: CallLists, more: readonly CallRow[]): CallLists => mergeCalls(lists, more) ?? lists;
const all = merge(NONE, rows);
const first = rows.find((row) => row.prefix !== null) as CallRow;

describe('mergeCalls', () => {
  test('files rows under their turns in the order in which they come', () => {
    expect(all.calls.size).toBe(rows.length);
    expect(all.callsByTurn.get('t2')).toEqual(rows.filter((row) => row.turnId === 't2').map((row) => row.id));
  });
  test('the same in one chunk or in many', () => {
    const inChunks = rows.reduce((lists, row) => merge(lists, [row]), NONE);
    expect(inChunks).toEqual(all);
  });
  test('rows that say nothing new change nothing', () => {
    expect(mergeCalls(all, rows)).toBeNull();
    expect(mergeCalls(all, structuredClone(rows) as CallRow[])).toBeNull();
    expect(mergeCalls(NONE, [])).toBeNull();
  });
  test('a reply replaces the row and leaves the order', () => {
    const after = merge(all, [{ ...first, replyId: 'later' }]);
    expect(after.calls.get(first.id)?.replyId).toBe('later');
    expect(after.callsByTurn).toBe(all.callsByTurn);
  });
  test('a row that was read alone does not take away what it shares', () => {
    const alone = { ...first, prefix: null, replyId: 'later' };
    expect(merge(all, [alone]).calls.get(first.id)).toMatchObject({ replyId: 'later', prefix: first.prefix });
    expect(mergeCalls(all, [{ ...first, prefix: null }])).toBeNull();
  });
  test('lists that were given are never changed', () => {
    const before = merge(NONE, rows.slice(0, 2));
    const ids = before.callsByTurn.get('t1');
    merge(before, rows.slice(2));
    expect(before.calls.size).toBe(2);
    expect(before.callsByTurn.get('t1')).toBe(ids);
    expect(ids).toHaveLength(2);
  });
});
