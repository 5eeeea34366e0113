export type * from './cache.ts';
export { CAUSE_KINDS, ERROR_SOURCES, USAGE_PROBLEMS } from './cache.ts';
export type * from './ledger.ts';
export type * from './prompt.ts';
export { SEGMENT_KINDS } from './prompt.ts';
export type * from './trace.ts';
export type * from './wire.ts';
export { PROTOCOLS, isProtocol } from './wire.ts';
