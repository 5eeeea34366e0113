// @vitest-environment jsdom
import { beforeAll, describe, expect, test } from 'vitest';
import { keepStylesStrict, setStyles, withoutStyles } from './strict-styles.ts';

describe('markup', () => {
  test.each([
    ['<div style="top:4px">a</div>', '<div data-monaco-style="top:4px">a</div>'],
    [
      '<div class="x" style="a:b"><i style="c:d">',
      '<div class="x" data-monaco-style="a:b"><i data-monaco-style="c:d">',
    ],
    ['<b>say style="x" &lt;i style="y"&gt;</b>', '<b>say style="x" &lt;i style="y"&gt;</b>'],
    ['<div data-style="x">', '<div data-style="x">'],
    ['', ''],
  ])('%s', (html, expected) => expect(withoutStyles(html)).toBe(expected));

  test('gets its styles back once it stands', () => {
    const box = document.createElement('div');
    box.innerHTML = withoutStyles('<p style="top: 4px; width: 20%"></p><p></p>');
    expect(box.querySelector('p')?.style.top).toBe('');
    setStyles(box);
    expect(box.innerHTML).toBe('<p style="top: 4px; width: 20%;"></p><p></p>');
  });
});

describe('the page', () => {
  beforeAll(() => {
    keepStylesStrict();
    keepStylesStrict(); // once is enough
  });
  const adopted = (): readonly string[] =>
    document.adoptedStyleSheets.flatMap((sheet) =>
      [...sheet.cssRules].map((rule) => rule.cssText.replaceAll(/\s/g, '')),
    );

  test('sets styles at once, wherever such markup is written', () => {
    const box = document.createElement('div');
    box.innerHTML = withoutStyles('<p style="top: 4px"></p>');
    box.firstElementChild?.insertAdjacentHTML('afterend', withoutStyles('<p style="top: 8px"></p>'));
    expect([...box.children].map((one) => (one as HTMLElement).style.top)).toEqual(['4px', '8px']);
  });
  test('sets a style attribute through the style', () => {
    const box = document.createElement('div');
    box.setAttribute('style', 'left: 3px');
    box.setAttribute('title', 'style');
    expect([box.style.left, box.title]).toEqual(['3px', 'style']);
  });
  test('adopts what would be a style element, until it is removed', () => {
    const style = document.createElement('style');
    document.head.append(style);
    style.textContent = 'a { color: red }';
    expect(adopted()).toEqual(['a{color:red;}']);
    expect(style.textContent).toBe('a { color: red }');
    expect(document.querySelector('style')).toBeNull();
    style.remove();
    expect(adopted()).toEqual([]);
    expect(style.isConnected).toBe(false);
  });
});
