/**
 * Walks the first call of every agent run of a recorded database, the sample and any other named in COVEL_LENS_DB, and
 * assembles it anew. On the sample all are equal, or differ for a reason that has a name.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openCovelDb } from '../sources/covel-db/index.ts';
import { unwrap } from '../../shared/error.ts';
import { openSource } from './opened-source.ts';
import { readCacheRules } from './open-sources.ts';
import { createPromptTexts } from './prompt-texts.ts';
import { assembledDetail } from './reassemble.ts';
import { NO_SIDE_DB } from './side-db.ts';

const root = mkdtempSync(join(tmpdir(), 'reassemble-'));
afterAll(() => rmSync(root, { recursive: true }));

const SAMPLE = 'resources/sample/covel.db';
const paths = [SAMPLE, ...(process.env['COVEL_LENS_DB'] ? [process.env['COVEL_LENS_DB']] : [])];

describe.each(paths)('%s', (path) => {
  test('each first call is assembled to the recorded request, or its difference has a name', async () => {
    const db = unwrap(await openCovelDb(path, { snapshotRoot: join(root, 'snapshots') }));
    const source = openSource(db, { sideDb: NO_SIDE_DB, rules: readCacheRules('resources') });
    const prompts = createPromptTexts('resources');
    const verdicts = new Map<string, number>();
    const unexplained: unknown[] = [];
    const chars = { database: 0, framework: 0, recorded: 0 };
    let walked = 0;
    for (const session of db.sessions()) {
      for (const row of await source.index(session.id).complete()) {
        if (row.step !== 0 || row.empty) continue;
        const detail = await assembledDetail(source, source.view(row.id), prompts);
        walked++;
        for (const one of detail.segments) chars[one.from] += one.chars;
        const verdict = detail.first?.reason ?? 'equal';
        verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
        if (verdict === 'unknown') unexplained.push({ turn: row.turnIndex, runtime: row.runtimeId, ...detail.first });
        else if (process.env['REASSEMBLE_SHOW'] === verdict)
          console.log({ turn: row.turnIndex, runtime: row.runtimeId, ...detail.first });
      }
    }
    source.close();
    const share = (n: number): string => `${((n / walked) * 100).toFixed(1)} %`;
    const lines = [...verdicts].map(([verdict, n]) => `${verdict} ${n} (${share(n)})`);
    const total = chars.database + chars.framework + chars.recorded;
    const origin = Object.entries(chars).map(([from, n]) => `${from} ${((n / total) * 100).toFixed(1)} %`);
    console.log(`${path}: ${walked} first calls: ${lines.join(', ')}; characters: ${origin.join(', ')}`);
    if (unexplained.length > 0) console.log(unexplained.slice(0, 8));
    expect(walked).toBeGreaterThan(0);
    expect(path === SAMPLE ? unexplained : []).toEqual([]);
  });
});
