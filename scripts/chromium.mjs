// The end-to-end tests drive the built window in a real browser engine. npm brings none along; most machines have
// one, and Debian packages a small one without a display. What is missing is installed where that can be done
// without asking anybody (Debian or Ubuntu, as root or with a password-free sudo), else it is named.
//
//   node scripts/chromium.mjs            finds or installs it
//   node scripts/chromium.mjs --print    the same, and prints its path on stdout
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
];

/** Browsers that are not on the PATH. */
const PLACES = {
  darwin: ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
    (app) => `/Applications/${app}.app/Contents/MacOS/${app}`,
  ),
  win32: [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA]
    .filter(Boolean)
    .flatMap((base) =>
      ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'].map((app) =>
        join(base, app),
      ),
    ),
};

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function onPath(name) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

/** @returns {string | null} Absolute path of a Chromium; `CHROMIUM_PATH` wins. Installs nothing. */
export function findChromium() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) return isExecutable(chosen) ? chosen : null;
  // Ubuntu's /usr/bin/chromium-browser is a script that only asks for a snap.
  const isReal = (path) => !(path.endsWith('chromium-browser') && existsSync('/usr/bin/snap'));
  const found = NAMES.map(onPath).find((path) => path !== undefined && isReal(path));
  return found ?? (PLACES[process.platform] ?? []).find(isExecutable) ?? null;
}

/** Whether Chinese text would be drawn as boxes in screenshots. Only Linux comes without such a font. */
function lacksCjkFont() {
  if (process.platform !== 'linux') return false;
  const asked = spawnSync('fc-list', [':lang=zh', 'family'], { encoding: 'utf8' });
  return asked.error ? !existsSync('/usr/share/fonts/opentype/noto') : asked.stdout.trim() === '';
}

/** How to run apt without asking anybody; null where that cannot be done. */
function apt() {
  if (process.platform !== 'linux' || !onPath('apt-get')) return null;
  if (process.getuid?.() === 0) return ['apt-get'];
  return spawnSync('sudo', ['-n', 'true']).status === 0 ? ['sudo', '-n', 'apt-get'] : null;
}

/** @param {string[]} command  @param {string[]} args */
function runApt([program, ...before], args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const ran = spawnSync(program, [...before, ...args], { env, encoding: 'utf8' });
  if (ran.status !== 0) console.error(`${program} ${args.join(' ')} failed:\n${ran.stderr || ran.error}`);
  return ran.status === 0;
}

/** @returns {string | null} Path of a Chromium, installed when there was none. Says on stderr what it does. */
export function ensureChromium() {
  if (process.env.CHROMIUM_PATH && findChromium() === null) {
    console.error(`CHROMIUM_PATH names no program: ${process.env.CHROMIUM_PATH}`);
    return null;
  }
  const wanted = [findChromium() ? [] : ['chromium-headless-shell'], lacksCjkFont() ? ['fonts-noto-cjk'] : []].flat();
  if (wanted.length === 0) return findChromium();
  const command = apt();
  if (command) {
    console.error(`Installing ${wanted.join(' and ')} (needed by the end-to-end tests) …`);
    runApt(command, ['update', '-qq']);
    for (const name of wanted) runApt(command, ['install', '-y', '-qq', '--no-install-recommends', name]);
  }
  if (lacksCjkFont()) console.error('No Chinese font here: screenshots will show boxes. Install e.g. fonts-noto-cjk.');
  const found = findChromium();
  if (!found) {
    console.error(
      'The end-to-end tests need Chromium and none was found. Install one of: chromium-headless-shell or chromium ' +
        '(Debian: apt-get install chromium-headless-shell), Google Chrome, Microsoft Edge; or set CHROMIUM_PATH to its program.',
    );
  }
  return found;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const path = ensureChromium();
  if (path && process.argv.includes('--print')) console.log(path);
  process.exitCode = path ? 0 : 1;
}
