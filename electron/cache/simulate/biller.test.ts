/**
 * The sample has a biller of its own, which reads the rules from JSON bodies and texts and knows nothing of blocks and
 * numbers. Conversations as Covel has them are billed by it and predicted from their bytes; both must come to the same
 * within the tolerance, and where positions are exact, to the token.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createProvider } from '../../../resources/sample/provider.ts';
import type { JsonObject, Protocol } from '../../../shared/model/index.ts';
import { tokens, turnIndex } from '../../../shared/units.ts';
import { createBlockReader } from '../bytes/blocks.ts';
import { createCallTracker } from '../bytes/tracker.ts';
import { cacheRuleFor, parseCacheRules } from '../rules.ts';
import { simulateSession } from './simulate.ts';
import type { RequestBlocks, SimCall } from './types.ts';

const rules = parseCacheRules(JSON.parse(readFileSync('resources/cache-rules.json', 'utf8')));
const TOLERANCE = 128;
/** As the biller has it: an answer begins this long after its request. */
const FIRST_TOKEN_MS = 600;

const MODELS: readonly (readonly [model: string, protocol: Protocol])[] = [
  ['claude-opus-4-8', 'anthropic-messages-v1'],
  ['gpt-5.4-mini', 'openai-chat-v1'],
  ['gpt-5.4-mini', 'openai-responses-v1'],
  ['gemini-2.5-flash', 'google-generative-ai-v1'],
  ['deepseek-chat', 'openai-chat-v1'],
];

/**
 * What happens in one turn of one runtime. There is always a turn context: without one the next turn goes on where this
 * one's answer ends, and the biller keeps no units at the end of answers (simulate.test.ts does).
 */
const anyTurn = fc.record({
  gapS: fc.constantFrom(0.3, 5, 60, 250, 290, 310, 900),
  runtime: fc.constantFrom('narrator', 'narrator', 'narrator', 'tracker'),
  context: fc.constantFrom(100, 300, 900),
  steps: fc.constantFrom(0, 0, 1, 3, 12),
  change: fc.constantFrom('none', 'none', 'none', 'none', 'tool', 'system', 'window', 'edit', 'choice', 'picture'),
});
type Turn = typeof anyTurn extends fc.Arbitrary<infer T> ? T : never;

const prose = (name: string, length: number): string =>
  Array.from({ length: Math.ceil(length / 14) }, (_, n) => `${name} lamp ${(n * 7) % 1000};`).join(' ');

type Message = { readonly role: 'user' | 'assistant' | 'tool'; readonly text: string };
type Prompt = {
  readonly tools: readonly string[];
  readonly system: readonly string[];
  readonly history: readonly Message[];
  readonly rest: readonly Message[];
  readonly choice: boolean;
  readonly picture: boolean;
};

const MARK = { cache_control: { type: 'ephemeral' } };
const wireRole = (role: Message['role']): string => (role === 'tool' ? 'user' : role);
const BODIES: Readonly<Record<Protocol, (prompt: Prompt) => JsonObject>> = {
  'anthropic-messages-v1': ({ tools, system, history, rest, choice, picture }) => {
    const all = [...history, ...rest];
    return {
      tools: tools.map((name) => ({ name, description: prose(name, 400) })),
      system: system.map((text, n) => ({ type: 'text', text, ...(n === 0 || n === system.length - 1 ? MARK : {}) })),
      messages: [
        ...all.map(({ role, text }, n) => ({
          role: wireRole(role),
          content: [{ type: 'text', text, ...(n === history.length - 1 || n === all.length - 1 ? MARK : {}) }],
        })),
        ...(picture ? [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'x' } }] }] : []),
      ],
      ...(choice ? { tool_choice: { type: 'any' } } : {}),
    };
  },
  'openai-chat-v1': ({ tools, system, history, rest }) => ({
    tools: tools.map((name) => ({ type: 'function', function: { name, description: prose(name, 400) } })),
    messages: [
      { role: 'system', content: system.join('\n\n') },
      ...[...history, ...rest].map(({ role, text }) => ({ role, content: text })),
    ],
  }),
  'openai-responses-v1': ({ tools, system, history, rest }) => ({
    tools: tools.map((name) => ({ type: 'function', name, description: prose(name, 400) })),
    input: [
      { role: 'system', content: system.join('\n\n') },
      ...[...history, ...rest].map(({ role, text }) => ({ role: wireRole(role), content: text })),
    ],
  }),
  'google-generative-ai-v1': ({ tools, system, history, rest }) => ({
    tools: [{ functionDeclarations: tools.map((name) => ({ name, description: prose(name, 400) })) }],
    systemInstruction: { parts: [{ text: system.join('\n\n') }] },
    contents: [...history, ...rest].map(({ role, text }) => ({
      role: role === 'assistant' ? 'model' : 'user',
      parts: [{ text }],
    })),
  }),
};

type Sent = { readonly runtime: string; readonly turn: number; readonly atMs: number; readonly prompt: Prompt };

/** The requests of a session in the order of their starts. */
function conversation(turns: readonly Turn[]): readonly Sent[] {
  const sent: Sent[] = [];
  const states = new Map<string, { tools: string[]; system: string[]; history: Message[] }>();
  let atMs = 0;
  for (const [turn, { gapS, runtime, context, steps, change }] of turns.entries()) {
    atMs += gapS * 1000;
    const state = states.get(runtime) ?? {
      tools: ['get-character', 'roll-dice'],
      system: [prose('The same for all.', 3000), prose(runtime, 5000)],
      history: [],
    };
    states.set(runtime, state);
    if (change === 'tool') state.tools.push(`tool-${turn}`);
    if (change === 'system') state.system[1] = prose(`${runtime} ${turn}`, 5000);
    if (change === 'window') state.history.splice(0, 2);
    if (change === 'edit' && state.history[1])
      state.history[1] = { role: 'assistant', text: prose(`edited ${turn}`, 900) };
    const player: Message = { role: 'user', text: `I do what I do in turn ${turn}.` };
    const rest: Message[] = [{ role: 'user', text: prose(`context ${turn}`, context) }, player];
    for (let step = 0; step <= steps; step++) {
      const prompt = {
        tools: [...state.tools],
        system: [...state.system],
        history: [...state.history],
        rest: [...rest],
        choice: change === 'choice',
        picture: change === 'picture',
      };
      sent.push({ runtime, turn, atMs, prompt });
      rest.push(
        { role: 'assistant', text: `I roll ${turn} ${step}.` },
        { role: 'tool', text: prose(`rolled ${step}`, 200) },
      );
      if (step < steps) atMs += 2000;
    }
    state.history.push(player, { role: 'assistant', text: prose(`told ${turn}`, 1300) });
  }
  return sent;
}

type Compared = {
  readonly read: number;
  readonly billedRead: number;
  readonly write: number;
  readonly billedWrite: number;
};

function compare(sent: readonly Sent[], model: string, protocol: Protocol): readonly Compared[] {
  const provider = createProvider();
  const tracker = createCallTracker();
  const reader = createBlockReader({
    rules,
    digest: (bytes) => createHash('sha1').update(bytes).digest('base64'),
  });
  const rule = cacheRuleFor(rules, { protocol, model, provider: null, hasMarks: false });
  const bills = sent.map(({ prompt, atMs }) =>
    provider.bill(BODIES[protocol](prompt), protocol, model, atMs, 'An answer.'),
  );
  const calls = sent.map(({ runtime, turn, atMs, prompt }, n): SimCall => {
    const request = { protocol, body: BODIES[protocol](prompt), statusCode: 200 };
    let blocks: RequestBlocks | null = null;
    const tracked = tracker.track({
      id: String(n),
      turnId: String(turn),
      payload: Buffer.from(JSON.stringify({ runtimeId: runtime, providerRequests: [request] })),
      isOwned: true,
      read: (key, body) => {
        blocks = reader.blocksOf(key, body, rule);
      },
    });
    if (!blocks) throw new Error('unreadable');
    return {
      id: String(n),
      runtimeId: runtime,
      turnIndex: turnIndex(turn),
      previousId: tracked.baselineId,
      provider: 'p',
      protocol,
      model,
      startedAt: atMs,
      durationMs: FIRST_TOKEN_MS,
      answered: true,
      blocks,
      sharedWithPrevious: tracked.prefix?.shared ?? null,
      usage: null,
      billedInput: tokens(bills[n]?.inputTokens ?? 0),
      countedInput: null,
    };
  });
  return simulateSession(calls, rules).map(({ prediction }, n) => ({
    read: prediction?.read ?? -1,
    write: prediction?.write ?? -1,
    billedRead: bills[n]?.cachedInputTokens ?? 0,
    billedWrite: bills[n]?.cacheWriteInputTokens ?? 0,
  }));
}

describe('the biller of the sample', () => {
  test.each(MODELS)('%s over %s', { timeout: 60_000 }, (model, protocol) => {
    let calls = 0;
    let near = 0;
    let hits = 0;
    const misses: string[] = [];
    fc.assert(
      fc.property(fc.array(anyTurn, { minLength: 1, maxLength: 12 }), (turns) => {
        const sent = conversation(turns);
        for (const [n, one] of compare(sent, model, protocol).entries()) {
          calls++;
          if (one.billedRead > 0) hits++;
          const isNear =
            Math.abs(one.read - one.billedRead) <= TOLERANCE && Math.abs(one.write - one.billedWrite) <= TOLERANCE;
          if (isNear) near++;
          else
            misses.push(
              `${sent[n]?.runtime} turn ${sent[n]?.turn} ${turns[sent[n]?.turn ?? 0]?.change}: read ${one.read}, billed ${one.billedRead}; write ${one.write}, billed ${one.billedWrite}`,
            );
        }
      }),
      { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 12) },
    );
    console.log(`${model} over ${protocol}: ${near} of ${calls} calls, ${hits} of them hits`);
    for (const miss of misses.slice(0, 12)) console.log(`  ${miss}`);
    expect(hits / calls).toBeGreaterThan(0.4);
    expect(near / calls).toBeGreaterThanOrEqual(0.95);
  });
});
