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
import { goToTurn, opened, plain, rows, statusLine } from '../screens/window.ts';
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
  copyFileSync(SAMPLE, join(folder, 'half.db'));
  truncateSync(join(folder, 'half.db'), 700_000);
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
/** The one fact that each sentence must hold; the rest of the wording is the language files' own. */
const BAD: readonly Bad[] = [
  { name: 'notes.txt', en: /not a SQLite database/, zh: /不是 SQLite 数据库/ },
  { name: 'empty.db', en: /is empty/, zh: /空/ },
  { name: 'data', en: /is a folder/, zh: /文件夹/ },
  { name: 'missing.db', en: /(not there|not exist|no file)/, zh: /(不存在|找不到)/ },
  { name: 'other.db', en: /songs/, zh: /songs/ },
  {
    name: 'cut.db',
    en: /(cut off|incomplete|truncated).*2,?048|2,?048.*(cut off|incomplete|truncated)/,
    zh: /(不完整|截断|缺).*2,?048|2,?048.*(不完整|截断|缺)/,
  },
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
        const [message, hint] = [note.locator('p:not([class])'), note.locator('.ui-error-hint')];
        await expect(message).toContainText(bad[language]);
        for (const words of [plain(await message.innerText()), plain(await hint.innerText())]) {
          expect(words.length).toBeGreaterThan(8);
          expect(words).not.toMatch(/undefined|null|\{\w+\}|Error:/);
          if (language === 'zh') expect(words).toMatch(/[\u4e00-\u9fff]{3}/);
        }
      }
      await openPath(page, join(folder, 'good.db'));
      await opened(page);
      expect(hashes()).toEqual(before);
    });
  });
}

test('of a file cut in the middle the rest is shown, with a count of flagged rows', async ({ page }) => {
  await openPath(page, join(folder, 'half.db'));
  await opened(page);
  await goToTurn(page, 3);
  await expect(rows(page).first()).toBeVisible();
  const flagged = page.getByRole('button', { name: /^\d+ flagged rows$/ });
  await flagged.click();
  const list = page.getByRole('dialog', { name: 'Flagged rows' }).getByRole('listitem');
  await expect(list).toHaveCount(Number.parseInt(await flagged.innerText(), 10));
  await expect(list.filter({ hasText: 'trace_events' }).first()).toBeVisible();
});

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
