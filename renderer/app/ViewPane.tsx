/** The place of a view. Views are loaded when first shown; one that breaks is named and leaves the window standing. */
import { Component, lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import type { LensError } from '../../shared/error.ts';
import { Empty, ErrorNote, Loading } from '../ui/index.ts';
import { asError } from './failure.ts';
import { useText } from './language/index.ts';
import { useLens, type ShownView } from './store.ts';
import { panelId, tabId } from './Tabs.tsx';

const SCREENS: Readonly<Record<ShownView, ComponentType>> = {
  layout: lazy(() => import('../views/layout/LayoutView.tsx').then((view) => ({ default: view.LayoutView }))),
  diff: lazy(() => import('../views/diff/DiffView.tsx').then((view) => ({ default: view.DiffView }))),
  context: lazy(() =>
    import('../views/turn-context/TurnContextView.tsx').then((view) => ({ default: view.TurnContextView })),
  ),
  wire: lazy(() => import('../views/wire/WireView.tsx').then((view) => ({ default: view.WireView }))),
};
const isShown = (view: string): view is ShownView => view in SCREENS;

type BoundaryProps = { readonly children: ReactNode; readonly draw: (error: LensError) => ReactNode };

/** React offers this only as a class. */
class Boundary extends Component<BoundaryProps, { readonly error: LensError | null }> {
  override state = { error: null };
  static getDerivedStateFromError(cause: unknown): { readonly error: LensError } {
    return { error: asError(cause) };
  }
  override render(): ReactNode {
    return this.state.error === null ? this.props.children : this.props.draw(this.state.error);
  }
}

/** What to say where a turn has no call to show. */
function NoCall(): ReactNode {
  const t = useText();
  const turn = useLens((state) => state.turns.find((row) => row?.turnId === state.turnId));
  const loading = useLens((state) => state.turnTotal === 0 && state.turnsError === null);
  if (!turn) return loading ? null : <Empty title={t('turn.none')} hint={t('turn.none.hint')} />;
  if (turn.swept) return <Empty title={t('turn.swept')} hint={t('turn.swept.hint')} />;
  if (turn.attempts === 0) return <Empty title={t('turn.nocalls')} hint={t('turn.nocalls.hint')} />;
  return <Loading />;
}

export function ViewPane(): ReactNode {
  const t = useText();
  const view = useLens((state) => state.view);
  const hasCall = useLens((state) => state.callId !== null);
  const Screen = isShown(view) ? SCREENS[view] : null;
  return (
    <div id={panelId} className="view" role="tabpanel" aria-labelledby={tabId(view)}>
      {!hasCall || !Screen ? (
        <NoCall />
      ) : (
        <Boundary
          key={view}
          draw={(error) => (
            <div className="view-error">
              <ErrorNote error={error} title={t('app.failed')} />
            </div>
          )}
        >
          <Suspense fallback={<Loading />}>
            <Screen />
          </Suspense>
        </Boundary>
      )}
    </div>
  );
}
