import { describe, expect, test } from 'vitest';
import { CACHE_SENTINEL as S } from './data/escape.ts';
import {
  postContextAssembly,
  preLlmCall,
  requestDefaults,
  transformHistory,
  type PostContextAssemblyPayload,
  type RewrittenPrompt,
} from './hooks.ts';
import { buildContext } from './build-context.ts';
import { checkCover, params, segment } from './testing/params.ts';
import { en } from './testing/texts.ts';
import type { HistoryRecord } from './types.ts';

const GIVEN = params({
  frameworkPreamble: 'Head.',
  promptSegments: [segment('Stable.'), segment('Turn.', { volatility: 'turn' })],
  messageHistory: [
    { role: 'user', content: 'u1' },
    { role: 'assistant', content: 'a1' },
  ],
  inputSlots: { n: { cardinality: 'one', value: { a: [1] }, source: { pluginId: 'p', runtimeId: 'r' } } },
  sessionContext: { characters: [{ id: 'c', name: 'Ann', type: 'npc', aliases: ['A'], description: 'Tall.' }] },
});
const hooked = async (...results: readonly (RewrittenPrompt | null)[]) => {
  const context = await buildContext(GIVEN, en);
  const hooks = results.map((result) => () => Promise.resolve(result));
  return postContextAssembly(context, GIVEN, hooks);
};

describe('PostContextAssembly', () => {
  test('a hook that returns its own body does not remove the framework’s head', async () => {
    const context = await hooked({ systemPrompt: 'My body.' });
    expect(context.systemPrompt).toBe(`Head.${S}\n\nMy body.`);
    expect(context.system.segments.map(({ kind, text }) => [kind, text])).toEqual([
      ['framework-preamble', `Head.${S}\n\n`],
      ['unknown', 'My body.'],
    ]);
    checkCover(context);
  });

  test('a prompt that begins with the head is taken as it is', async () => {
    const systemPrompt = `Head.${S}\n\nBody.\n\nNew.\n\nStable.${S}`;
    const context = await hooked({ systemPrompt });
    expect(context.systemPrompt).toBe(systemPrompt);
    expect(context.system.segments.map(({ kind, label }) => `${kind} ${label}`)).toEqual([
      'framework-preamble preamble',
      'runtime-body narrator',
      'unknown hook',
      'extension Stable.',
    ]);
    checkCover(context);
  });

  test('an empty prompt leaves the head alone', async () =>
    expect((await hooked({ systemPrompt: '' })).systemPrompt).toBe(`Head.${S}`));

  test('a preamble without its sentinel is not the head', async () =>
    expect((await hooked({ systemPrompt: 'Head. x' })).systemPrompt).toBe(`Head.${S}\n\nHead. x`));

  test('nothing returned, nothing changed', async () => {
    const context = await hooked(null, {});
    expect(context).toEqual(await buildContext(GIVEN, en));
  });

  test('messages that stayed keep their segments, new and edited ones are the hook’s', async () => {
    const { messages } = await buildContext(GIVEN, en);
    const context = await hooked({
      messages: [
        ...messages.slice(1, 3),
        { role: 'user', content: 'I knock. Twice.' },
        { role: 'system', content: 'x' },
      ],
    });
    expect(context.segmented.map(({ segments }) => segments.map(({ kind }) => kind))).toEqual([
      ['history'],
      ['turn-context', 'turn-context'],
      ['player', 'unknown'],
      ['unknown'],
    ]);
    checkCover(context);
  });

  test('runs hooks one after another', async () => {
    const seen: string[] = [];
    const hook = (name: string) => (payload: PostContextAssemblyPayload) => {
      seen.push(payload.systemPrompt);
      return Promise.resolve({ systemPrompt: name });
    };
    await postContextAssembly(await buildContext(GIVEN, en), GIVEN, [hook('one'), hook('two')]);
    expect(seen[1]).toBe(`Head.${S}\n\none`);
  });

  test('sources are frozen, complete, and hold no head', async () => {
    let seen: PostContextAssemblyPayload | null = null;
    await postContextAssembly(await buildContext(GIVEN, en), GIVEN, [
      (payload) => {
        seen = payload;
        return Promise.resolve(null);
      },
    ]);
    const payload = seen as PostContextAssemblyPayload | null;
    expect(payload?.promptTemplate).toBe('Body.');
    expect(payload?.characters).toEqual([{ id: 'c', name: 'Ann', type: 'npc', description: 'Tall.' }]);
    expect(payload).not.toHaveProperty('frameworkHead');
    expect(Object.isFrozen(payload?.characters[0])).toBe(true);
    const slot = payload?.inputSlots?.['n'];
    expect(slot?.cardinality === 'one' && Object.isFrozen((slot.value as { a: unknown }).a)).toBe(true);
    expect(Object.isFrozen(GIVEN.inputSlots?.['n'])).toBe(false);
  });

  test('a hook that fails fails the whole', async () =>
    expect(
      postContextAssembly(await buildContext(GIVEN, en), GIVEN, [() => Promise.reject(new Error('hook'))]),
    ).rejects.toThrow('hook'));
});

test('PreLLMCall may change prompt, messages and slot, one hook after another', async () => {
  const draft = { systemPrompt: 's', messages: [], slot: 'story' };
  expect(
    await preLlmCall(draft, [
      () => Promise.resolve({ slot: 'fast' }),
      () => Promise.resolve(null),
      ({ slot }) => Promise.resolve({ systemPrompt: `${slot}!` }),
    ]),
  ).toEqual({ systemPrompt: 'fast!', messages: [], slot: 'fast' });
});

test('history transforms form a chain over a copy', async () => {
  const rows: readonly HistoryRecord[] = [{ role: 'user', content: 'a' }];
  const result = await transformHistory(rows, [
    (history) => {
      (history as HistoryRecord[]).push({ role: 'user', content: 'b' });
      return Promise.resolve(history);
    },
    (history) => Promise.resolve(history.map((row) => ({ ...row, content: `${row.content}!` }))),
  ]);
  expect(result.map(({ content }) => content)).toEqual(['a!', 'b!']);
  expect(rows).toEqual([{ role: 'user', content: 'a' }]);
});

describe('request defaults', () => {
  const none = { reasoning: null, toolChoice: null, isProviderDefault: false };
  const agent = { reasoning: false, toolChoice: { name: 'submit-facts' } } as const;
  test.each([
    ['nothing set', agent, none, { reasoning: false, toolChoice: { name: 'submit-facts' } }],
    ['nothing wished', {}, none, { reasoning: null, toolChoice: null }],
    ['required', { toolChoice: 'required' }, none, { reasoning: null, toolChoice: 'required' }],
    ['reasoning set', agent, { ...none, reasoning: 'high' }, { reasoning: null, toolChoice: { name: 'submit-facts' } }],
    ['tool choice set', agent, { ...none, toolChoice: 'auto' }, { reasoning: false, toolChoice: null }],
    ['provider default', agent, { ...none, isProviderDefault: true }, { reasoning: null, toolChoice: null }],
  ] as const)('%s', (_, wishes, explicit, expected) => expect(requestDefaults(wishes, explicit)).toEqual(expected));
});
