/**
 * What the recorded and the assembled layout have in common: verdict, switch, strip and table in one pane, the chosen
 * segment from close beside it, and the keys that step from segment to segment.
 */
import { useEffect, type ComponentProps, type ReactNode } from 'react';
import { useText } from '../../app/language/index.ts';
import { useLens } from '../../app/store.ts';
import { lendStep } from '../../app/view-steps.ts';
import { Split } from '../../ui/index.ts';
import { sideWidth } from '../side-width.ts';
import { stepSegment } from './folding.ts';
import { ModeSwitch } from './ModeSwitch.tsx';
import { SegmentTable } from './SegmentTable.tsx';
import { Strip } from './Strip.tsx';

type Props = ComponentProps<typeof SegmentTable> & {
  readonly verdict: ReactNode;
  /** The chosen segment; null where none can be chosen. */
  readonly detail: ReactNode;
  readonly isStale: boolean;
};

export function LayoutFrame({ verdict, detail, isStale, ...table }: Props): ReactNode {
  const t = useText();
  const inspectorOpen = useLens((state) => state.inspectorOpen);
  const { model, lines, selected, onSelect } = table;
  useEffect(
    () =>
      lendStep('line', (by) => {
        const next = stepSegment(lines, model.runs, selected < 0 ? null : selected, by);
        if (next !== null) onSelect(next);
      }),
    [lines, model, selected, onSelect],
  );
  return (
    <Split
      id="layout"
      orientation="horizontal"
      label={t('layout.resize')}
      panels={[
        {
          id: 'pane',
          min: 320,
          content: (
            <div className="layout-pane" aria-busy={isStale}>
              {verdict}
              <ModeSwitch />
              <Strip model={model} selected={selected} onSelect={onSelect} />
              <SegmentTable {...table} />
            </div>
          ),
        },
        { id: 'inspector', open: inspectorOpen && detail !== null, size: sideWidth(), min: 240, content: detail },
      ]}
    />
  );
}
