/**
 * A request must be there while somebody types: assembling and converting one of 100 KB is held against JSON.stringify
 * of the same body, measured in the same run (quality page: at most 5 times).
 *
 * Run with Node 24: `node electron/engine/assemble.bench.ts [kilobytes]`.
 */
import { fileURLToPath } from 'node:url';
import { buildContext } from '../assembler/build-context.ts';
import type { BuildParams } from '../assembler/types.ts';
import { PROTOCOLS, type Protocol } from '../../shared/model/index.ts';
import { reportOf } from './assemble.ts';
import { wireOf } from './convert.ts';
import { createPromptTexts } from './prompt-texts.ts';

const ENGLISH = 'The lamp burned low while the fog came in over the water, and nobody answered. ';
const CHINESE = '雾灯在岸边亮着，守灯人低声说：「你听见了吗？」海面忽然安静下来。';

function prose(seed: number, bytes: number): string {
  let text = '';
  for (let n = seed; Buffer.byteLength(text) < bytes; n++) text += `${n % 3 === 0 ? CHINESE : ENGLISH}(${n}) `;
  return text;
}

/** A story runtime late in a session: most of the request is history. */
function params(bytes: number): BuildParams {
  const each = 1200;
  return {
    promptTemplate: prose(1, bytes * 0.1),
    manifest: { name: 'narrator', pluginId: 'narrator', outputKind: 'story' },
    turnInput: { sessionId: 's', turnId: 't', origin: 'player', playerMessage: 'I wait.', locale: 'zh-CN' },
    messageHistory: Array.from({ length: Math.round((bytes * 0.75) / each) }, (_, i) => ({
      role: i % 2 ? 'assistant' : 'user',
      content: prose(i, each),
      turnId: `t${i >> 1}`,
      sourceType: i % 2 ? 'runtime' : 'player',
    })),
    promptSegments: Array.from({ length: 6 }, (_, i) => ({
      id: `e${i}`,
      content: `<block-${i}>\n${prose(50 + i, bytes * 0.02)}\n</block-${i}>`,
      position: 'system',
      audience: 'story',
      volatility: i < 3 ? 'session' : 'turn',
      providerPluginId: 'p',
    })),
  };
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;

async function timed(rounds: number, work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}

export type AssembleFigures = {
  readonly protocol: Protocol;
  readonly bodyBytes: number;
  /** Milliseconds, medians. */
  readonly stringify: number;
  readonly assemble: number;
  readonly both: number;
};

export async function assembleFigures(bytes: number, rounds = 60): Promise<readonly AssembleFigures[]> {
  const texts = createPromptTexts(fileURLToPath(new URL('../../resources', import.meta.url))).framework('zh');
  const given = params(bytes);
  const figures: AssembleFigures[] = [];
  for (const protocol of PROTOCOLS) {
    const make = async () => {
      const context = await buildContext(given, texts);
      return wireOf(context, reportOf(context).segments, given, protocol, texts);
    };
    const made = await make();
    if (!made.ok) throw new Error(made.error.message);
    const { body } = made.value.wire;
    await timed(3 * rounds, make);
    figures.push({
      protocol,
      bodyBytes: Buffer.byteLength(JSON.stringify(body)),
      stringify: await timed(rounds, () => JSON.stringify(body)),
      assemble: await timed(rounds, () => buildContext(given, texts)),
      both: await timed(rounds, make),
    });
  }
  return figures;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { protocol, bodyBytes, stringify, assemble, both } of await assembleFigures(
    1000 * Number(process.argv[2] ?? 100),
  )) {
    const ratio = (both / stringify).toFixed(1);
    console.log(
      `${protocol}: ${bodyBytes} bytes, JSON.stringify ${stringify.toFixed(2)} ms, assemble ${assemble.toFixed(2)} ms, assemble and convert ${both.toFixed(2)} ms (${ratio} x)`,
    );
  }
}
