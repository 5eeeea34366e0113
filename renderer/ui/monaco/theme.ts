/**
 * Monaco draws with colours of its own, given as hex values in a theme; the window's colours are CSS tokens.
 * The theme is therefore read from the tokens, so that both always agree.
 */
import type { editor } from 'monaco-editor/editor';

export const THEMES = {
  dark: { id: 'lens-dark', base: 'vs-dark' },
  light: { id: 'lens-light', base: 'vs' },
} as const satisfies Record<string, { readonly id: string; readonly base: editor.BuiltinTheme }>;
export type ThemeName = keyof typeof THEMES;

/** Monaco's colour names and the tokens that fill them; a suffix is an opacity of two hex digits. */
const COLOURS: Readonly<Record<string, readonly [token: string, opacity?: string]>> = {
  'editor.background': ['--surface'],
  'editor.foreground': ['--ink'],
  'editor.selectionBackground': ['--accent', '44'],
  'editor.inactiveSelectionBackground': ['--accent', '2a'],
  'editor.findMatchBackground': ['--accent', '66'],
  'editor.findMatchHighlightBackground': ['--accent', '33'],
  'editor.foldBackground': ['--hover'],
  'editorCursor.foreground': ['--accent'],
  'editorGutter.background': ['--surface'],
  'editorLineNumber.foreground': ['--ink-3'],
  'editorLineNumber.activeForeground': ['--ink-2'],
  'editorIndentGuide.background1': ['--line'],
  'editorIndentGuide.activeBackground1': ['--line-strong'],
  'editorWidget.background': ['--raised'],
  'editorWidget.foreground': ['--ink'],
  'editorWidget.border': ['--line-strong'],
  'input.background': ['--bg'],
  'input.foreground': ['--ink'],
  'input.border': ['--line-strong'],
  'inputOption.activeBorder': ['--accent'],
  focusBorder: ['--focus'],
  'scrollbarSlider.background': ['--line-strong', '99'],
  'scrollbarSlider.hoverBackground': ['--line-strong'],
  'scrollbarSlider.activeBackground': ['--ink-3'],
  'diffEditor.insertedLineBackground': ['--added'],
  'diffEditor.removedLineBackground': ['--removed'],
  'diffEditor.insertedTextBackground': ['--read', '2a'],
  'diffEditor.removedTextBackground': ['--diverge', '2a'],
  'diffEditor.diagonalFill': ['--line'],
  'diffEditor.border': ['--line'],
  'diffEditor.unchangedRegionBackground': ['--raised'],
  'diffEditor.unchangedRegionForeground': ['--ink-2'],
  'diffEditor.unchangedRegionShadow': ['--surface', '00'],
  'diffEditor.unchangedCodeBackground': ['--surface', '00'],
};

const RULES: readonly (readonly [scope: string, token: string])[] = [
  ['type', '--accent'],
  ['string', '--ink'],
  ['number', '--write'],
  ['keyword', '--write'],
  ['delimiter', '--ink-3'],
];

/** `token` gives the value of a CSS token as `#rrggbb`. */
export function themeOf(name: ThemeName, token: (name: string) => string): editor.IStandaloneThemeData {
  return {
    base: THEMES[name].base,
    inherit: true,
    colors: Object.fromEntries(
      Object.entries(COLOURS).map(([colour, [from, opacity]]) => [colour, sixDigits(token(from)) + (opacity ?? '')]),
    ),
    rules: RULES.map(([scope, from]) => ({ token: scope, foreground: sixDigits(token(from)).slice(1) })),
  };
}

/** A minifier may shorten `#ffffff` to `#fff`; an opacity can only follow the long form. */
function sixDigits(colour: string): string {
  return /^#[0-9a-f]{3}$/i.test(colour) ? colour.replaceAll(/[0-9a-f]/gi, '$&$&') : colour;
}
