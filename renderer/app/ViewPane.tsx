/** The place of a view. Views are loaded when first shown; one that breaks is named and leaves the window standing. */
import { Component, lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { Empty, Loading } from '../ui/index.ts';
import { useText } from './language/index.ts';
import { useLens, type ShownView } from './store.ts';
import { panelId, tabId } from './Tabs.tsx';
import { turnOf } from './turns.ts';

const SCREENS: Readonly<Record<ShownView, ComponentType>> = {
  layout: lazy(() => import('../views/layout/LayoutView.tsx').then((view) => ({ default: view.LayoutView }))),
  diff: lazy(() => import('../views/diff/DiffView.tsx').then((view) => ({ default: view.DiffView }))),
  context: lazy(() =>
    import('../views/turn-context/TurnContextView.tsx').then((view) => ({ default: view.TurnContextView })),
  ),
  ledger: lazy(() => import('../views/ledger/LedgerView.tsx').then((view) => ({ default: view.LedgerView }))),
  cache: lazy(() => import('../views/cache/CacheView.tsx').then((view) => ({ default: view.CacheView }))),
  wire: lazy(() => import('../views/wire/WireView.tsx').then((view) => ({ default: view.WireView }))),
};
/** These show the session, whatever turn or call is chosen. */
const OF_SESSION: ReadonlySet<string> = new Set<ShownView>(['ledger', 'cache']);
const isShown = (view: string): view is ShownView => view in SCREENS;

type BoundaryProps = {
  /** What is shown; the next one gets a new chance. */
  readonly of: string | null;
  readonly children: ReactNode;
  readonly draw: (reason: string) => ReactNode;
};

type BoundaryState = { readonly reason: string | null; readonly of: string | null };

/** React offers this only as a class. */
class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { reason: null, of: this.props.of };
  static getDerivedStateFromError(cause: unknown): Pick<BoundaryState, 'reason'> {
    return { reason: String(cause) };
  }
  static getDerivedStateFromProps({ of }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return of === state.of ? null : { reason: null, of };
  }
  override render(): ReactNode {
    return this.state.reason === null ? this.props.children : this.props.draw(this.state.reason);
  }
}

/** What to say where a turn has no call to show. */
function NoCall(): ReactNode {
  const t = useText();
  const turn = useLens((state) => turnOf(state.turns, state.turnId));
  const total = useLens((state) => state.turnTotal);
  const error = useLens((state) => state.turnsError);
  const listed = useLens((state) => state.source?.sessions.find((row) => row.id === state.sessionId)?.turns ?? 0);
  if (!turn && error) return null;
  if (!turn && total > 0) return <Empty title={t('turn.none')} hint={t('turn.none.hint')} />;
  if (!turn) return listed > 0 ? <Loading /> : <Empty title={t('timeline.empty')} hint={t('timeline.empty.hint')} />;
  if (turn.swept) return <Empty title={t('turn.swept')} hint={t('turn.swept.hint')} />;
  if (turn.attempts === 0) return <Empty title={t('turn.nocalls')} hint={t('turn.nocalls.hint')} />;
  return <Loading />;
}

export function ViewPane(): ReactNode {
  const t = useText();
  const view = useLens((state) => state.view);
  const shown = useLens((state) => (OF_SESSION.has(view) ? state.sessionId : state.callId));
  const Screen = isShown(view) ? SCREENS[view] : null;
  return (
    <div id={panelId} className="view" role="tabpanel" aria-labelledby={tabId(view)}>
      {shown === null || !Screen ? (
        <NoCall />
      ) : (
        <Boundary key={view} of={shown} draw={(reason) => <Empty title={t('app.failed')} hint={reason} />}>
          <Suspense fallback={<Loading />}>
            <Screen />
          </Suspense>
        </Boundary>
      )}
    </div>
  );
}
