/** Start: every file that cannot be read says what it is and what to do, in both languages, and is left as it was. */
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from '@playwright/test';
import { SAMPLE } from '../screens/facts.ts';
import { opened, plain, statusLine } from '../screens/window.ts';
import { expect, test } from './window.ts';

test.use({ file: null });

let folder: string;

test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lens-start-'));
  writeFileSync(join(folder, 'notes.txt'), 'The turns of yesterday.\n');
  writeFileSync(join(folder, 'empty.db'), '');
  mkdirSync(join(folder, 'data'));
  copyFileSync(SAMPLE, join(folder, 'cut.db'));
  truncateSync(join(folder, 'cut.db'), 2048);
  copyFileSync(SAMPLE, join(folder, 'good.db'));
  const other = new DatabaseSync(join(folder, 'other.db'));
  other.exec('CREATE TABLE songs (id INTEGER PRIMARY KEY, title TEXT)');
  other.close();
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hashes = (): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .map((entry) =>
      entry.isFile()
        ? `${entry.name} ${createHash('sha256')
            .update(readFileSync(join(folder, entry.name)))
            .digest('hex')}`
        : entry.name,
    )
    .toSorted();

type Bad = { readonly name: string; readonly en: RegExp; readonly zh: RegExp };
/** What happened, then what to do. */
const BAD: readonly Bad[] = [
  { name: 'notes.txt', en: /not a SQLite database.*Open the covel\.db of/, zh: /不是 SQLite 数据库.*打开/ },
  { name: 'empty.db', en: /is empty.*Take the file of a server that has run/, zh: /是空文件.*请选择运行过的/ },
  { name: 'data', en: /is a folder.*Open the covel\.db inside it/, zh: /是文件夹.*请打开里面的 covel\.db/ },
  { name: 'missing.db', en: /is not there.*Check the path/, zh: /找不到.*请检查路径/ },
  { name: 'other.db', en: /not one of Covel; its tables: songs.*trace_events/, zh: /songs.*trace_events/ },
  { name: 'cut.db', en: /is cut off: 2048 of [\d]+ bytes.*Copy the file again/, zh: /不完整.*2048.*复制/ },
];

async function openPath(page: Page, path: string): Promise<void> {
  const field = page.locator('.start-path input');
  await field.fill(path);
  await field.press('Enter');
}

for (const [locale, language] of [
  ['en-US', 'en'],
  ['zh-CN', 'zh'],
] as const) {
  test.describe(language, () => {
    test.use({ locale });

    test('bad files say what they are and what to do; then a good one opens', async ({ page }) => {
      const before = hashes();
      for (const bad of BAD) {
        await openPath(page, join(folder, bad.name));
        const note = page.getByRole('alert');
        await expect(note).toContainText(bad.name);
        const words = plain(await note.innerText());
        expect(words).toMatch(bad[language]);
        expect(words.split(bad.name).length).toBeGreaterThan(1);
        expect(words).not.toMatch(/undefined|null|\{\w+\}|Error:/);
        if (language === 'zh') expect(words).not.toMatch(/\b(the|file|open|is)\b/i);
      }
      await openPath(page, join(folder, 'good.db'));
      await opened(page);
      expect(hashes()).toEqual(before);
    });
  });
}

test('recent files open again, and can be forgotten', async ({ page }) => {
  await openPath(page, join(folder, 'good.db'));
  await opened(page);
  await page.keyboard.press('o');
  const recent = page.getByRole('region', { name: 'Recent files' });
  await expect(recent.getByRole('listitem')).toHaveCount(1);
  await recent.getByRole('button', { name: 'good.db', exact: false }).first().click();
  await opened(page);
  await page.keyboard.press('o');
  await recent.getByRole('button', { name: 'Forget good.db' }).click();
  await expect(recent).toContainText('Files that you open are listed here.');
  await page.reload();
  await expect(recent).toContainText('Files that you open are listed here.');
});

test('a chosen file is uploaded and opened; a chosen text says what it is', async ({ page }) => {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file…' }).click();
  await (await chooser).setFiles(join(folder, 'notes.txt'));
  await expect(page.getByRole('alert')).toContainText('not a SQLite database');
  const again = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file…' }).click();
  await (await again).setFiles(join(folder, 'good.db'));
  await opened(page);
  await expect(statusLine(page)).toContainText('Turn 27 of 27');
});

test('a file dropped anywhere in the window is opened', async ({ page }) => {
  const bytes = readFileSync(join(folder, 'good.db')).toString('base64');
  const dropped = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    const raw = Uint8Array.from(atob(text), (one) => one.codePointAt(0) ?? 0);
    data.items.add(new File([raw], 'dropped.db'));
    return data;
  }, bytes);
  await page.dispatchEvent('body', 'dragenter', { dataTransfer: dropped });
  await page.dispatchEvent('body', 'dragover', { dataTransfer: dropped });
  await expect(page.locator('.drop')).toHaveText('Drop to open');
  await page.dispatchEvent('body', 'drop', { dataTransfer: dropped });
  await opened(page);
  await expect(page.locator('.header-file')).toContainText('dropped.db');
});

test('the sample session is one click away', async ({ page }) => {
  await page.getByRole('button', { name: 'Open the sample session' }).click();
  await opened(page);
  await expect(page.locator('.header-file')).toHaveText('sample');
});
