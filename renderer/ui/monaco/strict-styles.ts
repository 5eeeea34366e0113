/**
 * The page's policy refuses styles that stand in markup, since a recorded prompt could bring its own. Monaco writes such
 * markup, and style elements besides. Both are carried over to the style API of the page, which the policy leaves to
 * its own scripts: style elements become adopted style sheets, style attributes are set once the markup stands.
 */

/** Holds a style attribute from the moment when markup is written until it is set. */
const MARK = 'data-monaco-style';

/**
 * What Monaco asks for wherever it writes markup (`createTrustedTypesPolicy`): markup with its style attributes put by. Texts
 * in it are escaped, so `<` begins a tag and nothing else.
 */
export const withoutStyles = (html: string): string => html.replaceAll(/(<[a-z][^<>]*?\s)style="/gi, `$1${MARK}="`);

/** Sets what `withoutStyles` put by, in the markup below an element. */
export function setStyles(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLElement>(`[${MARK}]`)) {
    element.style.cssText = element.getAttribute(MARK) ?? '';
    element.removeAttribute(MARK);
  }
}

/**
 * Stands in for a style element: its rules live in a style sheet that the page adopts. It is a template, since the
 * policy refuses even an empty style element, and a template shows nothing.
 */
function styleElement(element: HTMLTemplateElement): HTMLElement {
  const sheet = new CSSStyleSheet();
  let text = '';
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  Object.defineProperties(element, {
    sheet: { get: () => sheet },
    textContent: {
      get: () => text,
      set(css: string) {
        text = css;
        sheet.replaceSync(css);
      },
    },
    remove: {
      value() {
        document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
        Element.prototype.remove.call(element);
      },
    },
  });
  return element;
}

let isStrict = false;

/**
 * Makes the page keep its policy while Monaco draws; to be called before Monaco is loaded. Markup that does not come
 * from `withoutStyles` and elements that are no style elements are treated as ever.
 */
export function keepStylesStrict(): void {
  if (isStrict) return;
  isStrict = true;

  const create = document.createElement.bind(document);
  document.createElement = ((name: string, options?: ElementCreationOptions) =>
    name === 'style' ? styleElement(create('template')) : create(name, options)) as typeof document.createElement;

  // oxlint-disable-next-line typescript/unbound-method -- always called on an element
  const { setAttribute, insertAdjacentHTML } = Element.prototype;
  HTMLElement.prototype.setAttribute = function (this: HTMLElement, name, value) {
    if (name === 'style') this.style.cssText = value;
    else setAttribute.call(this, name, value);
  };

  const inner = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML');
  if (inner?.set)
    Object.defineProperty(Element.prototype, 'innerHTML', {
      ...inner,
      set(this: Element, html: string) {
        inner.set?.call(this, html);
        if (isOurs(html)) setStyles(this);
      },
    });
  Element.prototype.insertAdjacentHTML = function (this: Element, position, html) {
    insertAdjacentHTML.call(this, position, html);
    if (isOurs(html)) setStyles(this.parentElement ?? this);
  };
}

const isOurs = (html: unknown): boolean => typeof html === 'string' && html.includes(MARK);
