import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Channel, ClientMessage, EngineMessage } from '../shared/rpc.ts';
import { createLiveClient, type Connection } from './engine-client.ts';

type Line = {
  readonly sent: ClientMessage[];
  open(): void;
  say(message: EngineMessage): void;
  cut(): void;
};

/** A connection that the test opens and cuts by hand. */
function lines() {
  const made: Line[] = [];
  const connect = (opened: () => void): Channel => {
    let onMessage: (message: EngineMessage) => void = () => undefined;
    let onClose: (reason: string) => void = () => undefined;
    const sent: ClientMessage[] = [];
    made.push({ sent, open: opened, say: (message) => onMessage(message), cut: () => onClose('cut') });
    return {
      send: (message) => void sent.push(message),
      onMessage: (listener) => void (onMessage = listener),
      onClose: (listener) => void (onClose = listener),
      close: () => onClose('closed'),
    };
  };
  return { made, connect };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a connection that breaks', () => {
  test('fails what is open, says so, and is made again', async () => {
    const { made, connect } = lines();
    const client = createLiveClient(connect);
    const states: Connection[] = [];
    const events: string[] = [];
    client.onConnection((state) => states.push(state));
    client.onEvent((event) => events.push(event.name));

    const waiting = client.call('settings.get', {});
    made[0]?.open();
    expect(client.connection()).toBe('open');
    made[0]?.cut();
    await expect(waiting).rejects.toMatchObject({ error: { code: 'disconnected' } });
    await expect(client.call('settings.get', {})).rejects.toMatchObject({ error: { code: 'disconnected' } });

    vi.advanceTimersByTime(300);
    expect(made.length).toBe(2);
    made[1]?.open();
    expect(states).toEqual(['open', 'closed', 'open']);
    expect(events).toEqual(['engine.restarted']);

    const again = client.call('settings.get', {});
    const asked = made[1]?.sent[0];
    made[1]?.say({ t: 'value', id: asked?.id ?? -1, value: 'settings' });
    await expect(again).resolves.toBe('settings');
  });

  test('tries less and less often', () => {
    const { made, connect } = lines();
    const client = createLiveClient(connect);
    void client.call('settings.get', {}).catch(() => undefined);
    made[0]?.cut();
    const waits: number[] = [];
    for (let i = 1; i <= 6; i++) {
      let waited = 0;
      while (made.length === i) {
        vi.advanceTimersByTime(50);
        waited += 50;
      }
      waits.push(waited);
      made[i]?.cut();
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 4000]);
  });

  test('is not made again after it was closed on purpose', () => {
    const { made, connect } = lines();
    const client = createLiveClient(connect);
    void client.call('settings.get', {}).catch(() => undefined);
    made[0]?.open();
    client.close();
    vi.advanceTimersByTime(60_000);
    expect(made.length).toBe(1);
  });

  test('connects only when first used', () => {
    const { made, connect } = lines();
    createLiveClient(connect);
    expect(made.length).toBe(0);
  });
});
