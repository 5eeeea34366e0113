/** A segment row for tests: one span, one token for four characters. */
import type { SegmentRow } from '../../../shared/model/index.ts';
import { chars, estimated } from '../../../shared/units.ts';

export function segmentRow(given: Partial<Omit<SegmentRow, 'chars'>> & { readonly size?: number } = {}): SegmentRow {
  const size = given.size ?? 40;
  const { size: _, ...rest } = given;
  return {
    id: 's0',
    kind: 'unknown',
    role: 'user',
    origin: { plugin: null, runtime: null, label: 'text', turnId: null },
    volatility: null,
    proof: 'structure',
    chars: chars(size),
    tokens: estimated(size / 4),
    spans: [{ path: `/messages/${rest.id ?? 's0'}/content`, start: chars(0), end: chars(size) }],
    ...rest,
  };
}
