// @vitest-environment jsdom
import { describe, expect, test } from 'vitest';
import { isTaken, keyName } from './keys.ts';

const press = (key: string, rest: Partial<KeyboardEvent> = {}) => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  ...rest,
});

describe('keyName', () => {
  test.each([
    ['a plain letter', press('d'), 'd'],
    ['caps lock', press('D'), 'd'],
    ['shift and letter is another key', press('D', { shiftKey: true }), null],
    ['an arrow', press('ArrowLeft'), 'ArrowLeft'],
    ['question mark needs shift', press('?', { shiftKey: true }), '?'],
    ['control', press('k', { ctrlKey: true }), 'mod+k'],
    ['the other modifier', press('k', { metaKey: true }), null],
    ['alt', press('ArrowLeft', { altKey: true }), null],
    ['while composing', press('d', { isComposing: true }), null],
    ['Chinese punctuation on the slash key', press('、', { code: 'Slash' }), '/'],
    ['Chinese question mark', press('？', { code: 'Slash', shiftKey: true }), '?'],
    ['a Cyrillic layout', press('в', { code: 'KeyD' }), 'd'],
    ['an input method that swallows the key', press('Process', { code: 'KeyC' }), 'c'],
    ['a French layout keeps its letters', press('a', { code: 'KeyQ' }), 'a'],
  ])('%s', (_name, event, expected) => {
    expect(keyName(event, false)).toBe(expected);
  });

  test('Apple systems use the command key', () => {
    expect(keyName(press('k', { metaKey: true }), true)).toBe('mod+k');
    expect(keyName(press('k', { ctrlKey: true }), true)).toBeNull();
  });
});

describe('isTaken', () => {
  const element = (html: string): Element => {
    document.body.innerHTML = html;
    const found = document.body.querySelector('#x');
    if (!found) throw new Error('no element');
    return found;
  };
  test.each([
    ['typing in a field', '<input id="x">', 'd', true],
    ['the palette key even while typing', '<input id="x">', 'mod+k', false],
    ['a chooser', '<select id="x"></select>', 'ArrowDown', true],
    ['an editor', '<div class="monaco-editor"><div id="x"></div></div>', 'ArrowLeft', true],
    ['space on a button', '<button id="x"></button>', ' ', true],
    ['a letter on a button', '<button id="x"></button>', 'd', false],
    ['space on the timeline plays', '<div role="listbox" id="x"></div>', ' ', false],
    ['arrows on the timeline step', '<div role="listbox" id="x"></div>', 'ArrowDown', false],
    ['arrows on a handle', '<div role="separator" id="x"></div>', 'ArrowLeft', true],
  ])('%s', (_name, html, key, expected) => {
    expect(isTaken(element(html), key)).toBe(expected);
  });
  test('nothing has the focus', () => expect(isTaken(null, 'd')).toBe(false));
});
