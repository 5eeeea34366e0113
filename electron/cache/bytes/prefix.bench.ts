/**
 * The limit of a prefix measurement is the memory: a payload must be read once and compared once. Measured in one
 * run, over the same rows: that floor, the call tracker, the tracker with the prediction of every call on top of it, and
 * the straightforward way (texts, JSON.parse, strings).
 *
 * Run with Node 24: `node electron/cache/bytes/prefix.bench.ts [requests] [kilobytes of a body]`.
 */
import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { turnIndex } from '../../../shared/units.ts';
import { cacheRuleFor, parseCacheRules } from '../rules.ts';
import { simulateSession } from '../simulate/simulate.ts';
import type { RequestBlocks, SimCall } from '../simulate/types.ts';
import { createBlockReader } from './blocks.ts';
import { commonRun } from './byte-prefix.ts';
import { asBuffer } from './json-bytes.ts';
import { createCallTracker } from './tracker.ts';

export type PrefixFigures = {
  readonly requests: number;
  readonly payloadBytes: number;
  /** Milliseconds for all requests, best of the rounds. */
  readonly floor: number;
  readonly tracker: number;
  /** Tracker, blocks and simulation. */
  readonly prediction: number;
  readonly straightforward: number;
  /** Milliseconds until the first call is measured. */
  readonly first: number;
  /** Bytes of resident memory over what was there before. */
  readonly memory: number;
  /** Share of the input that the prediction reads from the cache: the cache is really at work. */
  readonly readShare: number;
};

/** A model that a rule is known for. */
const MODEL = 'claude-opus-4-8';
const TURNS = 25;
const ENGLISH = '"Do you hear it?" the keeper asked, and the lamp burned low while the fog came in over the water. ';
const CHINESE = '雾灯在岸边亮着，守灯人低声说：「你听见了吗？」海面忽然安静下来。';

type Message = { role: string; content: unknown };

function prose(seed: number, length: number): string {
  let text = '';
  for (let n = seed; text.length < length; n++) {
    text += `${n % 3 === 0 ? CHINESE : ENGLISH}${(n * 7919) % 1013}${n % 4 === 0 ? '\n' : ' '}`;
  }
  return text;
}

/** Payloads of one conversation: history grows by two messages a turn, the turn context changes with every turn. */
function* conversation(number: number, bodyBytes: number): Generator<string> {
  const seed = number * 1000;
  const system = [prose(seed, 1500), prose(seed + 1, bodyBytes / 16), prose(seed + 2, bodyBytes / 32)];
  const tools = Array.from({ length: 8 }, (_, n) => ({
    name: `tool-${n}`,
    description: prose(seed + n, 300),
    input_schema: {
      type: 'object',
      properties: { place: { type: 'string', description: prose(n, 120) } },
      required: ['place'],
    },
  }));
  const history: Message[] = [];
  const say = (n: number): Message => ({
    role: n % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: prose(seed + n, n % 2 === 0 ? 90 : 1300) }],
  });
  let size = 0;
  for (let n = 0; size < bodyBytes * 0.72; n++) {
    const message = say(n);
    size += Buffer.byteLength(JSON.stringify(message));
    history.push(message);
  }
  for (let turn = 0; turn < TURNS; turn++) {
    const context = {
      role: 'user',
      content: [{ type: 'text', text: `<system-instruction>\n${prose(seed + turn * 31, 1200)}` }],
    };
    const player = say(2 * turn);
    const messages = [...history, context, player];
    const body = {
      model: MODEL,
      max_tokens: 16384,
      stream: true,
      system: system.map((text, n) =>
        n < 2 ? { type: 'text', text, cache_control: { type: 'ephemeral' } } : { type: 'text', text },
      ),
      messages: messages.map((message, n) => (n === history.length - 1 ? marked(message) : message)),
      tools,
      tool_choice: { type: 'auto' },
    };
    const kernel = [{ role: 'system', content: system.join('\n\n\ue000COVEL_CACHE_BREAK\ue000') }, ...messages];
    yield JSON.stringify({
      flowId: `flow-${number}-${turn}`,
      providerRequests: [
        {
          schemaVersion: 1,
          provider: 'anthropic',
          protocol: 'anthropic-messages-v1',
          body,
          complete: true,
          omittedFieldCount: 0,
          transportAttempt: 0,
          startedAt: '2026-11-30T08:00:00.120Z',
          durationMs: 640 + turn,
          logicalAttempt: 0,
          statusCode: 200,
        },
      ],
      maxOutputTokens: 8192,
      runtimeId: 'narrator',
      pluginId: 'narrator',
      slot: 'story',
      model: MODEL,
      provider: 'anthropic',
      messages: kernel,
      tools,
      attempt: 0,
      startedAt: '2026-11-30T08:00:00.120Z',
      queueWaitMs: 0,
      streaming: true,
      seq: 4,
    });
    history.push(player, say(2 * turn + 1));
  }
}

function marked(message: Message): Message {
  const [block] = message.content as { type: string; text: string }[];
  return { ...message, content: [{ ...block, cache_control: { type: 'ephemeral' } }] };
}

type Row = { readonly id: number; readonly session: string; readonly payload: Uint8Array };

/** The four ways over one database of `requests` payloads, each best of `rounds`. */
export function benchPrefix(requests: number, bodyBytes: number, rounds = 3): PrefixFigures {
  const folder = mkdtempSync(join(tmpdir(), 'covel-lens-bench-'));
  try {
    const path = join(folder, 'requests.db');
    build(path, requests, bodyBytes);
    const db = new DatabaseSync(path, { readOnly: true });
    db.exec('PRAGMA mmap_size=2147418112');
    const blobs = db.prepare('SELECT id, session, CAST(payload AS BLOB) AS payload FROM requests ORDER BY id');
    const texts = db.prepare('SELECT id, session, payload FROM requests ORDER BY id');
    const rows = (): Iterable<Row> => blobs.iterate() as unknown as Iterable<Row>;
    let first = 0;
    let memory = 0;
    let readShare = 0;
    const ways = {
      floor: () => compareAdjacent(rows()),
      tracker() {
        const before = process.memoryUsage.rss();
        const began = performance.now();
        let tracker = createCallTracker();
        let session = '';
        for (const row of rows()) {
          if (row.session !== session) tracker = createCallTracker();
          session = row.session;
          const id = String(row.id);
          tracker.track({ id, turnId: id, payload: row.payload, isOwned: true });
          if (row.id === 1) first = performance.now() - began;
          if (row.id % 500 === 0) memory = Math.max(memory, process.memoryUsage.rss() - before);
        }
      },
      prediction() {
        readShare = predictAll(rows());
      },
      straightforward: () => compareTexts(texts.iterate() as unknown as Iterable<{ session: string; payload: string }>),
    };
    const best = { floor: Infinity, tracker: Infinity, prediction: Infinity, straightforward: Infinity };
    for (let round = 0; round < rounds; round++) {
      for (const way of ['floor', 'tracker', 'prediction', 'straightforward'] as const) {
        const began = performance.now();
        ways[way]();
        best[way] = Math.min(best[way], performance.now() - began);
      }
    }
    db.close();
    return { requests, payloadBytes: statSync(path).size, ...best, first, memory, readShare };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function build(path: string, requests: number, bodyBytes: number): void {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA synchronous=OFF; CREATE TABLE requests (id INTEGER PRIMARY KEY, session TEXT, payload TEXT); BEGIN');
  const insert = db.prepare('INSERT INTO requests (session, payload) VALUES (?, ?)');
  let left = requests;
  for (let number = 0; left > 0; number++) {
    for (const payload of conversation(number, bodyBytes)) if (left-- > 0) insert.run(`session-${number}`, payload);
  }
  db.exec('COMMIT');
  db.close();
}

/** Predicts every call of every session, one minute between two; answers the share of the input that is read. */
function predictAll(rows: Iterable<Row>): number {
  const rules = parseCacheRules(JSON.parse(readFileSync('resources/cache-rules.json', 'utf8')));
  const rule = cacheRuleFor(rules, {
    protocol: 'anthropic-messages-v1',
    model: MODEL,
    provider: 'anthropic',
    hasMarks: true,
  });
  const digest = (bytes: Uint8Array): string => hash('sha1', bytes, 'base64');
  let tracker = createCallTracker();
  let reader = createBlockReader({ digest, rules });
  let calls: SimCall[] = [];
  let session = '';
  let read = 0;
  let input = 0;
  const finish = (): void => {
    for (const { prediction } of simulateSession(calls, rules)) {
      if (!prediction) continue;
      read += prediction.read;
      input += prediction.read + prediction.write + prediction.uncached;
    }
    calls = [];
  };
  for (const row of rows) {
    if (row.session !== session) {
      finish();
      tracker = createCallTracker();
      reader = createBlockReader({ digest, rules });
    }
    session = row.session;
    const id = String(row.id);
    let blocks: RequestBlocks | null = null;
    const tracked = tracker.track({
      id,
      turnId: id,
      payload: row.payload,
      isOwned: true,
      read: (key, body) => {
        blocks = reader.blocksOf(key, body, rule);
      },
    });
    if (!blocks) continue;
    calls.push({
      id,
      runtimeId: 'narrator',
      turnIndex: turnIndex(calls.length + 1),
      previousId: tracked.baselineId,
      provider: 'anthropic',
      protocol: 'anthropic-messages-v1',
      model: MODEL,
      startedAt: row.id * 60_000,
      durationMs: 9000,
      answered: true,
      blocks,
      sharedWithPrevious: tracked.prefix?.shared ?? null,
      usage: null,
      billedInput: null,
      countedInput: null,
    });
  }
  finish();
  return read / input;
}

/** Reads every row and compares its body with the one before, up to the first difference. */
function compareAdjacent(rows: Iterable<Row>): number {
  let previous: Buffer | null = null;
  let sum = 0;
  for (const { payload } of rows) {
    const bytes = asBuffer(payload);
    const body = bytes.subarray(bytes.indexOf('"body"'));
    if (previous) sum += commonRun(body, 0, previous, 0, Math.min(body.length, previous.length));
    previous = body;
  }
  return sum;
}

function compareTexts(rows: Iterable<{ session: string; payload: string }>): number {
  let previous: string[] = [];
  let session = '';
  let sum = 0;
  for (const row of rows) {
    const payload = JSON.parse(row.payload) as {
      providerRequests: { body: { tools: unknown[]; system: { text: string }[]; messages: unknown[] } }[];
    };
    const body = payload.providerRequests[0]?.body;
    if (!body) continue;
    const parts = [
      ...body.tools.map((tool) => JSON.stringify(tool)),
      ...body.system.map((block) => block.text),
      ...body.messages.map((message) => JSON.stringify(message)),
    ];
    if (row.session === session) {
      for (let k = 0; k < parts.length; k++) {
        const [a, b] = [previous[k] ?? '', parts[k] as string];
        if (a === b) {
          sum += a.length;
          continue;
        }
        for (let n = 0; n < a.length && a.charCodeAt(n) === b.charCodeAt(n); n++) sum++;
        break;
      }
    }
    for (const part of parts) for (let n = 0; n < part.length; n++) if (part.charCodeAt(n) > 0x2e7f) sum++;
    previous = parts;
    session = row.session;
  }
  return sum;
}

if (import.meta.main) {
  const figures = benchPrefix(Number(process.argv[2] ?? 10_000), Number(process.argv[3] ?? 100) * 1000);
  const { requests, payloadBytes, floor, tracker, prediction, straightforward, first, memory, readShare } = figures;
  const each = (ms: number): string => `${ms.toFixed(0)} ms (${((ms * 1000) / requests).toFixed(0)} µs a request)`;
  console.log(`${requests} requests, ${(payloadBytes / 1e6).toFixed(0)} MB`);
  console.log(`floor            ${each(floor)}`);
  console.log(`tracker          ${each(tracker)}  = ${(tracker / floor).toFixed(2)} × floor (goal ≤ 3)`);
  console.log(
    `prediction       ${each(prediction)}  = ${(prediction / tracker).toFixed(2)} × tracker (goal ≤ 2), ${(readShare * 100).toFixed(0)} % read`,
  );
  console.log(
    `straightforward  ${each(straightforward)}  = ${(straightforward / tracker).toFixed(1)} × tracker (goal ≥ 10)`,
  );
  console.log(
    `first call after ${first.toFixed(1)} ms (goal ≤ 200), memory +${(memory / 1e6).toFixed(0)} MB (goal ≤ 300)`,
  );
}
