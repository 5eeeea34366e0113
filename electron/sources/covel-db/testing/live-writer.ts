/**
 * A server in another process that writes to a covel.db in WAL mode, one order at a time. Runs as a child with
 * an IPC channel; `crash` ends it without closing the database, as a killed server does.
 */
import { buildDb, createClock, createIds, type BuildOptions } from './build-db.ts';

export type Order =
  | { readonly do: 'turn'; readonly sessionId: string; readonly playerText: string }
  | { readonly do: 'open-turn'; readonly sessionId: string }
  | { readonly do: 'checkpoint' }
  | { readonly do: 'close' }
  | { readonly do: 'crash' };

/** What the parent passes as the only argument. */
export type WriterStart = {
  readonly path: string;
  readonly seed: string;
  readonly startedAt: string;
  readonly journal?: BuildOptions['journal'];
  /** Pages after which SQLite moves the log into the file; 0: never by itself. */
  readonly autoCheckpoint: number;
};

const start = JSON.parse(process.argv[2] ?? '') as WriterStart;
const builder = buildDb(start.path, {
  journal: start.journal ?? 'wal',
  ids: createIds(start.seed),
  clock: createClock(start.startedAt),
});
builder.db.pragma(`wal_autocheckpoint = ${start.autoCheckpoint}`);

const work: Record<Order['do'], (order: Order) => void> = {
  turn(order) {
    if (order.do !== 'turn') return;
    builder.transaction(() => {
      builder.insertTurn({
        ...order,
        during(turn) {
          builder.insertCall({
            ...turn,
            payload: { messages: [{ role: 'user', content: order.playerText.repeat(50) }] },
          });
          builder.insertReply(turn);
        },
      });
    });
  },
  'open-turn'(order) {
    if (order.do === 'open-turn') builder.insertTurn({ sessionId: order.sessionId, end: 'none' });
  },
  checkpoint: () => builder.checkpoint(),
  close: () => builder.close(),
  crash: () => process.kill(process.pid, 'SIGKILL'),
};

process.on('message', (order: Order) => {
  work[order.do](order);
  process.send?.('done');
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
