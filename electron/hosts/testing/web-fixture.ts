/** A host over a tiny window and an engine that only echoes; everything is thrown away after each test. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { unwrap } from '../../../shared/error.ts';
import type { Channel, ClientMessage, EngineMessage } from '../../../shared/rpc.ts';
import { startWebHost, type WebHost, type WebHostOptions } from '../web.ts';

/** An engine that answers each call with its own argument, and remembers what it was told. */
function echoEngine() {
  const told: ClientMessage[] = [];
  const state = { connected: 0, closed: 0 };
  const pushes: ((message: EngineMessage) => void)[] = [];
  return {
    told,
    state,
    push: (message: EngineMessage) => pushes.forEach((push) => push(message)),
    connect(): Channel {
      const listeners: ((message: EngineMessage) => void)[] = [];
      const deliver = (message: EngineMessage): void => listeners.forEach((listener) => listener(message));
      pushes.push(deliver);
      state.connected++;
      return {
        send(message) {
          told.push(message);
          if (message.t === 'call' && message.method === 'app.info') {
            deliver({ t: 'value', id: message.id, value: message.arg });
          }
        },
        onMessage: (listener) => void listeners.push(listener),
        onClose: () => undefined,
        close: () => void state.closed++,
      };
    },
  };
}

export type WebFixture = {
  readonly folder: string;
  readonly engine: ReturnType<typeof echoEngine>;
  /** A host that is closed after the test. */
  start(options?: Partial<WebHostOptions>): Promise<WebHost>;
};

/** Call it at the top of a test file; what it gives is new for every test. */
export function webFixture(): WebFixture {
  let folder = '';
  let engine = echoEngine();
  const hosts: WebHost[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lens-web-'));
    engine = echoEngine();
    await mkdir(join(folder, 'window', 'assets'), { recursive: true });
    await writeFile(join(folder, 'window', 'index.html'), '<!doctype html><title>window</title>');
    await writeFile(join(folder, 'window', 'assets', 'main-1.js'), 'export const a = 1;');
    await writeFile(join(folder, 'window', 'assets', 'main-1.js.map'), '{}');
    await writeFile(join(folder, 'window', 'assets', 'empty.css'), '');
    await writeFile(join(folder, 'secret.json'), '{"secret":true}');
    await symlink(join(folder, 'secret.json'), join(folder, 'window', 'linked.json'));
  });

  afterEach(async () => {
    await Promise.all(hosts.splice(0).map((host) => host.close()));
    await rm(folder, { recursive: true, force: true });
  });

  return {
    get folder() {
      return folder;
    },
    get engine() {
      return engine;
    },
    async start(options = {}) {
      const defaults = { rendererDir: join(folder, 'window'), engine, userData: join(folder, 'data') };
      const host = unwrap(await startWebHost({ ...defaults, port: 0, idleMs: 60_000, ...options }));
      hosts.push(host);
      return host;
    },
  };
}

export const addressOf = (host: WebHost): string => `127.0.0.1:${host.port}`;

/** Headers of our own page: its cookie and its origin. */
export const own = (host: WebHost, cookie: string) => ({ cookie, origin: `http://${addressOf(host)}` });
