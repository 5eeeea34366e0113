import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { fileFromArguments } from './arguments.ts';

test.each([
  ['a clone, no file', ['electron', '/repo'], false, null],
  ['a clone, a file', ['electron', '/repo', 'a.db'], false, resolve('/cwd', 'a.db')],
  ['a package, no file', ['covel-lens'], true, null],
  ['a package, a file', ['covel-lens', '/x/a.db'], true, resolve('/x/a.db')],
  ['switches of Chromium', ['covel-lens', '--no-sandbox', '--lang=de', 'a.db'], true, resolve('/cwd', 'a.db')],
  ['a name that looks like a switch', ['covel-lens', '--no-sandbox', '--', '-a.db'], true, resolve('/cwd', '-a.db')],
  ['nothing after --', ['covel-lens', '--'], true, null],
])('%s', (_name, argv, isPackaged, file) => expect(fileFromArguments(argv, isPackaged, '/cwd')).toBe(file));
