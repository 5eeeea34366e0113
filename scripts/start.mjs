// `npm start [-- FILE]`: builds what is missing or old, then opens the desktop app where Electron's binary is here or
// can be fetched, else the same app in a browser. Without a file: the bundled sample session.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const OLDEST = [22, 12];

/** Node 20 gets this far and no farther: the project brings its own Node where npm could install it. */
function rightNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return process.execPath;
  const own = join(root, 'node_modules', '.bin', 'node');
  if (existsSync(own)) return own;
  console.error(
    existsSync(join(root, 'node_modules'))
      ? `Covel Lens needs Node ${OLDEST.join('.')} or newer; this is ${process.versions.node}. Install a newer one and run npm ci again.`
      : 'The packages are not installed yet: run npm ci first.',
  );
  return null;
}

const OUTPUTS = ['main/main.js', 'preload/preload.cjs', 'cli/cli.js', 'renderer/index.html'];
const SOURCES = ['electron', 'renderer', 'shared', 'resources', 'vite.config.ts', 'package.json'];

const modified = (path) => statSync(path).mtimeMs;
function newest(path) {
  if (!statSync(path).isDirectory()) return /\.(test\.tsx?|md)$/.test(path) ? 0 : modified(path);
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** Whether the build is missing, or older than a source. */
function isBuildOld() {
  const outputs = OUTPUTS.map((path) => join(root, 'dist', path));
  if (!outputs.every(existsSync)) return true;
  return Math.max(...SOURCES.map((path) => newest(join(root, path)))) > Math.min(...outputs.map(modified));
}

function build(node) {
  console.log('Building Covel Lens …');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const built = spawnSync(node, [vite, 'build', '--app', '--logLevel', 'warn'], { cwd: root, stdio: 'inherit' });
  return built.status === 0;
}

/** Why no desktop window can be opened here, however Electron is had; null when one can. */
function noDesktop() {
  if (process.platform !== 'linux') return null;
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return 'there is no display';
  // Chromium refuses to run as root unless its sandbox is off, and it stays on.
  return process.getuid?.() === 0 ? 'it does not run as root' : null;
}

/** Electron's binary, fetched when it is not here yet; else why there is none. */
async function desktop() {
  const reason = noDesktop();
  if (reason !== null) return { binary: null, reason };
  const { electronBinary, fetchElectron } = await import('./electron-binary.mjs');
  const present = electronBinary();
  if (present !== null) return { binary: present, reason: '' };
  console.log('Fetching Electron (once, about 110 MB) …');
  return fetchElectron();
}

/** Runs until the child ends and passes its code on; Ctrl+C reaches the child by itself. */
function hand(program, args) {
  const child = spawn(program, args, { cwd: root, stdio: 'inherit' });
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.once('error', (error) => {
    console.error(`${program} could not be started: ${error.message}`);
    process.exitCode = 1;
  });
  child.once('exit', (code) => (process.exitCode = code ?? 1));
}

async function start(words) {
  const node = rightNode();
  if (node === null) return (process.exitCode = 1);
  if (node !== process.execPath) return hand(node, [fileURLToPath(import.meta.url), ...words]);
  if (words.length > 1 || words[0]?.startsWith('-')) {
    console.error('Usage: npm start [-- FILE]');
    return (process.exitCode = 2);
  }
  // npm changes to the package's folder; a file is meant from where the person stands.
  const file = words[0] === undefined ? null : resolve(process.env.INIT_CWD ?? process.cwd(), words[0]);
  if (isBuildOld() && !build(node)) return (process.exitCode = 1);
  const { binary, reason } = await desktop();
  if (binary !== null) return hand(binary, [root, file ?? join(root, 'resources', 'sample', 'covel.db')]);
  console.log(`The desktop app cannot be opened here (${reason}), so Covel Lens opens in a browser.`);
  hand(node, [join(root, 'dist', 'cli', 'cli.js'), 'serve', file ?? '--sample']);
}

await start(process.argv.slice(2));
