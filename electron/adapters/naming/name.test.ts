/** Naming, on the same invented call in two languages and all four wire forms, and on one call for each rare case. */
import { describe, expect, test } from 'vitest';
import { PROTOCOLS, type Json, type Segment, type WirePrompt } from '../../../shared/model/index.ts';
import { coverFaults } from '../fixtures/cover.ts';
import {
  fullScene,
  geminiSystemFirst,
  json,
  row,
  say,
  systemPrompt,
  tool,
  wireBody,
  type KernelMessage,
  type Scene,
} from '../fixtures/scene.ts';
import { parseKernel } from '../kernel/parse.ts';
import { parseBody } from '../parse.ts';
import { comparedText, segmentText } from '../segment.ts';
import { bodyTexts, kernelTexts } from '../texts.ts';
import type { NamingEvidence } from './evidence.ts';
import { nameSegments } from './name.ts';

const brief = (segment: Segment): string => `${segment.kind}: ${segment.origin.label} (${segment.proof})`;
const listed = (segments: readonly Segment[]): readonly string[] => segments.map(brief);
const kernelPrompt = (scene: Scene): WirePrompt =>
  parseKernel({ messages: json(scene.messages), tools: json(scene.tools) });
const named = (protocol: (typeof PROTOCOLS)[number], scene: Scene, body: Json = wireBody(protocol, scene)) =>
  nameSegments(parseBody(protocol, body), scene.evidence);

const lore = { en: 'The weir', zh: '水坝' };
const expected = (language: 'en' | 'zh'): readonly string[] => [
  'tool: roll (structure)',
  'tool: look (structure)',
  'framework-preamble: preamble (sentinel)',
  'runtime-body: mill/keeper (sentinel)',
  'world-lore: world-lore (tag)',
  'extension: character-notes (tag)',
  'extension: text (sentinel)',
  `lore: ${lore[language]} (marker)`,
  'events: available-events (tag)',
  'activation: runtime-activation (tag)',
  `lore: ${lore[language]} (marker)`,
  'extension: weather (tag)',
  'pre-history: before history (position)',
  'summary: summary 1 (tag)',
  'summary: summary 2 (tag)',
  'history: turn 1 (row)',
  'history: turn 1 (row)',
  'picture-note: picture (row)',
  `depth: ${lore[language]} (position)`,
  'history: turn 2 (row)',
  'history: turn 2 (row)',
  'turn-context: memory-blocks (tag)',
  'turn-context: text (position)',
  'turn-context: runtime-inputs (tag)',
  'pictures: recent pictures (position)',
  'player: player (row)',
  'story: turn 3 (row)',
  'story-cue: story cue (position)',
  'post-history: system text (position)',
  'tool-call: text (structure)',
  'tool-call: roll (structure)',
  'tool-call: look (structure)',
  'tool-result: roll (structure)',
  'tool-result: look (structure)',
  'retry-hint: [retry 1] (marker)',
];

describe.each(['en', 'zh'] as const)('the full call in %s', (language) => {
  const scene = fullScene(language);

  test.each(PROTOCOLS)('%s: every segment by its name, every character once', (protocol) => {
    const body = wireBody(protocol, scene);
    const segments = named(protocol, scene, body);
    expect(listed(segments)).toEqual(expected(language));
    expect(
      coverFaults(
        bodyTexts(protocol, body),
        segments.flatMap((segment) => segment.texts),
      ),
    ).toEqual([]);
  });

  test('kernel view: the same names, the sentinels in the segments before them', () => {
    const segments = nameSegments(kernelPrompt(scene), { ...scene.evidence, kernel: null });
    expect(listed(segments)).toEqual(expected(language));
    const texts = kernelTexts({ messages: json(scene.messages), tools: json(scene.tools) });
    expect(
      coverFaults(
        texts,
        segments.flatMap((segment) => segment.texts),
      ),
    ).toEqual([]);
    expect(segmentText(segments[3] as Segment)).toMatch(/<\/output-rules>\ue000COVEL_CACHE_BREAK\ue000$/);
  });

  test('origins, volatility and roles', () => {
    const segments = named('anthropic-messages-v1', scene);
    const of = (label: string): Segment => segments.find((segment) => segment.origin.label === label) as Segment;
    expect(of('mill/keeper').origin).toEqual({
      plugin: 'mill',
      runtime: 'mill/keeper',
      label: 'mill/keeper',
      turnId: null,
    });
    expect(of('character-notes').origin.plugin).toBe('character-blueprint');
    expect(of('memory-blocks')).toMatchObject({ role: 'system', volatility: 'turn', origin: { plugin: 'memory' } });
    expect(of('weather').volatility).toBe('turn');
    expect(of('world-lore').volatility).toBe('session');
    expect(of('available-events').volatility).toBe('stable');
    expect(of('picture').origin).toMatchObject({ plugin: 'image-gen', turnId: 't1' });
    expect(of('turn 3').origin).toMatchObject({ plugin: 'narrator', runtime: 'narrator', turnId: 't3' });
    expect(segments.filter((segment) => segment.kind === 'tool-result').map((segment) => segment.role)).toEqual([
      'tool',
      'tool',
    ]);
    expect(segments.map((segment) => segment.id)).toEqual(segments.map((_, i) => `s${i + 1}`));
  });

  test('without the kernel view the tags and the blocks of the body still tell most', () => {
    const bare = { ...scene, evidence: { ...scene.evidence, kernel: null } };
    for (const protocol of PROTOCOLS) {
      const segments = named(protocol, bare);
      const proof = protocol === 'anthropic-messages-v1' ? 'structure' : 'marker';
      expect(listed(segments).slice(2, 6)).toEqual([
        `framework-preamble: preamble (${proof})`,
        `runtime-body: mill/keeper (${protocol === 'anthropic-messages-v1' ? 'structure' : 'tag'})`,
        'world-lore: world-lore (tag)',
        'extension: character-notes (tag)',
      ]);
      const unknown = segments.filter((segment) => segment.kind === 'unknown');
      expect(unknown.map((segment) => segment.proof)).toEqual(unknown.map(() => 'none'));
      expect(unknown.map((segment) => segmentText(segment).trim())).toEqual([
        language === 'en' ? 'A picture was shown here: the mill at dusk!' : '此处展示了一张图片：黄昏的磨坊!',
      ]);
    }
  });
});

const evidence = (messages: readonly KernelMessage[], extra: Partial<NamingEvidence> = {}): NamingEvidence => ({
  kernel: { messages: json(messages) },
  turnId: 't9',
  runtimeId: 'guide',
  pluginId: 'guide',
  playerText: 'Go.',
  rows: [],
  ...extra,
});
const sceneOf = (messages: readonly KernelMessage[], extra: Partial<NamingEvidence> = {}): Scene => ({
  messages,
  tools: [],
  evidence: evidence(messages, extra),
});
const PROMPT = systemPrompt(['[RUNTIME]\na\n\n[COMPLETION]\nb', 'Body.']);
const CONTEXT = '<runtime-inputs>\n{}\n</runtime-inputs>';
const kinds = (segments: readonly Segment[]): readonly string[] => segments.map((segment) => segment.kind);
const HEAD = ['framework-preamble', 'runtime-body'];

describe('turn context without history', () => {
  const scene = sceneOf([say.system(PROMPT), say.system(CONTEXT), say.user('Go.')]);
  test.each(PROTOCOLS)('%s: it is the last leading system text, wherever the wire put it', (protocol) => {
    expect(kinds(named(protocol, scene))).toEqual([...HEAD, 'turn-context', 'player']);
  });
  test('an extension of the system prompt with the same tag is no turn context', () => {
    const prompt = systemPrompt(['[RUNTIME]\na', 'Body.', '<world-dimensions>\nx\n</world-dimensions>']);
    const own = sceneOf([say.system(prompt), say.user('Go.')]);
    const segment = named('anthropic-messages-v1', own)[2] as Segment;
    expect([segment.kind, segment.origin.plugin, segment.volatility]).toEqual(['extension', 'world-init', 'session']);
  });
  test('lore at depth alone before the player is no turn context', () => {
    const own = sceneOf([say.system(PROMPT), say.system('[World Rule: Salt]\nx'), say.user('Go.')]);
    for (const protocol of PROTOCOLS) expect(kinds(named(protocol, own))).toEqual([...HEAD, 'depth', 'player']);
  });
});

describe('the player message', () => {
  const history = [say.user('Hi.'), say.assistant('Ho.')];
  const rows = [row(8, 'user', 'Hi.'), row(8, 'assistant', 'Ho.')];
  test('a framework cue is found right after the turn context', () => {
    const scene = sceneOf([say.system(PROMPT), ...history, say.system(CONTEXT), say.user('Begin.')], {
      playerText: null,
      rows,
    });
    const segment = named('openai-chat-v1', scene).at(-1) as Segment;
    expect([segment.kind, segment.proof]).toEqual(['player', 'position']);
  });
  test('without turn context it is the first message that no earlier turn has', () => {
    const scene = sceneOf([say.system(PROMPT), ...history, say.user('Begin.')], { playerText: null, rows });
    expect(kinds(named('openai-responses-v1', scene))).toEqual([...HEAD, 'history', 'history', 'player']);
  });
  test('without any evidence nothing is called the player', () => {
    const scene = sceneOf([say.system(PROMPT), ...history, say.user('Begin.')], { playerText: null });
    expect(kinds(named('openai-responses-v1', scene))).toEqual([...HEAD, 'history', 'history', 'history']);
  });
  test('words that were said before belong to the newest turn that said them', () => {
    const said = [1, 2, 3].flatMap((turn) => [row(turn, 'user', 'Go.'), row(turn, 'assistant', `Told ${turn}.`)]);
    const messages = [say.system(PROMPT), say.user('Go.'), say.assistant('Told 3.'), say.user('Go.')];
    const segments = named('google-generative-ai-v1', sceneOf(messages, { rows: said }));
    expect(segments.map((segment) => segment.origin.turnId).slice(2)).toEqual(['t3', 't3', 't9']);
  });
});

describe('system texts of an adapter', () => {
  const format = 'JSON only.\n<response-format>{"type":"object"}</response-format>';
  test('schema instruction in the system field: in the open tail or as a block of its own', () => {
    const scene = sceneOf([say.system(`${PROMPT}\n\n<weather>\nx\n</weather>`), say.user('Go.')]);
    const base = parseBody('anthropic-messages-v1', wireBody('anthropic-messages-v1', scene));
    const texts = base.messages
      .slice(0, 3)
      .map((message) => ({ type: 'text', text: message.parts[0]?.texts[0]?.text ?? '' }));
    const tail = { ...texts[2], text: `${texts[2]?.text}\n\n${format}` };
    const messages = [{ role: 'user', content: 'Go.' }];
    for (const system of [
      [...texts, { type: 'text', text: format }],
      [texts[0], texts[1], tail],
    ]) {
      const segments = named('anthropic-messages-v1', scene, json({ system, messages }));
      expect(kinds(segments)).toEqual([...HEAD, 'extension', 'response-format', 'player']);
      expect(segmentText(segments[3] as Segment)).toContain('<response-format>');
    }
  });
  test('schema instruction behind the last system message does not hide the turn context', () => {
    const messages = [say.system(PROMPT), say.user('Hi.'), say.system(CONTEXT), say.system(format), say.user('Go.')];
    const scene = sceneOf(messages);
    expect(kinds(named('openai-chat-v1', scene))).toEqual([
      ...HEAD,
      'history',
      'turn-context',
      'response-format',
      'player',
    ]);
  });
  test('a response schema outside the messages comes last', () => {
    const body = json({
      input: [
        { role: 'system', content: 'x' },
        { role: 'user', content: 'Go.' },
      ],
      text: { format: { type: 'json_schema', name: 'out', schema: { type: 'object' } } },
    });
    const last = nameSegments(parseBody('openai-responses-v1', body), evidence([])).at(-1) as Segment;
    expect([last.kind, last.message, last.texts.map((text) => text.text)]).toEqual([
      'response-format',
      null,
      ['out', 'object'],
    ]);
  });
  test('Gemini with all system text first: the kernel view still tells it apart', () => {
    const scene = fullScene('en');
    const segments = named('google-generative-ai-v1', scene, geminiSystemFirst(scene));
    const leading = segments.filter((segment) => segment.role === 'system' && segment.kind !== 'tool');
    expect(kinds(leading).slice(-6)).toEqual([
      'depth',
      'turn-context',
      'turn-context',
      'turn-context',
      'post-history',
      'retry-hint',
    ]);
    expect(kinds(segments)).not.toContain('unknown');
  });
  test('text that the kernel view does not have is unknown', () => {
    const scene = sceneOf([say.system(PROMPT), say.user('Go.')]);
    const body = json({
      messages: [
        { role: 'system', content: `${PROMPT.replaceAll(/\ue000COVEL_CACHE_BREAK\ue000/g, '')}\n\nFrom a relay.` },
        { role: 'user', content: 'Go.' },
      ],
    });
    expect(kinds(named('openai-chat-v1', scene, body))).toEqual([...HEAD, 'unknown', 'player']);
  });
  test('a concealed kernel view proves nothing and does no harm', () => {
    const scene = fullScene('en');
    const concealed = {
      ...scene.evidence,
      kernel: {
        messages: json([
          { role: 'system', content: '[concealed]' },
          { role: 'user', content: '' },
        ]),
      },
    };
    const segments = nameSegments(parseBody('openai-chat-v1', wireBody('openai-chat-v1', scene)), concealed);
    expect(listed(segments)[2]).toBe('framework-preamble: preamble (marker)');
  });
});

describe('what parts two segments of one text', () => {
  const notes = '<character-notes>\n- Ada\n</character-notes>';
  const rule = (name: string): string => `[World Rule: ${name}]\n${name} is so.`;
  const context = ['<memory-blocks>\nm\n</memory-blocks>', '<world-dimensions>\nd\n</world-dimensions>', CONTEXT];
  const segmentsOf = (
    protocol: (typeof PROTOCOLS)[number] | null,
    rules: readonly string[],
    blocks: readonly string[],
  ) => {
    const prompt = systemPrompt(['[RUNTIME]\na', 'Body.', notes, ...(rules.length > 0 ? [rules.join('\n\n')] : [])]);
    const scene = sceneOf([say.system(prompt), say.user('Hi.'), say.system(blocks.join('\n\n')), say.user('Go.')]);
    const segments = protocol === null ? nameSegments(kernelPrompt(scene), scene.evidence) : named(protocol, scene);
    return new Map(segments.map((segment) => [`${segment.kind} ${segment.origin.label}`, segment]));
  };
  const textIn = (segments: ReturnType<typeof segmentsOf>, name: string): string | undefined =>
    segments
      .get(name)
      ?.texts.map((text) => text.text)
      .join('');

  test.each([...PROTOCOLS, null])('%s: belongs to the one behind it, so neighbours of what goes stay', (protocol) => {
    const full = segmentsOf(protocol, [rule('Salt'), rule('Tide')], context);
    const less = [
      segmentsOf(protocol, [], context.slice(1)),
      segmentsOf(protocol, [rule('Tide')], context.slice(0, 1)),
      segmentsOf(protocol, [rule('Salt')], [context[0] ?? '', context[2] ?? '']),
    ];
    for (const one of less) {
      for (const [name, segment] of one)
        expect([name, comparedText(segment)]).toEqual([name, comparedText(full.get(name) as Segment)]);
      expect(textIn(one, 'extension character-notes')).toBe(textIn(full, 'extension character-notes'));
    }
    expect(textIn(full, 'turn-context world-dimensions')).toBe(`\n\n${context[1]}`);
    expect(textIn(full, 'lore Tide')).toMatch(/^\n\n\[World Rule: Tide\]/);
  });

  test('a summary begins with the blank lines before it', () => {
    const envelope = (n: number): string => `<compacted_history>\n${n}\n</compacted_history>\nNote.`;
    const scene = sceneOf([say.system(PROMPT), say.user(`${envelope(1)}\n\n${envelope(2)}`), say.user('Go.')]);
    const texts = named('openai-chat-v1', scene)
      .filter(({ kind }) => kind === 'summary')
      .map((segment) => segment.texts[0]?.text);
    expect(texts).toEqual([envelope(1), `\n\n${envelope(2)}`]);
  });

  test('a message of the conversation is compared to its last blank', () => {
    const segments = named('openai-chat-v1', sceneOf([say.system(PROMPT), say.user(' Go. \n')]));
    expect(comparedText(segments.at(-1) as Segment)).toBe(' Go. \n');
  });
});

describe('a message with another text than its row', () => {
  const talk = [1, 2, 3].flatMap((turn) => [
    row(turn, 'user', `Say ${turn}.`),
    row(turn, 'assistant', '', { plugin: 'guide', runtime: 'guide' }),
    row(turn, 'assistant', `Hint ${turn}.`, { plugin: 'guide', runtime: 'guide' }),
    row(turn, 'assistant', `Told ${turn}.`),
  ]);
  const history = (said: readonly (readonly [string, string])[], summary = false): readonly string[] => {
    const messages = [
      say.system(PROMPT),
      ...(summary ? [say.user('<compacted_history>\nOld.\n</compacted_history>\nNote.')] : []),
      ...said.map(([role, text]) => (role === 'user' ? say.user(text) : say.assistant(text))),
      say.system(CONTEXT),
      say.user('Go.'),
    ];
    return listed(named('openai-chat-v1', sceneOf(messages, { rows: talk }))).filter((line) =>
      line.startsWith('history'),
    );
  };
  const row1 = ['user', 'Say 1.'] as const;
  const row2 = ['assistant', 'Told 1.'] as const;
  const end = [
    ['user', 'Say 3.'],
    ['assistant', 'Told 3.'],
  ] as const;
  test('is its row by order between two known ones', () => {
    expect(history([row1, row2, ['user', 'Say 2.'], ['assistant', 'Tol…'], ...end])[3]).toBe(
      'history: turn 2 (position)',
    );
  });
  test('so are both messages of a turn', () => {
    expect(history([row1, row2, ['user', 'S…'], ['assistant', 'T…'], ...end]).slice(2, 4)).toEqual([
      'history: turn 2 (position)',
      'history: turn 2 (position)',
    ]);
  });
  test('and the last one', () => {
    expect(
      history([row1, row2, ['user', 'Say 2.'], ['assistant', 'Told 2.'], end[0], ['assistant', 'T…']]).at(-1),
    ).toBe('history: turn 3 (position)');
  });
  test('and the first one behind a summary', () => {
    expect(history([['user', 'S…'], ['assistant', 'Told 2.'], ...end], true)[0]).toBe('history: turn 2 (position)');
  });
  test('one that was put in has none', () => {
    expect(history([row1, row2, ['user', 'Wait.'], ['user', 'Say 2.'], ['assistant', 'Told 2.'], ...end])[2]).toBe(
      'history: no row (position)',
    );
  });
});

describe('rare messages', () => {
  test('the opener of an Anthropic conversation that begins with a reply', () => {
    const messages = [say.system(PROMPT), say.assistant('Ho.'), say.user('Go.')];
    const scene = sceneOf(messages, { rows: [row(8, 'assistant', 'Ho.')] });
    const opener = named('anthropic-messages-v1', scene)[2] as Segment;
    expect(brief(opener)).toBe('pre-history: opener (structure)');
  });
  test('pictures of which a wire keeps the captions only', () => {
    const messages = [
      say.system(PROMPT),
      say.user('Hi.'),
      say.system(CONTEXT),
      say.user('Pictures: a mill.'),
      say.user('Go.'),
    ];
    for (const protocol of ['openai-chat-v1', 'openai-responses-v1', 'anthropic-messages-v1'] as const) {
      const scene = sceneOf(messages, { rows: [row(8, 'user', 'Hi.')] });
      expect(listed(named(protocol, scene)).at(-2)).toBe('pictures: recent pictures (position)');
    }
  });
  test('the marker of a cut history', () => {
    const messages = [
      say.system(PROMPT),
      say.system('Older messages were left out.'),
      say.user('Hi.'),
      say.system(CONTEXT),
      say.user('Go.'),
    ];
    for (const protocol of PROTOCOLS) {
      const scene = sceneOf(messages);
      expect(listed(named(protocol, scene))[2]).toBe('history: pruned marker (position)');
    }
  });
  test('steps that were folded into a system message', () => {
    const call = { id: 'c', name: 'roll', arguments: '{}' };
    const messages = [
      say.system(PROMPT),
      say.user('Go.'),
      say.system('Earlier steps\n- roll {"n":1} ok 4\n- roll {"n":2} failed BUSY'),
      say.assistant('', [call]),
      say.result(call, '{}'),
    ];
    const scene = { ...sceneOf(messages), tools: [tool('roll', 'r')] };
    expect(brief(named('openai-chat-v1', scene)[4] as Segment)).toBe('tool-result: folded steps (marker)');
  });
  test('a rejected draft and its correction are part of the run, not a story', () => {
    const messages = [say.system(PROMPT), say.user('Go.'), say.assistant('Draft.'), say.user('[retry 2] Again.')];
    expect(listed(named('openai-chat-v1', sceneOf(messages))).slice(3)).toEqual([
      'tool-call: text (structure)',
      'retry-hint: [retry 2] (marker)',
    ]);
  });
  test('a story without a row is known by the cue behind it', () => {
    const messages = [say.system(PROMPT), say.user('Go.'), say.assistant('Story.'), say.user('Cue.')];
    expect(listed(named('openai-chat-v1', sceneOf(messages))).slice(3)).toEqual([
      'story: story (position)',
      'story-cue: story cue (position)',
    ]);
  });
  test('thoughts belong to the run', () => {
    const body = json({
      system: 'Body.',
      messages: [
        { role: 'user', content: 'Go.' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'sig' },
            { type: 'tool_use', id: 'c', name: 'roll', input: {} },
          ],
        },
      ],
    });
    const segments = nameSegments(parseBody('anthropic-messages-v1', body), evidence([], { kernel: null }));
    expect(listed(segments)).toEqual([
      'unknown: unknown (none)',
      'player: player (row)',
      'tool-call: reasoning (structure)',
      'tool-call: roll (structure)',
    ]);
  });
});
