/**
 * Monaco weighs several megabytes, so it is loaded by the views that show long texts and only with what they use:
 * the diff editor, find and folding. Its one worker computes diffs; JSON is coloured by the few rules below, which
 * need no language service.
 */
import './environment.ts'; // first: Monaco asks for it while it is loaded
import * as monaco from 'monaco-editor/editor';
import 'monaco-editor/features/clipboard/register';
import 'monaco-editor/features/codicon/register'; // the signs of folding and of unchanged regions
import 'monaco-editor/features/diffEditor/register';
import 'monaco-editor/features/documentSymbols/register'; // the editor asks for its outline service
import 'monaco-editor/features/find/register';
import 'monaco-editor/features/folding/register';
import { THEMES, themeOf, type ThemeName } from './theme.ts';

monaco.languages.register({ id: 'json' });
monaco.languages.setMonarchTokensProvider('json', {
  tokenizer: {
    root: [
      [/"(?:[^"\\]|\\.)*"(?=\s*:)/, 'type'],
      [/"(?:[^"\\]|\\.)*"/, 'string'],
      [/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/, 'number'],
      [/\b(?:true|false|null)\b/, 'keyword'],
      [/[{}[\],:]/, 'delimiter'],
    ],
  },
});

const token = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Builds the editor's theme from the tokens that hold on the page now, and makes every editor wear it. */
export function wearTheme(): void {
  const name: ThemeName = document.documentElement.dataset['theme'] === 'light' ? 'light' : 'dark';
  monaco.editor.defineTheme(THEMES[name].id, themeOf(name, token));
  monaco.editor.setTheme(THEMES[name].id);
}

/** What all our read-only editors have in common. */
export function sharedOptions(): monaco.editor.IEditorOptions & monaco.editor.IGlobalEditorOptions {
  return {
    readOnly: true,
    domReadOnly: true,
    editContext: false, // a plain text field, so that the window's keys know that it is one
    tabFocusMode: true, // Tab leaves the editor
    automaticLayout: true,
    bracketPairColorization: { enabled: false },
    contextmenu: false,
    fontFamily: token('--font-code'),
    fontLigatures: false,
    fontSize: 12,
    glyphMargin: false,
    hover: { enabled: 'off' },
    lineHeight: 20,
    lineNumbers: 'off',
    links: false,
    matchBrackets: 'never',
    minimap: { enabled: false },
    occurrencesHighlight: 'off',
    overviewRulerBorder: false,
    overviewRulerLanes: 0,
    padding: { top: 8, bottom: 8 },
    renderLineHighlight: 'none',
    scrollBeyondLastLine: false,
    selectionHighlight: false,
    stickyScroll: { enabled: false },
    stopRenderingLineAfter: -1,
    unicodeHighlight: { ambiguousCharacters: false, invisibleCharacters: false, nonBasicASCII: false },
    wordWrap: 'on',
    wrappingStrategy: 'advanced', // CJK and Latin letters differ in width
    scrollbar: { useShadows: false, verticalScrollbarSize: 10, horizontalScrollbarSize: 10 },
  };
}

export { monaco };
