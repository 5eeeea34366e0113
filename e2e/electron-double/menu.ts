/** Menus are kept and can be asked and clicked; nothing is drawn, and roles do nothing. */
import { strict } from './strict.ts';

type Template = {
  readonly id?: string;
  readonly label?: string;
  readonly role?: string;
  readonly type?: string;
  readonly accelerator?: string;
  readonly click?: () => void;
  readonly submenu?: readonly Template[];
};

type Item = Omit<Template, 'submenu'> & { readonly submenu: Menu | null; click(): void };
type Menu = { readonly items: readonly Item[]; getMenuItemById(id: string): Item | null };

function build(template: readonly Template[]): Menu {
  const items = template.map((entry): Item =>
    strict('menuItem', {
      ...entry,
      id: entry.id ?? '',
      label: entry.label ?? entry.role ?? '',
      submenu: entry.submenu ? build(entry.submenu) : null,
      click: () => entry.click?.(),
    }),
  );
  return strict('menu', {
    items,
    getMenuItemById(id: string): Item | null {
      for (const item of items) {
        const found = item.id === id ? item : item.submenu?.getMenuItemById(id);
        if (found) return found;
      }
      return null;
    },
  });
}

let current: Menu | null = null;
export const Menu = strict('Menu', {
  buildFromTemplate: build,
  setApplicationMenu: (menu: Menu | null) => void (current = menu),
  getApplicationMenu: () => current,
});
