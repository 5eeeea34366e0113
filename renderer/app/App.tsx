/** The frame of the window: header, timeline, calls, views, chart, status; Start while no file is open. */
import { lazy, Suspense, useEffect, type ReactNode } from 'react';
import { Split } from '../ui/index.ts';
import { Start } from '../views/start/Start.tsx';
import { Timeline } from '../views/timeline/Timeline.tsx';
import { TurnStrip } from '../views/turn-strip/TurnStrip.tsx';
import { Header } from './Header.tsx';
import { Help } from './Help.tsx';
import { useKeys } from './keys.ts';
import { useText } from './language/index.ts';
import { Notices } from './Notices.tsx';
import { Problems } from './Problems.tsx';
import { StatusLine } from './StatusLine.tsx';
import { useLens } from './store.ts';
import { Tabs } from './Tabs.tsx';
import { useDocument } from './theme.ts';
import { useDrop } from './use-drop.ts';
import { ViewPane } from './ViewPane.tsx';
import './frame.css';

const SessionChart = lazy(() =>
  import('../views/session-chart/SessionChart.tsx').then((chart) => ({ default: chart.SessionChart })),
);
const loadPalette = () => import('./Palette.tsx').then((palette) => ({ default: palette.Palette }));
const Palette = lazy(loadPalette);
/** The palette is loaded when the window has come to rest (ms), so that its first key is not lost. */
const REST_MS = 1000;

function Chart(): ReactNode {
  // The cache screen draws the session itself.
  const open = useLens((state) => state.chartOpen && state.view !== 'cache');
  if (!open) return null;
  return (
    <Suspense fallback={<div className="chart-place" />}>
      <SessionChart />
    </Suspense>
  );
}

function Workbench(): ReactNode {
  const t = useText();
  return (
    <Split
      id="frame"
      orientation="horizontal"
      label={t('timeline.resize')}
      panels={[
        { id: 'timeline', size: 272, min: 180, max: 480, content: <Timeline /> },
        {
          id: 'main',
          min: 480,
          content: (
            <main className="main">
              <TurnStrip />
              <Tabs />
              <ViewPane />
              <Chart />
            </main>
          ),
        },
      ]}
    />
  );
}

export function App(): ReactNode {
  const t = useText();
  const hasSource = useLens((state) => state.source !== null);
  const overlay = useLens((state) => state.overlay);
  const hovers = useDrop();
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette(), REST_MS);
    return () => clearTimeout(timer);
  }, []);
  useDocument();
  useKeys();
  return (
    <div className="frame">
      <Header />
      <Notices />
      {hasSource ? <Workbench /> : <Start />}
      <StatusLine />
      {overlay === 'help' && <Help />}
      {overlay === 'problems' && <Problems />}
      {overlay === 'palette' && (
        <Suspense fallback={null}>
          <Palette />
        </Suspense>
      )}
      {hovers && <div className="drop">{t('start.drop.now')}</div>}
    </div>
  );
}
