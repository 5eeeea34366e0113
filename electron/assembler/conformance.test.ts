/** Cases of the assembler page's table 12.3 that go through several files at once: from a session's rows to a request. */
import { describe, expect, test } from 'vitest';
import { buildContext } from './build-context.ts';
import { CHARS4 } from './budget/estimator.ts';
import { protectedTurns, resolveBudgetOptions } from './budget/options.ts';
import { overflowText, requestBudget } from './budget/request-budget.ts';
import { EMPTY_LEDGER } from './budget/tool-ledger.ts';
import { storeOf } from './data/inject.ts';
import { pictureNoteRow } from './messages/picture-notes.ts';
import { MAX_PICTURE_BYTES, prepareForModel, withoutImageData, type StoredPicture } from './messages/pictures.ts';
import { brief, build, CODEX, lore, params, row, rows, segment } from './testing/params.ts';
import { en } from './testing/texts.ts';
import type { HistoryRecord, LlmMessage, LlmPart } from './types.ts';

describe('pictures, from the rows of a session to the request', () => {
  const shown = (id: string, caption: string, modality = 'image'): HistoryRecord =>
    pictureNoteRow({ modality, ref: { id, mime: 'image/png', size: 3 }, meta: { caption } }, 't1', en) as HistoryRecord;
  const stored = (rest: Partial<StoredPicture> = {}): StoredPicture => ({
    mime: 'image/png',
    size: 3,
    isOfSession: true,
    read: () => Promise.resolve(new Uint8Array([1, 2, 3])),
    ...rest,
  });
  const history = [...rows('u1', 'a1'), shown('asset-1', 'A lamp.'), shown('asset-2', 'A stair.')];
  const third = shown('asset-3', 'A door.');

  type Given = {
    readonly messageHistory?: readonly HistoryRecord[];
    readonly acceptsImages?: boolean;
    readonly picture?: StoredPicture;
    readonly isStory?: boolean;
  };
  /** What a runtime sends; a story runtime asks for two pictures, others for none. */
  async function sent({ messageHistory = history, acceptsImages = true, picture = stored(), isStory = true }: Given) {
    const { messages } = await build({
      messageHistory,
      promptSegments: [segment('Turn.', { volatility: 'turn' })],
      ...(isStory ? { manifest: { outputKind: 'story' }, pictureAttachments: 2 } : {}),
    });
    return (await prepareForModel(messages, { acceptsImages, load: () => Promise.resolve(picture) })).messages;
  }
  const notes = [
    'U:A picture was shown to the player here: A lamp.',
    'U:A picture was shown to the player here: A stair.',
  ];
  const withoutPictures = ['U:u1', 'A:a1', ...notes, 'S:Turn.', 'U:I knock.'];
  const partsOf = ({ content }: LlmMessage): readonly LlmPart[] => (typeof content === 'string' ? [] : content);

  test('two, then three: two images, the newest, oldest first, right before the player; all before is unchanged', async () => {
    const two = await sent({});
    const three = await sent({ messageHistory: [...history, third] });
    const captions = (messages: readonly LlmMessage[]): readonly (string | null)[] =>
      partsOf(messages.at(-2) as LlmMessage).map((part) => (part.type === 'text' ? part.text : null));
    expect(captions(two)).toEqual([en.text('picture.intro'), 'Picture 1: A lamp.', null, 'Picture 2: A stair.', null]);
    expect(captions(three)).toEqual([
      en.text('picture.intro'),
      'Picture 1: A stair.',
      null,
      'Picture 2: A door.',
      null,
    ]);
    expect(partsOf(three.at(-2) as LlmMessage).filter(({ type }) => type === 'image')).toHaveLength(2);
    expect(three.at(-2)?.role).toBe('user');
    expect(three.at(-1)?.content).toBe('I knock.');
    expect(three.slice(0, 4)).toEqual(two.slice(0, 4));
    expect(brief({ messages: three.slice(4, 6) })).toEqual([
      'U:A picture was shown to the player here: A door.',
      'S:Turn.',
    ]);
  });

  test.each<[string, Given]>([
    ['a model that reads text alone', { acceptsImages: false }],
    ['pictures of another session', { picture: stored({ isOfSession: false }) }],
    ['pictures over the limit', { picture: stored({ size: MAX_PICTURE_BYTES + 1 }) }],
    ['a runtime that tells no story', { isStory: false }],
  ])('%s: the notes alone, every content a text, no id anywhere', async (_, given) => {
    const messages = await sent(given);
    expect(brief({ messages })).toEqual(withoutPictures);
    expect(JSON.stringify(messages)).not.toContain('asset-');
  });

  test('a sound leaves no row, and a row that plays one shows no picture', async () => {
    const sound = { modality: 'audio', ref: { id: 's', mime: 'audio/ogg', size: 3 }, meta: { caption: 'A bell.' } };
    expect(pictureNoteRow(sound, 't1', en)).toBeNull();
    const told: HistoryRecord = { ...(history[2] as HistoryRecord), ui: [{ type: 'asset.generate', data: sound }] };
    expect(brief({ messages: await sent({ messageHistory: [told] }) })).toEqual([notes[0], 'S:Turn.', 'U:I knock.']);
  });

  test('a trace keeps the length of an image in the place of its bytes, and the request keeps the bytes', async () => {
    const bytes = new Uint8Array(37_500).fill(7);
    const messages = await sent({ picture: stored({ size: bytes.length, read: () => Promise.resolve(bytes) }) });
    const traced = withoutImageData(messages);
    const kept = traced.flatMap(partsOf).flatMap((part) => (part.type === 'image' ? [part.image] : []));
    expect(kept).toEqual(Array(2).fill('[image data omitted: 50000 base64 characters]'));
    expect(JSON.stringify(traced.at(-2)).length).toBeLessThan(1000);
    expect(JSON.stringify(messages.at(-2)).length).toBeGreaterThan(100_000);
    expect(brief({ messages: traced.filter(({ content }) => typeof content === 'string') })).toEqual(withoutPictures);
  });
});

describe('a window too small for the story of this turn', () => {
  const story: HistoryRecord = { role: 'assistant', content: 'The bell rings. '.repeat(250), name: 'narrator' };
  const contextBudget = { maxInputTokens: 500, reservedForResponse: 100 };

  test('nothing is sent: the story is never cut, the overflow is told before the request, the result stays', async () => {
    const completedResults = new Map([['narrator', { output: { text: story.content } }]]);
    const given = params({
      manifest: { name: 'tracker', pluginId: 'tracker' },
      completedResults,
      executionStory: [story],
      messageHistory: rows('u1', 'a1'),
      estimator: CHARS4,
      contextBudget,
    });
    const context = await buildContext(given, en);
    expect(context.overBudget).toBe(true);
    expect(context.messages).toContainEqual({ role: 'assistant', content: story.content, name: 'narrator' });
    const options = resolveBudgetOptions(contextBudget);
    const result = requestBudget({
      systemText: context.systemPrompt,
      tools: [],
      messages: context.messages,
      budget: { ...options, protectLastUserTurns: protectedTurns(undefined, context.currentTurnUserMessages) },
      ledger: EMPTY_LEDGER,
      mode: 'usual',
      estimate: CHARS4,
      texts: en,
    });
    expect(result).toMatchObject({ kind: 'context-overflow', hasToolGroup: false });
    expect(result).not.toHaveProperty('messages');
    expect(overflowText(result.split, { slot: 'fast', provider: 'p', model: 'm' })).toMatch(/^context-overflow: /);
    expect(completedResults.get('narrator')).toEqual({ output: { text: story.content } });
  });
});

describe('a staged activation', () => {
  test('stands in the system prompt alone: no turn context, the player’s message is the only one', async () => {
    const context = await build({ activation: { source: 'stage', detached: false, payload: { day: 3 } } });
    expect(context.systemPrompt).toContain(
      '<runtime-activation>\n{"source":"stage","detached":false,"payload":{"day":3}}\n</runtime-activation>',
    );
    expect(context.turnContext).toBe('');
    expect(brief(context)).toEqual(['U:I knock.']);
  });
});

describe('names that every object inherits', () => {
  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'a plugin, a field and a setting named %s: the own value, no prototype changed, absent in the next build',
    async (name) => {
      const own = (value: string) => JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`) as never;
      const template = [
        `{{ inputs.${name}.${name}.${name} }}`,
        `{{ userSettings.${name} }}`,
        `{{ world.dimensions.${name}.value }}`,
      ].join('|');
      const plain = { promptTemplate: template, injectCacheBreakpoints: false };
      const context = await build({
        ...plain,
        completedResults: new Map([[name, { output: own('result') }]]),
        userSettings: own('setting'),
        sessionContext: { world: { dimensions: JSON.parse(`{"${name}":{"id":"d","value":"tide"}}`) as never } },
        manifest: { input: { inject: [{ kind: 'runtime', from: name, field: name, as: '<own>' }] } },
      });
      expect(context.systemPrompt).toBe('result|setting|tide');
      expect(context.turnContext).toBe('<own>result</own>');
      expect((await build(plain)).systemPrompt).toBe('||');
      for (const inherited of [{}, [], Object, new Map()]) {
        expect(Object.hasOwn(Object.getPrototypeOf(inherited) as object, 'result')).toBe(false);
        expect(String((inherited as Readonly<Record<string, unknown>>)[name])).not.toMatch(/result|setting|tide/);
      }
    },
  );

  test.each(['constructor', 'toString', '__proto__'])('a field that nobody gave: %s is empty', async (name) => {
    const inject = [{ kind: 'runtime', from: 'dig', field: name, as: '<own>' }] as const;
    const context = await build({
      promptTemplate: `[{{ inputs.dig.dig.${name} }}{{ world.${name} }}{{ ${name} }}]`,
      completedResults: new Map([['dig', { output: {} }]]),
      manifest: { input: { inject } },
      injectCacheBreakpoints: false,
    });
    expect(context.systemPrompt).toBe('[]');
    expect(context.turnContext).toBe('');
  });
});

describe('braces in data', () => {
  test('stay as they are wherever data is written', async () => {
    const braces = '{{ player.message }}';
    const source = { pluginId: 'p', runtimeId: 'r' };
    const context = await build({
      promptTemplate: '<note>\n{{ inputs.dig.dig.text }}\n</note>\n{{ world.name }}',
      manifest: {
        outputKind: 'story',
        advertiseEvents: true,
        input: { inject: [...CODEX, { kind: 'runtime', from: 'dig', field: 'text', as: '<scene>' }] },
      },
      completedResults: new Map([['dig', { output: { text: braces } }]]),
      store: storeOf([row(braces, { [braces]: braces })]),
      inputSlots: { [braces]: { cardinality: 'one', value: braces, source } },
      exportSlots: { [braces]: { cardinality: 'all', items: [{ value: braces, source }] } },
      activation: { source: 'event', detached: false, payload: braces },
      eventCatalogText: braces,
      sessionContext: {
        world: { name: braces, lore: braces },
        contributions: [lore(braces), lore(braces, { position: 'at_depth', depth: 0 })],
      },
      summaries: [{ id: 's', content: braces, focusSections: [braces] }],
      messageHistory: rows(braces),
      executionStory: [{ role: 'assistant', content: `${braces} told` }],
      promptSegments: [segment(braces), segment(braces, { id: 't', volatility: 'turn' })],
    });
    const all = JSON.stringify([context.systemPrompt, context.messages]);
    // body 2, lore 3, segments 2, events, rows 3, scene, inputs 2, exports 2, activation, summary 2, history, story
    expect(all.split(braces)).toHaveLength(1 + 21);
    expect(all.split('I knock.')).toHaveLength(2);
  });
});
