/** The contract as a client sees it, on real files: what is answered, what is refused, what is streamed, what is told. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { buildDb, createClock, createIds, type DbBuilder } from '../sources/covel-db/testing/build-db.ts';
import type { EngineEvent, SourceSummary } from '../../shared/api.ts';
import { createClient, type EngineClient } from '../../shared/client.ts';
import { LensFailure } from '../../shared/error.ts';
import type { CallRow } from '../../shared/model/index.ts';
import type { EngineMessage } from '../../shared/rpc.ts';
import { createEngine, type Engine } from './engine.ts';

const root = mkdtempSync(join(tmpdir(), 'engine-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let engine: Engine;
let client: EngineClient;
let sent: EngineMessage[];
let runs = 0;

function start(userData = join(root, `user-${runs++}`)): void {
  let listener: (message: EngineMessage) => void = () => undefined;
  sent = [];
  engine = createEngine({
    userData,
    host: 'in-process',
    version: '0.0.0',
    resources: 'resources',
    openAtStart: null,
    send(message) {
      sent.push(message);
      listener(message);
    },
  });
  client = createClient({
    send: (message) => engine.receive(message),
    onMessage: (next) => {
      listener = next;
    },
    onClose: () => undefined,
    close: () => undefined,
  });
}
beforeEach(() => start());
afterEach(() => engine.close());

const code = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no error',
    (thrown: unknown) => (thrown instanceof LensFailure ? thrown.error.code : String(thrown)),
  );

const body = (text: string): object => ({
  model: 'm',
  messages: [
    { role: 'system', content: 'rules' },
    { role: 'user', content: text },
  ],
  tools: [],
});
const request = (text: string): object => ({
  schemaVersion: 1,
  provider: 'deepseek',
  protocol: 'openai-chat-v1',
  body: body(text),
  complete: true,
  omittedFieldCount: 0,
  transportAttempt: 0,
  statusCode: 200,
});

let files = 0;
function newDb(journal: 'wal' | 'delete' = 'delete'): { readonly path: string; readonly db: DbBuilder } {
  const path = join(root, `file-${files++}.db`);
  const db = buildDb(path, { journal, ids: createIds(path), clock: createClock('2026-10-12T08:00:00.000Z', 10) });
  db.insertSession({ id: 's', title: 'T' });
  return { path, db };
}

function addTurn(
  db: DbBuilder,
  text: string,
  payload: Readonly<Record<string, unknown>> = { providerRequests: [request(text)], messages: [], tools: [] },
): string {
  let call = '';
  db.insertTurn({
    sessionId: 's',
    playerText: text,
    during: (where) => {
      call = db.insertCall({ ...where, payload });
      db.insertReply({ ...where, text: 'told', usage: { inputTokens: 20, outputTokens: 3, cachedInputTokens: 8 } });
    },
  });
  return call;
}

async function index(source: SourceSummary, sessionId = 's'): Promise<readonly CallRow[]> {
  const rows: CallRow[] = [];
  await client.call(
    'calls.index',
    { sourceId: source.sourceId, sessionId },
    { onItem: (items) => rows.push(...items) },
  );
  return rows;
}

describe('what is refused', () => {
  test('a message that is none is ignored, a method that is none is refused', async () => {
    engine.receive({ nonsense: true });
    engine.receive('x');
    engine.receive({ t: 'call', id: 7, method: 'toString', arg: {} });
    await vi.waitFor(() => expect(sent).toMatchObject([{ t: 'error', id: 7, error: { code: 'bad-argument' } }]));
  });
  test('arguments are parsed before a handler sees them', async () => {
    expect(await code(client.call('turns.list', { sourceId: 'x', sessionId: 's', from: -1, limit: 5 }))).toBe(
      'bad-argument',
    );
  });
  test.each([
    ['a source that is not open', 'nothing', 's', 'unknown-source'],
    ['a session that is not there', null, 'other', 'unknown-session'],
  ])('%s', async (_, sourceId, sessionId, expected) => {
    const { path, db } = newDb();
    db.close();
    const source = await client.call('source.open', { path });
    expect(
      await code(client.call('turns.list', { sourceId: sourceId ?? source.sourceId, sessionId, from: 0, limit: 5 })),
    ).toBe(expected);
  });
  test('calls, turns and segments that are not there', async () => {
    const { path, db } = newDb();
    const callId = addTurn(db, 'hello');
    db.close();
    const { sourceId } = await client.call('source.open', { path });
    expect(await code(client.call('call.get', { sourceId, callId: 'none' }))).toBe('unknown-call');
    expect(await code(client.call('turn.calls', { sourceId, sessionId: 's', turnId: 'none' }))).toBe('unknown-turn');
    expect(await code(client.call('call.segment', { sourceId, callId, segmentId: 's999' }))).toBe('unknown-segment');
  });
  test('a file that is no covel.db, with words that say so', async () => {
    const path = join(root, 'notes.txt');
    writeFileSync(path, 'just some notes');
    const thrown = await client.call('source.open', { path }).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ error: { code: 'not-a-database' } });
    expect(thrown).toHaveProperty('error.message', expect.stringContaining('notes.txt'));
    expect(thrown).toHaveProperty('error.hint', expect.stringMatching(/./));
  });
});

describe('calls', () => {
  test('rows carry usage, reply and what they share with the turn before', async () => {
    const { path, db } = newDb();
    const first = addTurn(db, 'hello');
    const second = addTurn(db, 'hello there');
    db.close();
    const rows = await index(await client.call('source.open', { path }));
    expect(rows.map(({ id, step, attempt, turnIndex }) => ({ id, step, attempt, turnIndex }))).toEqual([
      { id: first, step: 0, attempt: 0, turnIndex: 1 },
      { id: second, step: 0, attempt: 0, turnIndex: 2 },
    ]);
    expect(rows[1]).toMatchObject({
      usage: { uncached: 12, read: 8, write: null, output: 3 },
      inputTokens: { value: 20, tier: 'billed' },
      finishReason: 'stop',
    });
    expect(rows[0]?.prefix).toBeNull();
    expect(rows[1]?.prefix).toMatchObject({ baselineId: first, firstDifference: 'message 2 (user)' });
  });
  test('one turn is answered before the index exists, and says the same of it afterwards', async () => {
    const { path, db } = newDb();
    addTurn(db, 'one');
    const callId = addTurn(db, 'two');
    db.close();
    const source = await client.call('source.open', { path });
    const detail = await client.call('call.get', { sourceId: source.sourceId, callId });
    expect(detail.comparison).toMatchObject({ aTurn: 1, bTurn: 2 });
    await index(source);
    const again = await client.call('call.get', { sourceId: source.sourceId, callId });
    expect(again.comparison).toEqual(detail.comparison);
    expect(again.segments).toEqual(detail.segments);
  });
  test.each([
    ['NULL', null, 'payload-unreadable'],
    ['no JSON', '{"runtimeId":', 'payload-unreadable'],
    ['a list', '[1]', 'payload-unreadable'],
    ['concealed', '{"runtimeId":"narrator","attempt":0}', 'no-body'],
  ])('a payload that is %s leaves the row in the list and names the reason', async (_, payload, expected) => {
    const { path, db } = newDb();
    addTurn(db, 'one');
    const turnId = db.insertTurn({
      sessionId: 's',
      playerText: 'two',
      during: (where) => void db.insertEvent({ ...where, type: 'llm.calling', payload }),
    });
    addTurn(db, 'three');
    db.close();
    const source = await client.call('source.open', { path });
    const rows = await index(source);
    const broken = rows.find((row) => row.turnId === turnId);
    expect(rows).toHaveLength(3);
    expect(broken).toMatchObject({ empty: true, inputTokens: null, estimate: null });
    expect(await code(client.call('call.get', { sourceId: source.sourceId, callId: broken?.id ?? '' }))).toBe(expected);
    const wire = await client.call('call.wire', { sourceId: source.sourceId, callId: broken?.id ?? '' });
    expect(wire.attempts).toEqual([]);
  });
  test('a body without a recording of it is compared in the kernel view, both sides of it', async () => {
    const { path, db } = newDb();
    const messages = [
      { role: 'system', content: 'rules' },
      { role: 'user', content: 'one' },
    ];
    addTurn(db, 'one', { providerRequests: [request('one')], messages, tools: [] });
    const callId = addTurn(db, 'two', { messages: [messages[0], { role: 'user', content: 'two' }], tools: [] });
    db.close();
    const { sourceId } = await client.call('source.open', { path });
    const detail = await client.call('call.get', { sourceId, callId });
    expect(detail.view).toBe('kernel');
    expect(detail.comparison?.cause.kind).not.toBe('unknown');
    expect(detail.segments.some((segment) => segment.id === detail.comparison?.divergence?.segment)).toBe(true);
  });
  test('an aborted index stops and frees its client', async () => {
    const { path, db } = newDb();
    for (let i = 0; i < 30; i++) addTurn(db, `turn ${i}`);
    db.close();
    const { sourceId } = await client.call('source.open', { path });
    const abort = new AbortController();
    const work = client.call('calls.index', { sourceId, sessionId: 's' }, { signal: abort.signal });
    abort.abort();
    expect(await code(work)).toBe('cancelled');
    expect((await index({ sourceId } as SourceSummary)).length).toBe(30);
  });
  test('the wire keeps what was recorded: attempts, the same body, the reply', async () => {
    const { path, db } = newDb();
    const callId = addTurn(db, 'hello', {
      providerRequests: [
        { ...request('hello'), statusCode: 429 },
        {
          schemaVersion: 2,
          bodyRef: 0,
          provider: 'deepseek',
          protocol: 'openai-chat-v1',
          statusCode: 200,
          transportAttempt: 1,
          transportRetryReason: 'http-429',
        },
      ],
      messages: [],
      tools: [],
    });
    db.close();
    const { sourceId } = await client.call('source.open', { path });
    const wire = await client.call('call.wire', { sourceId, callId });
    expect(wire.attempts).toMatchObject([
      { statusCode: 429, sameBodyAs: null, body: JSON.stringify(body('hello')) },
      { statusCode: 200, sameBodyAs: 0, body: null, retryReason: 'http-429' },
    ]);
    expect(wire.reply).toMatchObject({ text: 'told', finishReason: 'stop', usage: { read: 8 } });
  });
});

describe('cache', () => {
  const openSample = async () => {
    const { sourceId, sessions } = await client.call('source.open', { sample: true });
    const sessionId = sessions.at(-1)?.id ?? '';
    const rows: CallRow[] = [];
    await client.call('calls.index', { sourceId, sessionId }, { onItem: (items) => rows.push(...items) });
    return { sourceId, sessionId, callId: rows.findLast(({ runtimeId }) => runtimeId === 'narrator')?.id ?? '' };
  };

  test('a call is answered at once; the client is told when its prediction is there', async () => {
    const { sourceId, sessionId, callId } = await openSample();
    const ready = new Promise<EngineEvent>((resolve) => client.onEvent(resolve));
    const before = await client.call('call.get', { sourceId, callId });
    expect(before).toMatchObject({
      predictionState: 'pending',
      prediction: null,
      predictedEnds: [],
      segmentStates: {},
    });
    expect(await ready).toEqual({ name: 'cache.ready', sourceId, sessionId });
    const after = await client.call('call.get', { sourceId, callId });
    expect(after.predictionState).toBe('done');
    expect(after.predictedEnds.at(-1)?.end).toBe(after.row.chars);
    expect(new Set(Object.values(after.segmentStates)).size).toBeGreaterThan(1);
  });

  test('the overview reports its progress and agrees with what a call says of itself', async () => {
    const { sourceId, sessionId, callId } = await openSample();
    const steps: (readonly [number, number])[] = [];
    const onProgress = (done: number, total: number): void => void steps.push([done, total]);
    const overview = await client.call('cache.get', { sourceId, sessionId }, { onProgress });
    expect(steps.length).toBeGreaterThan(10);
    expect(steps.every(([done], i) => done >= (steps[i - 1]?.[0] ?? 0))).toBe(true);
    expect(new Set(steps.map(([, total]) => total))).toEqual(new Set([2 * overview.calls.length]));
    const one = overview.calls.find(({ id }) => id === callId);
    const detail = await client.call('call.get', { sourceId, callId });
    expect([detail.prediction, detail.comparison?.cause]).toEqual([one?.prediction, one?.cause]);
    const [sumOfRows, sumOfCalls] = [overview.runtimes, overview.calls].map((list) =>
      list.reduce((sum, { wasted }) => sum + wasted, 0),
    );
    expect(sumOfRows).toBe(sumOfCalls);
    expect(overview.causes.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(sumOfCalls);
  });

  test('a session that is not there, and a client that gives up', async () => {
    const { sourceId, sessionId } = await openSample();
    expect(await code(client.call('cache.get', { sourceId, sessionId: 'none' }))).toBe('unknown-session');
    const abort = new AbortController();
    const work = client.call('cache.get', { sourceId, sessionId }, { signal: abort.signal });
    abort.abort();
    expect(await code(work)).toBe('cancelled');
  });
});

test('search finds the player’s words and the requests, ASCII without case, escapes included', async () => {
  const { path, db } = newDb();
  addTurn(db, 'The Lantern is "lit"\nagain');
  addTurn(db, '点亮三号灯塔');
  db.close();
  const { sourceId } = await client.call('source.open', { path });
  const search = async (query: string): Promise<string[]> => {
    const hits: string[] = [];
    await client.call(
      'search',
      { sourceId, sessionId: 's', query, limit: 50 },
      {
        onItem: (items) =>
          hits.push(...items.map((hit) => `${hit.turnIndex} ${hit.callId ? 'request' : 'player'} ${hit.match}`)),
      },
    );
    return hits;
  };
  expect(await search('lantern')).toEqual(['1 player Lantern', '1 request Lantern']);
  expect(await search('is "lit"')).toEqual(['1 player is "lit"', '1 request is "lit"']);
  expect(await search('三号灯塔')).toEqual(['2 player 三号灯塔', '2 request 三号灯塔']);
  expect(await search('nowhere')).toEqual([]);
  // A text that every request repeats is found where it first stood.
  expect(await search('rules')).toEqual(['1 request rules']);
});

test('a file that grows is followed: the client is told, lists and index hold the new turn', async () => {
  const { path, db } = newDb('wal');
  addTurn(db, 'one');
  const source = await client.call('source.open', { path });
  await index(source);
  const events: EngineEvent[] = [];
  client.onEvent((event) => events.push(event));
  addTurn(db, 'two');
  await vi.waitFor(() => expect(events.map((event) => event.name)).toContain('source.changed'), {
    timeout: 8000,
    interval: 50,
  });
  const page = await client.call('turns.list', { sourceId: source.sourceId, sessionId: 's', from: 0, limit: 50 });
  expect(page.rows.map((row) => row.playerText)).toEqual(['one', 'two']);
  expect((await index(source)).map((row) => row.turnIndex)).toEqual([1, 2]);
  db.close();
});

test('a file opened twice is one source until it is closed as often', async () => {
  const { path, db } = newDb();
  addTurn(db, 'one');
  db.close();
  const a = await client.call('source.open', { path });
  const b = await client.call('source.open', { path });
  expect(b.sourceId).toBe(a.sourceId);
  await client.call('source.close', { sourceId: a.sourceId });
  expect(await index(b)).toHaveLength(1);
  await client.call('source.close', { sourceId: a.sourceId });
  expect(await code(index(b))).toBe('unknown-source');
});

test('settings and recent files are kept between starts, derived rows too; the sample is no recent file', async () => {
  const user = join(root, 'kept');
  start(user);
  const { path, db } = newDb();
  addTurn(db, 'one');
  db.close();
  const source = await client.call('source.open', { path });
  const rows = await index(source);
  await client.call('source.open', { sample: true });
  await client.call('settings.set', { theme: 'dark', panels: { main: [20, 80] } });
  await client.call('settings.set', { language: 'zh', panels: { side: [50, 50] } });
  await engine.close();
  start(user);
  expect(await client.call('settings.get', {})).toMatchObject({
    theme: 'dark',
    language: 'zh',
    panels: { main: [20, 80], side: [50, 50] },
  });
  expect(await client.call('recent.list', {})).toMatchObject([{ path, exists: true }]);
  expect(await client.call('recent.forget', { path })).toEqual([]);
  const again = await client.call('source.open', { path });
  expect(await index(again)).toEqual(rows);
});

test('the file is not changed by being read', async () => {
  const { path, db } = newDb('wal');
  const callId = addTurn(db, 'one');
  db.close();
  const before = readFileSync(path);
  const source = await client.call('source.open', { path });
  await index(source);
  for (const method of ['call.get', 'call.context', 'call.wire', 'call.baselines', 'call.since'] as const) {
    await client.call(method, { sourceId: source.sourceId, callId });
  }
  await client.call('source.problems', { sourceId: source.sourceId });
  expect(readFileSync(path).equals(before)).toBe(true);
});
