import { describe, expect, test } from 'vitest';
import { PROTOCOLS, type CauseKind } from '../../shared/model/index.ts';
import { isMessageKey, sentence } from '../../shared/language/index.ts';
import { compareCalls } from './compare.ts';
import { nextTurn, RECIPE, sideOf, type Recipe } from './testing/requests.ts';
import type { Between } from './types.ts';

const QUIET: Between = { compacted: [], pruned: 0 };
const lore = 'Bell tower\nIts bell rings at high tide. 钟在涨潮时敲响。';
const windowed: Recipe = { ...RECIPE, turn: 6, history: RECIPE.history.slice(2) };
const grown = nextTurn(RECIPE);

type Case = readonly [what: string, kind: CauseKind, a: Recipe, b: Recipe, between?: Between];

/** One line per case; each holds for every protocol and for the kernel view. */
const CASES: readonly Case[] = [
  ['the same request', 'identical', RECIPE, RECIPE],
  ['other sampling values only', 'identical', RECIPE, { ...RECIPE, fields: { temperature: 0.4, stream: true } }],
  ['the next step of a tool loop', 'append-only', RECIPE, { ...RECIPE, steps: [{ tool: 'roll-dice', result: '17' }] }],
  [
    'the next turn of a runtime without turn context',
    'append-only',
    { ...RECIPE, context: [] },
    nextTurn(RECIPE, { context: [] }),
  ],
  ['the step before', 'shortened', { ...RECIPE, steps: [{ tool: 'roll-dice', result: '17' }] }, RECIPE],
  ['another model', 'model', RECIPE, nextTurn(RECIPE, { model: 'claude-opus-5' })],
  ['the same model at another provider', 'model', RECIPE, nextTurn(RECIPE, { provider: 'two' })],
  [
    'a tool more at the end',
    'tools-added',
    RECIPE,
    nextTurn(RECIPE, { tools: ['get-character', 'roll-dice', 'emit-event'] }),
  ],
  [
    'a tool more at the beginning',
    'tools-added',
    RECIPE,
    nextTurn(RECIPE, { tools: ['emit-event', 'get-character', 'roll-dice'] }),
  ],
  ['the last tool gone', 'tools-removed', RECIPE, nextTurn(RECIPE, { tools: ['get-character'] })],
  ['the first tool gone', 'tools-removed', RECIPE, nextTurn(RECIPE, { tools: ['roll-dice'] })],
  ['another description of a tool', 'tools-modified', RECIPE, nextTurn(RECIPE, { toolText: 'Reads a record.' })],
  ['tools in another order', 'tools-reordered', RECIPE, nextTurn(RECIPE, { tools: ['roll-dice', 'get-character'] })],
  [
    'a rewritten body',
    'system-text',
    RECIPE,
    nextTurn(RECIPE, { body: 'Something else entirely.\n\nIn other words.' }),
  ],
  [
    'another preamble',
    'system-text',
    RECIPE,
    nextTurn(RECIPE, { preamble: RECIPE.preamble.replace('English', 'Chinese') }),
  ],
  [
    'a word of the body',
    'system-text',
    RECIPE,
    nextTurn(RECIPE, { body: RECIPE.body.replace('two paragraphs', 'a short paragraph') }),
  ],
  [
    'a value of the turn context in the body',
    'template-variable',
    RECIPE,
    nextTurn(RECIPE, {
      body: RECIPE.body.replace('calm', 'afraid'),
      context: [['world-dimensions', 'mood: afraid (v4)']],
    }),
  ],
  [
    'the player’s words in the body',
    'template-variable',
    RECIPE,
    nextTurn(RECIPE, { body: RECIPE.body.replace('calm', 'I leave.'), player: 'I leave.' }),
  ],
  [
    'a value that stood elsewhere before',
    'template-variable',
    { ...RECIPE, extensions: [['character-notes', '"calm"']] },
    nextTurn(RECIPE, { extensions: [['character-notes', '"calm"']], body: RECIPE.body.replace('calm', '–') }),
  ],
  [
    'JSON in the body',
    'template-variable',
    { ...RECIPE, body: RECIPE.body.replace('calm', '{"mood":"calm","lamp":["lit"]}') },
    nextTurn(RECIPE, { body: RECIPE.body.replace('calm', '{"mood":"afraid","lamp":["lit"]}') }),
  ],
  [
    'a time in the body',
    'template-variable',
    { ...RECIPE, body: RECIPE.body.replace('calm', '2026-11-24T13:02:00Z') },
    nextTurn(RECIPE, { body: RECIPE.body.replace('calm', '2026-11-24T13:09:00Z') }),
  ],
  [
    'an id in the body',
    'template-variable',
    { ...RECIPE, body: RECIPE.body.replace('calm', '3f0c1a52-9d1e-4c5b-8a77-0d7a1b2c3d4e') },
    nextTurn(RECIPE, { body: RECIPE.body.replace('calm', '3f0c1a52-9d1e-4c5b-8a77-0d7a1b2c3d4f') }),
  ],
  ['a lore entry appeared', 'lore-activation', RECIPE, nextTurn(RECIPE, { lore: [lore] })],
  ['a lore entry went away', 'lore-activation', { ...RECIPE, lore: [lore] }, nextTurn(RECIPE)],
  [
    'one of two lore entries went away',
    'lore-activation',
    { ...RECIPE, lore: [lore, 'Ferry\nIt leaves at dawn.'] },
    nextTurn(RECIPE, { lore: ['Ferry\nIt leaves at dawn.'] }),
  ],
  [
    'a session segment changed',
    'extension-segment',
    RECIPE,
    nextTurn(RECIPE, { extensions: [['character-notes', 'Lin is wounded.']] }),
  ],
  [
    'a session segment more',
    'extension-segment',
    RECIPE,
    nextTurn(RECIPE, { extensions: [...RECIPE.extensions, ['dimension-rules', 'tide: 0 to 5']] }),
  ],
  [
    'turn data after the last boundary',
    'turn-in-pre-history',
    { ...RECIPE, tail: [['status', 'calm']] },
    nextTurn(RECIPE, { tail: [['status', 'afraid']] }),
  ],
  [
    'turn data as a message before the history',
    'turn-in-pre-history',
    { ...RECIPE, beforeHistory: [['user', 'Season: spring.']] },
    nextTurn(RECIPE, { beforeHistory: [['user', 'Season: summer.']] }),
  ],
  [
    'a window of one turn',
    'window-slid',
    windowed,
    nextTurn(windowed, {
      history: [
        ['user', windowed.player],
        ['assistant', 'New.'],
      ],
    }),
  ],
  ['a window of two turns', 'window-slid', RECIPE, nextTurn(RECIPE, { history: grown.history.slice(2) })],
  [
    'a window behind a summary',
    'window-slid',
    { ...RECIPE, summaries: ['Long ago.'] },
    nextTurn(RECIPE, { summaries: ['Long ago.'], history: grown.history.slice(2) }),
  ],
  [
    'a summary took the place of a turn',
    'compacted',
    RECIPE,
    nextTurn(RECIPE, { summaries: ['A door and a lamp.'], history: grown.history.slice(4) }),
    { compacted: [{ summaryId: 's' }], pruned: 0 },
  ],
  [
    'a second summary',
    'compacted',
    { ...RECIPE, summaries: ['One.'] },
    nextTurn(RECIPE, { summaries: ['One.', 'Two.'], history: grown.history.slice(2) }),
  ],
  [
    'summaries were merged',
    'compacted',
    { ...RECIPE, summaries: ['One.', 'Two.'] },
    nextTurn(RECIPE, { summaries: ['One and two.'] }),
  ],
  [
    'the budget cut the oldest messages',
    'pruned',
    RECIPE,
    nextTurn(RECIPE, { history: grown.history.slice(2) }),
    { compacted: [], pruned: 2 },
  ],
  ['the normal next turn', 'turn-context', RECIPE, grown],
  [
    'the second turn of a session',
    'turn-context',
    { ...RECIPE, turn: 1, history: [] },
    nextTurn({ ...RECIPE, turn: 1, history: [] }),
  ],
  ['a runtime without history', 'turn-context', { ...RECIPE, history: [] }, nextTurn(RECIPE, { history: [] })],
  [
    'other turn data for the same words',
    'turn-context',
    RECIPE,
    { ...RECIPE, context: [['memory-blocks', 'The lamp is out.']] },
  ],
  [
    'an answer was rewritten',
    'message-edited',
    RECIPE,
    nextTurn(RECIPE, { history: grown.history.with(1, ['assistant', 'It creaks; the hall is bright.']) }),
  ],
  [
    'a message was put in',
    'message-edited',
    RECIPE,
    nextTurn(RECIPE, { history: grown.history.toSpliced(2, 0, ['user', 'Wait.']) }),
  ],
  ['a message was taken out', 'message-edited', RECIPE, nextTurn(RECIPE, { history: grown.history.toSpliced(2, 1) })],
  ['the history was taken back', 'shortened', RECIPE, nextTurn(RECIPE, { history: RECIPE.history.slice(0, 2) })],
  [
    'lore at a depth moves on',
    'lore-activation',
    { ...RECIPE, depth: { text: 'The tide is a clock.', fromEnd: 3 } },
    nextTurn(RECIPE, { depth: { text: 'The tide is a clock.', fromEnd: 3 } }),
  ],
];

for (const protocol of [...PROTOCOLS, null]) {
  describe(`${protocol ?? 'kernel view'}`, () => {
    for (const [what, kind, a, b, between = QUIET] of CASES) {
      test(`${what}: ${kind}`, () => {
        const found = compareCalls(sideOf(protocol, a), sideOf(protocol, b), between);
        expect(found.cause.kind).toBe(kind);
        expect(found.cause.evidence.length).toBeGreaterThan(0);
        for (const said of [...found.cause.evidence, ...(found.cause.advice ? [found.cause.advice] : [])]) {
          expect(isMessageKey(said.key)).toBe(true);
          expect(sentence('en', said)).not.toMatch(/[{}…]$|NaN|undefined/);
        }
      });
    }
  });
}

describe('settings beside equal or grown text', () => {
  const step: Partial<Recipe> = { steps: [{ tool: 'roll-dice', result: '17' }] };
  const SETTINGS: readonly (readonly [what: string, field: string, was: Partial<Recipe>, now: Partial<Recipe>])[] = [
    ['tool choice', 'tool_choice', { fields: { tool_choice: 'auto' } }, { fields: { tool_choice: 'none' } }],
    [
      'tool choice of a grown request',
      'tool_choice',
      { fields: { tool_choice: 'auto' } },
      { fields: { tool_choice: 'none' }, ...step },
    ],
    [
      'reasoning effort',
      'reasoning.effort',
      { fields: { reasoning: { effort: 'low' } } },
      { fields: { reasoning: { effort: 'high' } } },
    ],
    ['thinking switched on', 'thinking', {}, { fields: { thinking: { type: 'adaptive' } } }],
    [
      'response format',
      'response_format.type',
      { fields: { response_format: { type: 'text' } } },
      { fields: { response_format: { type: 'json_object' } } },
    ],
    [
      'thinking budget of Gemini',
      'generationConfig.thinkingConfig.thinkingBudget',
      { fields: { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } } },
      { fields: { generationConfig: { thinkingConfig: { thinkingBudget: 512 } } } },
    ],
  ];
  test.each(SETTINGS)('%s names %s', (_what, field, was, now) => {
    const found = compareCalls(
      sideOf('openai-chat-v1', { ...RECIPE, ...was }),
      sideOf('openai-chat-v1', { ...RECIPE, ...now }),
      QUIET,
    );
    expect(found.cause.kind).toBe('options');
    expect(found.cause.evidence.map((said) => said.values['field'])).toEqual([field]);
  });

  test('a changed cache key, of the same text and of the next turn', () => {
    const a = sideOf('openai-responses-v1', { ...RECIPE, fields: { prompt_cache_key: 'covel-a' } });
    for (const recipe of [RECIPE, grown]) {
      const b = sideOf('openai-responses-v1', { ...recipe, fields: { prompt_cache_key: 'covel-b' } });
      expect(compareCalls(a, b, QUIET).cause.kind).toBe('cache-key');
    }
  });

  test('settings are evidence, not the cause, where the text itself changed', () => {
    const b = sideOf('openai-chat-v1', nextTurn(RECIPE, { lore: [lore], fields: { tool_choice: 'none' } }));
    const { cause } = compareCalls(sideOf('openai-chat-v1', RECIPE), b, QUIET);
    expect(cause.kind).toBe('lore-activation');
    expect(cause.evidence.at(-1)).toMatchObject({ key: 'evidence.option', values: { field: 'tool_choice' } });
  });

  test('only cache marks moved', () => {
    const a = sideOf('anthropic-messages-v1', RECIPE);
    const body = structuredClone(a.body) as { messages: { content: { cache_control?: unknown }[] }[] };
    delete body.messages.at(-1)?.content[0]?.cache_control;
    const b = {
      ...a,
      body: body as unknown as typeof a.body,
      prompt: { ...a.prompt, marks: a.prompt.marks.slice(0, 1) },
    };
    expect(compareCalls(a, b, QUIET)).toMatchObject({ cause: { kind: 'marker-only' }, divergence: null, share: 1 });
  });
});

describe('what happened among the messages that were sent', () => {
  const rows = grown.history;
  const SENT: readonly (readonly [what: string, history: typeof rows, said: readonly (readonly [string, string])[]])[] =
    [
      ['words added at the end of one', rows.with(0, ['user', `${rows[0]?.[1]} Now.`]), [['message-edited', ' Now.']]],
      ['one put in', rows.toSpliced(2, 0, ['user', 'Wait.']), [['message-inserted', '']]],
      ['one taken out', rows.toSpliced(1, 1), [['message-removed', '']]],
    ];
  test.each(SENT)('%s', (_, history, said) => {
    const { cause } = compareCalls(
      sideOf('anthropic-messages-v1', RECIPE),
      sideOf('anthropic-messages-v1', nextTurn(RECIPE, { history })),
      QUIET,
    );
    expect(cause.kind).toBe('message-edited');
    const found = cause.evidence.filter(({ key }) => key.startsWith('evidence.message-'));
    expect(found.map(({ key, values }) => [key, values['after'] ?? ''])).toEqual(
      said.map(([key, after]) => [`evidence.${key}`, after]),
    );
  });
});

describe('what cannot be compared', () => {
  test('two protocols share nothing, even with the same model', () => {
    const found = compareCalls(sideOf('openai-chat-v1', RECIPE), sideOf('openai-responses-v1', RECIPE), QUIET);
    expect(found).toMatchObject({
      cause: { kind: 'model' },
      share: 0,
      shared: { chars: 0 },
      divergence: { offset: 0 },
    });
  });
  test('a body and a kernel view', () => {
    expect(compareCalls(sideOf(null, RECIPE), sideOf('openai-chat-v1', RECIPE), QUIET).cause.kind).toBe('unknown');
  });
  test('text without a name', () => {
    const unnamed = (recipe: Recipe) => {
      const side = sideOf('openai-chat-v1', recipe);
      return {
        ...side,
        segments: side.segments.map((segment) => ({ ...segment, kind: 'unknown' as const, proof: 'none' as const })),
      };
    };
    const kindOf = (now: Recipe) => compareCalls(unnamed(RECIPE), unnamed(now), QUIET).cause;
    // A system text before the conversation is known by its place.
    const system = kindOf(nextTurn(RECIPE, { body: 'Other.' }));
    expect(system.kind).toBe('system-text');
    expect(system.evidence.map((said) => said.key)).toEqual(
      expect.arrayContaining(['evidence.where-unnamed', 'evidence.unnamed']),
    );
    const message = kindOf({ ...RECIPE, history: RECIPE.history.toSpliced(0, 1) });
    expect(message).toMatchObject({ kind: 'unknown', advice: null });
    expect(message.evidence.map((said) => said.key)).toContain('evidence.unnamed');
  });
});
