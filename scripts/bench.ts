/**
 * Speed is told as a ratio to a floor measured in the same run, because absolute times say more about the machine
 * than about the program. `npm run bench [-- 10 100 1000]` makes databases of that many megabytes in a temporary
 * folder and prints one table for each; bodies are mixed English and Chinese.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { createPrefixReport } from '../electron/cache/prefix-report.ts';
import { assembleFigures } from '../electron/engine/assemble.bench.ts';
import { runSession } from '../electron/engine/cache-run.ts';
import { createEngine, type Engine } from '../electron/engine/engine.ts';
import { readCacheRules } from '../electron/engine/open-sources.ts';
import { openSource } from '../electron/engine/opened-source.ts';
import { NO_SIDE_DB } from '../electron/engine/side-db.ts';
import { buildDb, createClock, createIds } from '../electron/sources/covel-db/testing/build-db.ts';
import { openCovelDb } from '../electron/sources/covel-db/index.ts';
import { unwrap } from '../shared/error.ts';
import { prefixTokens, sizeOf } from '../shared/tokens.ts';
import { createClient, type EngineClient } from '../shared/client.ts';
import type { CallRow } from '../shared/model/index.ts';
import type { EngineMessage } from '../shared/rpc.ts';

const PAYLOAD_BYTES = 100_000;
const CALLS_PER_TURN = 4;
const TURNS_PER_SESSION = 50;

const SENTENCES = [
  '雾从闸门的缝隙里渗进来，灯芯矮了一截，账本在你手心里沉了一下。',
  'The steps are white with salt, and every one of them has to be tried before it is trusted.',
  '远处有人合上窗板，声音像一枚钉子落进木头。“潮再退半尺，闸门就压不住了。”',
  'A voice counts down from seven, reaches one, and begins again; nobody answers "who is there?"',
];

/** Prose of about so many bytes, the same for the same number. */
function prose(seed: number, bytes: number): string {
  let text = '';
  for (let i = seed; Buffer.byteLength(text) < bytes; i++)
    text += `${SENTENCES[(i * 7) % SENTENCES.length] ?? ''} (${i}) `;
  return text;
}

type Message = { readonly role: string; readonly content: string };

/**
 * One request of a runtime in a turn. The narrator's history grows by two messages a turn behind a stable head; the
 * trackers read the head, this turn's own text and nothing of the past. The body is half of a payload.
 */
function request(runtime: number, turn: number, step: number): readonly Message[] {
  const body = PAYLOAD_BYTES / 2;
  const each = 400;
  const isNarrator = runtime === 0;
  const past = isNarrator ? 40 + 2 * turn : 0;
  const history = Array.from({ length: past }, (_, i): Message => ({
    role: i % 2 ? 'assistant' : 'user',
    content: prose(i, each),
  }));
  return [
    { role: 'system', content: prose(1000 + runtime, isNarrator ? body - 90 * each : body - 6000) },
    ...history,
    { role: 'system', content: `<runtime-inputs>\n{"turn":${turn}}\n</runtime-inputs>` },
    { role: 'user', content: prose(5000 + turn, isNarrator ? 800 : 5000) },
    ...Array.from({ length: step }, (_, i): Message => ({ role: 'assistant', content: prose(turn + i, 300) })),
  ];
}

function makeDb(path: string, megabytes: number): { readonly calls: number } {
  const db = buildDb(path, {
    journal: 'delete',
    ids: createIds('bench'),
    clock: createClock('2026-10-01T00:00:00.000Z', 5),
  });
  db.db.pragma('synchronous = OFF');
  const calls = Math.round((megabytes * 1e6) / PAYLOAD_BYTES);
  const sessions = Math.ceil(calls / (CALLS_PER_TURN * TURNS_PER_SESSION));
  let made = 0;
  for (let session = 0; session < sessions; session++) {
    db.transaction(() => {
      const sessionId = db.insertSession({ id: `bench-${session}`, title: `Session ${session}` });
      for (let turn = 0; turn < TURNS_PER_SESSION && made < calls; turn++) {
        db.insertTurn({
          sessionId,
          playerText: `turn ${turn} 我推开门`,
          during: (where) => {
            for (let n = 0; n < CALLS_PER_TURN && made < calls; n++, made++) {
              const runtimeId = n < 2 ? 'narrator' : `tracker-${n}`;
              const messages = request(n < 2 ? 0 : n, turn, n === 1 ? 1 : 0);
              const body = { model: 'deepseek-chat', messages, tools: [] };
              const providerRequests = [
                {
                  schemaVersion: 1,
                  provider: 'deepseek',
                  protocol: 'openai-chat-v1',
                  body,
                  complete: true,
                  omittedFieldCount: 0,
                  transportAttempt: 0,
                  statusCode: 200,
                },
              ];
              db.insertCall({
                ...where,
                runtimeId,
                payload: { providerRequests, model: 'deepseek-chat', provider: 'deepseek', messages, tools: [] },
              });
              db.insertReply({
                ...where,
                runtimeId,
                text: 'ok',
                usage: { inputTokens: 9000, outputTokens: 5, cachedInputTokens: 4096 },
              });
            }
          },
        });
      }
    });
  }
  db.close();
  return { calls: made };
}

const ms = (since: number): number => performance.now() - since;
const rss = (): number => process.memoryUsage().rss / 1e6;
const quantile = (values: readonly number[], q: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * q)] ?? 0;

/** The floor: the same rows as blobs, each compared with the one before. */
function floor(path: string): number {
  const db = new DatabaseSync(`${pathToFileURL(path).href}?immutable=1`, { readOnly: true });
  const since = performance.now();
  let before: Uint8Array = new Uint8Array();
  let equal = 0;
  for (const row of db
    .prepare("SELECT CAST(payload AS BLOB) AS payload FROM trace_events WHERE type = 'llm.calling'")
    .iterate()) {
    const payload = row['payload'] as Uint8Array;
    if (Buffer.compare(payload, before) === 0) equal++;
    before = payload;
  }
  const time = ms(since);
  db.close();
  return equal < 0 ? 0 : time;
}

/** The same measurement the straightforward way: text columns, JSON.parse, parts as strings, compared unit by unit. */
function straightforward(path: string): number {
  const db = new DatabaseSync(`${pathToFileURL(path).href}?immutable=1`, { readOnly: true });
  const since = performance.now();
  const before = new Map<string, { readonly turn: string; readonly text: string }>();
  let tokens = 0;
  const sql =
    "SELECT session_id, turn_id, payload FROM trace_events WHERE type = 'llm.calling' ORDER BY session_id, created_at, seq";
  for (const row of db.prepare(sql).iterate()) {
    const payload = JSON.parse(String(row['payload'])) as Recorded;
    const body = payload.providerRequests[0]?.body;
    const text = [...(body?.tools ?? []), ...(body?.messages ?? [])].map((part) => JSON.stringify(part)).join('');
    const key = `${String(row['session_id'])} ${payload.runtimeId}`;
    const last = before.get(key);
    const turn = String(row['turn_id']);
    tokens += prefixTokens(sizeOf(text));
    if (last?.turn === turn) continue;
    let shared = 0;
    while (last && shared < last.text.length && last.text.charCodeAt(shared) === text.charCodeAt(shared)) shared++;
    tokens += prefixTokens(sizeOf(text.slice(0, shared)));
    before.set(key, { turn, text });
  }
  const time = ms(since);
  db.close();
  return tokens < 0 ? 0 : time;
}
type Recorded = {
  readonly runtimeId: string;
  readonly providerRequests: readonly {
    readonly body: { readonly tools: readonly unknown[]; readonly messages: readonly unknown[] };
  }[];
};

type RunFigures = { readonly time: number; readonly memory: number };

async function prefixRun(path: string, root: string): Promise<RunFigures> {
  const db = unwrap(await openCovelDb(path, { snapshotRoot: join(root, 'snapshots') }));
  const idle = rss();
  let peak = idle;
  const since = performance.now();
  const report = createPrefixReport('lens', { show: false });
  let n = 0;
  for (const session of db.sessions()) {
    for (const ref of db.callRefs(session.id)) {
      report.add({
        sessionId: session.id,
        turnId: ref.turnId,
        id: ref.id,
        payload: db.payload(ref.rowid),
        isOwned: true,
      });
      if (++n % 200 === 0) peak = Math.max(peak, rss());
    }
  }
  report.entries();
  const time = ms(since);
  db.close();
  return { time, memory: Math.max(peak, rss()) - idle };
}

/** Predicts every call of every session, as the engine does once the rows of a session are there. */
async function predictionRun(path: string, root: string): Promise<RunFigures & { readonly predicted: number }> {
  const db = unwrap(await openCovelDb(path, { snapshotRoot: join(root, 'snapshots') }));
  const rules = readCacheRules('resources');
  const source = openSource(db, { sideDb: NO_SIDE_DB, rules });
  const idle = rss();
  let peak = idle;
  let time = 0;
  let predicted = 0;
  for (const { id } of db.sessions()) {
    const rows = await source.index(id).complete();
    const since = performance.now();
    const run = await runSession(
      { db, rules, sessionId: id, rows },
      {
        isAborted: () => false,
        progress(done) {
          if (done % 200 === 0) peak = Math.max(peak, rss());
        },
      },
    );
    time += ms(since);
    for (const call of run?.values() ?? []) if (call.sim.prediction) predicted++;
  }
  source.close();
  return { time, memory: Math.max(peak, rss()) - idle, predicted };
}

function connect(root: string): { readonly client: EngineClient; readonly engine: Engine } {
  let listener: (message: EngineMessage) => void = () => undefined;
  const engine = createEngine({
    userData: join(root, 'user'),
    host: 'in-process',
    version: 'bench',
    resources: 'resources',
    openAtStart: null,
    send: (message) => listener(message),
  });
  const client = createClient({
    send: (message) => engine.receive(message),
    onMessage: (next) => {
      listener = next;
    },
    onClose: () => undefined,
    close: () => undefined,
  });
  return { client, engine };
}

async function screens(path: string, root: string): Promise<Record<string, number>> {
  const { client, engine } = connect(root);
  let since = performance.now();
  const source = await client.call('source.open', { path });
  const sessionId = source.sessions.at(-1)?.id ?? '';
  const page = await client.call('turns.list', { sourceId: source.sourceId, sessionId, from: 0, limit: 50 });
  const open = ms(since);

  since = performance.now();
  let first = 0;
  const rows: CallRow[] = [];
  await client.call(
    'calls.index',
    { sourceId: source.sourceId, sessionId },
    {
      onItem: (items) => {
        first ||= ms(since);
        rows.push(...items);
      },
    },
  );
  const index = ms(since);

  const steps: number[] = [];
  const layouts: number[] = [];
  for (const turn of page.rows) {
    since = performance.now();
    const calls = await client.call('turn.calls', { sourceId: source.sourceId, sessionId, turnId: turn.turnId });
    steps.push(ms(since));
    const callId = calls[0]?.id;
    if (callId === undefined) continue;
    since = performance.now();
    await client.call('call.get', { sourceId: source.sourceId, callId });
    layouts.push(ms(since));
  }
  await engine.close();

  const again = connect(root);
  since = performance.now();
  const second = await again.client.call('source.open', { path });
  let secondFirst = 0;
  await again.client.call(
    'calls.index',
    { sourceId: second.sourceId, sessionId },
    {
      onItem: () => {
        secondFirst ||= ms(since);
      },
    },
  );
  await again.engine.close();
  return {
    open,
    first,
    index,
    rows: rows.length,
    step: quantile(steps, 0.95),
    layout: quantile(layouts, 0.95),
    secondFirst,
  };
}

const line = (what: string, value: string, goal = ''): void =>
  console.log(`  ${what.padEnd(58)} ${value.padStart(14)}   ${goal}`);

const sizes = process.argv
  .slice(2)
  .map(Number)
  .filter((size) => size > 0);
const root = mkdtempSync(join(tmpdir(), 'covel-lens-bench-'));
try {
  const perCall: number[] = [];
  for (const megabytes of sizes.length > 0 ? sizes : [10, 100, 1000]) {
    const path = join(root, `bench-${megabytes}.db`);
    const { calls } = makeDb(path, megabytes);
    console.log(`\n${megabytes} MB: ${calls} calls of about 100 KB, file ${Math.round(statSync(path).size / 1e6)} MB`);
    floor(path); // warms the page cache
    const low = Math.min(floor(path), floor(path));
    const first = await prefixRun(path, root);
    const second = await prefixRun(path, root);
    const time = Math.min(first.time, second.time);
    const memory = Math.max(first.memory, second.memory);
    const predictions = [await predictionRun(path, root), await predictionRun(path, root)] as const;
    const predicting = Math.min(predictions[0].time, predictions[1].time);
    const slow = Math.min(straightforward(path), straightforward(path));
    const seen = await screens(path, root);
    perCall.push(time / calls);
    line('open and list the first 50 turns', `${seen['open']?.toFixed(0)} ms`, '<= 500 ms');
    line('floor: read all payloads as bytes, compare neighbours', `${low.toFixed(0)} ms`);
    line('prefix measurement of every call', `${time.toFixed(0)} ms`);
    line('  in floors', `${(time / low).toFixed(2)} x`, '<= 3 x');
    line('  against text, JSON.parse and string comparison', `${(slow / time).toFixed(1)} x faster`, '>= 10 x');
    line('  memory over idle', `${memory.toFixed(0)} MB`, '<= 300 MB');
    line(
      `prediction of ${predictions[0].predicted} calls, in prefix measurements`,
      `${(predicting / time).toFixed(2)} x`,
      '<= 2 x',
    );
    line('  memory over idle', `${Math.max(predictions[0].memory, predictions[1].memory).toFixed(0)} MB`, '<= 300 MB');
    line(
      `index of one session (${seen['rows']} calls), first rows after`,
      `${seen['first']?.toFixed(0)} ms`,
      '<= 200 ms',
    );
    line('second opening, all rows from the side database', `${seen['secondFirst']?.toFixed(0)} ms`);
    line('step to a turn, engine side, p95', `${seen['step']?.toFixed(1)} ms`, '<= 16 ms');
    line('layout of a call, engine side, p95', `${seen['layout']?.toFixed(1)} ms`, '<= 50 ms');
    rmSync(path);
  }
  console.log('\nOne request of about 100 KB, against JSON.stringify of its body');
  for (const { protocol, stringify, assemble, both } of await assembleFigures(PAYLOAD_BYTES)) {
    line(`assemble for ${protocol}`, `${(assemble / stringify).toFixed(1)} x`);
    line('  assemble and convert', `${(both / stringify).toFixed(1)} x`, '<= 5 x');
  }
  const [smallest, largest] = [perCall[0] ?? 0, perCall.at(-1) ?? 0];
  if (perCall.length > 1)
    line(
      '\n  time per call, largest against smallest file',
      `${(largest / smallest).toFixed(2)} x`,
      '<= 1.1 x is linear',
    );
} finally {
  rmSync(root, { recursive: true, force: true });
}
