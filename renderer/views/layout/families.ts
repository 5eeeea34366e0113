/**
 * The strip has room for ten colours and a prompt has twenty-four kinds of segment. A family gathers the kinds
 * that an author thinks of together; its colour is the token `--k-<family>`.
 */
import type { SegmentKind } from '../../../shared/model/index.ts';

export const FAMILIES = [
  'tools',
  'frame',
  'body',
  'lore',
  'summary',
  'history',
  'turn',
  'player',
  'story',
  'unknown',
] as const;
export type Family = (typeof FAMILIES)[number];

const FAMILY: Readonly<Record<SegmentKind, Family>> = {
  tool: 'tools',
  'framework-preamble': 'frame',
  'response-format': 'frame',
  'retry-hint': 'frame',
  'runtime-body': 'body',
  'world-lore': 'lore',
  extension: 'lore',
  lore: 'lore',
  events: 'lore',
  activation: 'lore',
  'pre-history': 'lore',
  depth: 'lore',
  summary: 'summary',
  history: 'history',
  'picture-note': 'history',
  'turn-context': 'turn',
  pictures: 'turn',
  player: 'player',
  'post-history': 'player',
  story: 'story',
  'story-cue': 'story',
  'tool-call': 'story',
  'tool-result': 'story',
  unknown: 'unknown',
};

export const familyOf = (kind: SegmentKind): Family => FAMILY[kind];

/** CSS value of a family's colour. */
export const familyColour = (family: Family): string => `var(--k-${family})`;
