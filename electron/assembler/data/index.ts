/** Data in a prompt: what is read from a session, and how it becomes text that is only ever data. */
export * from './characters.ts';
export * from './dimensions.ts';
export * from './escape.ts';
export * from './inject.ts';
export * from './localised.ts';
export * from './lore.ts';
export * from './model-facing.ts';
export * from './notes.ts';
export * from './slots.ts';
export * from './template.ts';
export * from './turn-data.ts';
