/** The views of a call as tabs. Each keeps its number key, also while the tabs between do not exist yet. */
import type { ReactNode } from 'react';
import { useText } from './language/index.ts';
import { actions, useLens, VIEWS } from './store.ts';

export const panelId = 'view-panel';
export const tabId = (view: string): string => `view-tab-${view}`;

export function Tabs(): ReactNode {
  const t = useText();
  const view = useLens((state) => state.view);
  return (
    <div className="tabs" role="tablist" aria-label={t('views.label')}>
      {VIEWS.map(({ id, key }) => (
        <button
          key={id}
          id={tabId(id)}
          type="button"
          role="tab"
          className={id === view ? 'tab tab-on' : 'tab'}
          aria-selected={id === view}
          aria-controls={panelId}
          aria-keyshortcuts={key}
          onClick={() => actions.setView(id)}
        >
          {t(`view.${id}`)}
          <small aria-hidden="true">{key}</small>
        </button>
      ))}
    </div>
  );
}
