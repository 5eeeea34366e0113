/** Re-assembly of calls whose summaries were merged, rewritten, lost or cut since, on real files. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openCovelDb } from '../../sources/covel-db/index.ts';
import type { AssembledDetail, ReassemblyReason } from '../../../shared/api.ts';
import { unwrap } from '../../../shared/error.ts';
import { openSource } from '../opened-source.ts';
import { readCacheRules } from '../open-sources.ts';
import { createPromptTexts } from '../prompt-texts.ts';
import { assembledDetail } from '../reassemble.ts';
import { NO_SIDE_DB } from '../side-db.ts';
import { callId, TURNS, writeCompactedDb, type CompactedDbOptions } from './testing/compacted-db.ts';

const root = mkdtempSync(join(tmpdir(), 'summaries-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Every call of the file, assembled anew, by its id. */
async function assembledAll(options: CompactedDbOptions = {}): Promise<ReadonlyMap<string, AssembledDetail>> {
  const path = join(mkdtempSync(join(root, 'db-')), 'covel.db');
  await writeCompactedDb(path, options);
  const db = unwrap(await openCovelDb(path, { snapshotRoot: join(root, 'snapshots') }));
  const source = openSource(db, { sideDb: NO_SIDE_DB, rules: readCacheRules('resources') });
  const prompts = createPromptTexts('resources');
  const details = new Map<string, AssembledDetail>();
  for (let turn = 1; turn <= TURNS; turn++) {
    for (const id of [callId(turn), callId(turn, 'guide')]) {
      details.set(id, await assembledDetail(source, source.view(id), prompts));
    }
  }
  source.close();
  return details;
}

type Verdict = ReassemblyReason | 'equal' | undefined;
const verdictOf = (detail: AssembledDetail | undefined): Verdict => (detail?.equal ? 'equal' : detail?.first?.reason);
const narrator = (details: ReadonlyMap<string, AssembledDetail>): readonly Verdict[] =>
  Array.from({ length: TURNS }, (_, i) => verdictOf(details.get(callId(i + 1))));
const summariesOf = (detail: AssembledDetail | undefined): readonly string[] =>
  (detail?.taken ?? []).filter(({ kind }) => kind === 'summary').map(({ from }) => from);

const EQUAL = 'equal' as const;

describe('summaries that were merged after the call', () => {
  test('are taken from the request: every call is equal, and what was taken says so', async () => {
    const details = await assembledAll();
    expect([...details.values()].map(verdictOf)).toEqual(Array(2 * TURNS).fill(EQUAL));
    for (const runtime of ['narrator', 'guide']) {
      const from = [1, 3, 4, 5, 6, 7, 8, 9].map((turn) => summariesOf(details.get(callId(turn, runtime))));
      expect(from).toEqual([
        [],
        [],
        ['recorded'],
        ['recorded'],
        ['recorded', 'recorded'],
        ['recorded', 'recorded'],
        ['database', 'database'],
        ['database', 'database'],
      ]);
    }
  });

  test('the merge is named where the events do not tell which rows they stood for', async () => {
    expect(narrator(await assembledAll({ withoutCounts: true }))).toEqual([
      EQUAL,
      EQUAL,
      EQUAL,
      ...Array<Verdict>(4).fill('summary-merged'),
      EQUAL,
      EQUAL,
    ]);
  });
});

describe('summaries that are not what was sent, although nothing was merged', () => {
  const afterwards = (reason: ReassemblyReason): readonly Verdict[] => [
    ...Array<Verdict>(7).fill(EQUAL),
    reason,
    reason,
  ];

  test('rewritten', async () => {
    const details = await assembledAll({
      tamper: (db) => db.exec("UPDATE session_summaries SET content = 'Another story.' WHERE id = 'sum3'"),
    });
    expect(narrator(details)).toEqual(afterwards('summary-changed'));
    const first = details.get(callId(9))?.first;
    expect(first).toMatchObject({ kind: 'summary', where: 'message 3 (user)' });
    expect(first?.recorded).toContain('Landings 4 and 5');
    expect(first?.assembled).toContain('Another story.');
  });

  test('other sections', async () => {
    const tamper: CompactedDbOptions['tamper'] = (db) =>
      db.exec("UPDATE session_summaries SET focus_sections = '[]' WHERE id = 'sum1'");
    expect(narrator(await assembledAll({ tamper }))).toEqual(afterwards('summary-changed'));
  });

  test.each(['sum1', 'sum3'])('no longer there: %s', async (id) => {
    const tamper: CompactedDbOptions['tamper'] = (db) => db.exec(`DELETE FROM session_summaries WHERE id = '${id}'`);
    expect(narrator(await assembledAll({ tamper }))).toEqual(afterwards('summary-missing'));
  });

  test('cut to head and tail for a request that was too long', async () => {
    const whole = 'Landings 4 and 5 smelled of oil.';
    const long = `${'The stairs creak. '.repeat(20)}${whole}`;
    const details = await assembledAll({
      tamper(db) {
        db.prepare('UPDATE session_summaries SET content = ? WHERE id = ?').run(long, 'sum3');
        const cut = `${long.slice(0, 60)}[… cut …]${long.slice(-40)}`;
        db.prepare("UPDATE trace_events SET payload = replace(payload, ?, ?) WHERE type = 'llm.calling'").run(
          whole,
          cut,
        );
      },
    });
    expect(narrator(details)).toEqual(afterwards('pruned'));
  });
});
