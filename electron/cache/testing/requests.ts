/**
 * Small requests in the shapes that Covel really sends, one recipe for all four protocols: what an author would
 * change is one field of the recipe. They go through the real adapters, so tests see real segments.
 */
import { nameSegments, parseBody, parseKernel } from '../../adapters/index.ts';
import type { HistoryRow, Json, JsonObject, Protocol } from '../../../shared/model/index.ts';
import { turnIndex } from '../../../shared/units.ts';
import { CACHE_BREAK } from '../key-order.ts';
import type { CallSide } from '../types.ts';

export type Said = readonly [role: 'user' | 'assistant', text: string];

export type Recipe = {
  readonly turn: number;
  readonly model: string;
  readonly provider: string;
  readonly tools: readonly string[];
  /** Description of each tool. */
  readonly toolText: string;
  readonly preamble: string;
  readonly body: string;
  readonly extensions: readonly (readonly [tag: string, text: string])[];
  readonly lore: readonly string[];
  /** Turn segments that asked for a place before the history. */
  readonly tail: readonly (readonly [tag: string, text: string])[];
  readonly beforeHistory: readonly Said[];
  readonly summaries: readonly string[];
  readonly prunedNote: string | null;
  readonly history: readonly Said[];
  /** A system message among the history, counted from the end of the conversation. */
  readonly depth: { readonly text: string; readonly fromEnd: number } | null;
  readonly context: readonly (readonly [tag: string, text: string])[];
  readonly player: string;
  /** Tool calls of this turn with their results. */
  readonly steps: readonly { readonly tool: string; readonly result: string }[];
  /** Fields of the body beside the prompt. */
  readonly fields: JsonObject;
};

export const RECIPE: Recipe = {
  turn: 3,
  model: 'claude-sonnet-5-5',
  provider: 'one',
  tools: ['get-character', 'roll-dice'],
  toolText: 'Reads one record.',
  preamble: '[RUNTIME]\nOne runtime of many.\n\n[LANGUAGE]\nWrite English.\n\n[COMPLETION]\nEnd with the story.',
  body: 'You tell the story of a harbour.\n\nMood of the town: calm.\n\nWrite two paragraphs and stop where the player can act.\nNever decide for the player.',
  extensions: [['character-notes', 'Lin speaks slowly. 林说话很慢。']],
  lore: [],
  tail: [],
  beforeHistory: [],
  summaries: [],
  prunedNote: null,
  history: [
    ['user', 'I open the door. 我推开门。'],
    ['assistant', 'It creaks; the hall is dark.'],
    ['user', 'I light the lamp.'],
    ['assistant', 'Shadows jump back. 影子退开。'],
  ],
  depth: null,
  context: [
    ['memory-blocks', 'The lamp is lit.'],
    ['world-dimensions', 'tide: high'],
  ],
  player: 'I look at the stairs.',
  steps: [],
  fields: {},
};

/** The next turn of the same session: what was said joins the history, and the turn's own data is new. */
export const nextTurn = (recipe: Recipe, change: Partial<Recipe> = {}): Recipe => ({
  ...recipe,
  turn: recipe.turn + 1,
  history: [...recipe.history, ['user', recipe.player], ['assistant', `Turn ${recipe.turn} goes on. 故事继续。`]],
  context: recipe.context.map(([tag, text]) => [tag, `${text} (turn ${recipe.turn + 1})`] as const),
  player: `What I do in turn ${recipe.turn + 1}.`,
  ...change,
});

const block = ([tag, text]: readonly [string, string]): string => `<${tag}>\n${text}\n</${tag}>`;
const loreBlock = (text: string): string => block(['world-info', text]);

type Message =
  | { readonly role: 'system' | 'user' | 'assistant'; readonly text: string }
  | { readonly role: 'call'; readonly id: string; readonly tool: string }
  | { readonly role: 'result'; readonly id: string; readonly tool: string; readonly text: string };

function systemPrompt(recipe: Recipe): string {
  const marked = (text: string): string => (text === '' ? '' : text + CACHE_BREAK);
  return [
    marked(recipe.preamble),
    marked(recipe.body),
    marked(recipe.extensions.map(block).join('\n\n')),
    marked(recipe.lore.map(loreBlock).join('\n\n')),
    recipe.tail.map(block).join('\n\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function conversation(recipe: Recipe): readonly Message[] {
  const said = ([role, text]: Said): Message => ({ role, text });
  const base: Message[] = [
    ...recipe.beforeHistory.map(said),
    ...recipe.summaries.map((text): Message => ({
      role: 'user',
      text: `<compacted_history>\n# sections: Key events\n${text}\n</compacted_history>\nThis is a summary of earlier turns.`,
    })),
    ...(recipe.prunedNote === null ? [] : [{ role: 'system', text: recipe.prunedNote } as const]),
    ...recipe.history.map(said),
    { role: 'user', text: recipe.player },
  ];
  const at = base.length - 1;
  const context =
    recipe.context.length > 0 ? [{ role: 'system', text: recipe.context.map(block).join('\n\n') } as const] : [];
  const depth = recipe.depth ? [{ role: 'system', text: recipe.depth.text } as const] : [];
  const depthAt = recipe.depth ? Math.max(0, base.length - recipe.depth.fromEnd) : at;
  return [
    ...base.slice(0, depthAt),
    ...depth,
    ...base.slice(depthAt, at),
    ...context,
    ...base.slice(at),
    ...recipe.steps.flatMap((step, i): readonly Message[] => [
      { role: 'call', id: `call-${i}`, tool: step.tool },
      { role: 'result', id: `call-${i}`, tool: step.tool, text: step.result },
    ]),
  ];
}

/** System messages before the first other one join the system prompt; later ones stay where they are. */
function leadingSystem(recipe: Recipe): { readonly leading: readonly string[]; readonly rest: readonly Message[] } {
  const all = conversation(recipe);
  const first = all.findIndex((message) => message.role !== 'system');
  const leading = all.slice(0, first).flatMap((message) => (message.role === 'system' ? [message.text] : []));
  return { leading, rest: all.slice(first) };
}

const wrapped = (text: string): string => `<system-instruction>\n${text}\n</system-instruction>`;
const plain = (text: string): string => text.replaceAll(CACHE_BREAK, '');
const MARK = { type: 'ephemeral' };

const BODIES: Readonly<Record<Protocol, (recipe: Recipe) => JsonObject>> = {
  'anthropic-messages-v1': (recipe) => {
    const { leading, rest: blocks } = leadingSystem(recipe);
    const pieces = [systemPrompt(recipe), ...leading]
      .join('\n\n')
      .split(CACHE_BREAK)
      .map((piece) => piece.trimEnd())
      .filter((piece) => piece !== '');
    const messages = blocks.map((message, i): Json => {
      const mark = i === blocks.length - 1 ? { cache_control: MARK } : {};
      if (message.role === 'call') {
        return { role: 'assistant', content: [{ type: 'tool_use', id: message.id, name: message.tool, input: {} }] };
      }
      if (message.role === 'result') {
        return {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: message.id, content: message.text, ...mark }],
        };
      }
      const text = message.role === 'system' ? wrapped(message.text) : message.text;
      return { role: message.role === 'assistant' ? 'assistant' : 'user', content: [{ type: 'text', text, ...mark }] };
    });
    return {
      model: recipe.model,
      max_tokens: 16384,
      system: pieces.map((piece, i) => ({
        type: 'text',
        text: piece.trimStart(),
        ...(i === 0 ? { cache_control: MARK } : {}),
      })),
      messages,
      tools: recipe.tools.map((name) => ({ name, description: recipe.toolText, input_schema: { type: 'object' } })),
      ...recipe.fields,
    };
  },
  'openai-chat-v1': (recipe) => ({
    model: recipe.model,
    messages: [
      { role: 'system', content: plain(systemPrompt(recipe)) },
      ...conversation(recipe).map((message): Json => {
        if (message.role === 'call') {
          const call = { id: message.id, type: 'function', function: { name: message.tool, arguments: '{}' } };
          return { role: 'assistant', content: '', tool_calls: [call] };
        }
        if (message.role === 'result') return { role: 'tool', content: message.text, tool_call_id: message.id };
        return { role: message.role, content: message.text };
      }),
    ],
    tools: recipe.tools.map((name) => ({
      type: 'function',
      function: { name, description: recipe.toolText, parameters: { type: 'object' } },
    })),
    ...recipe.fields,
  }),
  'openai-responses-v1': (recipe) => ({
    model: recipe.model,
    store: false,
    input: [
      { role: 'system', content: plain(systemPrompt(recipe)) },
      ...conversation(recipe).map((message): Json => {
        if (message.role === 'call') {
          return { type: 'function_call', call_id: message.id, name: message.tool, arguments: '{}' };
        }
        if (message.role === 'result')
          return { type: 'function_call_output', call_id: message.id, output: message.text };
        return { role: message.role, content: message.text };
      }),
    ],
    tools: recipe.tools.map((name) => ({
      type: 'function',
      name,
      description: recipe.toolText,
      parameters: { type: 'object' },
    })),
    ...recipe.fields,
  }),
  'google-generative-ai-v1': (recipe) => {
    const contents: { role: string; parts: Json[]; pure: boolean }[] = [];
    const { leading, rest } = leadingSystem(recipe);
    for (const message of rest) {
      const pure = message.role !== 'call' && message.role !== 'result';
      const role = message.role === 'assistant' || message.role === 'call' ? 'model' : 'user';
      const part: Json =
        message.role === 'call'
          ? { functionCall: { name: message.tool, args: {} } }
          : message.role === 'result'
            ? { functionResponse: { name: message.tool, response: { result: message.text } } }
            : { text: message.role === 'system' ? wrapped(message.text) : message.text };
      const last = contents[contents.length - 1];
      if (last && last.role === role && last.pure && pure) last.parts.push(part);
      else contents.push({ role, parts: [part], pure });
    }
    return {
      contents: contents.map(({ role, parts }) => ({ role, parts })),
      systemInstruction: { parts: [systemPrompt(recipe), ...leading].map((text) => ({ text: plain(text) })) },
      generationConfig: { maxOutputTokens: 8192 },
      tools: [
        {
          functionDeclarations: recipe.tools.map((name) => ({
            name,
            description: recipe.toolText,
            parametersJsonSchema: { type: 'object' },
          })),
        },
      ],
      ...recipe.fields,
    };
  },
};

/** The payload's own view: sentinels in the system prompt, roles as the runtime knows them. */
export const kernelOf = (recipe: Recipe): { readonly messages: readonly Json[]; readonly tools: readonly Json[] } => ({
  messages: [
    { role: 'system', content: systemPrompt(recipe) },
    ...conversation(recipe).map((message): Json => {
      if (message.role === 'call') {
        return { role: 'assistant', content: '', toolCalls: [{ id: message.id, name: message.tool, arguments: '{}' }] };
      }
      if (message.role === 'result') return { role: 'tool', content: message.text, toolCallId: message.id };
      return { role: message.role, content: message.text };
    }),
  ],
  tools: recipe.tools.map((name) => ({ name, description: recipe.toolText, jsonSchema: { type: 'object' } })),
});

export const bodyOf = (protocol: Protocol, recipe: Recipe): JsonObject => BODIES[protocol](recipe);

/** One side of a comparison, read back from its body (or from the kernel view for null) by the adapters. */
export function sideOf(
  protocol: Protocol | null,
  recipe: Recipe,
  evidence: { readonly kernel: boolean } = { kernel: true },
): CallSide {
  const kernel = kernelOf(recipe);
  const body: JsonObject = protocol ? bodyOf(protocol, recipe) : kernel;
  const prompt = protocol ? parseBody(protocol, body) : parseKernel(kernel);
  const turnId = `turn-${recipe.turn}`;
  // A turn has two rows, so the last row of the history was written in the turn before this one.
  const rows = recipe.history.map(([role, content], i): HistoryRow => {
    const turn = recipe.turn - Math.ceil((recipe.history.length - i) / 2);
    const player = role === 'user';
    return {
      id: `row-${turn}-${role}`,
      turnId: `turn-${turn}`,
      turnIndex: turnIndex(turn),
      sourceType: player ? 'player' : 'runtime',
      plugin: player ? null : 'narrator',
      runtime: player ? null : 'narrator',
      role,
      content,
      picture: false,
    };
  });
  return {
    id: `call-${recipe.turn}`,
    protocol,
    model: recipe.model,
    provider: recipe.provider,
    body,
    prompt,
    segments: nameSegments(prompt, {
      kernel: evidence.kernel ? { messages: kernel.messages } : null,
      turnId,
      runtimeId: 'narrator',
      pluginId: 'narrator',
      playerText: recipe.player,
      rows,
    }),
    turnIndex: turnIndex(recipe.turn),
  };
}
