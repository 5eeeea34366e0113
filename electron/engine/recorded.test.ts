/**
 * Walks every call of a recorded database: the sample, and any other named in COVEL_LENS_DB. Every text of every body
 * must have exactly one owner, and hardly a character may be without a name.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { bodyTexts, kernelTexts } from '../adapters/index.ts';
import { openCovelDb } from '../sources/covel-db/index.ts';
import { unwrap } from '../../shared/error.ts';
import type { SegmentRow, TextAt } from '../../shared/model/index.ts';
import { callDetail } from './call-detail.ts';
import { openSource } from './opened-source.ts';
import { readCacheRules } from './open-sources.ts';
import { NO_SIDE_DB } from './side-db.ts';

const root = mkdtempSync(join(tmpdir(), 'recorded-'));
afterAll(() => rmSync(root, { recursive: true }));

const paths = ['resources/sample/covel.db', ...(process.env['COVEL_LENS_DB'] ? [process.env['COVEL_LENS_DB']] : [])];

/** Spans of one string, joined where they touch; null when two overlap. */
function joined(spans: readonly TextAt[]): readonly [number, number][] | null {
  const sorted = spans.map(({ start, end }): [number, number] => [start, end]).toSorted((a, b) => a[0] - b[0]);
  const runs: [number, number][] = [];
  for (const [start, end] of sorted) {
    const last = runs.at(-1);
    if (last && start < last[1]) return null;
    if (last && start === last[1]) last[1] = end;
    else runs.push([start, end]);
  }
  return runs;
}

const byPath = (spans: readonly TextAt[]): Record<string, readonly [number, number][] | null> =>
  Object.fromEntries([...Map.groupBy(spans, (span) => span.path)].map(([path, group]) => [path, joined(group)]));

describe.each(paths)('%s', (path) => {
  test('each text of each call belongs to exactly one segment, and under 1 % of the characters are unknown', async () => {
    const db = unwrap(await openCovelDb(path, { snapshotRoot: join(root, 'snapshots') }));
    const source = openSource(db, { sideDb: NO_SIDE_DB, rules: readCacheRules('resources') });
    let walked = 0;
    let unknown = 0;
    let total = 0;
    for (const session of db.sessions()) {
      for (const row of await source.index(session.id).complete()) {
        const view = source.view(row.id);
        const detail = callDetail(source, view);
        const { body, protocol } = view.side;
        const texts = protocol
          ? bodyTexts(protocol, body)
          : kernelTexts({ messages: body['messages'] ?? [], tools: body['tools'] ?? [] });
        const spans = detail.segments.flatMap((segment: SegmentRow) => segment.spans);
        expect({ call: row.id, owned: byPath(spans) }).toEqual({ call: row.id, owned: byPath(texts) });
        total += detail.chars;
        unknown += detail.unknownShare * detail.chars;
        walked++;
      }
    }
    const attempts = db.sessions().reduce((sum, session) => sum + session.attempts, 0);
    source.close();
    expect(walked).toBe(attempts);
    expect(walked).toBeGreaterThan(100);
    expect(unknown / total).toBeLessThan(0.01);
    console.log(`${path}: ${walked} calls, ${total} characters, ${((unknown / total) * 100).toFixed(3)} % unknown`);
  });
});
