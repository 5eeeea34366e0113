/**
 * The rooms of the house import in one direction only (CONTRIBUTING.md). The lint configuration says so; this
 * checks that each rule really refuses what it should and lets pass what it must.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const CASES: readonly [file: string, imported: string, verdict: 'refused' | 'allowed'][] = [
  ['shared/a1.ts', '../electron/engine/engine.ts', 'refused'],
  ['shared/a2.ts', './units.ts', 'allowed'],
  ['renderer/app/b1.ts', '../../electron/engine/engine.ts', 'refused'],
  ['renderer/app/b2.ts', 'node:fs', 'refused'],
  ['renderer/app/b3.ts', '../../shared/api.ts', 'allowed'],
  ['electron/assembler/c1.ts', '../adapters/index.ts', 'refused'],
  ['electron/adapters/c2.ts', '../cache/index.ts', 'refused'],
  ['electron/adapters/c3.ts', 'node:fs', 'refused'],
  ['electron/cache/c4.ts', '../adapters/index.ts', 'allowed'],
  ['electron/cache/c5.ts', '../sources/covel-db/index.ts', 'refused'],
  ['electron/cache/bytes/c6.ts', '../../engine/engine.ts', 'refused'],
  ['electron/sources/d1.ts', '../cache/index.ts', 'refused'],
  ['electron/sources/d2.ts', 'node:fs', 'allowed'],
  ['electron/engine/e1.ts', '../hosts/web.ts', 'refused'],
  ['electron/engine/e2.ts', 'electron', 'refused'],
  ['electron/hosts/f1.ts', 'electron', 'refused'],
  ['electron/hosts/f2.ts', '../engine/engine.ts', 'allowed'],
  ['electron/shell/g1.ts', 'electron', 'allowed'],
  ['electron/shell/g2.ts', '../sources/covel-db/index.ts', 'refused'],
];

const root = mkdtempSync(join(tmpdir(), 'import-rules-'));
let report = '';

beforeAll(() => {
  copyFileSync('.oxlintrc.json', join(root, '.oxlintrc.json'));
  for (const [file, imported] of CASES) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    writeFileSync(join(root, file), `import * as room from '${imported}';\nexport const use = room;\n`);
  }
  const oxlint = resolve('node_modules/oxlint/bin/oxlint');
  report = spawnSync(process.execPath, [oxlint, '--format=unix'], { cwd: root, encoding: 'utf8' }).stdout;
});
afterAll(() => rmSync(root, { recursive: true }));

test.each(CASES)('%s importing %s is %s', (file, _, verdict) => {
  const lines = report.split('\n').filter((line) => line.includes(file) && line.includes('no-restricted-imports'));
  expect(lines.length > 0 ? 'refused' : 'allowed').toBe(verdict);
});
