/**
 * Tag names are part of Covel's contract: the assembler and the built-in plugins open each data block with a fixed
 * tag at the start of a line (seed 1, sections 2 to 4; assembler page, section 3.2). They tell what a block is.
 */

/** Where a block belongs when nothing but its tag is known. */
export type TagKind = 'world-lore' | 'lore' | 'events' | 'activation' | 'extension' | 'turn-context';
export type TagFact = { readonly kind: TagKind; readonly plugin: string | null };

const TAGS: Readonly<Record<string, TagFact>> = {
  'world-lore': { kind: 'world-lore', plugin: null },
  'world-info': { kind: 'lore', plugin: null },
  'available-events': { kind: 'events', plugin: null },
  'runtime-activation': { kind: 'activation', plugin: null },
  'dimension-rules': { kind: 'extension', plugin: 'world-init' },
  'existing-characters': { kind: 'extension', plugin: 'char-creator' },
  'character-notes': { kind: 'extension', plugin: 'character-blueprint' },
  'runtime-inputs': { kind: 'turn-context', plugin: null },
  'runtime-exports': { kind: 'turn-context', plugin: null },
  'world-dimensions': { kind: 'turn-context', plugin: 'world-init' },
  'dimension-values': { kind: 'turn-context', plugin: 'world-init' },
  'character-fields': { kind: 'turn-context', plugin: 'char-creator' },
  'player-character': { kind: 'turn-context', plugin: null },
  'character-profiles': { kind: 'turn-context', plugin: null },
};

/** What is known of a tag; null for a tag of a plugin that we do not know. */
export function tagFact(tag: string): TagFact | null {
  if (Object.hasOwn(TAGS, tag)) return TAGS[tag] as TagFact;
  return /^memory(-|$)/.test(tag) ? { kind: 'turn-context', plugin: 'memory' } : null;
}

/** Opens an old conversation's summary (assembler page, section 5.1). */
export const SUMMARY_OPEN = '<compacted_history>\n';
/** Opens the schema instruction (assembler page, section 8.4). */
export const FORMAT_OPEN = '<response-format>';
/** Opens the framework preamble and its last block, in every language (assembler page, section 4). */
export const PREAMBLE_OPEN = '[RUNTIME]';
export const PREAMBLE_LAST = '[COMPLETION]';
/** Opens a correction after a rejected reply, in every language (seed 1, section 6). */
export const RETRY_OPEN = '[retry ';
