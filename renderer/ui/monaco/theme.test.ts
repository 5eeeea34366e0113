import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { THEMES, themeOf, type ThemeName } from './theme.ts';

const css = readFileSync(new URL('../../app/tokens.css', import.meta.url), 'utf8');

/** The tokens of one theme, read from the style sheet itself. */
function tokensOf(name: ThemeName): ReadonlyMap<string, string> {
  const block = new RegExp(`\\[data-theme=["']${name}["']\\]\\s*\\{([^}]*)\\}`).exec(css)?.[1] ?? '';
  return new Map([...block.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map((match) => [match[1]!, match[2]!.trim()]));
}

describe.each(Object.keys(THEMES) as ThemeName[])('%s', (name) => {
  const tokens = tokensOf(name);
  const theme = themeOf(name, (token) => tokens.get(token) ?? '');
  test('every colour is a full hex value', () =>
    expect(Object.entries(theme.colors).filter(([, value]) => !/^#[0-9a-f]{6}([0-9a-f]{2})?$/i.test(value))).toEqual(
      [],
    ));
  test('every rule has a colour', () =>
    expect(theme.rules.filter((rule) => !/^[0-9a-f]{6}$/i.test(rule.foreground ?? ''))).toEqual([]));
  test('the ground is the surface', () => expect(theme.colors['editor.background']).toBe(tokens.get('--surface')));
});

test('a shortened colour is written out before an opacity follows', () =>
  expect(themeOf('light', () => '#abc').colors['editor.selectionBackground']).toBe('#aabbcc44'));
