/**
 * What runs in the page. A preload script lives in a world of its own that shares the document with the page and
 * nothing else; Chromium clones the `detail` of an event that crosses between worlds. So calls over the context
 * bridge travel as DOM events, which are synchronous, and functions travel as numbers.
 * These functions are sent to Chromium as text: they may use nothing from outside their own body.
 */

/** Name of the isolated world, as in Electron. */
export const WORLD = 'Electron Isolated Context';
/** What the isolated world calls to reach the main process. */
export const BINDING = '__electronDoublePost';
/** What the main process calls in the isolated world. */
export const RECEIVE = '__electronDoubleReceive';

type Detail = Readonly<Record<string, unknown>>;

function pageSide(): void {
  if (window !== window.top) return;
  const callbacks: ((...args: unknown[]) => void)[] = [];
  const promises = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const listen = (type: string, handle: (detail: Detail) => void): void =>
    document.addEventListener(`electron-double:${type}`, (event) => handle((event as CustomEvent<Detail>).detail));
  // Chromium would make the window before anybody could refuse it; Electron asks first, and so does this.
  const ask = (url: string): boolean =>
    document.dispatchEvent(
      new CustomEvent('electron-double:open', { detail: { url: URL.parse(url, location.href)?.href } }),
    );
  window.open = (url) => {
    ask(String(url ?? 'about:blank'));
    return null;
  };
  window.addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest?.('a[target=_blank]');
    if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented) return;
    event.preventDefault();
    ask(link.href);
  });
  let answer: Detail = {};
  listen('answer', (detail) => (answer = detail));
  listen('settle', ({ promise, value, error }) => {
    const waiting = promises.get(promise as number);
    promises.delete(promise as number);
    if (typeof error === 'string') waiting?.reject(new Error(error));
    else waiting?.resolve(value);
  });
  listen('callback', ({ callback, args }) => callbacks[callback as number]?.(...(args as unknown[])));
  listen('expose', ({ name, values, functions }) => {
    const api: Record<string, unknown> = { ...(values as object) };
    for (const key of functions as string[]) {
      api[key] = (...args: unknown[]): unknown => {
        const sent = args.map((arg) =>
          typeof arg === 'function'
            ? { callback: callbacks.push(arg as (...args: unknown[]) => void) - 1 }
            : { value: structuredClone(arg) },
        );
        document.dispatchEvent(new CustomEvent('electron-double:call', { detail: { name, key, args: sent } }));
        const { value, error, promise } = answer;
        if (typeof error === 'string') throw new Error(error);
        if (typeof promise !== 'number') return value;
        return new Promise((resolve, reject) => promises.set(promise, { resolve, reject }));
      };
    }
    // As Electron's bridge does: the object is frozen, and its name can be neither written nor deleted.
    Object.defineProperty(window, name as string, { value: Object.freeze(api), enumerable: true });
  });
}

function preloadSide(binding: string, receive: string, preload: (require: (id: string) => unknown) => void): void {
  if (window !== window.top) return;
  const world = globalThis as unknown as Record<string, unknown>;
  const tell = (type: string, detail: Detail): boolean =>
    document.dispatchEvent(new CustomEvent(`electron-double:${type}`, { detail }));
  const exposed = new Map<string, (...args: unknown[]) => unknown>();
  const text = (error: unknown): string => (error instanceof Error ? error.message : String(error));
  let nextPromise = 0;
  document.addEventListener('electron-double:call', (event) => {
    const { name, key, args } = (event as CustomEvent<{ name: string; key: string; args: Detail[] }>).detail;
    const given = args.map((arg) =>
      'callback' in arg
        ? (...sent: unknown[]) => void tell('callback', { callback: arg['callback'], args: sent })
        : arg['value'],
    );
    try {
      const value = exposed.get(`${name}.${key}`)?.(...given);
      if (!(value instanceof Promise)) return void tell('answer', { value });
      const promise = nextPromise++;
      tell('answer', { promise });
      value.then(
        (settled: unknown) => tell('settle', { promise, value: settled }),
        (error: unknown) => tell('settle', { promise, error: text(error) }),
      );
    } catch (error) {
      tell('answer', { error: text(error) });
    }
  });

  // Electron's IPC clones; ours carries JSON. What is lost between the two must not pass unseen.
  const post = (message: Detail): void => {
    const plain = (value: unknown): void => {
      if (value === null || ['string', 'boolean', 'undefined'].includes(typeof value)) return;
      if (typeof value === 'number' && Number.isFinite(value)) return;
      const proto = typeof value === 'object' ? (Object.getPrototypeOf(value) as unknown) : undefined;
      if (proto !== Object.prototype && proto !== Array.prototype)
        throw new Error('not doubled: IPC of ' + typeof value);
      for (const part of Object.values(value as object)) plain(part);
    };
    const cloned = structuredClone(message);
    plain(cloned);
    (world[binding] as (text: string) => void)(JSON.stringify(cloned));
  };
  document.addEventListener('electron-double:open', (event) =>
    post({ kind: 'open', channel: (event as CustomEvent<{ url: string }>).detail.url, args: [] }),
  );
  const listeners: { channel: string; listener: (event: object, ...args: unknown[]) => void }[] = [];
  const invoked = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  world[receive] = (message: {
    channel?: string;
    args?: unknown[];
    reply?: number;
    value?: unknown;
    error?: string;
  }) => {
    if (message.reply !== undefined) {
      if (message.error === undefined) invoked.get(message.reply)?.resolve(message.value);
      else invoked.get(message.reply)?.reject(new Error(message.error));
      invoked.delete(message.reply);
      return;
    }
    for (const { channel, listener } of listeners)
      if (channel === message.channel) listener({}, ...(message.args ?? []));
  };

  const electron = {
    contextBridge: {
      exposeInMainWorld(name: string, api: Record<string, unknown>) {
        const functions = Object.keys(api).filter((key) => typeof api[key] === 'function');
        for (const key of functions) exposed.set(`${name}.${key}`, api[key] as (...args: unknown[]) => unknown);
        const values = Object.fromEntries(Object.entries(api).filter(([key]) => !functions.includes(key)));
        tell('expose', { name, values, functions });
      },
    },
    ipcRenderer: {
      send: (channel: string, ...args: unknown[]) => post({ kind: 'send', channel, args }),
      on: (channel: string, listener: (event: object, ...args: unknown[]) => void) =>
        void listeners.push({ channel, listener }),
      invoke: (channel: string, ...args: unknown[]) =>
        new Promise((resolve, reject) => {
          const reply = nextPromise++;
          invoked.set(reply, { resolve, reject });
          post({ kind: 'invoke', channel, args, reply });
        }),
    },
    webUtils: {
      // Right for a file that was made in the page, which is all that a test can make without a real drag.
      getPathForFile(file: unknown) {
        if (!(file instanceof File)) throw new TypeError('not a File');
        return '';
      },
    },
  };
  preload((id) => {
    if (id !== 'electron') throw new Error(`a sandboxed preload cannot load ${id}`);
    return electron;
  });
}

/** Source for the page's own world. */
export const pageSource = (): string => `(${pageSide.toString()})();`;

/** Source for the isolated world, with the built preload script inside. */
export const preloadSource = (preload: string): string =>
  `(${preloadSide.toString()})(${JSON.stringify(BINDING)}, ${JSON.stringify(RECEIVE)}, (require) => {
    const module = { exports: {} };
    const { exports } = module;
    ${preload}
  });`;
