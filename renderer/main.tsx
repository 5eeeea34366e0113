/** The window starts with what a person chose last time (theme, language), so that nothing changes under the eyes. */
import { createRoot } from 'react-dom/client';
import './app/fonts.css';
import './app/tokens.css';
import './app/base.css';
import { App } from './app/App.tsx';
import { actions } from './app/store.ts';

/** The settings are waited for at most this long (ms). */
const PATIENCE_MS = 400;

const root = document.getElementById('root');
if (root) {
  void Promise.race([actions.start(), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]).then(() =>
    createRoot(root).render(<App />),
  );
}
