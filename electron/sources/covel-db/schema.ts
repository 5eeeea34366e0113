/**
 * Covel writes no schema version: what a file can tell is told by its tables and columns (storage page,
 * section 1). Tables of sqlite-vec (`vec_mem_*`) are never touched, their module is not here.
 */
import type { Generation } from './types.ts';

export type Schema = {
  readonly generation: Generation;
  /** Columns of every table that this application reads and the file has. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
  /** Every table of the file, for a message. */
  readonly tables: readonly string[];
  /** `trace_events.seq` numbers rows of equal time. */
  readonly hasSeq: boolean;
  /** An index finds the events of one turn. */
  readonly turnIndexed: boolean;
};

const READ = [
  'trace_events',
  'sessions',
  'turn_messages',
  'turn_results',
  'session_summaries',
  'lorebook_entries',
  'worlds',
  'characters',
  'plugin_data',
] as const;
const NEEDED = ['id', 'session_id', 'type', 'turn_id', 'payload', 'created_at'];

/** Runs one statement and gives its rows as arrays. */
export type Query = (sql: string) => readonly (readonly unknown[])[];

/** What the file holds. Throws what SQLite throws when its schema cannot be read. */
export function readSchema(query: Query): Schema {
  const names = (sql: string): string[] => query(sql).map(([name]) => String(name));
  const tables = names(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
  );
  const columns = new Map<string, ReadonlySet<string>>();
  for (const table of READ)
    if (tables.includes(table)) columns.set(table, new Set(names(`SELECT name FROM pragma_table_info('${table}')`)));
  const has = (table: string, column: string): boolean => columns.get(table)?.has(column) ?? false;
  const turnIndexed = names(
    `SELECT i.name FROM pragma_index_list('trace_events') i
     WHERE (SELECT group_concat(name) FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno))
       LIKE 'session\\_id,turn\\_id%' ESCAPE '\\'`,
  );
  return {
    generation: generationOf(tables, has),
    columns,
    tables,
    hasSeq: has('trace_events', 'seq'),
    turnIndexed: turnIndexed.length > 0,
  };
}

function generationOf(tables: readonly string[], has: (table: string, column: string) => boolean): Generation {
  const signs: readonly (readonly [Generation, boolean])[] = [
    ['G6', tables.includes('server_settings')],
    ['G5', has('trace_events', 'seq')],
    ['G3', has('lorebook_entries', 'owner') && tables.includes('runtime_results')],
    ['G4', has('lorebook_entries', 'owner')],
    ['G2', has('sessions', 'phase')],
  ];
  return signs.find(([, found]) => found)?.[0] ?? 'G1';
}

/** A covel.db is told by its table of events. */
export const isCovel = (schema: Schema): boolean => {
  const events = schema.columns.get('trace_events');
  return events !== undefined && NEEDED.every((column) => events.has(column));
};
