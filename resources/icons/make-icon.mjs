// Draws icon.png from icon.svg: node resources/icons/make-icon.mjs. The packager makes .icns and .ico from it.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { ensureChromium } from '../../scripts/chromium.mjs';

const SIZE = 1024;
const executablePath = ensureChromium();
if (executablePath === null) process.exit(1);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage({ viewport: { width: SIZE, height: SIZE } });
const svg = readFileSync(new URL('icon.svg', import.meta.url), 'utf8');
await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
await page.screenshot({ path: fileURLToPath(new URL('icon.png', import.meta.url)), omitBackground: true });
await browser.close();
