import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, test, vi } from 'vitest';
import { COMMANDS } from '../../renderer/app/commands.ts';

const electron = vi.hoisted(() => ({
  set: vi.fn<(menu: unknown) => void>(),
  showOpenDialog: vi.fn<(window: unknown, options: object) => Promise<object>>(),
}));
vi.mock('electron', () => ({
  Menu: { buildFromTemplate: (template: unknown) => template, setApplicationMenu: electron.set },
  dialog: { showOpenDialog: electron.showOpenDialog },
}));
const { menuTemplate, setMenu } = await import('./menu.ts');
const { chooseFile } = await import('./dialogs.ts');
const { shellLanguage, WORDS } = await import('./words.ts');

const options = { language: 'en', platform: 'linux', isPackaged: true, command: () => undefined } as const;

function flat(template: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return template.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])]);
}
const roles = (platform: NodeJS.Platform, isPackaged: boolean) =>
  flat(menuTemplate({ ...options, platform, isPackaged })).map((item) => item.role);

describe('the menu', () => {
  test('each item sends its own id, and the window knows every one of them', () => {
    const sent: string[] = [];
    const items = flat(menuTemplate({ ...options, command: (id) => void sent.push(id) })).filter((item) => item.id);
    expect(items.length).toBeGreaterThan(10);
    for (const item of items) (item.click as () => void)();
    expect(sent).toEqual(items.map((item) => item.id));
    expect(COMMANDS.map((command) => command.id)).toEqual(expect.arrayContaining(sent));
  });

  test('no item takes a key from the window', () => {
    expect(flat(menuTemplate(options)).filter((item) => item.accelerator)).toEqual([]);
  });

  test('speaks Chinese, and says everything in both languages', () => {
    const labels = (language: 'en' | 'zh') =>
      flat(menuTemplate({ ...options, language })).flatMap((item) => item.label ?? []);
    expect(labels('zh')).toContain('前缀对比');
    expect(labels('en')).toContain('Prefix diff');
    for (const word of labels('zh')) expect(labels('en')).not.toContain(word);
    expect(Object.keys(WORDS.zh)).toEqual(Object.keys(WORDS.en));
  });

  test('is fitted to the system; developer tools only from a clone', () => {
    expect(roles('darwin', true)).toEqual(expect.arrayContaining(['appMenu', 'close']));
    expect(roles('linux', true)).not.toContain('appMenu');
    expect(roles('linux', true)).toContain('quit');
    expect(roles('linux', true)).not.toContain('toggleDevTools');
    expect(roles('linux', false)).toContain('toggleDevTools');
  });

  test('becomes the menu of the app', () => {
    setMenu(options);
    expect(electron.set).toHaveBeenCalledOnce();
  });
});

test.each([
  ['system', 'zh-CN', 'zh'],
  ['system', 'zh', 'zh'],
  ['system', 'zh-Hant-TW', 'zh'],
  ['system', 'en-GB', 'en'],
  ['system', 'de', 'en'],
  ['system', '', 'en'],
  ['en', 'zh-CN', 'en'],
  ['zh', 'de', 'zh'],
] as const)('chosen %s on a %s system → %s', (chosen, locale, language) =>
  expect(shellLanguage(chosen, locale)).toBe(language),
);

test.each([
  [{ canceled: false, filePaths: ['/a/covel.db'] }, '/a/covel.db'],
  [{ canceled: true, filePaths: [] }, null],
  [{ canceled: false, filePaths: [] }, null],
])('the open dialog: %j → %j', async (answer, path) => {
  electron.showOpenDialog.mockResolvedValueOnce(answer);
  expect(await chooseFile({} as never, 'zh')).toBe(path);
  expect(electron.showOpenDialog.mock.lastCall?.[1]).toMatchObject({
    title: WORDS.zh.openTitle,
    properties: ['openFile'],
  });
});
