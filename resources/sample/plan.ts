/**
 * What each turn of the sample is there to show, by its number in the story: the common causes of a broken prefix, tool
 * loops, retries, a failed and an interrupted turn, compactions, a picture.
 */
import type { Protocol } from '../../shared/model/index.ts';
import { storyEn } from './story-en.ts';
import { storyZh } from './story-zh.ts';
import type { Story } from './story.ts';

export type Target = {
  readonly protocol: Protocol;
  readonly provider: string;
  readonly model: string;
  readonly slot: string;
  /** The model reads pictures. */
  readonly sees: boolean;
};
export type RuntimeId = 'narrator' | 'world-init/dimension-tracker' | 'char-creator/character-tracker' | 'guide';

const CLAUDE: Target = {
  protocol: 'anthropic-messages-v1',
  provider: 'anthropic',
  model: 'claude-sonnet-4-5',
  slot: 'story',
  sees: true,
};
export const CHAT: Target = {
  protocol: 'openai-chat-v1',
  provider: 'deepseek',
  model: 'deepseek-chat',
  slot: 'fast',
  sees: false,
};
const GEMINI: Target = {
  protocol: 'google-generative-ai-v1',
  provider: 'google',
  model: 'gemini-2.5-flash',
  slot: 'fast',
  sees: true,
};
const GPT: Target = {
  protocol: 'openai-responses-v1',
  provider: 'openai',
  model: 'gpt-5.4-mini',
  slot: 'balance',
  sees: true,
};

export type Plan = {
  readonly story: Story;
  readonly start: string;
  readonly targets: Readonly<Record<RuntimeId, Target>>;
  /** Turns by their number in the story, from 1, for what happens in them. */
  readonly postmarkToolFrom: number;
  readonly joinedFrom: number;
  readonly revisedFrom: number;
  readonly reorderedFrom: number;
  readonly compactions: Readonly<Record<number, number>>;
  readonly narratorTools: Readonly<Record<number, readonly [name: string, args: object, result: object]>>;
  readonly http429: readonly number[];
  readonly fallback: readonly number[];
  readonly otherModel: readonly number[];
  readonly freeToolChoice: readonly number[];
  readonly forcedTool: readonly number[];
  readonly retried: readonly number[];
  readonly guideFails: readonly number[];
  readonly guidePruned: readonly number[];
  readonly pictures: Readonly<Record<number, string>>;
  readonly editedFrom: number;
  /** The turn is tried once in vain before it works. */
  readonly failedBefore: readonly number[];
  readonly interruptedBefore: readonly number[];
  readonly pauseBefore: Readonly<Record<number, number>>;
  readonly characterTurns: (turn: number) => boolean;
};

const NEVER = Number.POSITIVE_INFINITY;

export const PLAN_ZH: Plan = {
  story: storyZh,
  start: '2026-11-24T13:02:00.000Z',
  targets: {
    narrator: CLAUDE,
    'world-init/dimension-tracker': CHAT,
    'char-creator/character-tracker': GEMINI,
    guide: GPT,
  },
  postmarkToolFrom: 5, // tools-added
  joinedFrom: 10, // extension-segment: the roster changes
  revisedFrom: 22, // system-text: a new version of the plugin
  reorderedFrom: NEVER,
  compactions: { 12: 8, 21: 17 }, // compacted: before this turn, everything up to that one
  narratorTools: {
    2: ['get-character', { name: '阿砚' }, { ok: true, summary: '分拣员，十六岁', data: { mood: '兴奋' } }],
    6: [
      'roll-dice',
      { notation: '2d6', reason: '念出名字' },
      { ok: true, summary: '2d6 = 9', data: { rolls: [4, 5], total: 9 } },
    ],
    13: [
      'emit-event',
      { topic: 'clock.moved', payload: { minutes: 1 } },
      { ok: true, summary: 'clock.moved', data: {} },
    ],
    22: ['emit-event', { topic: 'door.answered', payload: {} }, { ok: true, summary: 'door.answered', data: {} }],
  },
  http429: [3],
  fallback: [15], // model: another protocol answers
  otherModel: [18, 19], // model
  freeToolChoice: [19], // options, of the tracker
  forcedTool: [23], // options, of the narrator
  retried: [8], // append-only: a hint after a wrong answer
  guideFails: [14],
  guidePruned: [17], // pruned
  pictures: { 9: '雨夜里亮着灯的钟表铺，橱窗里四十一只钟停在不同的时刻' },
  editedFrom: 24, // message-edited: a hook shortens an old message
  failedBefore: [16], // identical: the same request once more
  interruptedBefore: [22],
  pauseBefore: { 4: 9 * 60_000 }, // longer than the five minutes a cache entry lives
  characterTurns: (turn) => turn % 4 === 0,
};

export const PLAN_EN: Plan = {
  ...PLAN_ZH,
  story: storyEn,
  start: '2026-11-18T09:15:00.000Z',
  targets: {
    narrator: GPT,
    'world-init/dimension-tracker': GEMINI,
    'char-creator/character-tracker': CLAUDE,
    guide: CHAT,
  },
  postmarkToolFrom: 4,
  joinedFrom: 7,
  revisedFrom: NEVER,
  reorderedFrom: 6, // tools reordered and one removed
  compactions: { 6: 3 },
  narratorTools: {
    2: [
      'roll-dice',
      { notation: '1d6', reason: 'weigh it' },
      { ok: true, summary: '1d6 = 4', data: { rolls: [4], total: 4 } },
    ],
    5: [
      'get-character',
      { name: 'Dorrit Hale' },
      { ok: true, summary: 'district inspector', data: { mood: 'patient' } },
    ],
  },
  http429: [4],
  fallback: [],
  otherModel: [],
  freeToolChoice: [],
  forcedTool: [],
  retried: [5],
  guideFails: [],
  guidePruned: [],
  pictures: {},
  editedFrom: NEVER,
  failedBefore: [],
  interruptedBefore: [],
  pauseBefore: {},
  characterTurns: (turn) => turn % 2 === 1,
};
