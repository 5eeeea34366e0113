/**
 * An engine without a file, behind the same messages as the real one: it stands in as `window.lensHost`, so nothing of
 * the window knows that it is not real. Answers can be delayed and events told, to test races.
 */
import {
  DEFAULT_SETTINGS,
  type EngineEvent,
  type MethodIn,
  type MethodName,
  type MethodOut,
  type RecentFile,
  type Settings,
} from '../../shared/api.ts';
import type { LensError } from '../../shared/error.ts';
import type { Problem } from '../../shared/model/index.ts';
import type { ClientMessage, EngineMessage } from '../../shared/rpc.ts';
import type { LensHost } from '../host.ts';
import { assembledDetail } from './fixture-assembled.ts';
import * as details from './fixture-details.ts';
import { fixtureSession, fixtureSource, type FixtureSession } from './fixture-data.ts';
import { fixtureCache } from './fixture-cache.ts';
import { fixtureLedger, fixtureMessages } from './fixture-ledger.ts';

type Reply = { readonly value: unknown } | { readonly error: LensError };
type Asked = { readonly method: MethodName; readonly arg: unknown };

export type Fixture = {
  readonly host: LensHost;
  /** Tells the window something, as the engine would. */
  tell(event: EngineEvent): void;
  /** Ends the simulation of a session that is pending, and tells so. */
  simulated(sessionId: string): void;
  /** Everything that was asked so far, in order. */
  readonly asked: readonly Asked[];
  /** Ids of calls that the window cancelled. */
  readonly cancelled: ReadonlySet<number>;
  sessions: readonly FixtureSession[];
  settings: Settings;
};

export type FixtureOptions = {
  readonly sessions?: readonly FixtureSession[];
  readonly openAtStart?: string | null;
  readonly recent?: readonly RecentFile[];
  readonly settings?: Partial<Settings>;
  /** Milliseconds before a call is answered; 0 answers in the next task. */
  readonly delay?: (asked: Asked) => number;
  /** Errors in place of answers. */
  readonly fail?: (asked: Asked) => LensError | null;
  readonly problems?: readonly Problem[];
  /** Answers cancelled calls all the same, as an engine does that was just about to. */
  readonly deaf?: boolean;
  /** The cache is not simulated until `simulated` is called. */
  readonly pending?: boolean;
  /** Rows of calls in one streamed chunk. */
  readonly chunk?: number;
};

const failure = (code: LensError['code'], message: string, values: LensError['values'] = {}): LensError => ({
  code,
  message,
  hint: '',
  values,
});

export function createFixture(options: FixtureOptions = {}): Fixture {
  const listeners = new Set<(message: EngineMessage) => void>();
  const asked: Asked[] = [];
  const cancelled = new Set<number>();
  let recent = options.recent ?? [];
  let isPending = options.pending === true;
  const tell = (message: EngineMessage): void => listeners.forEach((listener) => listener(message));

  const fixture: Fixture = {
    asked,
    cancelled,
    sessions: options.sessions ?? [fixtureSession('harbor-7c1e09aa', 24)],
    settings: { ...DEFAULT_SETTINGS, ...options.settings },
    tell: (event) => tell({ t: 'event', event }),
    simulated(sessionId) {
      isPending = false;
      tell({ t: 'event', event: { name: 'cache.ready', sourceId: 'source-1', sessionId } });
    },
    host: {
      kind: 'desktop',
      onMessage: (listener) => listeners.add(listener),
      pathForFile: (file) => `/dropped/${file.name}`,
      openDialog: () => Promise.resolve('/home/author/harbor-tides/covel.db'),
      send(message) {
        if (message.t === 'cancel') cancelled.add(message.id);
        else receive(message);
      },
    },
  };

  const sessionOf = (id: string): FixtureSession | undefined => fixture.sessions.find((one) => one.row.id === id);
  const callOf = (id: string) => {
    for (const session of fixture.sessions) {
      const row = session.calls.find((call) => call.id === id);
      if (row) return { row, sessionId: session.row.id };
    }
    return null;
  };
  type CallArg = MethodIn<'call.get'>;
  const ofCall =
    <T>(answer: (row: NonNullable<ReturnType<typeof callOf>>, arg: CallArg) => T) =>
    (arg: CallArg): T | LensError => {
      const found = callOf(arg.callId);
      return found ? answer(found, arg) : failure('unknown-call', 'No such call.', { callId: arg.callId });
    };

  const handlers: { readonly [M in MethodName]: (arg: never, id: number) => MethodOut<M> | LensError } = {
    'app.info': () => ({
      version: '0.1.0',
      host: 'desktop',
      platform: 'linux',
      openAtStart: options.openAtStart ?? null,
    }),
    'settings.get': () => fixture.settings,
    'settings.set': (arg: Partial<Settings>) => (fixture.settings = { ...fixture.settings, ...arg }),
    'recent.list': () => recent,
    'recent.forget': (arg: MethodIn<'recent.forget'>) => (recent = recent.filter((file) => file.path !== arg.path)),
    'source.open': () => fixtureSource(fixture.sessions),
    'source.close': () => null,
    'source.problems': () => options.problems ?? [],
    'turns.list': (arg: MethodIn<'turns.list'>) => {
      const turns = sessionOf(arg.sessionId)?.turns;
      if (!turns) return failure('unknown-session', 'No such session.');
      return { total: turns.length, rows: turns.slice(arg.from, arg.from + arg.limit) };
    },
    'calls.index': (arg: MethodIn<'calls.index'>, id: number) => {
      const calls = sessionOf(arg.sessionId)?.calls ?? [];
      const chunk = options.chunk ?? 200;
      for (let from = 0; from < calls.length; from += chunk) {
        tell({ t: 'item', id, item: calls.slice(from, from + chunk) });
        tell({ t: 'progress', id, done: Math.min(calls.length, from + chunk), total: calls.length });
      }
      return { calls: calls.length };
    },
    'turn.calls': (arg: MethodIn<'turn.calls'>) =>
      sessionOf(arg.sessionId)?.calls.filter((call) => call.turnId === arg.turnId) ?? [],
    'call.get': ofCall(({ row, sessionId }) => details.callDetail(row, sessionId, isPending)),
    'call.assembled': ofCall(({ row, sessionId }) => assembledDetail(details.callDetail(row, sessionId))),
    'call.since': ofCall(({ row }) => details.since(row)),
    'call.segment': (arg: MethodIn<'call.segment'>) =>
      details.segmentText(arg.segmentId) ?? failure('unknown-segment', 'No such segment.'),
    'call.baselines': ofCall(({ row, sessionId }) =>
      (sessionOf(sessionId)?.calls ?? [])
        .filter((call) => call.runtimeId === row.runtimeId && call.turnIndex <= row.turnIndex && call.id !== row.id)
        .map((call) => ({
          callId: call.id,
          turnIndex: call.turnIndex,
          runtimeId: call.runtimeId,
          step: call.step,
          attempt: call.attempt,
          isDefault: call.id === row.prefix?.baselineId,
        })),
    ),
    'call.diff': ofCall(({ row }) => details.diffDetail(row)),
    'call.context': ofCall(({ row }) => details.contextDetail(row)),
    'call.wire': ofCall(({ row }) => details.wireDetail(row)),
    'ledger.get': (arg: MethodIn<'ledger.get'>) => {
      const session = sessionOf(arg.sessionId);
      return session ? fixtureLedger(session) : failure('unknown-session', 'No such session.');
    },
    'cache.get': (arg: MethodIn<'cache.get'>, id: number) => {
      const session = sessionOf(arg.sessionId);
      if (!session) return failure('unknown-session', 'No such session.');
      tell({ t: 'progress', id, done: session.calls.length, total: session.calls.length });
      return fixtureCache(session);
    },
    'ledger.messages': (arg: MethodIn<'ledger.messages'>) => fixtureMessages(arg.messageIds),
    search: (arg: MethodIn<'search'>, id: number) => {
      const turns = sessionOf(arg.sessionId)?.turns ?? [];
      const hits = turns.flatMap((turn) => {
        const text = turn.playerText ?? '';
        const found = text.indexOf(arg.query);
        if (found < 0) return [];
        const end = found + arg.query.length;
        const place = {
          sessionId: arg.sessionId,
          turnId: turn.turnId,
          turnIndex: turn.index,
          callId: null,
          runtimeId: null,
        };
        return [{ ...place, before: text.slice(0, found), match: text.slice(found, end), after: text.slice(end) }];
      });
      tell({ t: 'item', id, item: hits.slice(0, arg.limit) });
      return { hits: hits.length, complete: true };
    },
  };

  function receive(message: Extract<ClientMessage, { t: 'call' }>): void {
    const { id, method, arg } = message;
    asked.push({ method, arg });
    if (method === 'cache.get') tell({ t: 'progress', id, done: 40, total: 160 });
    setTimeout(
      () => {
        if (cancelled.has(id) && options.deaf !== true) return;
        const error = options.fail?.({ method, arg });
        const value = error ?? handlers[method](arg as never, id);
        const isError = typeof value === 'object' && value !== null && 'code' in value && 'hint' in value;
        const reply: Reply = isError ? { error: value as LensError } : { value };
        tell('error' in reply ? { t: 'error', id, error: reply.error } : { t: 'value', id, value: reply.value });
      },
      options.delay?.({ method, arg }) ?? 0,
    );
  }
  return fixture;
}

/** Makes the fixture the engine of this window. */
export function installFixture(fixture: Fixture): void {
  Object.defineProperty(window, 'lensHost', { value: fixture.host, configurable: true });
}
