/**
 * The files that are open. Each is looked at once a second, because a Covel server may be writing to it; what a
 * client holds stays valid until it is told that the source has changed.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCacheRules, type CacheRules } from '../cache/index.ts';
import type { Prices } from '../cache/prices.ts';
import { openCovelDb } from '../sources/covel-db/index.ts';
import type { EngineEvent, SourceSummary } from '../../shared/api.ts';
import { LensFailure } from '../../shared/error.ts';
import { failWith } from './errors.ts';
import { openSource, type OpenedSource } from './opened-source.ts';
import { openSideDb, type SideDb } from './side-db.ts';

const POLL_MS = 1000;

export type OpenSources = {
  open(path: string, isSample: boolean): Promise<SourceSummary>;
  close(sourceId: string): void;
  /** Fails with `unknown-source`. */
  get(sourceId: string): OpenedSource;
  closeAll(): Promise<void>;
};

export type OpenSourcesOptions = {
  readonly userData: string;
  readonly resources: string;
  readonly onEvent: (event: EngineEvent) => void;
};

type Entry = {
  readonly id: string;
  readonly isSample: boolean;
  readonly source: OpenedSource;
  timer: NodeJS.Timeout;
  /** Openings that were not closed again: windows share what is open. */
  uses: number;
};

export function readCacheRules(resources: string): CacheRules {
  return parseCacheRules(JSON.parse(readFileSync(join(resources, 'cache-rules.json'), 'utf8')));
}

/** Loaded once, when the first price is asked for: the list of the package is large. */
export function createPriceLoader(resources: string): () => Promise<Prices> {
  let loaded: Promise<Prices> | null = null;
  const load = async (): Promise<Prices> => {
    const { createPrices } = await import('../cache/prices.ts');
    return createPrices(JSON.parse(readFileSync(join(resources, 'prices.json'), 'utf8')));
  };
  return () => (loaded ??= load());
}

export function createOpenSources({ userData, resources, onEvent }: OpenSourcesOptions): OpenSources {
  const entries = new Map<string, Entry>();
  let sideDb: SideDb | null = null;
  let rules: CacheRules | null = null;
  const prices = createPriceLoader(resources);

  function summary(entry: Entry): SourceSummary {
    const { info } = entry.source.db;
    return {
      sourceId: entry.id,
      kind: 'covel-db',
      name: info.name,
      path: info.path,
      isSample: entry.isSample,
      generation: info.generation,
      mode: info.mode,
      bytes: info.bytes,
      sessions: entry.source.db.sessions(),
    };
  }

  async function poll(entry: Entry): Promise<void> {
    const change = await entry.source.db.poll();
    if (!entries.has(entry.id)) return;
    if (change === 'gone') onEvent({ name: 'source.lost', sourceId: entry.id, code: 'file-gone' });
    else if (change !== 'none') {
      entry.source.changed();
      onEvent({ name: 'source.changed', source: summary(entry) });
    }
    watch(entry);
  }

  function watch(entry: Entry): void {
    entry.timer = setTimeout(() => void poll(entry), POLL_MS);
    entry.timer.unref();
  }

  function close(sourceId: string): void {
    const entry = entries.get(sourceId);
    if (!entry || --entry.uses > 0) return;
    clearTimeout(entry.timer);
    entries.delete(sourceId);
    entry.source.close();
  }

  return {
    async open(path, isSample) {
      const there = entries.values().find((entry) => entry.source.db.info.path === path);
      const change = await there?.source.db.poll();
      if (there && change !== 'gone') {
        if (change !== 'none') there.source.changed();
        there.uses++;
        return summary(there);
      }
      const opened = await openCovelDb(path, { snapshotRoot: join(userData, 'snapshots') });
      if (!opened.ok) throw new LensFailure(opened.error);
      sideDb ??= openSideDb(userData);
      rules ??= readCacheRules(resources);
      const id = randomUUID();
      const source = openSource(opened.value, {
        sideDb,
        rules,
        prices,
        onCacheReady: (sessionId) => onEvent({ name: 'cache.ready', sourceId: id, sessionId }),
      });
      const entry: Entry = { id, isSample, source, timer: setTimeout(() => undefined, 0), uses: 1 };
      entries.set(entry.id, entry);
      watch(entry);
      return summary(entry);
    },
    close,
    get: (sourceId) => entries.get(sourceId)?.source ?? failWith('unknown-source'),
    async closeAll() {
      for (const entry of entries.values()) {
        entry.uses = 1;
        close(entry.id);
      }
      sideDb?.close();
      sideDb = null;
    },
  };
}
