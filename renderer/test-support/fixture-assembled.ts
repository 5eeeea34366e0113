/** What the engine answers to `call.assembled`: the segments of the recorded call, one message of them different. */
import type { AssembledDetail, CallDetail, TakenFrom } from '../../shared/api.ts';
import type { SegmentKind } from '../../shared/model/index.ts';
import { chars } from '../../shared/units.ts';

const FROM: Readonly<Partial<Record<SegmentKind, TakenFrom>>> = {
  tool: 'recorded',
  'framework-preamble': 'framework',
  'runtime-body': 'recorded',
  extension: 'recorded',
  'turn-context': 'recorded',
};

export function assembledDetail(detail: CallDetail): AssembledDetail {
  const segments = detail.segments.map((segment) => ({
    ...segment,
    id: `a${segment.id}`,
    from: FROM[segment.kind] ?? ('database' as const),
    text: `Text of ${segment.origin.label}.`,
  }));
  const changed = segments.find(({ kind }) => kind === 'history');
  return {
    callId: detail.row.id,
    view: 'kernel',
    equal: changed === undefined,
    first: changed
      ? {
          where: 'message 3 (assistant)',
          segmentId: changed.id,
          segment: changed.origin.label,
          kind: changed.kind,
          offset: chars(30),
          recorded: 'The clock …',
          assembled: 'The clock stops at four.',
          reason: 'history-changed',
        }
      : null,
    taken: segments.map(({ id, kind, origin, from }) => ({ segmentId: id, label: origin.label, kind, from })),
    window: null,
    segments,
    chars: detail.chars,
    tokens: detail.tokens,
  };
}
