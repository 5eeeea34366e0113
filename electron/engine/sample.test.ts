/** What the sample session is there to show: each common cause of a broken prefix by itself (resources/sample/plan.ts). */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tmpdir } from 'node:os';
import { openCovelDb } from '../sources/covel-db/index.ts';
import type { Comparison } from '../../shared/api.ts';
import { unwrap } from '../../shared/error.ts';
import { baselineView, comparison } from './call-detail.ts';
import { openSource, type OpenedSource } from './opened-source.ts';
import { readCacheRules } from './open-sources.ts';
import { NO_SIDE_DB } from './side-db.ts';
import { unchangedSince } from './since.ts';

const PATH = 'resources/sample/covel.db';
const SESSION = 'day-91c3d204';

let source: OpenedSource;
/** Comparisons by `<session> <turn> <runtime> <step>.<attempt>`. */
const found = new Map<string, { readonly comparison: Comparison; readonly callId: string }>();

beforeAll(async () => {
  const db = unwrap(await openCovelDb(PATH, { snapshotRoot: join(tmpdir(), 'sample-snapshots') }));
  source = openSource(db, { sideDb: NO_SIDE_DB, rules: readCacheRules('resources') });
  for (const { id } of db.sessions()) {
    for (const row of await source.index(id).complete()) {
      const view = source.view(row.id);
      const baseline = baselineView(source, view);
      const place = `${id} ${row.turnIndex} ${row.runtimeId} ${row.step}.${row.attempt}`;
      if (baseline) found.set(place, { comparison: comparison(source, baseline, view), callId: row.id });
    }
  }
});
afterAll(() => source.close());

test('it is small, and long enough', () => {
  expect(statSync(PATH).size).toBeLessThan(2_000_000);
  for (const { turns } of source.db.sessions()) expect(turns).toBeGreaterThanOrEqual(8);
  expect(source.db.sessions().at(-1)?.turns).toBeGreaterThanOrEqual(24);
});

test('every common cause shows by itself', () => {
  const kinds = new Set([...found.values()].map(({ comparison: { cause } }) => cause.kind));
  expect([...kinds].sort()).toEqual(
    [
      'append-only',
      'compacted',
      'extension-segment',
      'identical',
      'lore-activation',
      'message-edited',
      'model',
      'options',
      'pruned',
      'system-text',
      'template-variable',
      'tools-added',
      'tools-reordered',
      'turn-context',
      'turn-in-pre-history',
      'window-slid',
    ].sort(),
  );
});

const MOON = [...Array(27).keys()].map((i) => i + 1);
test('causes of the narrator, turn by turn', () => {
  const newest = source.db.sessions().at(-1)?.id ?? '';
  const causes = MOON.map((turn) => found.get(`${newest} ${turn} narrator 0.0`)?.comparison.cause.kind ?? 'none');
  const expected = `
    none turn-context turn-context turn-context tools-added turn-context
    lore-activation lore-activation turn-context extension-segment turn-context
    compacted turn-context lore-activation model model identical
    turn-context model turn-context model compacted
    system-text identical options message-edited turn-context`;
  expect(causes).toEqual(expected.trim().split(/\s+/));
});

test('no segment is called a message without a row, or unknown', async () => {
  for (const { id } of source.db.sessions()) {
    for (const row of await source.index(id).complete()) {
      const odd = source
        .view(row.id)
        .side.segments.filter(({ kind, origin }) => kind === 'unknown' || origin.label === 'no row');
      expect([row.id, odd]).toEqual([row.id, []]);
    }
  }
});

describe('a lore entry that comes or goes leaves its neighbour as it is', () => {
  const lore = (call: string) => {
    const one = found.get(call);
    if (!one) throw new Error(`no call ${call}`);
    return { ...one, view: source.view(one.callId) };
  };
  const cases = (): readonly string[] =>
    [...found]
      .filter(
        ([
          ,
          {
            comparison: { cause },
          },
        ]) => cause.kind === 'lore-activation',
      )
      .map(([place]) => place);

  test('in every such turn of both sessions', async () => {
    expect(cases().filter((place) => place.startsWith(SESSION)).length).toBeGreaterThanOrEqual(2);
    for (const place of cases()) {
      const { comparison: compared, view } = lore(place);
      const changed = compared.changed.map(({ kind }) => kind);
      expect([place, changed.filter((kind) => kind === 'extension')]).toEqual([place, []]);
      expect(changed).toContain('lore');
      const notes = view.side.segments.find(({ origin }) => origin.label === 'character-notes');
      const since = await unchangedSince(source, view, new AbortController().signal);
      expect([place, (since[notes?.id ?? ''] ?? 0) < view.row.turnIndex]).toEqual([place, true]);
    }
  });
  test('and one that went is what broke the prefix', () => {
    for (const place of cases()) {
      const { comparison: compared, view } = lore(place);
      const { divergence, cause } = compared;
      const owner = view.side.segments.find(({ id }) => id === divergence?.segment);
      expect([place, (divergence?.gone ?? owner)?.kind]).toEqual([place, 'lore']);
      expect(cause.evidence[0]?.values['kind']).toBe('lore');
    }
  });
});
