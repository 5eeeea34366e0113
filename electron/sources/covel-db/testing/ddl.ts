/**
 * Covel has no schema version and no migrations table: a file is as old as its columns (storage page, sections
 * 1 and 2). So a generation is written down as the newest table list with the span of generations of every
 * table, column and index that came or went.
 */
import type { Generation } from '../types.ts';

const ORDER: readonly Generation[] = ['G1', 'G2', 'G3', 'G4', 'G5', 'G6'];

type Span = { readonly since?: Generation; readonly until?: Generation };
type Column = readonly [name: string, type: string, span?: Span];
type Index = { readonly name: string; readonly on: string; readonly unique?: true } & Span;
type Key = { readonly columns: string } & Span;
type Table = {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly key?: readonly Key[];
  readonly indexes?: readonly Index[];
} & Span;

const SESSION: Column = ['session_id', 'TEXT NOT NULL'];
const CREATED: Column = ['created_at', 'TEXT NOT NULL'];
const UPDATED: Column = ['updated_at', 'TEXT NOT NULL'];
const SEQ: Column = ['seq', 'INTEGER NOT NULL', { since: 'G5' }];
const OLD: Span = { until: 'G2' };
const NEW: Span = { since: 'G3' };
const FAST: Span = { since: 'G5' };
const ID: Column = ['id', 'TEXT PRIMARY KEY'];

const TABLES: readonly Table[] = [
  {
    name: 'approvals',
    ...OLD,
    columns: [ID, SESSION, ['status', 'TEXT NOT NULL'], CREATED],
  },
  {
    name: 'character_schemas',
    ...NEW,
    columns: [
      ['session_id', 'TEXT PRIMARY KEY'],
      ['version', 'INTEGER NOT NULL'],
      ['types', 'TEXT NOT NULL'],
      ['attributes', 'TEXT NOT NULL'],
      CREATED,
      UPDATED,
    ],
  },
  {
    name: 'characters',
    columns: [
      ['id', 'TEXT NOT NULL'],
      SESSION,
      ['name', 'TEXT NOT NULL'],
      ['type', 'TEXT NOT NULL'],
      ['description', 'TEXT'],
      ['fields', 'TEXT'],
      ['version', 'INTEGER NOT NULL DEFAULT 1'],
      CREATED,
      UPDATED,
    ],
    key: [
      { columns: 'id', ...OLD },
      { columns: 'session_id, id', ...NEW },
    ],
    indexes: [{ name: 'characters_session_id_idx', on: 'session_id' }],
  },
  {
    name: 'events',
    columns: [
      ID,
      SESSION,
      ['type', 'TEXT NOT NULL'],
      ['topic', 'TEXT NOT NULL'],
      ['payload', 'TEXT'],
      ['target_runtime', 'TEXT'],
      ['turn_id', 'TEXT'],
      CREATED,
    ],
    indexes: [
      { name: 'events_session_id_idx', on: 'session_id' },
      { name: 'events_topic_idx', on: 'session_id, topic' },
    ],
  },
  {
    name: 'lorebook_entries',
    columns: [
      ['id', 'TEXT NOT NULL'],
      SESSION,
      ['plugin_id', 'TEXT', OLD],
      ['owner', 'TEXT NOT NULL', NEW],
      ['keys', 'TEXT NOT NULL'],
      ['content', 'TEXT NOT NULL'],
      ['strategy', 'TEXT NOT NULL'],
      ['position', 'TEXT NOT NULL'],
      ['insertion_order', 'INTEGER NOT NULL DEFAULT 100'],
      ['enabled', 'INTEGER NOT NULL DEFAULT 1'],
      ['extra', 'TEXT'],
      CREATED,
      UPDATED,
    ],
    key: [
      { columns: 'id', ...OLD },
      { columns: 'session_id, owner, id', ...NEW },
    ],
    indexes: [
      { name: 'lorebook_entries_session_id_idx', on: 'session_id' },
      { name: 'lorebook_entries_owner_idx', on: 'session_id, owner', ...NEW },
    ],
  },
  {
    name: 'media_assets',
    columns: [
      ID,
      ['sha256', 'TEXT NOT NULL'],
      ['mime', 'TEXT NOT NULL'],
      ['size', 'INTEGER NOT NULL'],
      ['path', 'TEXT NOT NULL'],
      ['meta', 'TEXT'],
      ['owner_session_id', 'TEXT'],
      ['owner_plugin_id', 'TEXT'],
      CREATED,
    ],
    indexes: [
      { name: 'media_assets_sha256_idx', on: 'sha256', unique: true },
      { name: 'media_assets_owner_idx', on: 'owner_session_id, owner_plugin_id' },
    ],
  },
  {
    name: 'messages',
    columns: [ID, SESSION, ['role', 'TEXT NOT NULL'], ['content', 'TEXT NOT NULL'], ['metadata', 'TEXT'], CREATED, SEQ],
    indexes: [
      { name: 'messages_session_id_idx', on: 'session_id' },
      { name: 'messages_created_idx', on: 'session_id, created_at, seq', ...FAST },
    ],
  },
  {
    name: 'player_inputs',
    columns: [
      ID,
      SESSION,
      ['turn_id', 'TEXT NOT NULL'],
      ['form_id', 'TEXT NOT NULL'],
      ['values', 'TEXT NOT NULL'],
      CREATED,
    ],
    indexes: [{ name: 'player_inputs_session_id_idx', on: 'session_id' }],
  },
  {
    name: 'plugin_configs',
    ...OLD,
    columns: [ID, SESSION, ['plugin_id', 'TEXT NOT NULL'], ['config', 'TEXT'], CREATED],
  },
  {
    name: 'plugin_data',
    columns: [
      ID,
      SESSION,
      ['plugin_id', 'TEXT NOT NULL'],
      ['namespace', 'TEXT NOT NULL'],
      ['key', 'TEXT NOT NULL'],
      ['value', 'TEXT'],
      CREATED,
      UPDATED,
    ],
    indexes: [
      { name: 'plugin_data_session_id_idx', on: 'session_id' },
      { name: 'plugin_data_namespace_idx', on: 'namespace, session_id', ...FAST },
      { name: 'plugin_data_unique_idx', on: 'session_id, plugin_id, namespace, key', unique: true },
    ],
  },
  {
    name: 'runtime_results',
    until: 'G3',
    columns: [ID, SESSION, ['turn_id', 'TEXT NOT NULL'], ['runtime_id', 'TEXT NOT NULL'], ['output', 'TEXT'], CREATED],
  },
  {
    name: 'server_settings',
    since: 'G6',
    columns: [['key', 'TEXT PRIMARY KEY'], ['value', 'TEXT NOT NULL'], UPDATED],
  },
  {
    name: 'session_summaries',
    columns: [
      ID,
      SESSION,
      ['turn_range_start', 'TEXT NOT NULL'],
      ['turn_range_end', 'TEXT NOT NULL'],
      ['content', 'TEXT NOT NULL'],
      ['focus_sections', "TEXT NOT NULL DEFAULT '[]'"],
      CREATED,
    ],
    indexes: [{ name: 'session_summaries_session_id_idx', on: 'session_id' }],
  },
  {
    name: 'sessions',
    columns: [
      ID,
      ['world_id', 'TEXT'],
      ['status', "TEXT NOT NULL DEFAULT 'active'"],
      ['locale', "TEXT NOT NULL DEFAULT 'zh-CN'"],
      ['turn_count', 'INTEGER NOT NULL DEFAULT 0', OLD],
      ['active_plugins', "TEXT NOT NULL DEFAULT '[]'"],
      ['metadata', 'TEXT', { since: 'G2' }],
      CREATED,
      UPDATED,
      ['embedding_model_id', 'INTEGER', NEW],
      ['embedding_locked_at', 'TEXT', NEW],
      ['runtime_model_overrides', "TEXT DEFAULT '{}'", NEW],
      ['phase', 'TEXT', { since: 'G2', until: 'G2' }],
      ['completed_player_turns', 'INTEGER', { since: 'G2', until: 'G2' }],
      ['setup_runtimes', 'TEXT', { since: 'G2', until: 'G2' }],
      ['phase', "TEXT NOT NULL DEFAULT 'setup'", NEW],
      ['completed_player_turns', 'INTEGER NOT NULL DEFAULT 0', NEW],
      ['setup_runtimes', "TEXT NOT NULL DEFAULT '{}'", NEW],
    ],
  },
  {
    name: 'tool_calls',
    columns: [
      ID,
      SESSION,
      ['turn_id', 'TEXT NOT NULL'],
      ['tool_name', 'TEXT NOT NULL'],
      ['plugin_id', 'TEXT NOT NULL'],
      ['runtime_id', 'TEXT NOT NULL'],
      ['input', 'TEXT'],
      ['output', 'TEXT'],
      ['duration_ms', 'INTEGER NOT NULL'],
      ['approval_status', 'TEXT NOT NULL'],
      CREATED,
    ],
    indexes: [
      { name: 'tool_calls_session_id_idx', on: 'session_id' },
      { name: 'tool_calls_turn_id_idx', on: 'turn_id' },
    ],
  },
  {
    name: 'trace_events',
    columns: [
      ID,
      SESSION,
      ['type', 'TEXT NOT NULL'],
      ['trace_id', 'TEXT NOT NULL'],
      ['turn_id', 'TEXT NOT NULL'],
      ['payload', 'TEXT'],
      CREATED,
      SEQ,
    ],
    indexes: [
      { name: 'trace_events_session_id_idx', on: 'session_id' },
      { name: 'trace_events_type_idx', on: 'session_id, type, created_at', ...FAST },
      { name: 'trace_events_trace_id_idx', on: 'session_id, trace_id' },
      { name: 'trace_events_turn_id_idx', on: 'session_id, turn_id' },
      { name: 'trace_events_created_idx', on: 'session_id, created_at, seq', ...FAST },
    ],
  },
  {
    name: 'turn_messages',
    columns: [
      ID,
      SESSION,
      ['turn_id', 'TEXT NOT NULL'],
      ['source_type', 'TEXT NOT NULL'],
      ['source_plugin_id', 'TEXT'],
      ['source_runtime_id', 'TEXT'],
      ['role', 'TEXT NOT NULL'],
      ['name', 'TEXT'],
      ['content', 'TEXT NOT NULL'],
      ['ui', 'TEXT'],
      ['pending_input', 'TEXT'],
      ['order', 'INTEGER NOT NULL'],
      CREATED,
      ['compacted_at_turn_id', 'TEXT'],
    ],
    indexes: [
      { name: 'turn_messages_session_id_idx', on: 'session_id' },
      { name: 'turn_messages_turn_id_idx', on: 'session_id, turn_id' },
    ],
  },
  {
    name: 'turn_results',
    columns: [
      ID,
      SESSION,
      ['turn_id', 'TEXT NOT NULL'],
      ['runtime_results', 'TEXT NOT NULL'],
      ['conflicts', 'TEXT'],
      ['audit_result', 'TEXT'],
      ['origin', 'TEXT', { since: 'G2', until: 'G2' }],
      ['origin', 'TEXT NOT NULL', NEW],
      ['parent_turn_id', 'TEXT', { since: 'G2' }],
      ['retry_scope', 'TEXT', { since: 'G5' }],
      ['commit_status', 'TEXT NOT NULL', { since: 'G2' }],
      ['duration_ms', 'INTEGER NOT NULL'],
      CREATED,
      SEQ,
    ],
    indexes: [
      { name: 'turn_results_session_id_idx', on: 'session_id' },
      { name: 'turn_results_turn_id_idx', on: 'turn_id' },
      { name: 'turn_results_session_created_seq_idx', on: 'session_id, created_at, seq', ...FAST },
    ],
  },
  {
    name: 'working_memory',
    ...OLD,
    columns: [ID, SESSION, ['content', 'TEXT'], CREATED],
  },
  {
    name: 'worlds',
    columns: [
      ID,
      ['name', 'TEXT NOT NULL'],
      ['description', 'TEXT NOT NULL'],
      ['lore', 'TEXT'],
      ['tags', 'TEXT'],
      ['locale', 'TEXT'],
      ['metadata', 'TEXT'],
      CREATED,
      ['updated_at', 'TEXT'],
    ],
  },
];

export type Ddl = {
  /** Statements in the order in which they run. */
  readonly statements: readonly string[];
  /** Column names of every table, in order. */
  readonly columns: ReadonlyMap<string, readonly string[]>;
};

const SQL_WORDS = new Set(['order', 'values']);
export const quoted = (name: string): string => (SQL_WORDS.has(name) ? `"${name}"` : name);

/**
 * Tables and indexes of one generation.
 * @param without tables to leave out, for files that never had them
 */
export function ddlOf(generation: Generation, without: readonly string[] = []): Ddl {
  const at = ORDER.indexOf(generation);
  const lives = (span: Span = {}): boolean =>
    ORDER.indexOf(span.since ?? 'G1') <= at && at <= ORDER.indexOf(span.until ?? 'G6');
  const statements: string[] = [];
  const columns = new Map<string, readonly string[]>();
  for (const table of TABLES) {
    if (!lives(table) || without.includes(table.name)) continue;
    const mine = table.columns.filter(([, , span]) => lives(span));
    const key = table.key?.find(lives);
    const lines = mine.map(([name, type]) => `  ${quoted(name)} ${type}`);
    if (key) lines.push(`  PRIMARY KEY (${key.columns})`);
    statements.push(`CREATE TABLE IF NOT EXISTS ${table.name} (\n${lines.join(',\n')}\n)`);
    for (const index of table.indexes ?? []) {
      if (!lives(index)) continue;
      const unique = index.unique ? 'UNIQUE ' : '';
      statements.push(`CREATE ${unique}INDEX IF NOT EXISTS ${index.name} ON ${table.name}(${index.on})`);
    }
    columns.set(
      table.name,
      mine.map(([name]) => name),
    );
  }
  return { statements, columns };
}
