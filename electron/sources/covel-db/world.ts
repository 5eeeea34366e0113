/**
 * What a file still holds of the session's world: the world record, characters, lorebook entries, plugin data, and the
 * messages with all that the assembler reads of them. World and plugin files of Covel are not in the database; a row
 * that is edited keeps no older text, only the time of its last change (storage page, section 2).
 */
import type { Json } from '../../../shared/model/index.ts';
import type { Connection, Row } from './connection.ts';
import { list } from './events.ts';
import type { MessageRow, SessionWorld } from './types.ts';
import { countOf, isRecord, parseJson, textOf, textOr } from './values.ts';

type Table = 'worlds' | 'sessions' | 'characters' | 'lorebook_entries' | 'plugin_data' | 'turn_messages';

/** The named columns of a session's rows; columns that the file lacks read as NULL, a table it lacks has no rows. */
function rowsOf(db: Connection, table: Table, names: readonly string[], where: string, value: string): readonly Row[] {
  const columns = db.schema.columns.get(table);
  if (!columns?.has(where)) return [];
  const picked = names.map((name) => (columns.has(name) ? `"${name}"` : 'NULL')).join(', ');
  return list(db, table, `SELECT ${picked} FROM ${table} WHERE ${where} = ?`, value);
}

/** JSON of a column; null for NULL and for what cannot be parsed. */
const jsonOf = (value: Row[number] | undefined): Json => (parseJson(textOf(value)) ?? null) as Json;
const recordOf = (value: Row[number] | undefined): { readonly [key: string]: Json } => {
  const parsed = parseJson(textOf(value));
  return isRecord(parsed) ? (parsed as { readonly [key: string]: Json }) : {};
};
const namesOf = (value: Row[number] | undefined): readonly string[] => {
  const parsed = parseJson(textOf(value));
  return Array.isArray(parsed) ? parsed.filter((item) => typeof item === 'string') : [];
};
const byUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** World, characters, lorebook and plugin data of a session as they are now; times tell what changed when. */
export function worldOf(db: Connection, sessionId: string): SessionWorld {
  const [session] = rowsOf(db, 'sessions', ['world_id', 'locale'], 'id', sessionId);
  const worldId = textOf(session?.[0]);
  const [world] =
    worldId === null
      ? []
      : rowsOf(db, 'worlds', ['name', 'description', 'lore', 'tags', 'created_at', 'updated_at'], 'id', worldId);
  return {
    locale: textOf(session?.[1]),
    world: world
      ? {
          name: textOr(world[0]),
          description: textOr(world[1]),
          lore: textOf(world[2]),
          tags: namesOf(world[3]),
          changedAt: textOf(world[5]) ?? textOr(world[4]),
        }
      : null,
    characters: rowsOf(db, 'characters', ['id', 'name', 'type', 'description', 'fields'], 'session_id', sessionId).map(
      ([id, name, type, description, fields]) => ({
        id: textOr(id),
        name: textOr(name),
        type: textOr(type),
        description: textOr(description),
        fields: recordOf(fields),
      }),
    ),
    lorebook: rowsOf(
      db,
      'lorebook_entries',
      [
        'id',
        'keys',
        'content',
        'strategy',
        'position',
        'insertion_order',
        'enabled',
        'extra',
        'created_at',
        'updated_at',
      ],
      'session_id',
      sessionId,
    ).map(([id, keys, content, strategy, position, order, enabled, extra, createdAt, updatedAt]) => ({
      id: textOr(id),
      keys: namesOf(keys),
      content: textOr(content),
      strategy: textOr(strategy),
      position: textOf(position),
      insertionOrder: countOf(order),
      enabled: countOf(enabled) !== 0,
      extra: recordOf(extra),
      createdAt: textOr(createdAt),
      updatedAt: textOr(updatedAt),
    })),
    pluginData: rowsOf(
      db,
      'plugin_data',
      ['plugin_id', 'namespace', 'key', 'value', 'created_at', 'updated_at'],
      'session_id',
      sessionId,
    ).map(([plugin, namespace, key, value, createdAt, updatedAt]) => ({
      pluginId: textOr(plugin),
      namespace: textOr(namespace),
      key: textOr(key),
      value: jsonOf(value),
      createdAt: textOr(createdAt),
      updatedAt: textOr(updatedAt),
    })),
  };
}

/** turn_messages of a session with what a prompt is made from, by time, then id. */
export function messagesOf(db: Connection, sessionId: string): readonly MessageRow[] {
  const names = [
    'id',
    'turn_id',
    'source_type',
    'source_plugin_id',
    'source_runtime_id',
    'role',
    'name',
    'content',
    'ui',
    'order',
    'created_at',
    'compacted_at_turn_id',
  ];
  return rowsOf(db, 'turn_messages', names, 'session_id', sessionId)
    .map(([id, turn, source, plugin, runtime, role, name, content, ui, stage, createdAt, compactedBy]): MessageRow => ({
      id: textOr(id),
      turnId: textOr(turn),
      sourceType: textOr(source),
      plugin: textOf(plugin),
      runtime: textOf(runtime),
      role: textOr(role),
      name: textOf(name),
      content: textOr(content),
      ui: jsonOf(ui),
      stage: stage === null || stage === undefined ? null : countOf(stage),
      createdAt: textOr(createdAt),
      compactedBy: textOf(compactedBy),
    }))
    .sort((a, b) => byUnits(a.createdAt, b.createdAt) || byUnits(a.id, b.id));
}
