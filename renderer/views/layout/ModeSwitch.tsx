/** The same call twice: as it was recorded, and assembled anew from what the database holds. */
import type { ReactNode } from 'react';
import { useText } from '../../app/language/index.ts';
import { actions, useLens } from '../../app/store.ts';
import './assembled.css';

const MODES = ['recorded', 'assembled'] as const;

export function ModeSwitch(): ReactNode {
  const t = useText();
  const mode = useLens((state) => state.layoutMode);
  return (
    <fieldset className="mode-switch" aria-label={t('layout.mode')}>
      {MODES.map((one) => (
        <button key={one} type="button" aria-pressed={mode === one} onClick={() => actions.setLayoutMode(one)}>
          {t(`layout.mode.${one}`)}
        </button>
      ))}
    </fieldset>
  );
}
