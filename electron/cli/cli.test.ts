import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import Database from 'better-sqlite3';
import type { z } from 'zod';
import { SESSION as MERGED_SESSION, TEXTS, writeMergedDb } from '../engine/ledger/testing/merged-db.ts';
import { writeCacheDb } from '../engine/testing/cache-db.ts';
import { printable } from './io.ts';
import {
  AssembledCall,
  Cache,
  Call,
  Check,
  Diff,
  ErrorReport,
  Ledger,
  Prefix,
  Sessions,
  Turns,
} from './testing/contract.ts';
import { finish, runLens, startLens, type Ran } from './testing/run-lens.ts';
import { CALLS, ODD_CALL, OTHER_SESSION, SESSION, writeSmallDb } from './testing/small-db.ts';

// Each test starts processes, and a busy machine starts them slowly.
vi.setConfig({ testTimeout: 60_000 });

let folder: string;
let home: string;
let file: string;

const lens = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  runLens(args, home, env);

/** The whole output is one JSON value of this shape, and nothing was said beside it. */
async function report<T extends z.ZodType>(schema: T, ...args: readonly string[]): Promise<z.infer<T>> {
  const { code, out, err } = await lens([...args, '--json']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return schema.parse(JSON.parse(out));
}

async function fingerprint(): Promise<readonly string[]> {
  const place = join(folder, 'files');
  const names = (await readdir(place)).sort();
  return Promise.all(
    names.map(
      async (name) =>
        `${name} ${createHash('sha256')
          .update(await readFile(join(place, name)))
          .digest('hex')}`,
    ),
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lens-cli-'));
  home = join(folder, 'home');
  await mkdir(join(folder, 'files'));
  file = join(folder, 'files', 'covel.db');
  writeSmallDb(file);
  writeMergedDb(join(folder, 'merged.db'));
  await writeFile(join(folder, 'empty.db'), '');
  await writeFile(join(folder, 'notes.txt'), 'These are notes, and no database at all.\n'.repeat(40));
  const other = new Database(join(folder, 'other.db'));
  other.exec('CREATE TABLE recipes (id TEXT)');
  other.close();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('JSON', () => {
  test('sessions', async () => {
    const { sessions, problems } = await report(Sessions, 'sessions', file);
    expect(sessions.map(({ id, turns, calls, attempts }) => ({ id, turns, calls, attempts }))).toEqual([
      { id: SESSION, turns: 3, calls: 3, attempts: 3 },
      { id: OTHER_SESSION, turns: 1, calls: 1, attempts: 1 },
    ]);
    expect(sessions.map(({ worldId, locale }) => [worldId, locale])).toEqual([
      ['coast', 'en-US'],
      [null, 'zh-CN'],
    ]);
    expect(problems).toEqual([expect.objectContaining({ row: `trace_events/${ODD_CALL}` })]);
  });

  test('turns', async () => {
    const { sessionId, turns } = await report(Turns, 'turns', file, '--session', SESSION);
    expect(sessionId).toBe(SESSION);
    expect(turns.map(({ index, turnId, origin, status }) => [index, turnId, origin, status])).toEqual([
      [1, 'turn-1', 'player', 'committed'],
      [2, 'turn-2', 'player', 'committed'],
      [3, 'turn-3', 'player', 'committed'],
    ]);
    expect(turns[1]?.calls).toEqual([
      expect.objectContaining({
        id: 'call-2',
        runtimeId: 'narrator',
        step: 0,
        attempt: 0,
        protocol: 'anthropic-messages-v1',
        provider: 'anthropic',
        model: 'claude-test',
        finishReason: 'stop',
        inputTokens: { value: 500, tier: 'billed' },
        usage: { uncached: 100, read: 400, write: null, output: 20 },
      }),
    ]);
  });

  test.each([['prefix'], ['prefix', '--covel']])('%j %j', async (...args) => {
    const entries = await report(Prefix, args[0] ?? '', file, ...args.slice(1), '--show', 'narrator');
    const entry = entries.find(({ sessionId }) => sessionId === SESSION);
    expect(entry).toMatchObject({ runtimeId: 'narrator', turns: 3, calls: 3 });
    expect(entry?.firstRequestChars).toHaveLength(3);
    const [grown, broken] = entry?.pairs ?? [];
    // Turn 2 shares all of turn 1's request; turn 3 parts at "You tell the story of a …".
    expect(grown?.shared).toBe(entry?.firstRequestChars[0]);
    expect(broken?.firstDifference).toBe('system block 1');
    expect(broken?.was).toContain('harbour');
    expect(broken?.now).toContain('mountain');
    expect(broken?.offset).toBe(
      'You tell the story of a '.length + (args.includes('--covel') ? '{"type":"text","text":"'.length : 0),
    );
  });

  test('call --assembled: the same report, and the request assembled anew', async () => {
    const { assembled, ...call } = await report(AssembledCall, 'call', file, CALLS[1] ?? '', '--assembled');
    expect(call).toEqual(await report(Call, 'call', file, CALLS[1] ?? ''));
    expect(assembled.equal).toBe(assembled.first === null);
    expect(assembled.taken.map(({ segmentId }) => segmentId)).toEqual(assembled.segments.map(({ id }) => id));
    expect(assembled.segments.some((segment) => 'text' in segment)).toBe(false);
    const { code, out } = await lens(['call', file, CALLS[1] ?? '', '--assembled']);
    expect(code).toBe(0);
    expect(out).toContain(assembled.first?.why ?? 'equal to the recorded one');
  });

  test('call', async () => {
    const call = await report(Call, 'call', file, CALLS[1]);
    expect(call).toMatchObject({
      id: 'call-2',
      sessionId: SESSION,
      turnId: 'turn-2',
      complete: true,
      omittedFields: 0,
    });
    expect(call.segments.map((segment) => segment.kind)).toContain('tool');
    expect(call.segments.map((segment) => segment.id)).toHaveLength(new Set(call.segments.map(({ id }) => id)).size);
    expect(call.breakpoints.filter(({ kind }) => kind === 'explicit')).toEqual([
      expect.objectContaining({ path: '/system/0' }),
    ]);
    for (const { chars, spans } of call.segments) {
      expect(spans.reduce((sum, { start, end }) => sum + end - start, 0)).toBe(chars);
    }
  });

  test('diff against the default baseline and against another call', async () => {
    const grown = await report(Diff, 'diff', file, CALLS[1]);
    expect(grown).toMatchObject({ a: 'call-1', b: 'call-2', divergence: null, cause: { kind: 'append-only' } });
    const broken = await report(Diff, 'diff', file, CALLS[2]);
    expect(broken).toMatchObject({
      a: 'call-2',
      b: 'call-3',
      divergence: { part: 'system block 1', path: '/system/0/text' },
    });
    const far = await report(Diff, 'diff', file, CALLS[2], CALLS[0]);
    expect(far).toMatchObject({ a: 'call-1', b: 'call-3' });
    expect(far.shared.share).toBeLessThan(1);
  });
});

describe('ledger', () => {
  test('one session is one object, with what lives and what vanished', async () => {
    const ledger = await report(Ledger, 'ledger', join(folder, 'merged.db'));
    expect(ledger).toMatchObject({ sessionId: MERGED_SESSION, decay: [] });
    expect(ledger.summaries.map(({ id, turnRange, mergedFrom, live }) => [id, ...turnRange, mergedFrom, live])).toEqual(
      [
        ['a', 'turn-01', 'turn-05', 2, true],
        ['c', 'turn-06', 'turn-08', 0, true],
        ['a', 'turn-01', 'turn-02', 0, false],
        ['b', 'turn-03', 'turn-05', 0, false],
        [null, null, null, null, false],
      ],
    );
    expect(ledger.summaries.map(({ messageIds, budget }) => [messageIds?.length, budget])).toEqual([
      [10, null],
      [6, null],
      [4, null],
      [6, null],
      [undefined, null],
    ]);
    expect(ledger.summaries[0]?.tokens?.value).toBe(Math.ceil(TEXTS.merged.length / 4));
    expect(ledger.pruned).toMatchObject([
      { callId: 'narrator-5-0', messages: 3 },
      { callId: null, messages: 3 },
    ]);
    expect(ledger.toolGroups.map(({ callId, kind }) => [callId, kind])).toEqual([
      ['narrator-8-2', 'omitted'],
      ['narrator-8-3', 'folded'],
    ]);
  });

  test('several sessions are an array, one of them an object', async () => {
    const all = await report(Ledger.array(), 'ledger', file);
    expect(all.map(({ sessionId, summaries }) => [sessionId, summaries])).toEqual([
      [SESSION, []],
      [OTHER_SESSION, []],
    ]);
    expect(await report(Ledger, 'ledger', file, '--session', OTHER_SESSION)).toMatchObject({
      sessionId: OTHER_SESSION,
    });
    expect((await lens(['ledger', '--help'])).out).toContain('array of ledgers');
  });

  test('the table says what is unknown', async () => {
    const { out } = await lens(['ledger', join(folder, 'merged.db')]);
    const rows = out.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
    expect(rows).toContain('live turns 1–5 10 118 – 2 no turn 10 narrator (10)');
    expect(rows).toContain('vanished – – 70 – – – – –');
    expect(out).toContain('budgets are unknown');
    expect(out).toContain('turn 6, narrator: messages left out: 3; call: none recorded');
  });
});

describe('cache', () => {
  test('several sessions are an array, one of them an object, with every figure of the contract', async () => {
    const all = await report(Cache.array(), 'cache', file);
    expect(all.map(({ sessionId }) => sessionId)).toEqual([SESSION, OTHER_SESSION]);
    const one = await report(Cache, 'cache', file, '--session', SESSION);
    expect(one).toEqual(all[0]);
    // Billed: 500 tokens a call, 400 of them read in the second.
    expect(one.runtimes).toMatchObject([
      { runtimeId: 'narrator', calls: 3, inputTokens: 1500, read: 400, write: null, hitRate: 400 / 1500 },
    ]);
    // No such model: what it costs is unknown, not free.
    expect(one.runtimes[0]).toMatchObject({ costUsd: null, wastedUsd: null, unpriced: 3 });
    const kinds = one.runtimes.flatMap(({ causes }) => causes.map(({ kind }) => kind));
    expect(kinds).toEqual([(await report(Diff, 'diff', file, CALLS[2])).cause.kind]);
  });

  test('the same figures for people', async () => {
    for (const lang of ['en', 'zh']) {
      const { code, out, err } = await lens(['cache', file, '--session', SESSION, '--lang', lang]);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toMatch(/narrator +3 +1,500 +400 +– /);
      expect(out).not.toMatch(/undefined|NaN|\{\w+\}|\$0\.00|todo\./);
    }
  });

  test('what limits the figures is said of the session and of the call', async () => {
    const path = join(folder, 'limits.db');
    const usage = { inputTokens: 2200, outputTokens: 9 };
    writeCacheDb(path, 's', [
      { turn: 1, at: 0, hasBody: false, usage },
      { turn: 2, at: null, said: ['Walk to the pier.', 'The bell rings.', 'Open the door.'], usage },
    ]);
    const found = await report(Cache, 'cache', path);
    expect(found.runtimes[0]).toMatchObject({ read: null, hitRate: null, unreported: 2 });
    expect(found.notes.map(({ calls }) => calls)).toEqual([1, 1, 1]);
    const { out } = await lens(['cache', path]);
    expect(out).toContain('Calls whose bill does not say how much was read: 2; the hit rate counts them as not read.');
    for (const { note } of found.notes) expect(out).toContain(note);
    const call = await report(Call, 'call', path, 'call-2');
    expect(call.notes).toHaveLength(2);
    for (const note of call.notes) expect((await lens(['call', path, 'call-2'])).out).toContain(note);
  });

  test('call prints the prediction beside the bill', async () => {
    const sample = 'resources/sample/covel.db';
    const { sessions } = await report(Sessions, 'sessions', sample);
    const { turns } = await report(Turns, 'turns', sample, '--session', sessions.at(-1)?.id ?? '');
    const asked = turns.flatMap(({ calls }) => calls).find((call) => (call.usage?.read ?? 0) > 0);
    const call = await report(Call, 'call', sample, asked?.id ?? '');
    const { read = 0, write = 0, uncached = 0 } = call.prediction ?? {};
    expect(read).toBeGreaterThan(0);
    expect(read + write + uncached).toBe(asked?.inputTokens?.value);
    expect(call.prediction?.why.join(' ')).not.toMatch(/predict\.|\{\w+\}|…/);
    const { out } = await lens(['call', sample, asked?.id ?? '']);
    expect(out).toContain(call.prediction?.why[0] ?? 'nothing');
  });
});

describe('check', () => {
  const check = (...args: readonly string[]): Promise<Ran> => lens(['check', file, '--session', SESSION, ...args]);

  test('fine', async () => {
    expect(await report(Check, 'check', file, '--session', SESSION, '--min-shared', '1%')).toEqual({
      ok: true,
      broken: [],
      judged: 2,
    });
    const { code, out } = await check('--min-shared', '0.01');
    expect({ code, out }).toEqual({ code: 0, out: 'All 2 turns keep the limits.\n' });
  });

  test('a broken share ends with 1, and says where', async () => {
    const ran = await check('--min-shared', '80%', '--json');
    expect([ran.code, ran.err]).toEqual([1, '']);
    const { ok, broken } = Check.parse(JSON.parse(ran.out));
    expect(ok).toBe(false);
    expect(broken).toMatchObject([
      { sessionId: SESSION, runtimeId: 'narrator', turnIndex: 3, callId: CALLS[2], limit: 0.8, rule: 'min-shared' },
    ]);
    const { shared } = await report(Diff, 'diff', file, CALLS[2]);
    expect(broken[0]?.share).toBeCloseTo(shared.share, 9);
    const { out } = await check('--min-shared', '80%');
    expect(out).toContain(`turn 3, narrator`);
    expect(out).toContain(CALLS[2]);
    expect((await check('--min-shared', '80%', '--lang', 'zh')).out).toContain('违反限制：1 处；已检查 2 个回合。');
  });

  test('lost tokens', async () => {
    const ran = await check('--max-miss-tokens', '100', '--json');
    expect(ran.code).toBe(1);
    const { broken } = Check.parse(JSON.parse(ran.out));
    expect(broken).toMatchObject([{ rule: 'max-miss-tokens', callId: CALLS[2], limit: 100 }]);
    expect(broken[0]?.missTokens).toBeGreaterThan(300);
    expect((await check('--max-miss-tokens', '5000', '--runtime', 'narrator')).code).toBe(0);
  });

  test('nothing to judge is fine, and said', async () => {
    const { code, out } = await lens(['check', file, '--session', OTHER_SESSION, '--min-shared', '80%']);
    expect([code, out]).toEqual([0, 'Nothing to check: no runtime was asked in two turns.\n']);
  });
});

describe('for people', () => {
  test('every command prints a table, without colour and without what a terminal would obey', async () => {
    const commands = [
      ['sessions', file, '--lang', 'zh'],
      ['turns', file, '--session', SESSION],
      ['prefix', file, '--show', 'narrator'],
      ['call', file, CALLS[1]],
      ['call', file, CALLS[1], '--lang', 'zh'],
      ['ledger', join(folder, 'merged.db'), '--lang', 'zh'],
      ['ledger', file],
      ['diff', file, CALLS[2]],
    ];
    for (const command of commands) {
      const { code, out, err } = await lens(command);
      expect([command, code, err]).toEqual([command, 0, '']);
      expect(out.split('\n').length).toBeGreaterThan(2);
      expect(out).not.toMatch(/(?!\n)\p{Cc}|\u202e|undefined|NaN|\[object|\{\w+\}/u);
    }
  });

  test('prefix: one line a runtime, a total a session, and the note that this is no bill', async () => {
    const { out } = await lens(['prefix', file, '--session', SESSION]);
    const [head, session, runtime, total] = out.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
    expect(head).toBe('runtime turns calls req tok shared % first difference (last pair)');
    expect(session).toBe(`session ${SESSION}`);
    expect(runtime).toMatch(/^narrator 3 3 [\d,]+ [\d,]+ \d+\.\d system block 1 @ 24$/);
    expect(total).toMatch(/^total 3 [\d,]+ [\d,]+ \d+\.\d$/);
    expect(out).toMatch(/not a bill/);
  });

  test('turns names the session when there is only one to name', async () => {
    const { code, err } = await lens(['turns', file]);
    expect(code).toBe(2);
    expect(err).toContain(`${SESSION}, ${OTHER_SESSION}`);
  });

  test('diff speaks the language of the environment', async () => {
    const { out } = await lens(['diff', file, CALLS[2]], { LC_ALL: 'zh_CN.UTF-8' });
    expect(out).toMatch(/原因：/);
  });
});

describe('errors', () => {
  test.each([
    ['a file that is not there', 3, 'not-found', () => ['sessions', join(folder, 'none.db')]],
    ['a folder', 3, 'is-directory', () => ['sessions', folder]],
    ['an empty file', 3, 'empty-file', () => ['sessions', join(folder, 'empty.db')]],
    ['a text', 3, 'not-a-database', () => ['prefix', join(folder, 'notes.txt')]],
    ['another database', 3, 'not-a-covel-db', () => ['call', join(folder, 'other.db'), 'x']],
    ['serving a file that is not there', 3, 'not-found', () => ['serve', join(folder, 'none.db')]],
    ['an unknown session', 2, 'unknown-session', () => ['turns', file, '--session', 'none']],
    ['an unknown session of prefix', 2, 'unknown-session', () => ['prefix', file, '--session', 'none']],
    ['an unknown session of ledger', 2, 'unknown-session', () => ['ledger', file, '--session', 'none']],
    ['an unknown session of cache', 2, 'unknown-session', () => ['cache', file, '--session', 'none']],
    ['an unknown session of check', 2, 'unknown-session', () => ['check', file, '--min-shared', '1', '--session', 'x']],
    ['an unknown runtime of check', 2, 'bad-usage', () => ['check', file, '--min-shared', '80%', '--runtime', 'none']],
    ['a check of nothing', 2, 'bad-usage', () => ['check', file]],
    ['a share that could be either', 2, 'bad-usage', () => ['check', file, '--min-shared', '80']],
    ['a share of more than all', 2, 'bad-usage', () => ['check', file, '--min-shared', '101%']],
    ['tokens that are no number', 2, 'bad-usage', () => ['check', file, '--max-miss-tokens', '1.5']],
    ['an unknown call', 2, 'unknown-call', () => ['call', file, 'none']],
    ['an unknown baseline', 2, 'unknown-call', () => ['diff', file, CALLS[1], 'none']],
    ['an unreadable call', 3, 'payload-unreadable', () => ['call', file, ODD_CALL]],
    ['an unknown runtime', 2, 'bad-usage', () => ['prefix', file, '--show', 'none']],
    ['an unknown language', 2, 'bad-usage', () => ['sessions', file, '--lang', 'tlh']],
    ['an impossible port', 2, 'bad-usage', () => ['serve', '--port', '70000']],
    ['an unknown command', 2, 'bad-usage', () => ['forecast', file]],
    ['a missing argument', 2, 'bad-usage', () => ['call', file]],
  ])('%s ends with %i and %s', async (_what, code, errorCode, line) => {
    const ran = await lens([...line(), '--json']);
    const { error } = ErrorReport.parse(JSON.parse(ran.out));
    expect([ran.code, error.code]).toEqual([code, errorCode]);
    expect(error.hint).not.toBe('');
    expect(ran.err).toMatch(/^covel-lens: [^\n]{10,}\n$/);
    expect(ran.err).toContain(printable(error.message));
  });

  test('are nothing but that line without --json', async () => {
    const ran = await lens(['sessions', join(folder, 'notes.txt')]);
    expect(ran).toMatchObject({ code: 3, out: '' });
    expect(ran.err).toMatch(/^covel-lens: [^\n]{10,}\n$/);
  });

  test('are told in Chinese too', async () => {
    const { err } = await lens(['sessions', join(folder, 'none.db'), '--lang', 'zh']);
    expect(err).toMatch(/^covel-lens: .*[\u4e00-\u9fff]{4}/);
  });

  test('a name of several lines gives one line', async () => {
    const { code, err } = await lens(['sessions', join(folder, 'a\nb\u001b[1m.db')]);
    expect(code).toBe(3);
    expect(err.trimEnd()).not.toMatch(/\p{Cc}/u);
  });

  test('a reader that stops early is no error', async () => {
    const child = startLens(['call', file, CALLS[2], '--json'], home);
    child.stdout?.destroy();
    const { code, err } = await finish(child);
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });
});

test('the file and its folder stay as they are', async () => {
  const before = await fingerprint();
  expect(before).toHaveLength(1);
  for (const args of [
    ['sessions', file],
    ['prefix', file],
    ['diff', file, CALLS[2]],
  ])
    await lens(args);
  expect(await fingerprint()).toEqual(before);
});

describe('start', () => {
  test('help and version print nothing but themselves', async () => {
    const help = await lens(['--help']);
    expect(help).toMatchObject({ code: 0, err: '' });
    expect(help.out).toMatch(/^Covel Lens shows/);
    const version = await lens(['--version']);
    expect(version.out).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(JSON.parse((await lens(['--version', '--json'])).out)).toEqual({ version: version.out.trim() });
    expect((await lens(['prefix', '--help'])).out).toContain('--covel');
  });

  test('an old Node is told so, in one line', async () => {
    const old = "const v=process.versions;Object.defineProperty(process,'versions',{value:{...v,node:'20.1.0'}})";
    const ran = await lens(['--help'], { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(old)}` });
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.err).toMatch(/^covel-lens: this is Node 20\.1\.0; install Node [\d.]+ or newer and run it again\.\n$/);
  });

  // A bare Node starts in about 30 ms on a quiet machine; ten times that are the 300 ms that are promised.
  test('help takes less than eight bare starts of Node, each at its best of five', async () => {
    const timed = async (run: () => Promise<unknown>): Promise<number> => {
      const start = performance.now();
      await run();
      return performance.now() - start;
    };
    const bare: number[] = [];
    const help: number[] = [];
    for (let i = 0; i < 5; i++) {
      bare.push(await timed(() => once(spawn(process.execPath, ['-e', '0']), 'close')));
      help.push(await timed(() => lens(['--help'])));
    }
    expect(Math.min(...help) / Math.min(...bare)).toBeLessThan(8);
  });
});
