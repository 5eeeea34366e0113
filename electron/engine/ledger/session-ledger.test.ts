/** The ledger of real files: one that is written for it, and the sample session. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCovelDb } from '../../sources/covel-db/index.ts';
import { LensFailure, unwrap } from '../../../shared/error.ts';
import type { Ledger } from '../../../shared/model/index.ts';
import { readCacheRules } from '../open-sources.ts';
import { openSource, type OpenedSource } from '../opened-source.ts';
import { NO_SIDE_DB } from '../side-db.ts';
import { ledgerMessages } from './messages.ts';
import { sessionLedger } from './session-ledger.ts';
import { callId, SESSION, TEXTS, writeMergedDb } from './testing/merged-db.ts';

const root = mkdtempSync(join(tmpdir(), 'ledger-'));
const opened: OpenedSource[] = [];
afterAll(() => {
  for (const source of opened) source.close();
  rmSync(root, { recursive: true });
});

async function open(path: string): Promise<OpenedSource> {
  const db = unwrap(await openCovelDb(path, { snapshotRoot: join(root, 'snapshots') }));
  const source = openSource(db, { sideDb: NO_SIDE_DB, rules: readCacheRules('resources') });
  opened.push(source);
  return source;
}

describe('a session with a merge', () => {
  let source: OpenedSource;
  let ledger: Ledger;
  beforeAll(async () => {
    const path = join(root, 'merged.db');
    writeMergedDb(path);
    source = await open(path);
    ledger = await sessionLedger(source, SESSION);
  });

  test('what lives, and what vanished with its text from the prompts of its time', () => {
    expect(ledger.summaries.map(({ id, live, turns, content }) => [id, live, ...turns, content])).toEqual([
      ['a', true, 1, 5, TEXTS.merged],
      ['c', true, 6, 8, TEXTS.c],
      ['a', false, 1, 2, TEXTS.a],
      ['b', false, 3, 5, TEXTS.b],
      [null, false, null, null, TEXTS.orphan],
    ]);
  });

  test('messages of a vanished one are its share of the merged one’s', () => {
    const [, , a, b] = ledger.summaries;
    expect(a?.messageIds).toHaveLength(4);
    const turns = ledgerMessages(source.history(SESSION), b?.messageIds ?? []).map(({ turnIndex }) => turnIndex);
    expect(turns).toEqual([3, 3, 4, 4, 5, 5]);
  });

  test('the calls whose prefix each one ended', () => {
    expect(ledger.summaries.map(({ broke }) => broke.map((call) => call.callId))).toEqual([
      [callId(10)],
      [callId(10)],
      [callId(4)],
      [callId(7)],
      [],
    ]);
  });

  test('prunings with and without a call behind them', () => {
    expect(ledger.pruned.map((one) => [one.turnIndex, one.callId, one.messages])).toEqual([
      [5, callId(5), 3],
      [6, null, 3],
    ]);
  });

  test('tool results that a later step holds in less words', () => {
    expect(ledger.toolGroups.map((one) => [one.callId, one.kind, one.tools])).toEqual([
      [callId(8, 2), 'omitted', ['read-log']],
      [callId(8, 3), 'folded', ['read-log']],
    ]);
    for (const { before, after } of ledger.toolGroups) expect(before.value).not.toBe(after?.value);
  });

  test('an unknown session is refused', async () => {
    await expect(sessionLedger(source, 'none')).rejects.toThrow(LensFailure);
  });

  test('once nobody waits, it ends', async () => {
    const found = await sessionLedger(source, SESSION, AbortSignal.abort());
    expect(found.toolGroups).toEqual([]);
  });
});

test('the sample session: written and pruned where the timeline marks it', async () => {
  const source = await open('resources/sample/covel.db');
  for (const { id } of source.db.sessions()) {
    const ledger = await sessionLedger(source, id);
    const marked = source.turns(id).filter((turn) => turn.compactions > 0);
    expect(ledger.summaries.map(({ madeIn, live }) => [madeIn, live])).toEqual(
      marked.map(({ index }) => [index, true]),
    );
    for (const { turns, messageIds, messages, content, madeIn, broke } of ledger.summaries) {
      expect(messages).toBe(messageIds?.length);
      const covered = ledgerMessages(source.history(id), messageIds ?? []).map(({ turnIndex }) => turnIndex);
      expect([covered[0], covered.at(-1)]).toEqual(turns);
      expect(content).not.toBe('');
      for (const call of broke) expect(call.turnIndex).toBeGreaterThanOrEqual(madeIn ?? Infinity);
    }
    expect(ledger.pruned.map(({ turnIndex }) => turnIndex)).toEqual(
      source
        .turns(id)
        .filter((turn) => turn.pruned > 0)
        .map(({ index }) => index),
    );
    for (const { callId: pruned, runtimeId, turnIndex } of ledger.pruned)
      expect(source.call(pruned ?? '').row).toMatchObject({ runtimeId, turnIndex });
  }
});
