/** The door of the adapters: a recorded body or kernel view becomes a prompt, a prompt becomes named segments. */
export { parseKernel, SENTINEL } from './kernel/parse.ts';
export type { NamingEvidence } from './naming/evidence.ts';
export { nameSegments } from './naming/name.ts';
export { parseBody } from './parse.ts';
export { comparedText, segmentRow, segmentText, turnBlocks } from './segment.ts';
export { bodyTexts, kernelTexts } from './texts.ts';
