import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { Json } from '../../../shared/model/index.ts';
import { en, zh } from '../testing/texts.ts';
import type { BuildParams, InjectDeclaration, PluginDataRow, PluginDataStore } from '../types.ts';
import { injectBlocks, pluginDataWindow, storeOf } from './inject.ts';
import { INSTANT, params, UUID } from './testing/params.ts';

const row = (key: string, value: Json, over: Partial<PluginDataRow> = {}): PluginDataRow => ({
  pluginId: 'codex',
  namespace: 'codex',
  key,
  value,
  createdAt: INSTANT,
  updatedAt: INSTANT,
  ...over,
});
const second = (n: number): string => `2026-10-06T08:00:${String(n).padStart(2, '0')}.000Z`;
const ten = Array.from({ length: 10 }, (_, i) =>
  row(`k${i}`, { n: i }, { createdAt: second(i), updatedAt: second(i) }),
);

const withInjects = (inject: readonly InjectDeclaration[], over: Partial<BuildParams> = {}): BuildParams =>
  params({ manifest: { name: 'codex', pluginId: 'codex', input: { inject } }, ...over });
const data = (over: Partial<Extract<InjectDeclaration, { kind: 'plugin-data' }>> = {}): InjectDeclaration => ({
  kind: 'plugin-data',
  namespace: 'codex',
  as: '<codex>',
  ...over,
});
const textOf = async (inject: readonly InjectDeclaration[], over: Partial<BuildParams> = {}, texts = en) =>
  (await injectBlocks(withInjects(inject, over), texts)).map(({ text }) => text).join('\n');

describe('outputs of other runtimes', () => {
  const completedResults = new Map<string, { output: Json }>([
    ['narrator', { output: { text: 'Fog & </scene>', mood: { id: UUID, calm: true }, zero: 0, none: null } }],
    ['dig/north', { output: { text: 'Clay.' } }],
    ['silent', { output: null }],
  ]);
  const from = (name: string, field: string): InjectDeclaration => ({
    kind: 'runtime',
    from: name,
    field,
    as: '<scene>',
  });
  const cases: readonly (readonly [string, InjectDeclaration, string])[] = [
    ['text on one line, escaped', from('narrator', 'text'), '<scene>Fog &amp; &lt;/scene&gt;</scene>'],
    ['an object like a template value', from('narrator', 'mood'), '<scene>{"calm":true}</scene>'],
    ['a zero is a value', from('narrator', 'zero'), '<scene>0</scene>'],
    ['plugin/runtime', from('dig/north', 'text'), '<scene>Clay.</scene>'],
    ['null', from('narrator', 'none'), ''],
    ['no such field', from('narrator', 'nope'), ''],
    ['an inherited field', from('narrator', 'toString'), ''],
    ['no output', from('silent', 'text'), ''],
    ['no such result', from('nobody', 'text'), ''],
  ];
  test.each(cases)('%s', async (_name, inject, expected) =>
    expect(await textOf([inject], { completedResults })).toBe(expected),
  );
});

describe('rows of the own plugin', () => {
  const rows = (format: 'summary' | 'full' | 'ids-only', ...list: PluginDataRow[]): Promise<string> =>
    textOf([data({ format })], { store: storeOf(list) });
  const long = 'v'.repeat(300);
  const cases: readonly (readonly [string, 'summary' | 'full' | 'ids-only', PluginDataRow, string])[] = [
    ['summary', 'summary', row('fog', { depth: 2 }), '- fog | {"depth":2}'],
    ['summary cut to 200', 'summary', row('fog', long), `- fog | "${'v'.repeat(199)}...`],
    ['full is never cut', 'full', row('fog', long), `- fog: "${long}"`],
    ['ids-only', 'ids-only', row('fog', { depth: 2 }), '- fog'],
    ['an id that repeats the key', 'full', row('fog', { id: 'fog', a: { id: 'fog' } }), '- fog: {"a":{"id":"fog"}}'],
    ['another id', 'full', row('fog', { id: 'mist' }), '- fog: {"id":"mist"}'],
    [
      'UUID ids, ISO times, sessionId',
      'summary',
      row('a', { id: UUID, sessionId: 's', seenAt: INSTANT, k: 1 }),
      '- a | {"k":1}',
    ],
    ['the same in full', 'full', row('a', { id: UUID, sessionId: 's', seenAt: INSTANT, k: 1 }), '- a: {"k":1}'],
    ['a plain value', 'full', row('a', 'x'), '- a: "x"'],
    ['a closing tag in key and value', 'full', row('</codex>', '</codex>'), '- &lt;/codex&gt;: "&lt;/codex&gt;"'],
  ];
  test.each(cases)('%s', async (_name, format, one, line) =>
    expect(await rows(format, one)).toBe(`<codex>\n${line}\n</codex>`),
  );

  test('an empty namespace says so on one line, in the instruction language', async () => {
    expect(await textOf([data()], { store: storeOf([]) })).toBe('<codex>(none)</codex>');
    expect(await textOf([data()], { store: storeOf([]) }, zh)).toBe('<codex>（无）</codex>');
  });

  test('rows of another plugin or namespace are not there', async () =>
    expect(
      await rows('ids-only', row('a', 1, { pluginId: 'other' }), row('b', 1, { namespace: 'x' }), row('c', 1)),
    ).toBe('<codex>\n- c\n</codex>'));

  test('10 rows, at most 4: two oldest, two last updated, a note', async () => {
    expect(await textOf([data({ format: 'ids-only', maxEntries: 4 })], { store: storeOf(ten) })).toBe(
      `<codex>\n- k0\n- k1\n- k8\n- k9\n${en.text('note.rows-shown', { total: 10, shown: 4 })}\n</codex>`,
    );
    expect(await textOf([data({ maxEntries: 10 })], { store: storeOf(ten) })).not.toContain('10 rows');
    expect(await textOf([data({ maxEntries: 0 })], { store: storeOf(ten) })).toBe(
      `<codex>\n${en.text('note.rows-shown', { total: 10, shown: 0 })}\n</codex>`,
    );
  });

  test('the store is asked for 50 rows of this session and plugin by default', async () => {
    const getPluginDataPromptWindow = vi.fn<PluginDataStore['getPluginDataPromptWindow']>(() =>
      Promise.resolve({ entries: [], total: 0 }),
    );
    await textOf([data()], { store: { getPluginDataPromptWindow } });
    expect(getPluginDataPromptWindow).toHaveBeenCalledExactlyOnceWith('fog-harbour', 'codex', 'codex', 50);
  });
});

test('blocks keep the order of their declaration', async () => {
  const completedResults = new Map([['n', { output: { text: 'T' } }]]);
  const runtime: InjectDeclaration = { kind: 'runtime', from: 'n', field: 'text', as: 'b' };
  expect(await textOf([data(), runtime, data({ as: 'c' })], { completedResults, store: storeOf([]) })).toBe(
    '<codex>(none)</codex>\n<b>T</b>\n<c>(none)</c>',
  );
});

describe('refused', () => {
  const silent = (): { store: PluginDataStore; asked: () => number } => {
    const getPluginDataPromptWindow = vi.fn<PluginDataStore['getPluginDataPromptWindow']>(() =>
      Promise.resolve({ entries: [], total: 0 }),
    );
    return { store: { getPluginDataPromptWindow }, asked: () => getPluginDataPromptWindow.mock.calls.length };
  };
  const inject = (value: object): InjectDeclaration => value as InjectDeclaration;
  const cases: readonly (readonly [string, InjectDeclaration, string, string])[] = [
    ['hidden namespace', data({ namespace: '_hidden.plot' }), 'hidden-namespace', 'manifest.input.inject[1].namespace'],
    ['hidden root', data({ namespace: '_hidden' }), 'hidden-namespace', 'manifest.input.inject[1].namespace'],
    ['bad tag', data({ as: '<a b>' }), 'bad-tag', 'manifest.input.inject[1].as'],
    [
      'bad tag of an output that is missing',
      { kind: 'runtime', from: 'x', field: 'y', as: '</x>' },
      'bad-tag',
      'manifest.input.inject[1].as',
    ],
    ['unknown kind', inject({ ...data(), kind: 'file' }), 'configuration', 'manifest.input.inject[1].kind'],
    ['unknown format', inject({ ...data(), format: 'toString' }), 'configuration', 'manifest.input.inject[1].format'],
    ['negative rows', data({ maxEntries: -1 }), 'configuration', 'manifest.input.inject[1].maxEntries'],
  ];
  test.each(cases)('%s, before the store is asked', async (_name, bad, code, field) => {
    const { store, asked } = silent();
    await expect(injectBlocks(withInjects([data(), bad], { store }), en)).rejects.toMatchObject({ code, field });
    expect(asked()).toBe(0);
  });

  test('a namespace that only looks hidden is read', async () =>
    expect(await textOf([data({ namespace: '_hiddenish' })], { store: storeOf([]) })).toBe('<codex>(none)</codex>'));

  test('missing store', async () =>
    await expect(injectBlocks(withInjects([data()]), en)).rejects.toMatchObject({ code: 'store', field: 'store' }));

  test('an error of the store comes through', async () => {
    const cause = new Error('disk is gone');
    const store = { getPluginDataPromptWindow: () => Promise.reject(cause) };
    await expect(injectBlocks(withInjects([data()], { store }), en)).rejects.toMatchObject({
      code: 'store',
      field: 'manifest.input.inject[0].namespace',
      message: expect.stringContaining('disk is gone'),
      cause,
    });
  });
});

describe('window', () => {
  const keys = (rows: readonly PluginDataRow[]): string => rows.map(({ key }) => key.slice(1)).join('');
  const updated = ten.map((one, i) => ({ ...one, updatedAt: second(i === 3 ? 59 : i === 0 ? 58 : i) }));
  const cases: readonly (readonly [string, readonly PluginDataRow[], number, string])[] = [
    ['all of them', ten, 10, '0123456789'],
    ['even', ten, 4, '0189'],
    ['odd: anchors rounded down', ten, 5, '01789'],
    ['one', ten, 1, '9'],
    ['none', ten, 0, ''],
    ['a fraction counts down', ten, 4.9, '0189'],
    ['recently updated ones stand in order of creation; an anchor is not shown twice', updated, 4, '0139'],
    ['given in any order', ten.toReversed(), 10, '0123456789'],
    [
      'equal times keep the given order',
      ten.map((one) => ({ ...one, createdAt: INSTANT, updatedAt: INSTANT })),
      4,
      '0189',
    ],
  ];
  test.each(cases)('%s', (_name, rows, max, expected) => expect(keys(pluginDataWindow(rows, max))).toBe(expected));

  test('property: a window keeps the order of creation, its size, and the oldest', () => {
    const rows = fc.uniqueArray(fc.tuple(fc.nat(99), fc.nat(59)), { selector: ([created]) => created });
    fc.assert(
      fc.property(rows, fc.nat(12), (times, max) => {
        const list = times.map(([created, update]) =>
          row(`k${created}`, null, { createdAt: String(created).padStart(3, '0'), updatedAt: second(update) }),
        );
        const all = pluginDataWindow(list, Infinity);
        const shown = pluginDataWindow(list, max);
        expect(shown).toHaveLength(Math.min(max, list.length));
        expect(shown).toEqual(all.filter((one) => shown.includes(one)));
        expect(shown.slice(0, Math.floor(max / 2))).toEqual(all.slice(0, Math.floor(max / 2)));
        const dropped = all.filter((one) => !shown.includes(one));
        const recent = shown.slice(Math.floor(max / 2));
        for (const one of dropped) for (const kept of recent) expect(one.updatedAt <= kept.updatedAt).toBe(true);
      }),
    );
  });
});
