/** The door to the window's sentences. Domain sentences (causes, kinds, errors) stand in shared/language. */
import { useLens } from '../state.ts';
import { resolveLanguage, translator, type Language, type Translate } from './text.ts';

export { LANGUAGE_TAGS, text, type Language, type TextKey, type TextValues, type Translate } from './text.ts';

/** Asked for with every change of the store, which is too often to ask the browser each time. */
let languages: readonly string[] | null = null;
if (typeof window !== 'undefined') window.addEventListener('languagechange', () => (languages = null));

const preferred = (): readonly string[] =>
  (languages ??= typeof navigator === 'undefined' ? [] : [...navigator.languages]);

/** The language on screen; `system` is resolved. */
export const useLanguage = (): Language => useLens((state) => resolveLanguage(state.language, preferred()));

/** `t(key, values)` in the language on screen. */
export const useText = (): Translate => translator(useLanguage());

/** The language on screen, outside of React. */
export const currentLanguage = (): Language => resolveLanguage(useLens.getState().language, preferred());
