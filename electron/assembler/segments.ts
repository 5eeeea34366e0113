/**
 * An extension segment says where it wants to stand, for whom it is meant, and how long it keeps its text. The three
 * together decide its place in the request (seed 1, section 2; assembler page, 1.3 and 2.2).
 */
import type { Role } from '../../shared/model/index.ts';
import { byUnits } from './data/escape.ts';
import { isBlank, piece } from './piece.ts';
import type { AssembledSegment, PromptSegment, RuntimeManifest } from './types.ts';

/** Where a segment lands: two parts of the system prompt, the turn context, or one of three places in the messages. */
export type Placement = 'lasting' | 'tail' | 'turn-context' | 'before-history' | 'after-history' | 'depth';

const VOLATILITY_ORDER = { stable: 0, session: 1, turn: 2 } as const;

function isFor({ audience, providerPluginId }: PromptSegment, manifest: RuntimeManifest): boolean {
  switch (audience) {
    case 'all':
      return true;
    case 'self':
      return providerPluginId === manifest.pluginId;
    case 'story':
      return manifest.outputKind === 'story';
    default:
      return audience.contract === manifest.outputContract;
  }
}

/** The segments this runtime sees, in their order: volatility, `order`, plugin id, segment id. Blank ones are left out. */
export const selectSegments = (
  segments: readonly PromptSegment[],
  manifest: RuntimeManifest,
): readonly PromptSegment[] =>
  segments
    .filter((segment) => isFor(segment, manifest) && !isBlank(segment.content))
    .toSorted(
      (a, b) =>
        VOLATILITY_ORDER[a.volatility] - VOLATILITY_ORDER[b.volatility] ||
        (a.order ?? 0) - (b.order ?? 0) ||
        byUnits(a.providerPluginId ?? '', b.providerPluginId ?? '') ||
        byUnits(a.id, b.id),
    );

/** The table of seed 1, section 2: position × (lasting or turn) × (system or another role). */
const PLACEMENT = {
  system: { lasting: ['lasting', 'lasting'], turn: ['turn-context', 'turn-context'] },
  'pre-history': { lasting: ['lasting', 'before-history'], turn: ['tail', 'before-history'] },
  'post-history': { lasting: ['after-history', 'after-history'], turn: ['after-history', 'after-history'] },
  depth: { lasting: ['depth', 'depth'], turn: ['depth', 'depth'] },
} as const satisfies Record<string, Record<'lasting' | 'turn', readonly [system: Placement, other: Placement]>>;

export const roleOf = (segment: PromptSegment): Role => segment.role ?? 'system';

export function placementOf(segment: PromptSegment): Placement {
  const { position, volatility } = segment;
  const row = PLACEMENT[typeof position === 'string' ? position : 'depth'];
  return row[volatility === 'turn' ? 'turn' : 'lasting'][roleOf(segment) === 'system' ? 0 : 1];
}

const KIND = {
  lasting: 'extension',
  tail: 'extension',
  'turn-context': 'turn-context',
  'before-history': 'pre-history',
  'after-history': 'post-history',
  depth: 'depth',
} as const satisfies Record<Placement, AssembledSegment['kind']>;

/** The selected segment as a piece of the prompt. Its content is never interpolated. */
export function extensionPiece(segment: PromptSegment): AssembledSegment {
  const placement = placementOf(segment);
  const inSystem = placement === 'lasting' || placement === 'tail' || placement === 'turn-context';
  return piece(KIND[placement], inSystem ? 'system' : roleOf(segment), segment.id, segment.content, {
    plugin: segment.providerPluginId ?? null,
    volatility: segment.volatility,
    position: segment.position,
  });
}
