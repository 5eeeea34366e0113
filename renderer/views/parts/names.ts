/**
 * What a segment is called depends on its kind: a tool or a block is known by its own name, the body of a runtime
 * or the player's words by what they are, and a history message by the turn that wrote it.
 */
import type { SegmentKind, SegmentRow } from '../../../shared/model/index.ts';

/** `label`: the segment's own name. `kind`: the name of its kind. `both`: the kind, then the name. */
type Naming = 'label' | 'kind' | 'both';

const NAMING: Readonly<Record<SegmentKind, Naming>> = {
  tool: 'label',
  'framework-preamble': 'kind',
  'runtime-body': 'kind',
  'world-lore': 'label',
  extension: 'label',
  lore: 'label',
  events: 'kind',
  activation: 'kind',
  'pre-history': 'kind',
  summary: 'kind',
  history: 'kind',
  'picture-note': 'kind',
  'turn-context': 'label',
  pictures: 'kind',
  player: 'kind',
  story: 'kind',
  'story-cue': 'kind',
  depth: 'label',
  'post-history': 'kind',
  'tool-call': 'both',
  'tool-result': 'both',
  'response-format': 'kind',
  'retry-hint': 'kind',
  unknown: 'both',
};

/** Name of a segment; `kindName` is the kind in the language on screen. */
export function nameOf(kind: SegmentKind, label: string, kindName: string): string {
  const naming = NAMING[kind];
  if (naming === 'kind' || label === '') return kindName;
  return naming === 'label' ? label : `${kindName} · ${label}`;
}

/** Plugin and runtime that a segment comes from, as far as they are known; empty when neither is. */
export function originOf({ origin }: Pick<SegmentRow, 'origin'>): string {
  const { plugin, runtime } = origin;
  if (plugin === null || runtime === null) return plugin ?? runtime ?? '';
  return runtime === plugin || runtime.startsWith(`${plugin}/`) ? runtime : `${plugin} · ${runtime}`;
}
