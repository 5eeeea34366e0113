/** `webContents`: one page of Chromium, driven over its debugging port. */
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { BINDING, pageSource, preloadSource, RECEIVE, WORLD } from './bridge.ts';
import type { Connection, Params, Session } from './cdp.ts';
import { applyPermissions, session } from './session.ts';
import { fromChromium, toChromium } from './protocol.ts';
import { strict } from './strict.ts';

type IpcEvent = { readonly sender: Contents; readonly senderFrame: { readonly url: string; readonly parent: null } };
type IpcHandler = (event: IpcEvent, ...args: unknown[]) => unknown;

const Posted = z.object({
  kind: z.enum(['send', 'invoke', 'open']),
  /** For `open` the address. */
  channel: z.string(),
  args: z.array(z.unknown()),
  reply: z.number().optional(),
});
const ContextCreated = z.object({
  context: z.object({ id: z.number(), name: z.string(), auxData: z.object({ frameId: z.string() }) }),
});
const Paused = z.object({ requestId: z.string(), frameId: z.string(), request: z.object({ url: z.string() }) });

export type Contents = EventEmitter & {
  readonly id: number;
  readonly session: typeof session;
  readonly ipc: {
    on(channel: string, listener: IpcHandler): void;
    handle(channel: string, handler: IpcHandler): void;
  };
  send(channel: string, ...args: unknown[]): void;
  setWindowOpenHandler(handler: OpenHandler): void;
  getURL(): string;
  isDestroyed(): boolean;
  reload(): void;
  loadURL(url: string): Promise<void>;
  close(): void;
  targetId(): string;
};
type OpenHandler = (details: { readonly url: string }) => { readonly action: string };

const all: Contents[] = [];
export const contentsOfTarget = (targetId: string): Contents | undefined =>
  all.find((contents) => contents.targetId() === targetId && !contents.isDestroyed());

export type ContentsOptions = { readonly width: number; readonly height: number; readonly preload: string };

export function createContents(browser: Connection, { width, height, preload }: ContentsOptions): Contents {
  const emitter = new EventEmitter();
  const listeners = new Map<string, IpcHandler[]>();
  const invocable = new Map<string, IpcHandler>();
  let openHandler: OpenHandler | null = null;
  let target = '';
  let url = '';
  let isOurOwnLoad = false;
  let isDestroyed = false;
  /** The preload's world in the page that is shown now; what is sent before it is there waits. */
  let world: number | null = null;
  const waiting: string[] = [];

  const ready = (async (): Promise<Session> => {
    const created = await browser.send('Target.createTarget', { url: 'about:blank', width, height, newWindow: true });
    target = String(created['targetId']);
    const attached = await browser.send('Target.attachToTarget', { targetId: target, flatten: true });
    const page = browser.session(String(attached['sessionId']));
    listen(page);
    await Promise.all([
      page.send('Page.enable'),
      page.send('Runtime.enable'),
      page.send('Inspector.enable'),
      page.send('Runtime.addBinding', { name: BINDING, executionContextName: WORLD }),
      page.send('Fetch.enable', { patterns: [{ resourceType: 'Document', requestStage: 'Request' }] }),
      page.send('Page.addScriptToEvaluateOnNewDocument', { source: pageSource() }),
      page.send('Page.addScriptToEvaluateOnNewDocument', {
        source: preloadSource(readFileSync(preload, 'utf8')),
        worldName: WORLD,
      }),
      browser.send('Target.setDiscoverTargets', { discover: true }),
    ]);
    return page;
  })();
  const page = (method: string, params?: Params): Promise<Params> => ready.then((sent) => sent.send(method, params));
  /** For commands whose page may be gone by now. */
  const quietly = (promise: Promise<unknown>): void => void promise.catch(() => undefined);

  function listen(sent: Session): void {
    sent.on('Runtime.bindingCalled', (params) => {
      if (params['name'] === BINDING) receive(Posted.parse(JSON.parse(String(params['payload']))));
    });
    sent.on('Runtime.executionContextCreated', (params) => {
      const made = ContextCreated.safeParse(params);
      if (!made.success || made.data.context.name !== WORLD || made.data.context.auxData.frameId !== target) return;
      world = made.data.context.id;
      for (const message of waiting.splice(0)) deliver(message);
    });
    sent.on('Runtime.executionContextsCleared', () => (world = null));
    sent.on('Page.frameNavigated', ({ frame }) => {
      const { id, url: now } = z.object({ id: z.string(), url: z.string() }).parse(frame);
      if (id === target) url = fromChromium(now);
    });
    sent.on('Page.loadEventFired', () => {
      if (url === '' || url === 'about:blank') return;
      emitter.emit('did-finish-load');
      emitter.emit('first-paint');
    });
    sent.on('Inspector.targetCrashed', () =>
      emitter.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 }),
    );
    sent.on('Fetch.requestPaused', (params) => decide(sent, Paused.parse(params)));
    browser.on('Target.targetDestroyed', ({ targetId }) => {
      if (targetId === target) destroyed();
    });
  }

  /** As Electron does: a navigation that the page began may be refused, one that the app began may not. */
  function decide(sent: Session, { requestId, frameId, request }: z.infer<typeof Paused>): void {
    const isMainFrame = frameId === target;
    let isRefused = false;
    if (!isOurOwnLoad || !isMainFrame) {
      const details = { url: fromChromium(request.url), isMainFrame, preventDefault: () => (isRefused = true) };
      emitter.emit('will-frame-navigate', details);
      if (isMainFrame) emitter.emit('will-navigate', details);
    }
    isOurOwnLoad = false;
    if (!isRefused) emitter.emit('did-start-navigation', { isMainFrame, isSameDocument: false });
    const answer = isRefused
      ? sent.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
      : sent.send('Fetch.continueRequest', { requestId });
    quietly(answer);
  }

  /** Without a handler, or with one that allows it, a window does open; the app would not want that. */
  function popup(wanted: string): void {
    const action = openHandler?.({ url: fromChromium(wanted) }).action ?? 'allow';
    if (action !== 'deny') quietly(browser.send('Target.createTarget', { url: wanted, newWindow: true }));
  }

  function receive({ kind, channel, args, reply }: z.infer<typeof Posted>): void {
    if (kind === 'open') return popup(channel);
    const event: IpcEvent = { sender: contents, senderFrame: { url, parent: null } };
    if (kind === 'send') {
      for (const listener of listeners.get(channel) ?? []) listener(event, ...args);
      return;
    }
    const handler = invocable.get(channel);
    const answered = handler
      ? Promise.resolve(handler(event, ...args))
      : Promise.reject(new Error(`No handler for ${channel}`));
    answered.then(
      (value) => deliver(JSON.stringify({ reply, value })),
      (error: unknown) => deliver(JSON.stringify({ reply, error: String(error) })),
    );
  }

  function deliver(message: string): void {
    if (world === null) {
      waiting.push(message);
      return;
    }
    quietly(page('Runtime.evaluate', { contextId: world, expression: `${RECEIVE}(${message})` }));
  }

  function destroyed(): void {
    if (isDestroyed) return;
    isDestroyed = true;
    emitter.emit('destroyed');
  }

  function load(address: string): Promise<void> {
    return new Promise((resolve, reject) => {
      emitter.once('did-finish-load', resolve);
      ready
        .then(async (sent) => {
          await applyPermissions(browser, address);
          isOurOwnLoad = true;
          const { errorText } = await sent.send('Page.navigate', { url: toChromium(address) });
          if (typeof errorText === 'string') reject(new Error(`${address}: ${errorText}`));
        })
        .catch(reject);
    });
  }

  const contents: Contents = strict(
    'webContents',
    Object.assign(emitter, {
      id: all.length + 1,
      session,
      ipc: strict('webContents.ipc', {
        on: (channel: string, listener: IpcHandler) =>
          void listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
        handle: (channel: string, handler: IpcHandler) => void invocable.set(channel, handler),
      }),
      send: (channel: string, ...args: unknown[]) => deliver(JSON.stringify({ channel, args: structuredClone(args) })),
      setWindowOpenHandler: (handler: OpenHandler) => void (openHandler = handler),
      getURL: () => url,
      isDestroyed: () => isDestroyed,
      reload() {
        isOurOwnLoad = true;
        quietly(page('Page.reload'));
      },
      loadURL: load,
      close() {
        quietly(ready.then(() => browser.send('Target.closeTarget', { targetId: target })));
        destroyed();
      },
      targetId: () => target,
    }),
  );
  all.push(contents);
  return contents;
}
