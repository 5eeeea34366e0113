/**
 * The same code runs from a clone (`electron/cli/`) and as built (`dist/cli/`); both stand in one package,
 * whose root is found by its `package.json`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const NAME = 'covel-lens';

type Package = { readonly name: string; readonly version: string };
const isOurs = (value: unknown): value is Package =>
  typeof value === 'object' && value !== null && 'name' in value && value.name === NAME && 'version' in value;

function find(folder: string): { readonly root: string; readonly version: string } {
  const file = join(folder, 'package.json');
  if (existsSync(file)) {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isOurs(value)) return { root: folder, version: value.version };
  }
  const parent = dirname(folder);
  if (parent === folder) throw new Error(`the package ${NAME} has no package.json`);
  return find(parent);
}

const { root, version } = find(dirname(fileURLToPath(import.meta.url)));
const isSource = import.meta.url.endsWith('.ts');

export { root, version };
export const resources = join(root, 'resources');
export const sampleFile = join(resources, 'sample', 'covel.db');
export const rendererDir = join(root, 'dist', 'renderer');
export const desktopEntry = join(root, 'dist', 'main', 'main.js');
/** Module of the engine's worker thread. */
export const engineWorker = pathToFileURL(
  isSource ? join(root, 'electron', 'engine', 'worker.ts') : join(root, 'dist', 'cli', 'engine-worker.js'),
);
