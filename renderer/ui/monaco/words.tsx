/**
 * Monaco looks its words up in one list of the page, most of them when it draws and some when it is loaded. Its own
 * translations set that list, so they are loaded before it and only when they are wanted.
 */
import { lazy, useLayoutEffect, type ComponentType } from 'react';
import { useLanguage, type Language } from '../../app/language/index.ts';

declare global {
  var _VSCODE_NLS_MESSAGES: readonly (string | null)[] | undefined;
  var _VSCODE_NLS_LANGUAGE: string | undefined;
}

type Words = { readonly messages: readonly (string | null)[] | undefined; readonly language: string | undefined };
/** Monaco's English stands in its code. */
const ENGLISH: Words = { messages: undefined, language: undefined };
let chinese: Words | null = null;

const LOAD: Readonly<Record<Language, () => Promise<unknown>>> = {
  en: () => Promise.resolve(),
  async zh() {
    if (chinese) return;
    await import('monaco-editor/nls/lang/zh-cn');
    chinese = { messages: globalThis._VSCODE_NLS_MESSAGES, language: globalThis._VSCODE_NLS_LANGUAGE };
  },
};

function speak(language: Language): void {
  const words = (language === 'zh' && chinese) || ENGLISH;
  globalThis._VSCODE_NLS_MESSAGES = words.messages;
  globalThis._VSCODE_NLS_LANGUAGE = words.language;
}

/** An editor that is loaded when it is first drawn and that speaks the language on screen; made anew when that changes. */
export function lazyEditor<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const inLanguage = (language: Language): ComponentType<Props> =>
    lazy(async () => {
      await LOAD[language]();
      speak(language);
      return { default: await load() };
    });
  const editors: Readonly<Record<Language, ComponentType<Props>>> = { en: inLanguage('en'), zh: inLanguage('zh') };
  return function Editor(props: Props) {
    const language = useLanguage();
    const Speaking = editors[language];
    // Before the editor is made, which comes with its effects.
    useLayoutEffect(() => speak(language), [language]);
    return <Speaking key={language} {...props} />;
  };
}
