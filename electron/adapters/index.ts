/** The door of the adapters: a recorded body or kernel view becomes a prompt, a prompt becomes named segments. */
export { buildRequest } from './build.ts';
export {
  segmentedRequest,
  tracedRequest,
  type PlainMessage,
  type PlainPart,
  type PlainRequest,
} from './build/segmented.ts';
export type { SourceSpan } from './build/traced.ts';
export { BuildError } from './build/types.ts';
export { UNSET, UNSET_OPTIONS } from './build/unset.ts';
export { isObject, valueAt } from './json.ts';
export type { BuildRequest, BuiltRequest } from './build/types.ts';
export { parseKernel, SENTINEL } from './kernel/parse.ts';
export type { NamingEvidence } from './naming/evidence.ts';
export { nameSegments } from './naming/name.ts';
export { parseBody } from './parse.ts';
export { comparedText, segmentRow, segmentText, turnBlocks } from './segment.ts';
export { bodyTexts, kernelTexts } from './texts.ts';
export * from './replies/index.ts';
export { conventionOf, type UsageConvention, type UsageRule } from './usage-conventions.ts';
export { covelUsage, type CovelUsage } from './usage-covel.ts';
export { billedInput, normaliseUsage, recordedUsage, usageBuckets, type RecordedUsage } from './usage.ts';
