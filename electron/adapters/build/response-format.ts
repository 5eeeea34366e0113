/**
 * A reply that has to be JSON of a schema: some protocols have a field for it, the others are told in a sentence with
 * the schema behind it (assembler page, section 8.4).
 */
import type { Json, JsonObject } from '../../../shared/model/index.ts';
import { isList, isObject, nameOf } from '../json.ts';
import { isSystem, textOf } from './content.ts';
import { plain, trace, type Traced } from './traced.ts';
import type { BuildMessage, BuildRequest } from './types.ts';

const DEFAULT_NAME = 'response';

/** Name of the format: the schema's title, else its `$id`, in the signs that providers take. */
export function formatName(schema: JsonObject): string {
  const given = nameOf(schema['title']) ?? nameOf(schema['$id']) ?? DEFAULT_NAME;
  return given.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
}

const OPEN = '<response-format>';
const CLOSE = '</response-format>';

/** The text holds exactly this schema in its tag; white space at its ends is the writer's own. */
const holds = (text: string, schema: string): boolean =>
  text.split(OPEN).some((piece, i) => i > 0 && piece.split(CLOSE)[0]?.trim() === schema && piece.includes(CLOSE));

/**
 * The sentence with the schema, or null where no schema is asked for or one of `messages` (as they are sent) already
 * holds exactly this schema in its tag as a system message.
 */
export function formatInstruction(request: BuildRequest, messages: readonly BuildMessage[]): Traced | null {
  const { responseFormat, options } = request;
  if (responseFormat === null) return null;
  const schema = JSON.stringify(responseFormat.schema);
  if (messages.some((message) => isSystem(message) && holds(plain(textOf(message.content)), schema))) return null;
  return trace(`${options.texts.responseFormat}\n${OPEN}${schema}${CLOSE}`, responseFormat.segment);
}

/** The sentence as a system message of its own, right behind the last system message (first where there is none). */
export function withFormatMessage(
  messages: readonly BuildMessage[],
  instruction: Traced | null,
): readonly BuildMessage[] {
  if (instruction === null) return messages;
  return messages.toSpliced(messages.findLastIndex(isSystem) + 1, 0, { role: 'system', content: instruction });
}

/** Keywords whose value is one schema, a list of schemas, or a map of schemas. */
const SCHEMA_KEYS: ReadonlySet<string> = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'prefixItems',
  'allOf',
  'anyOf',
  'oneOf',
]);
const SCHEMA_MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'definitions',
  '$defs',
]);

const mapObject = (value: JsonObject, to: (key: string, member: Json) => readonly [string, Json]): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([key, member]) => to(key, member)));

/** Every `const` of a schema as an `enum` of one, on schema keywords only: a property that is named `const` stays. */
export function constAsEnum(schema: Json): Json {
  if (isList(schema)) return schema.map(constAsEnum);
  if (!isObject(schema)) return schema;
  return mapObject(schema, (key, member) => {
    if (key === 'const') return ['enum', [member]];
    if (SCHEMA_KEYS.has(key)) return [key, constAsEnum(member)];
    if (SCHEMA_MAPS.has(key) && isObject(member)) {
      return [key, mapObject(member, (name, inner) => [name, constAsEnum(inner)])];
    }
    return [key, member];
  });
}
