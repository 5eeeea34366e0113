import { describe, expect, test, vi } from 'vitest';
import { turnBarrier } from './barrier.ts';

const SHARED = { maxTurns: null };

describe('one barrier a turn', () => {
  test('the first agent with the shared view compacts, the others wait for it', async () => {
    const barrier = turnBarrier<string>();
    let finish: (result: string) => void = () => undefined;
    const first = vi.fn<() => Promise<string>>(() => new Promise<string>((resolve) => (finish = resolve)));
    const other = vi.fn<() => Promise<string>>(() => Promise.resolve('other'));
    const passed: string[] = [];
    const agents = [
      barrier.enter(SHARED, first).then(({ kind }) => passed.push(`a ${kind}`)),
      barrier.enter(SHARED, other).then(({ kind }) => passed.push(`b ${kind}`)),
    ];
    await Promise.resolve();
    expect(passed).toEqual([]);
    finish('compacted');
    await Promise.all(agents);
    expect(passed.sort()).toEqual(['a shared', 'b shared']);
    expect(first).toHaveBeenCalledTimes(1);
    expect(other).not.toHaveBeenCalled();
    expect(await barrier.enter(SHARED, other)).toEqual({ kind: 'shared', first: false, result: 'compacted' });
  });

  test.each([0, 2])('a window of %i turns neither starts it nor waits', async (maxTurns) => {
    const barrier = turnBarrier<string>();
    const compact = vi.fn<() => Promise<string>>(() => new Promise<string>(() => undefined));
    expect(await barrier.enter({ maxTurns }, compact)).toEqual({ kind: 'window' });
    expect(compact).not.toHaveBeenCalled();
    void barrier.enter(SHARED, compact);
    expect(await barrier.enter({ maxTurns }, compact)).toEqual({ kind: 'window' });
    expect(compact).toHaveBeenCalledTimes(1);
  });

  test('the next turn has its own', async () => {
    const compact = vi.fn<() => Promise<string>>(() => Promise.resolve('done'));
    await turnBarrier<string>().enter(SHARED, compact);
    const next = await turnBarrier<string>().enter(SHARED, compact);
    expect(next).toEqual({ kind: 'shared', first: true, result: 'done' });
    expect(compact).toHaveBeenCalledTimes(2);
  });
});
