import { describe, expect, test } from 'vitest';
import type { Channel, ClientMessage, EngineMessage } from '../../shared/rpc.ts';
import { createDesktopHost, isOurAddress, isOurFrame } from './desktop.ts';

const ours = { url: 'app://bundle/index.html', isMainFrame: true };
const call = { t: 'call', id: 0, method: 'app.info', arg: {} } as const;

/** An engine thread that keeps what it is sent. */
function setUp() {
  const sent: ClientMessage[][] = [];
  const posted: EngineMessage[] = [];
  const methods: string[] = [];
  let closed = 0;
  let answer: (message: EngineMessage) => void = () => undefined;
  const connect = (): Channel => {
    const mine: ClientMessage[] = [];
    sent.push(mine);
    return {
      send: (message) => void mine.push(message),
      onMessage: (listener) => void (answer = listener),
      onClose: () => undefined,
      close: () => void closed++,
    };
  };
  const host = createDesktopHost({
    thread: { connect },
    post: (message) => void posted.push(message),
    onCall: (method) => void methods.push(method),
  });
  return { host, sent, posted, methods, closed: () => closed, answer: (m: EngineMessage) => answer(m) };
}

test.each([
  ['app://bundle/index.html', true],
  ['app://bundle/index.html#x', true],
  ['app://bundle', true],
  ['app://other/index.html', false],
  ['app://bundle.evil/index.html', false],
  ['app://bundle:99/', false],
  ['app://evil@bundle/', true], // a user name changes no origin
  ['https://bundle/', false],
  ['file:///app://bundle/', false],
  ['data:text/html,app://bundle/', false],
  ['about:blank', false],
  ['', false],
])('%s is ours: %s', (url, is) => expect(isOurAddress(url)).toBe(is));

test.each([
  ['our page', ours, true],
  ['a frame inside our page', { ...ours, isMainFrame: false }, false],
  ['another page', { ...ours, url: 'https://example.test/' }, false],
  ['a frame that has gone', null, false],
])('%s may speak: %s', (_name, frame, may) => expect(isOurFrame(frame)).toBe(may));

describe('messages', () => {
  test('one of our page reaches the engine, its answer the window', () => {
    const { host, sent, posted, methods, answer } = setUp();
    host.receive(ours, call);
    host.receive(ours, { t: 'cancel', id: 0 });
    answer({ t: 'value', id: 0, value: 1 });
    expect(sent).toEqual([[call, { t: 'cancel', id: 0 }]]);
    expect(posted).toEqual([{ t: 'value', id: 0, value: 1 }]);
    expect(methods).toEqual(['app.info']);
  });

  test('one of anybody else is dropped and counted, and opens no connection', () => {
    const { host, sent } = setUp();
    host.receive({ url: 'https://example.test/', isMainFrame: true }, call);
    host.receive(null, call);
    expect(sent).toEqual([]);
    expect(host.dropped()).toEqual({ foreign: 2, malformed: 0 });
  });

  test.each([
    [null],
    ['call'],
    [[]],
    [{ t: 'call', id: -1, method: 'x' }],
    [{ t: 'call', id: 0.5, method: 'x' }],
    [{ t: 'event' }],
    [{ t: 'call', id: 1, method: 'x'.repeat(65) }],
  ])('malformed: %j', (message) => {
    const { host, sent } = setUp();
    host.receive(ours, message);
    expect(sent).toEqual([]);
    expect(host.dropped()).toEqual({ foreign: 0, malformed: 1 });
  });

  test('keys that are not in the contract do not travel on', () => {
    const { host, sent } = setUp();
    host.receive(ours, { ...call, extra: 'x' });
    expect(sent).toEqual([[call]]);
  });
});

test('a page that was left is disconnected; the next one gets a connection of its own', () => {
  const { host, sent, closed } = setUp();
  host.pageGone();
  host.receive(ours, call);
  host.pageGone();
  host.pageGone();
  host.receive(ours, call);
  expect(closed()).toBe(1);
  expect(sent).toEqual([[call], [call]]);
});

test('a command before the page speaks waits, later ones go at once, each arrives once', () => {
  const { host, posted } = setUp();
  const event = (command: string) => ({ t: 'event', event: { name: 'shell.command', command, argument: null } });
  host.command('first', null);
  expect(posted).toEqual([]);
  host.receive(ours, call);
  host.command('second', null);
  host.receive(ours, call);
  expect(posted).toEqual([event('first'), event('second')]);
});
