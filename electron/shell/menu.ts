/**
 * The menu is a second way to the window's own commands: an item names a command of the window's registry and the
 * window carries it out. The window owns the keys too, so no item registers an accelerator: both would fire.
 */
import { Menu, type MenuItemConstructorOptions } from 'electron';
import { WORDS, type Language, type Word } from './words.ts';

export type MenuOptions = {
  readonly language: Language;
  readonly platform: NodeJS.Platform;
  /** Developer tools are offered from a clone only. */
  readonly isPackaged: boolean;
  /** Sends a command to the window. */
  readonly command: (id: string) => void;
};

type Item = readonly [word: Word, command: string] | 'separator';

/** Ids as in the window's registry of commands. */
const FILE: readonly Item[] = [
  ['open', 'file.open'],
  ['openSample', 'file.open-sample'],
];
const VIEW: readonly Item[] = [
  ['layout', 'view.layout'],
  ['diff', 'view.diff'],
  ['context', 'view.context'],
  ['ledger', 'view.ledger'],
  ['wire', 'view.wire'],
  ['cache', 'view.cache'],
];
const GO: readonly Item[] = [
  ['previousTurn', 'turn.previous'],
  ['nextTurn', 'turn.next'],
  ['previousCall', 'call.previous'],
  ['nextCall', 'call.next'],
  'separator',
  ['search', 'search.focus'],
  ['palette', 'palette.open'],
];

/** The whole menu as plain data. */
export function menuTemplate(options: MenuOptions): MenuItemConstructorOptions[] {
  const words = WORDS[options.language];
  const isMac = options.platform === 'darwin';
  const items = (list: readonly Item[]): MenuItemConstructorOptions[] =>
    list.map((item) =>
      item === 'separator'
        ? { type: 'separator' }
        : { id: item[1], label: words[item[0]], click: () => options.command(item[1]) },
    );
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: words.file,
      submenu: [...items(FILE), { type: 'separator' }, { role: isMac ? 'close' : 'quit' }],
    },
    {
      label: words.edit,
      submenu: [
        { role: 'undo' },
        { role: 'redo' },
        { type: 'separator' },
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'selectAll' },
      ],
    },
    {
      label: words.view,
      submenu: [
        ...items(VIEW),
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        ...(options.isPackaged ? [] : [{ type: 'separator' } as const, { role: 'toggleDevTools' } as const]),
      ],
    },
    { label: words.go, submenu: items(GO) },
    { role: 'help', label: words.help, submenu: items([['keys', 'help.keys']]) },
  ];
}

export function setMenu(options: MenuOptions): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(options)));
}
