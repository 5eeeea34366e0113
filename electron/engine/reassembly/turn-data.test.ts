import { describe, expect, test } from 'vitest';
import { nameSegments, parseKernel } from '../../adapters/index.ts';
import { build, CODEX, params, row, segment } from '../../assembler/testing/params.ts';
import { en } from '../../assembler/testing/texts.ts';
import { storeOf } from '../../assembler/data/inject.ts';
import type { BuildParams } from '../../assembler/types.ts';
import { turnIndex } from '../../../shared/units.ts';
import { readRecorded, type Recorded } from './recorded.ts';
import { turnDataOf } from './turn-data.ts';

/** The request of these parameters, as the trace keeps it and as naming reads it. */
async function recordedOf(given: Partial<BuildParams>): Promise<{ recorded: Recorded; turnContext: string }> {
  const { systemPrompt, messages, turnContext } = await build(given);
  const kernel = {
    messages: [{ role: 'system', content: systemPrompt }, ...messages.map(({ role, content }) => ({ role, content }))],
    tools: [],
  };
  const body = JSON.parse(JSON.stringify(kernel)) as { messages: []; tools: [] };
  const prompt = parseKernel(body);
  const segments = nameSegments(prompt, {
    kernel: { messages: body.messages },
    turnId: 't9',
    runtimeId: 'narrator',
    pluginId: 'narrator',
    playerText: 'I knock.',
    rows: [],
  });
  const side = {
    id: 'c',
    protocol: null,
    model: null,
    provider: null,
    body,
    prompt,
    segments,
    turnIndex: turnIndex(9),
  };
  return { recorded: readRecorded(side), turnContext };
}

const SLOTS = {
  tide: { cardinality: 'one', value: { height: '<3 & rising>' }, source: { pluginId: 'sea', runtimeId: 'sea' } },
} as const;
const CODEX_ROWS = [row('mai', { text: 'Ferryman.' })];

describe('a recorded turn context, read back and assembled again, is the same text', () => {
  test.each<[string, Partial<BuildParams>]>([
    ['slots alone', { inputSlots: SLOTS }],
    ['exports and inputs', { inputSlots: SLOTS, exportSlots: SLOTS }],
    ['slots and segments', { inputSlots: SLOTS, promptSegments: [turn('<b>\n1\n</b>'), turn('<a>\n2\n</a>')] }],
    ['segments alone', { promptSegments: [turn('<b>\n1\n</b>'), turn('words without a tag')] }],
    ['an event', { activation: { source: 'event', detached: true, payload: { why: 'x < y' } } }],
    ['an injected result', { ...injected('<scene>', 'A & B'), inputSlots: SLOTS }],
  ])('%s', async (_, given) => {
    const { recorded, turnContext } = await recordedOf(given);
    const data = await turnDataOf(recorded, 'narrator', [], en);
    const again = await build({
      manifest: { input: { inject: data.inject } },
      completedResults: data.results,
      promptSegments: data.segments,
      ...(data.inputSlots ? { inputSlots: data.inputSlots } : {}),
      ...(data.exportSlots ? { exportSlots: data.exportSlots } : {}),
      ...(data.activation ? { activation: data.activation } : {}),
    });
    expect(turnContext).not.toBe('');
    expect(again.turnContext).toBe(turnContext);
  });
});

describe('rows of plugin data', () => {
  const given = {
    ...params({ manifest: { input: { inject: CODEX } }, inputSlots: SLOTS }),
    store: storeOf(CODEX_ROWS),
  };
  test('that give the recorded block come from the database', async () => {
    const { recorded } = await recordedOf(given);
    const { fromDatabase, inject } = await turnDataOf(recorded, 'narrator', CODEX_ROWS, en);
    expect([...fromDatabase]).toEqual(['codex']);
    expect(inject).toMatchObject([{ kind: 'plugin-data', namespace: 'codex', as: 'codex' }]);
  });
  test('that changed since do not', async () => {
    const { recorded } = await recordedOf(given);
    const { fromDatabase, inject } = await turnDataOf(recorded, 'narrator', [row('mai', { text: 'Gone.' })], en);
    expect([...fromDatabase]).toEqual([]);
    expect(inject).toMatchObject([{ kind: 'runtime', as: 'codex' }]);
  });
});

function turn(content: string) {
  return segment(content, { volatility: 'turn' });
}

function injected(as: string, text: string): Partial<BuildParams> {
  return {
    manifest: {
      name: 'narrator',
      pluginId: 'narrator',
      input: { inject: [{ kind: 'runtime', from: 'x', field: 'text', as }] },
    },
    completedResults: new Map([['x', { output: { text } }]]),
  };
}
