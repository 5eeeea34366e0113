/**
 * A session that never was, for tests and for looking at the window without a file: 24 turns of a harbour story with
 * four runtimes, one compaction, one retry, one failure, one picture, one interrupted turn, one swept turn and three pauses.
 */
import type { SourceSummary } from '../../shared/api.ts';
import type { CallRow, SessionRow, TurnRow, TurnStatus } from '../../shared/model/index.ts';
import { billed, bytes, chars, estimated, tokens, turnIndex } from '../../shared/units.ts';

const SAID = [
  '我推开盐仓的门',
  '问何掌灯海图的来历',
  '跟着白雀去潮汐闸',
  '把铜铃收进怀里',
  '查看湿透的账本',
  '沿着石阶往下走',
  '点亮三号灯塔的灯',
  '让阿宽守在门口',
  '数一数钟声',
  'Turn to page seven and read it aloud',
  '对照墨迹',
  '退潮前回到码头',
  '向白雀坦白',
  '把海图交出去',
  '等雾散',
  '进无名茶棚',
  'Ask the ferryman what he saw on the night the beacon went out',
  '绕到盐仓背后',
  '把油灯放在窗台上',
  '听门外的脚步声',
  '翻墙进账房',
  '撕下最后一页',
  '跑向三号灯塔',
  '吹响铜哨',
] as const;
const SHARES = [0, 61, 72, 80, 84, 31, 79, 86, 88, 90, 91, 87, 45, 82, 88, 90, 90, 91, 92, 92, 93, 93, 94, 94] as const;
const SIZES = [
  3720, 4460, 5210, 6080, 6820, 7190, 5830, 6570, 7190, 7810, 8180, 8680, 9180, 7440, 7930, 8560, 9050, 9670, 10170,
  10660, 11160, 11660, 12030, 12400,
] as const;

type Runtime = {
  readonly id: string;
  readonly plugin: string | null;
  readonly protocol: string;
  readonly provider: string;
  readonly model: string;
  readonly scale: number;
  readonly steps: number;
};
const RUNTIMES: readonly Runtime[] = [
  { id: 'narrator', plugin: null, protocol: 'anthropic-messages-v1', provider: 'anthropic', model: 'claude-sonnet-5-5', scale: 1, steps: 2 },
  { id: 'world-init/dimension-tracker', plugin: 'world-init', protocol: 'openai-chat-v1', provider: 'deepseek', model: 'deepseek-chat', scale: 0.41, steps: 1 },
  { id: 'char-creator/character-tracker', plugin: 'char-creator', protocol: 'openai-responses-v1', provider: 'openai', model: 'gpt-5.2-mini', scale: 0.35, steps: 2 },
  { id: 'guide', plugin: null, protocol: 'google-generative-ai-v1', provider: 'google', model: 'gemini-3-flash', scale: 0.24, steps: 1 },
]; // prettier-ignore

/** Minutes that the player was away before a turn. */
const AWAY: Readonly<Record<number, number>> = { 9: 9, 20: 125, 22: 4 };
const awayBefore = (turn: number): number =>
  Object.entries(AWAY).reduce((sum, [at, minutes]) => sum + (turn >= Number(at) ? minutes : 0), 0);

const at = (turn: number, seconds: number): string =>
  new Date(Date.UTC(2026, 9, 12, 8, 45 + turn * 3 + awayBefore(turn), seconds)).toISOString();

function callsOf(turn: number, said: number, prefix: string): readonly CallRow[] {
  const size = SIZES[said % SIZES.length] ?? 0;
  const share = (SHARES[said % SHARES.length] ?? 0) / 100;
  const rows: CallRow[] = [];
  RUNTIMES.forEach((runtime, lane) => {
    if (runtime.id === 'guide' && said === 4) return;
    for (let step = 0; step < runtime.steps; step++) {
      const attempts = said === 12 && lane === 0 && step === 0 ? 2 : 1;
      for (let attempt = 0; attempt < attempts; attempt++) {
        const failed = (attempts === 2 && attempt === 0) || (said === 19 && lane === 2 && step === 1);
        const input = Math.round(size * runtime.scale * (1 + step * 0.1));
        const shared = turn === 1 && step === 0 ? 0 : step > 0 ? 0.93 : lane === 0 ? share : share * 0.3 * lane;
        const read = lane === 3 ? null : Math.floor((input * shared) / 128) * 128;
        const first = turn === 1 && step === 0;
        rows.push({
          id: `${prefix}c${turn}-${lane}-${step}-${attempt}`,
          turnId: `${prefix}t${turn}`,
          turnIndex: turnIndex(turn),
          runtimeId: runtime.id,
          pluginId: runtime.plugin,
          replyId: failed ? null : `r${turn}-${lane}-${step}-${attempt}`,
          step,
          attempt,
          protocol: runtime.protocol,
          provider: runtime.provider,
          model: runtime.model,
          startedAt: at(turn, lane * 12 + step * 5),
          durationMs: failed ? 30_000 : 2100 + size / 2 + lane * 310,
          finishReason: failed ? 'error' : step + 1 < runtime.steps ? 'tool-calls' : 'stop',
          error: failed ? 'HTTP 529: overloaded' : null,
          inputTokens: failed || lane === 3 ? estimated(input) : billed(input),
          estimate: estimated(input * 0.96),
          chars: chars(input * 2),
          usage:
            failed || read === null
              ? null
              : {
                  read: tokens(read),
                  write: lane === 0 ? tokens(Math.round((input - read) * 0.8)) : null,
                  uncached: tokens(input - read - (lane === 0 ? Math.round((input - read) * 0.8) : 0)),
                  output: tokens(410),
                },
          httpAttempts: failed ? 3 : 1,
          payloadBytes: bytes(input * 6),
          kernelOnly: false,
          empty: false,
          prefix: first
            ? null
            : {
                baselineId:
                  step > 0 ? `${prefix}c${turn}-${lane}-0-${attempts - 1}` : `${prefix}c${turn - 1}-${lane}-0-0`,
                shared: estimated(input * 0.96 * shared),
                sharedChars: chars(Math.round(input * 2 * shared)),
                firstDifference: 'message 15 (user)',
              },
        });
      }
    }
  });
  return rows;
}

const statusOf = (said: number): TurnStatus => (said === 19 ? 'failed' : said === 16 ? 'interrupted' : 'committed');

function turnOf(turn: number, said: number, prefix: string, swept: boolean): TurnRow {
  const isSwept = swept && said === 1;
  return {
    index: turnIndex(turn),
    turnId: `${prefix}t${turn}`,
    origin: said === 14 ? 'continuation' : 'player',
    playerText: said === 14 ? null : (SAID[said] ?? null),
    status: isSwept ? 'unknown' : statusOf(said),
    startedAt: at(turn, 0),
    attempts: 0,
    swept: isSwept,
    compactions: said === 5 || said === 12 ? 1 : 0,
    pruned: said === 7 ? 1 : 0,
    failures: said === 19 ? 1 : 0,
    images: said === 8 ? 1 : 0,
  };
}

export type FixtureSession = {
  readonly row: SessionRow;
  readonly turns: readonly TurnRow[];
  readonly calls: readonly CallRow[];
};

/**
 * A session of `turns` turns; the story repeats when it is longer than 24. `swept` deletes the traces of turn 2,
 * `prefix` keeps the ids of two sessions apart.
 */
export function fixtureSession(
  id: string,
  turns: number,
  options: { swept?: boolean; prefix?: string } = {},
): FixtureSession {
  const { prefix = '' } = options;
  const calls: CallRow[] = [];
  const rows: TurnRow[] = [];
  for (let turn = 1; turn <= turns; turn++) {
    const said = (turn - 1) % SAID.length;
    const row = turnOf(turn, said, prefix, options.swept === true);
    const own = row.swept ? [] : callsOf(turn, said, prefix);
    calls.push(...own);
    rows.push({ ...row, attempts: own.length });
  }
  return {
    row: {
      id,
      worldId: 'harbor',
      title: '雾港',
      locale: 'zh-CN',
      status: 'active',
      createdAt: at(0, 0),
      turns,
      calls: calls.filter((call) => call.attempt === 0).length,
      attempts: calls.length,
      summaries: turns > 5 ? 3 : 0,
    },
    turns: rows,
    calls,
  };
}

export const fixtureSource = (sessions: readonly FixtureSession[], name = 'covel.db'): SourceSummary => ({
  sourceId: 'source-1',
  kind: 'covel-db',
  name,
  path: `/home/author/harbor-tides/${name}`,
  isSample: false,
  generation: 'G6',
  mode: 'immutable',
  bytes: 8_400_000,
  sessions: sessions.map((session) => session.row),
});
