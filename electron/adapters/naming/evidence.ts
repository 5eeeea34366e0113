/**
 * What is known of a call besides its request: the kernel view of the same call, the turn, the player's words and
 * the rows of turn_messages. A name rests on one of these, on the structure of the request, or is not given.
 */
import type { HistoryRow, Json, Origin, Proof, SegmentKind, Volatility } from '../../../shared/model/index.ts';

export type NamingEvidence = {
  readonly kernel: { readonly messages: Json } | null;
  readonly turnId: string;
  readonly runtimeId: string | null;
  readonly pluginId: string | null;
  /** The player's words of this turn; null for a turn without any. */
  readonly playerText: string | null;
  /** turn_messages of the session up to and including this turn, in order. */
  readonly rows: readonly HistoryRow[];
};

/** What a run of text is called, before it has its place in the list of segments. */
export type Name = {
  readonly kind: SegmentKind;
  readonly proof: Proof;
  readonly origin: Origin;
  readonly volatility: Volatility | null;
};

const VOLATILITY: Readonly<Partial<Record<SegmentKind, Volatility>>> = {
  tool: 'stable',
  'framework-preamble': 'stable',
  'runtime-body': 'stable',
  events: 'stable',
  activation: 'stable',
  'response-format': 'stable',
  'world-lore': 'session',
  extension: 'session',
  lore: 'session',
  summary: 'session',
  'turn-context': 'turn',
  pictures: 'turn',
};

export function name(
  kind: SegmentKind,
  proof: Proof,
  label: string,
  origin: Partial<Omit<Origin, 'label'>> = {},
  volatility: Volatility | null = VOLATILITY[kind] ?? null,
): Name {
  const { plugin = null, runtime = null, turnId = null } = origin;
  return { kind, proof, origin: { plugin, runtime, label, turnId }, volatility };
}

export const UNKNOWN: Name = name('unknown', 'none', 'unknown');

/** Text that this run of the runtime itself produced or was given while it ran. */
export const ownName = (kind: SegmentKind, proof: Proof, label: string, evidence: NamingEvidence): Name =>
  name(kind, proof, label, { plugin: evidence.pluginId, runtime: evidence.runtimeId, turnId: evidence.turnId });

export const rowName = (kind: SegmentKind, row: HistoryRow, proof: 'row' | 'position' = 'row'): Name =>
  name(kind, proof, row.turnIndex === null ? (row.picture ? 'picture' : row.sourceType) : `turn ${row.turnIndex}`, {
    plugin: row.plugin,
    runtime: row.runtime,
    turnId: row.turnId,
  });
