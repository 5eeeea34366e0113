/**
 * The cache explained, through the engine: what a session's calls should have read, what they were billed, and why they
 * lost what they lost. Each odd recording has its own small file; the sample shows the whole.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openCovelDb } from '../sources/covel-db/index.ts';
import { unwrap } from '../../shared/error.ts';
import { sentence } from '../../shared/language/index.ts';
import type { CacheCall, CacheOverview } from '../../shared/model/index.ts';
import { callDetail, diffDetail } from './call-detail.ts';
import { openSource, type OpenedSource } from './opened-source.ts';
import { createPriceLoader, readCacheRules } from './open-sources.ts';
import { NO_SIDE_DB, openSideDb } from './side-db.ts';
import { writeCacheDb, type SceneCall } from './testing/cache-db.ts';

const root = mkdtempSync(join(tmpdir(), 'cache-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const rules = readCacheRules('resources');
const prices = createPriceLoader('resources');
const silent = { signal: new AbortController().signal, progress: () => undefined };

async function opened(path: string, sideDb = NO_SIDE_DB): Promise<OpenedSource> {
  const db = unwrap(await openCovelDb(path, { snapshotRoot: join(root, 'snapshots') }));
  return openSource(db, { sideDb, rules, prices });
}

async function overviewOf(source: OpenedSource, sessionId: string): Promise<CacheOverview> {
  const found = await source.cache(sessionId).overview(silent);
  if (!found) throw new Error('no overview');
  return found;
}

let files = 0;
async function scene(...calls: readonly SceneCall[]) {
  const path = join(root, `scene-${files++}.db`);
  writeCacheDb(path, 's', calls);
  const source = await opened(path);
  const overview = await overviewOf(source, 's');
  const byId = new Map(overview.calls.map((call) => [call.id, call]));
  const call = (n: number): CacheCall => {
    const found = byId.get(`call-${n}`);
    if (!found) throw new Error(`no call ${n}`);
    return found;
  };
  return { source, overview, call };
}

const GROWN = ['Walk to the pier.', 'The bell rings.', 'Open the door.'];
const notes = (call: CacheCall): readonly string[] => call.notes.map(({ key }) => key);

describe('causes that are no difference of content', () => {
  test('read in time: nothing is wasted, and the cause is that of the content', async () => {
    const { call, source } = await scene({ turn: 1, at: 0 }, { turn: 2, at: 60, said: GROWN });
    expect(call(2)).toMatchObject({ cause: { kind: 'append-only' }, wasted: 0, gapMs: 60_000, previousId: 'call-1' });
    expect(call(2).prediction?.read).toBeGreaterThan(1024);
    expect(call(1)).toMatchObject({ cause: null, previousId: null, gapMs: null });
    source.close();
  });
  test('too late', async () => {
    const { call, source, overview } = await scene({ turn: 1, at: 0 }, { turn: 2, at: 301, said: GROWN });
    expect(call(2)).toMatchObject({ cause: { kind: 'ttl-elapsed' }, lifetimeS: 300 });
    expect(call(2).wasted).toBeGreaterThan(1024);
    expect(call(2).wastedCost).toBeGreaterThan(0);
    expect(overview.causes[0]).toMatchObject({ kind: 'ttl-elapsed', callIds: ['call-2'], tokens: call(2).wasted });
    const view = source.view('call-2');
    expect(callDetail(source, view).comparison?.cause.kind).toBe('ttl-elapsed');
    expect(diffDetail(source, view, null)?.comparison.cause.kind).toBe('ttl-elapsed');
    expect(diffDetail(source, view, 'call-1')?.comparison.cause.kind).toBe('ttl-elapsed');
    // Rules of the cache speak of the request before; against any other one only the content is told.
    expect(diffDetail(source, source.view('call-1'), 'call-2')?.comparison.cause.kind).toBe('shortened');
    source.close();
  });
  test('too short for the model', async () => {
    const system = 'The fog bell of the harbour rings. '.repeat(60);
    const { call, source } = await scene({ turn: 1, at: 0, system }, { turn: 2, at: 9, system, said: GROWN });
    expect(call(2).cause?.kind).toBe('below-minimum');
    source.close();
  });
  test('the provider read nothing of what must have been there', async () => {
    const usage = { inputTokens: 2200, outputTokens: 10, cachedInputTokens: 0, cacheWriteInputTokens: 2200 };
    const { call, source } = await scene({ turn: 1, at: 0, usage }, { turn: 2, at: 60, said: GROWN, usage });
    expect(call(2)).toMatchObject({ cause: { kind: 'provider-miss' }, holds: false });
    expect(call(2).wasted).toBeGreaterThan(1024);
    source.close();
  });
  test('a difference in content comes before any rule', async () => {
    const body = { tools: [{ name: 'roll', description: 'Rolls dice.', input_schema: { type: 'object' } }] };
    const { call, source } = await scene({ turn: 1, at: 0 }, { turn: 2, at: 900, body });
    expect(call(2).cause?.kind).toBe('tools-added');
    expect(call(2).wasted).toBeGreaterThan(1024);
    source.close();
  });
});

describe('recordings that say less than they should, or too much', () => {
  test('a model that no rule and no price is known for', async () => {
    const { call, overview, source } = await scene(
      { turn: 1, at: 0, model: 'harbour-1', provider: 'harbour', protocol: 'openai-chat-v1' },
      {
        turn: 2,
        at: 9,
        model: 'harbour-1',
        provider: 'harbour',
        protocol: 'openai-chat-v1',
        said: GROWN,
        usage: { inputTokens: 2200, outputTokens: 9 },
      },
    );
    expect(call(2)).toMatchObject({
      prediction: null,
      cost: null,
      wastedCost: null,
      holds: null,
      cause: { kind: 'append-only' },
    });
    expect(overview.runtimes[0]).toMatchObject({
      predictedRead: null,
      read: null,
      hitRate: null,
      cost: null,
      unpriced: 1,
    });
    expect(overview.calibration).toMatchObject({ calls: 0, matched: 0 });
    source.close();
  });
  test('a protocol that is not known', async () => {
    const { call, source } = await scene({ turn: 1, at: 0, protocol: 'harbour-v9' });
    expect(call(1)).toMatchObject({ prediction: null, protocol: 'harbour-v9' });
    const detail = callDetail(source, source.view('call-1'));
    expect(detail).toMatchObject({ predictionState: 'done', prediction: null, predictedEnds: [], segmentStates: {} });
    source.close();
  });

  const usages: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
    ['more cached than sent', { inputTokens: 100, outputTokens: 9, cachedInputTokens: 2000 }, 'over-total'],
    ['less than nothing', { inputTokens: 2200, outputTokens: 9, cachedInputTokens: -5 }, 'negative'],
    ['a text', { inputTokens: 2200, outputTokens: 9, cachedInputTokens: 'many' }, 'not-a-number'],
    ['a fraction', { inputTokens: 2200, outputTokens: 9, cachedInputTokens: 10.5 }, 'fractional'],
  ];
  test.each(usages)('usage: %s', async (_, usage, problem) => {
    const sound = { inputTokens: 2200, outputTokens: 9, cachedInputTokens: 0, cacheWriteInputTokens: 2150 };
    const { call, overview, source } = await scene(
      { turn: 1, at: 0, usage: sound },
      { turn: 2, at: 60, said: GROWN, usage },
    );
    expect(call(2)).toMatchObject({ usageProblems: [problem], holds: null, cost: null, costTier: null });
    expect(overview.flagged).toEqual(['call-2']);
    expect(overview.runtimes[0]).toMatchObject({ read: 0, write: 2150, unpriced: 1 });
    expect(overview.runtimes[0]?.cost).toBe(call(1).cost);
    expect(callDetail(source, source.view('call-2')).usageProblems).toEqual([problem]);
    source.close();
  });
  test('nothing reported is not nothing read', async () => {
    const { overview, call, source } = await scene({ turn: 1, at: 0 });
    expect(overview.runtimes[0]).toMatchObject({ read: null, write: null, hitRate: null });
    expect(call(1)).toMatchObject({ usage: null, holds: null, input: { tier: 'estimated' } });
    source.close();
  });
  test('a body that was not recorded: nothing is predicted, and the next call says what it cannot know', async () => {
    const usage = { inputTokens: 2200, outputTokens: 9, cachedInputTokens: 0, cacheWriteInputTokens: 2200 };
    const warm = { ...usage, cachedInputTokens: 2150, cacheWriteInputTokens: 50 };
    const { call, source } = await scene(
      { turn: 1, at: 0, usage },
      { turn: 2, at: 400, hasBody: false, said: GROWN, usage },
      { turn: 3, at: 420, said: [...GROWN, 'It creaks.', 'Go in.'], usage: warm },
    );
    expect(call(2)).toMatchObject({ prediction: null, holds: null, cause: { kind: 'unknown' } });
    expect(call(2).cause?.evidence[0]?.key).toBe('evidence.loss-no-body');
    expect(notes(call(2))).toEqual(['note.no-body']);
    expect(call(3)).toMatchObject({ holds: false, errorSources: [], wasted: 0 });
    expect(notes(call(3))).toEqual(['note.no-body-before']);
    expect(source.cache('s').predicted('call-3')?.notes).toEqual(call(3).notes);
    source.close();
  });
  test.each([
    ['no clock', { at: null }, { at: null }],
    ['a clock that ran backwards', { at: 1000 }, { at: 10 }],
  ])('%s: nobody can say that the provider missed a live entry', async (_, first, second) => {
    const usage = { inputTokens: 2200, outputTokens: 10, cachedInputTokens: 0, cacheWriteInputTokens: 2200 };
    const { call, source } = await scene({ turn: 1, ...first, usage }, { turn: 2, ...second, said: GROWN, usage });
    expect(call(2).cause).toMatchObject({ kind: 'unknown', evidence: [{ key: 'evidence.loss-unknown-age' }, {}] });
    source.close();
  });
  test('no clock', async () => {
    const { call, source } = await scene({ turn: 1, at: 0 }, { turn: 2, at: null, said: GROWN });
    expect(call(2)).toMatchObject({ startedAt: null, gapMs: null });
    expect(notes(call(2))).toContain('note.no-clock');
    source.close();
  });
  test('a clock that runs backwards', async () => {
    const { call, overview, source } = await scene({ turn: 1, at: 600 }, { turn: 2, at: 60, said: GROWN });
    expect(overview.calls.map(({ id }) => id)).toEqual(['call-2', 'call-1']);
    expect(call(2).gapMs).toBe(-540_000);
    expect([...notes(call(1)), ...notes(call(2))]).toContain('note.clock-backwards');
    source.close();
  });
  test('two calls at once: the second cannot read what the first is still writing', async () => {
    const { call, source } = await scene(
      { turn: 1, at: 0, seconds: 20, runtime: 'narrator' },
      { turn: 1, at: 1, seconds: 20, runtime: 'guide' },
    );
    expect(call(2).prediction?.read).toBe(0);
    expect(notes(call(2))).toContain('note.overlap');
    source.close();
  });
  test('a provider that fails in mid-turn changes nothing in its own cache', async () => {
    const deepseek = { provider: 'deepseek', protocol: 'openai-chat-v1', model: 'deepseek-chat' };
    const { call, source } = await scene(
      { turn: 1, at: 0 },
      { turn: 1, at: 9, said: GROWN, failedAt: ['anthropic'], ...deepseek },
      { turn: 1, at: 20, said: [...GROWN, 'It creaks.', 'Go in.'] },
    );
    expect(call(2)).toMatchObject({ provider: 'deepseek', cause: { kind: 'model' } });
    expect(notes(call(2))).toEqual(['note.failed-elsewhere']);
    expect(sentence('en', call(2).notes[0] ?? { key: '', values: {} })).toContain('anthropic');
    expect(call(2).prediction?.read).toBe(0);
    // The entry of the first call is still there.
    expect(call(3)).toMatchObject({ provider: 'anthropic', cause: { kind: 'model' } });
    expect(call(3).prediction?.read).toBeGreaterThan(1024);
    source.close();
  });
  test('a call that nobody answered is not predicted, costs nothing, and wrote nothing', async () => {
    const { call, source } = await scene(
      { turn: 1, at: 0, status: 529, error: 'overloaded', usage: { inputTokens: 0, outputTokens: 0 } },
      { turn: 1, at: 5, attempt: 1 },
    );
    expect(call(1)).toMatchObject({ prediction: null, cost: null, usage: null, wasted: 0 });
    expect(notes(call(1))).toContain('note.not-answered');
    expect(call(2)).toMatchObject({ cause: { kind: 'identical' }, wasted: 0 });
    expect(call(2).prediction?.read).toBe(0);
    source.close();
  });
});

describe('tokens', () => {
  test('a model of OpenAI without a bill is counted', { timeout: 30_000 }, async () => {
    const { call, source } = await scene({
      turn: 1,
      at: 0,
      provider: 'openai',
      protocol: 'openai-chat-v1',
      model: 'gpt-5.4-mini',
    });
    expect(call(1).input?.tier).toBe('counted');
    expect(call(1).prediction).toMatchObject({ tier: 'counted' });
    const { read, write, uncached } = call(1).prediction ?? { read: 0, write: 0, uncached: 0 };
    expect(read + write + uncached).toBe(call(1).input?.value);
    source.close();
  });
});

describe('asking', () => {
  const calls: readonly SceneCall[] = [
    { turn: 1, at: 0 },
    { turn: 2, at: 60, said: GROWN },
  ];

  test('a call is shown at once, and the prediction follows', async () => {
    const path = join(root, 'pending.db');
    writeCacheDb(path, 's', calls);
    const db = unwrap(await openCovelDb(path, { snapshotRoot: join(root, 'snapshots') }));
    const ready = Promise.withResolvers<string>();
    const source = openSource(db, { sideDb: NO_SIDE_DB, rules, prices, onCacheReady: ready.resolve });
    const view = source.view('call-2');
    expect(callDetail(source, view)).toMatchObject({ predictionState: 'pending', prediction: null, predictedEnds: [] });
    expect(await ready.promise).toBe('s');
    const detail = callDetail(source, view);
    expect(detail.predictionState).toBe('done');
    const ends = detail.predictedEnds;
    expect(ends.map(({ state }) => state)).toEqual(['read', 'write']);
    expect(ends.at(-1)?.end).toBe(detail.row.chars);
    expect(ends.reduce((sum, { tokens }) => sum + tokens.value, 0)).toBe(detail.row.inputTokens?.value);
    const states = detail.segments.map(({ id, kind }) => [kind, detail.segmentStates[id]]);
    expect(states[0]?.[1]).toBe('read');
    expect(states.at(-1)).toEqual(['player', 'write']);
    source.close();
  });

  test('a second opening knows everything at once', async () => {
    const path = join(root, 'again.db');
    writeCacheDb(path, 's', calls);
    const sideDb = openSideDb(join(root, 'user-data'));
    const first = await opened(path, sideDb);
    const before = await overviewOf(first, 's');
    const details = callDetail(first, first.view('call-2'));
    first.close();
    const second = await opened(path, sideDb);
    expect(second.cache('s').state()).toBe('done');
    expect(callDetail(second, second.view('call-2'))).toEqual(details);
    let progressed = 0;
    expect(await second.cache('s').overview({ ...silent, progress: () => progressed++ })).toEqual(before);
    expect(progressed).toBe(0);
    second.close();
    sideDb.close();
  });

  test('a change of the file begins anew, and says so only when it is done', async () => {
    const path = join(root, 'changed.db');
    writeCacheDb(path, 's', calls);
    const source = await opened(path);
    await overviewOf(source, 's');
    source.changed();
    expect(source.cache('s').predicted('call-2')).toBeNull();
    expect(source.cache('s').state()).toBe('pending');
    await source.cache('s').simulated(silent);
    expect(source.cache('s').predicted('call-2')?.prediction?.read).toBeGreaterThan(1024);
    source.close();
  });

  test('whoever gives up is not waited for', async () => {
    const path = join(root, 'aborted.db');
    writeCacheDb(path, 's', calls);
    const source = await opened(path);
    const abort = new AbortController();
    const answer = source.cache('s').overview({ signal: abort.signal, progress: () => undefined });
    abort.abort();
    expect(await answer).toBeNull();
    expect((await overviewOf(source, 's')).calls).toHaveLength(2);
    source.close();
  });
});

const recorded = ['resources/sample/covel.db', ...(process.env['COVEL_LENS_DB'] ? [process.env['COVEL_LENS_DB']] : [])];
describe.each(recorded)('%s', (path) => {
  test('the prediction holds', { timeout: 120_000 }, async () => {
    const source = await opened(path);
    const calls: CacheCall[] = [];
    for (const { id } of source.db.sessions()) calls.push(...(await overviewOf(source, id)).calls);
    source.close();
    const compared = calls.filter(({ holds }) => holds !== null);
    const held = compared.filter(({ holds }) => holds);
    for (const [provider, own] of Map.groupBy(compared, (call) => `${call.provider} ${call.model}`)) {
      console.log(`${path} ${provider}: ${own.filter(({ holds }) => holds).length} of ${own.length}`);
    }
    for (const call of compared.filter(({ holds }) => holds === false)) {
      const { prediction, usage, cause, errorSources } = call;
      const why = prediction?.why.map((reason) => sentence('en', reason)).join(' ');
      console.log(
        `  ${call.id} ${call.runtimeId} turn ${call.turnIndex}: predicted ${prediction?.read}, billed ${usage?.read}; ${cause?.kind}; ${errorSources.join()}; ${why}`,
      );
    }
    const sums = calls.flatMap(({ id, prediction, input }) =>
      prediction ? [[id, prediction.read + prediction.write + prediction.uncached, input?.value]] : [],
    );
    expect(sums.filter(([, sum, input]) => sum !== input)).toEqual([]);
    expect(calls.filter(({ wasted, input }) => wasted > (input?.value ?? 0))).toEqual([]);
    expect(compared.length).toBeGreaterThan(20);
    // Of another file nothing is known: its figures are printed.
    expect(held.length / compared.length).toBeGreaterThanOrEqual(path === recorded[0] ? 0.95 : 0);
  });
});
