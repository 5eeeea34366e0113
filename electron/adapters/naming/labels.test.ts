/** Names that stand in our code are words: every one of them has its own in each language of the reader. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { labelText } from '../../../shared/language/index.ts';

const FOLDER = new URL('.', import.meta.url);
/** `name('kind', proof, 'label'…)`, `ownName(…)`, and the labels that a function gives when it finds none. */
const NAMED = /\b(?:ownName|name)\(\s*'([a-z-]+)',\s*[^,()]+,\s*'([^']+)'/g;

const labels = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .flatMap((file) => [...readFileSync(new URL(file, FOLDER), 'utf8').matchAll(NAMED)])
  .map(([, kind = '', label = '']): readonly [string, string] => [kind, label]);

test('they are found', () => expect(new Set(labels.map(([, label]) => label)).size).toBeGreaterThan(12));

const OTHERS: readonly (readonly [string, string])[] = [
  ['post-history', 'system text'],
  ['depth', 'system text'],
  ['history', 'turn 3'],
  ['picture-note', 'picture'],
];

test.each([...labels, ...OTHERS])('%s “%s”', (kind, label) => {
  expect(labelText('en', label, kind)).toBe(label);
  expect(labelText('zh', label, kind)).toMatch(/^[\p{Script=Han} \d]+$/u);
});
