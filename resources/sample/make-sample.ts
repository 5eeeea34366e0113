/**
 * Makes resources/sample/covel.db, the session that opens when nothing else is named. The same input always gives
 * the same file. What each turn is there to show stands in PLAN.
 */
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildDb, createIds, type DbBuilder } from '../../electron/sources/covel-db/testing/build-db.ts';
import { CUES } from './prompts.ts';
import { createProvider, type SampleProvider } from './provider.ts';
import {
  characterTracker,
  dimensionTracker,
  guide,
  narrator,
  type Assembled,
  type HistoryEntry,
  type Scene,
} from './runtimes.ts';
import { storyEn } from './story-en.ts';
import { storyZh } from './story-zh.ts';
import type { Story } from './story.ts';
import { TO_WIRE, type KernelMessage, type Request, type SampleProtocol } from './to-wire.ts';

type Target = {
  readonly protocol: SampleProtocol;
  readonly provider: string;
  readonly model: string;
  readonly slot: string;
};
type RuntimeId = 'narrator' | 'world-init/dimension-tracker' | 'char-creator/character-tracker' | 'guide';

const CLAUDE: Target = {
  protocol: 'anthropic-messages-v1',
  provider: 'anthropic',
  model: 'claude-sonnet-4-5',
  slot: 'story',
};
const CHAT: Target = { protocol: 'openai-chat-v1', provider: 'deepseek', model: 'deepseek-chat', slot: 'fast' };
const GEMINI: Target = {
  protocol: 'google-generative-ai-v1',
  provider: 'google',
  model: 'gemini-2.5-flash',
  slot: 'fast',
};
const GPT: Target = { protocol: 'openai-responses-v1', provider: 'openai', model: 'gpt-5.4-mini', slot: 'balance' };

type Plan = {
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

const PLAN_ZH: Plan = {
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
  compactions: { 12: 8, 20: 17 }, // before this turn, everything up to that one
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
  fallback: [11], // another protocol answers
  otherModel: [18, 19], // model
  freeToolChoice: [19], // options
  retried: [8],
  guideFails: [14],
  guidePruned: [17],
  pictures: { 9: '雨夜里亮着灯的钟表铺，橱窗里四十一只钟停在不同的时刻' },
  editedFrom: 24, // message-edited: a hook shortens an old message
  failedBefore: [16],
  interruptedBefore: [22],
  pauseBefore: { 4: 9 * 60_000 }, // longer than the five minutes a cache entry lives
  characterTurns: (turn) => turn % 4 === 0,
};

const PLAN_EN: Plan = {
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

/** Writes one session. Times are real times of the story: a call's row is written after its answer began. */
function writeSession(db: DbBuilder, plan: Plan, provider: SampleProvider): void {
  const { story } = plan;
  const zh = story.locale === 'zh-CN';
  const { sessionId } = story;
  let now = Date.parse(plan.start);
  const at = (ms = 0): string => new Date(now + ms).toISOString();
  const pass = (ms: number): string => {
    now += ms;
    return at();
  };
  const callIds = createIds(`${sessionId}:tool`);
  const toolCallId = (): string => `call_${callIds().replaceAll('-', '').slice(0, 24)}`;

  db.insertWorld({
    id: story.worldId,
    name: story.title,
    description: story.title,
    lore: story.lore,
    locale: story.locale,
    createdAt: at(),
  });
  db.insertSession({
    id: sessionId,
    worldId: story.worldId,
    locale: story.locale,
    createdAt: at(),
    activePlugins: [
      'narrator',
      'world-init',
      'char-creator',
      'character-blueprint',
      'memory',
      'guide',
      'history-compaction',
      'dice-check',
    ],
    metadata: { presetId: 'balanced', title: story.title },
    runtimeModelOverrides: {},
    completedPlayerTurns: story.turns.length,
  });
  for (const [i, [name, type, description, fields]] of story.profiles.entries()) {
    db.insert('characters', {
      id: `npc-${i + 1}`,
      session_id: sessionId,
      name,
      type,
      description,
      fields: JSON.stringify(fields),
      version: 1,
      created_at: at(),
      updated_at: at(),
    });
  }
  for (const [i, [keyword, text]] of story.entries.entries()) {
    db.insert('lorebook_entries', {
      id: `rule-${i + 1}`,
      session_id: sessionId,
      owner: 'world',
      keys: JSON.stringify([keyword]),
      content: text,
      strategy: 'selective',
      position: 'after_plugin',
      insertion_order: 100 + i,
      enabled: 1,
      extra: null,
      created_at: at(),
      updated_at: at(),
    });
  }

  type Row = HistoryEntry & { readonly id: string; readonly turnId: string };
  const rows: Row[] = [];
  const summaries: { readonly text: string; readonly upTo: number }[] = [];
  let lastPicture: { readonly caption: string; readonly turn: number } | null = null;

  /** What a prompt shows of the past: summaries, then the rows that none of them replaces. */
  function history(turn: number): readonly HistoryEntry[] {
    const covered = summaries.at(-1)?.upTo ?? 0;
    const live = rows.filter((row) => row.turn > covered && row.turn < turn);
    const edited =
      turn >= plan.editedFrom ? live.find((row) => row.kind === 'story' && row.turn === covered + 3) : undefined;
    return [
      ...summaries.map(({ text, upTo }): HistoryEntry => ({ turn: upTo, kind: 'summary', text })),
      ...live.map((row) => (row === edited ? { ...row, text: `${row.text.slice(0, 30)}……` } : row)),
    ];
  }

  function compact(turn: number, upTo: number): void {
    const text = story.summary[summaries.length] ?? '';
    const covered = summaries.at(-1)?.upTo ?? 0;
    const replaced = rows.filter((row) => row.turn > covered && row.turn <= upTo);
    const id = db.newId();
    const sections = zh ? ['关键事件', '人物关系', '世界状态'] : ['Key events', 'Character relations', 'World state'];
    db.insertSummary({
      id,
      sessionId,
      turnRange: [replaced[0]?.turnId ?? '', replaced.at(-1)?.turnId ?? ''],
      content: text,
      focusSections: sections,
      createdAt: at(),
    });
    for (const row of replaced)
      db.db.prepare('UPDATE turn_messages SET compacted_at_turn_id = ? WHERE id = ?').run(id, row.id);
    db.insertEvent({
      sessionId,
      turnId: replaced.at(-1)?.turnId ?? '',
      traceId: id,
      type: 'context.compacted',
      createdAt: at(),
      payload: {
        summaryId: id,
        summaryIds: [id],
        messagesCompacted: replaced.length,
        tokenSavings: replaced.reduce((sum, row) => sum + row.text.length, 0) - text.length,
        focusSections: sections,
        summariesMerged: 0,
        summaryTokens: text.length,
        totalSummaryTokens: summaries.reduce((sum, one) => sum + one.text.length, text.length),
        summaryTruncated: false,
      },
    });
    summaries.push({ text, upTo });
    if (turn - (lastPicture?.turn ?? 0) > 3) lastPicture = null;
  }

  type Where = { readonly sessionId: string; readonly turnId: string; readonly traceId: string };
  type Reply = {
    readonly text: string;
    readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
    readonly error?: string;
  };

  /** One `llm.calling` row with its reply; `first` is a target that failed before this one answered. */
  function call(
    where: Where,
    runtimeId: RuntimeId,
    target: Target,
    assembled: Assembled,
    reply: Reply,
    options: {
      readonly attempt?: number;
      readonly toolChoice?: Request['toolChoice'];
      readonly http429?: boolean;
      readonly first?: Target;
    } = {},
  ): void {
    const streaming = runtimeId === 'narrator';
    const pluginId = runtimeId.split('/')[0] ?? runtimeId;
    const request = (to: Target): Request => ({
      ...assembled,
      model: to.model,
      toolChoice: options.toolChoice ?? 'auto',
      streaming,
      maxOutputTokens: 8192,
    });
    const body = TO_WIRE[target.protocol](request(target));
    const startedAt = at();
    const omitted = target.protocol === 'openai-responses-v1' ? 1 : 0;
    const entry = (to: Target, index: number, status: number, part: object, retry: object = {}): object => ({
      provider: to.provider,
      protocol: to.protocol,
      complete: omitted === 0,
      omittedFieldCount: omitted,
      transportAttempt: index,
      startedAt: at(),
      durationMs: 300 + ((now / 10) % 400),
      logicalAttempt: index,
      ...retry,
      statusCode: status,
      ...part,
    });
    const requests: object[] = [];
    if (options.first) {
      const failed = entry(options.first, 0, 529, {
        schemaVersion: 1,
        body: TO_WIRE[options.first.protocol](request(options.first)),
      });
      requests.push(failed);
      pass(2200);
      requests.push(entry(target, 0, 200, { schemaVersion: 1, body }, { logicalAttempt: 1 }));
    } else if (options.http429) {
      requests.push(entry(target, 0, 429, { schemaVersion: 1, body }));
      pass(1500);
      requests.push(entry(target, 1, 200, { schemaVersion: 2, bodyRef: 0 }, { transportRetryReason: 'http-429' }));
    } else requests.push(entry(target, 0, reply.error ? 504 : 200, { schemaVersion: 1, body }));
    const output = reply.text + (reply.toolCalls ?? []).map((one) => one.name + one.arguments).join('');
    const usage = reply.error
      ? { inputTokens: 0, outputTokens: 0 }
      : provider.bill(body, target.protocol, target.model, now, output);
    const durationMs = reply.error ? 30_002 : 700 + usage.outputTokens * 18;
    const defaults =
      runtimeId === 'narrator'
        ? {}
        : {
            defaults: {
              reasoningEffort: 'disabled',
              ...(options.toolChoice && options.toolChoice !== 'auto' ? { toolChoice: options.toolChoice } : {}),
            },
          };
    pass(Math.min(durationMs, 900));
    db.emitEvent({
      ...where,
      type: 'llm.calling',
      createdAt: at(),
      payload: {
        providerRequests: requests,
        ...defaults,
        maxOutputTokens: 8192,
        runtimeId,
        pluginId,
        slot: target.slot,
        model: target.model,
        provider: target.provider,
        messages: assembled.messages,
        tools: assembled.tools,
        attempt: options.attempt ?? 0,
        startedAt,
        queueWaitMs: 0,
        ...(streaming ? { streaming: true } : {}),
      },
    });
    pass(Math.max(0, durationMs - 900));
    db.emitEvent({
      ...where,
      type: 'llm.responded',
      createdAt: at(),
      payload: {
        runtimeId,
        pluginId,
        ...(reply.error
          ? { finishReason: 'error', error: reply.error }
          : {
              text: reply.text,
              toolCalls: reply.toolCalls ?? [],
              finishReason: reply.toolCalls?.length ? 'tool_calls' : 'stop',
            }),
        usage,
        durationMs,
        attempt: options.attempt ?? 0,
        ...(streaming ? { streaming: true } : {}),
      },
    });
    pass(40);
  }

  const grown = (assembled: Assembled, id: string, name: string, args: object, result: object): Assembled => ({
    ...assembled,
    messages: [
      ...assembled.messages,
      { role: 'assistant', content: '', toolCalls: [{ id, name, arguments: JSON.stringify(args) }] },
      { role: 'tool', content: JSON.stringify(result), toolCallId: id },
    ],
  });

  function tool(where: Where, runtimeId: RuntimeId, id: string, name: string, args: object, result: object): void {
    const pluginId = runtimeId.split('/')[0] ?? runtimeId;
    const head = {
      runtimeId,
      pluginId,
      toolName: name,
      toolCallId: id,
      label: `${pluginId}/${name}`,
      approvalStatus: 'auto-allowed',
    };
    db.emitEvent({
      ...where,
      type: 'tool.calling',
      createdAt: pass(3),
      payload: { ...head, arguments: JSON.stringify(args), source: 'builtin' },
    });
    db.emitEvent({
      ...where,
      type: 'tool.completed',
      createdAt: pass(6),
      payload: { ...head, result: JSON.stringify(result), parsedResult: result, durationMs: 6, success: true },
    });
  }

  function runtime(where: Where, runtimeId: RuntimeId, work: () => void): void {
    const pluginId = runtimeId.split('/')[0] ?? runtimeId;
    const began = now;
    db.insertEvent({ ...where, type: 'runtime.started', createdAt: pass(5), payload: { runtimeId, pluginId } });
    work();
    db.insertEvent({
      ...where,
      type: 'runtime.completed',
      createdAt: pass(5),
      payload: { runtimeId, pluginId, status: 'success', durationMs: now - began },
    });
  }

  function begin(player: string): Where & { readonly startedAt: string } {
    const turnId = db.newId();
    const where = { sessionId, turnId, traceId: db.newId(), startedAt: at() };
    db.insertEvent({
      ...where,
      type: 'turn.started',
      createdAt: where.startedAt,
      payload: {
        runtimeCount: 4,
        origin: 'player',
        requestId: db.newId(),
        recoveryAction: { type: 'send_message', payload: { content: player } },
      },
    });
    pass(20);
    return where;
  }

  for (const [index, [player, narration]] of story.turns.entries()) {
    const turn = index + 1;
    pass(plan.pauseBefore[turn] ?? 24_000 + ((turn * 7919) % 20_000));
    const upTo = plan.compactions[turn];
    if (upTo !== undefined) compact(turn, upTo);
    const scene = (told: string | null): Scene => ({
      story,
      at: index,
      player,
      narration: told,
      history: history(turn),
      picture: lastPicture ? { caption: lastPicture.caption, base64Chars: 412_660 } : null,
      hasJoined: turn >= plan.joinedFrom,
      hasPostmarkTool: turn >= plan.postmarkToolFrom && turn < plan.reorderedFrom,
      isRevised: turn >= plan.revisedFrom,
      isReordered: turn >= plan.reorderedFrom,
      prunedMarker: plan.guidePruned.includes(turn)
        ? zh
          ? '（更早的对话因长度被略去。）'
          : '(Earlier conversation was left out for length.)'
        : null,
    });
    const isFallback = plan.fallback.includes(turn);
    const own = plan.targets.narrator;
    const storyTarget: Target = isFallback
      ? { ...CHAT, slot: 'story' }
      : plan.otherModel.includes(turn)
        ? { ...own, model: 'claude-opus-4-8' }
        : own;

    if (plan.failedBefore.includes(turn)) {
      const vain = begin(player);
      db.insertEvent({
        ...vain,
        type: 'runtime.started',
        createdAt: at(),
        payload: { runtimeId: 'narrator', pluginId: 'narrator' },
      });
      call(vain, 'narrator', own, narrator(scene(null)), { text: '', error: 'first-token timeout' });
      db.insertEvent({
        ...vain,
        type: 'runtime.failed',
        createdAt: pass(5),
        payload: { runtimeId: 'narrator', pluginId: 'narrator', error: 'first-token timeout' },
      });
      db.insertEvent({ ...vain, type: 'turn.failed', createdAt: pass(5), payload: { error: 'narrator failed' } });
      pass(9000);
    }
    if (plan.interruptedBefore.includes(turn)) {
      const cutOff = begin(player);
      call(cutOff, 'narrator', own, narrator(scene(null)), { text: narration });
      pass(60_000);
    }

    const { startedAt, ...where } = begin(player);
    runtime(where, 'narrator', () => {
      let assembled = narrator(scene(null));
      const options = { http429: plan.http429.includes(turn), ...(isFallback ? { first: own } : {}) };
      const used = plan.narratorTools[turn];
      if (used) {
        const [name, args, result] = used;
        const id = toolCallId();
        call(
          where,
          'narrator',
          storyTarget,
          assembled,
          { text: '', toolCalls: [{ id, name, arguments: JSON.stringify(args) }] },
          options,
        );
        tool(where, 'narrator', id, name, args, result);
        assembled = grown(assembled, id, name, args, result);
        call(where, 'narrator', storyTarget, assembled, { text: narration });
      } else call(where, 'narrator', storyTarget, assembled, { text: narration }, options);
    });

    runtime(where, 'world-init/dimension-tracker', () => {
      const before = dimensionTracker(scene(narration));
      const changed = story.dimensions.filter(
        ([, , , values]) => values[index + 1] !== undefined && values[index + 1] !== values[index],
      );
      const args = {
        updates: changed.map(([id, , , values]) => ({ id, value: values[index + 1], reason: narration.slice(0, 18) })),
      };
      const result = { ok: true, summary: `${args.updates.length} updated`, data: args };
      const target = plan.targets['world-init/dimension-tracker'];
      const toolChoice = plan.freeToolChoice.includes(turn) ? ('auto' as const) : ('required' as const);
      if (plan.retried.includes(turn)) {
        const wrong = { updates: [{ id: 'river-fog', value: '?', reason: '' }] };
        call(
          where,
          'world-init/dimension-tracker',
          target,
          before,
          { text: '', toolCalls: [{ id: toolCallId(), name: 'update-dimensions', arguments: JSON.stringify(wrong) }] },
          { toolChoice },
        );
        const hinted: KernelMessage = { role: 'user', content: CUES.retry[story.locale] };
        const id = toolCallId();
        call(
          where,
          'world-init/dimension-tracker',
          target,
          { ...before, messages: [...before.messages, hinted] },
          { text: '', toolCalls: [{ id, name: 'update-dimensions', arguments: JSON.stringify(args) }] },
          { attempt: 1, toolChoice },
        );
        tool(where, 'world-init/dimension-tracker', id, 'update-dimensions', args, result);
        return;
      }
      const id = toolCallId();
      call(
        where,
        'world-init/dimension-tracker',
        target,
        before,
        { text: '', toolCalls: [{ id, name: 'update-dimensions', arguments: JSON.stringify(args) }] },
        { toolChoice },
      );
      tool(where, 'world-init/dimension-tracker', id, 'update-dimensions', args, result);
    });

    if (plan.characterTurns(turn)) {
      runtime(where, 'char-creator/character-tracker', () => {
        const target = plan.targets['char-creator/character-tracker'];
        const assembled = characterTracker(scene(narration));
        const name = story.profiles[turn % story.profiles.length]?.[0] ?? '';
        const args = { name, fields: { mood: turn % 3 === 0 ? (zh ? '平静' : 'calm') : zh ? '专注' : 'intent' } };
        const result = { ok: true, summary: 'updated', data: args.fields };
        const id = toolCallId();
        call(where, 'char-creator/character-tracker', target, assembled, {
          text: '',
          toolCalls: [{ id, name: 'update-character', arguments: JSON.stringify(args) }],
        });
        tool(where, 'char-creator/character-tracker', id, 'update-character', args, result);
        const done = { id: toolCallId(), name: 'runtime-done', arguments: '{}' };
        call(where, 'char-creator/character-tracker', target, grown(assembled, id, 'update-character', args, result), {
          text: '',
          toolCalls: [done],
        });
      });
    }

    runtime(where, 'guide', () => {
      if (plan.guidePruned.includes(turn))
        db.emitEvent({
          ...where,
          type: 'context.pruned',
          createdAt: pass(2),
          payload: { runtimeId: 'guide', pluginId: 'guide', prunedMessageCount: 2 },
        });
      const args = {
        recap: narration.slice(0, 30),
        actions: zh ? ['看灯', '问局长', '去渡口'] : ['Weigh it again', 'Ask Pell', 'Open the drawer'],
      };
      const toolChoice = { name: 'submit-guide' };
      const reply: Reply = plan.guideFails.includes(turn)
        ? { text: '', error: 'upstream 504 after 30 s' }
        : { text: '', toolCalls: [{ id: toolCallId(), name: 'submit-guide', arguments: JSON.stringify(args) }] };
      call(where, 'guide', plan.targets.guide, guide(scene(narration)), reply, { toolChoice });
    });

    const common = { sessionId, turnId: where.turnId };
    const playerRow = db.insertMessage({
      ...common,
      sourceType: 'player',
      role: 'user',
      content: player,
      createdAt: startedAt,
      order: 0,
    });
    const storyRow = db.insertMessage({
      ...common,
      sourceType: 'runtime',
      role: 'assistant',
      content: narration,
      pluginId: 'narrator',
      runtimeId: 'narrator',
      createdAt: pass(10),
      order: 2,
    });
    rows.push(
      { id: playerRow, turnId: where.turnId, turn, kind: 'player', text: player },
      { id: storyRow, turnId: where.turnId, turn, kind: 'story', text: narration },
    );
    for (const proposalType of ['narrative.append']) {
      db.insertEvent({
        ...where,
        type: 'proposal.committed',
        createdAt: pass(2),
        payload: { proposalType, proposalId: db.newId(), source: { pluginId: 'narrator', runtimeId: 'narrator' } },
      });
    }
    const caption = plan.pictures[turn];
    if (caption !== undefined) {
      const jobTurn = db.newId();
      const asset = {
        id: db.newId(),
        sessionId,
        turnId: jobTurn,
        source: { pluginId: 'illustrator', runtimeId: 'illustrator' },
        ref: { id: db.newId(), mime: 'image/png', size: 309_495 },
        modality: 'image',
        meta: { caption },
        createdAt: at(),
      };
      db.insertEvent({
        ...where,
        turnId: jobTurn,
        type: 'asset.generated',
        createdAt: pass(20),
        payload: { runtimeId: 'illustrator', pluginId: 'illustrator', turnId: jobTurn, proposalId: db.newId(), asset },
      });
      const text = `${CUES.picture[story.locale]}${caption}`;
      const id = db.insertMessage({
        sessionId,
        turnId: jobTurn,
        sourceType: 'system',
        role: 'user',
        content: text,
        createdAt: at(),
        order: 99,
        ui: [
          {
            id: db.newId(),
            type: 'asset.generate',
            data: asset,
            meta: { runtimeId: 'illustrator', pluginId: 'illustrator', turnId: jobTurn },
          },
        ],
      });
      rows.push({ id, turnId: jobTurn, turn, kind: 'picture', text });
      lastPicture = { caption, turn };
    }
    const durationMs = now - Date.parse(startedAt);
    db.insertResult({
      sessionId,
      turnId: where.turnId,
      origin: 'player',
      commitStatus: 'committed',
      durationMs,
      createdAt: pass(5),
    });
    db.insertEvent({
      ...where,
      type: 'turn.completed',
      createdAt: pass(2),
      payload: { durationMs, resultCount: plan.characterTurns(turn) ? 4 : 3, committed: true },
    });
  }
}

/** Writes the sample database to a path; an older file there is replaced. */
export function makeSample(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true });
  const db = buildDb(path, { generation: 'G6', journal: 'delete', pageSize: 1024, ids: createIds('sample') });
  db.transaction(() => {
    for (const plan of [PLAN_EN, PLAN_ZH]) writeSession(db, plan, createProvider());
  });
  db.db.pragma('optimize');
  db.db.exec('VACUUM');
  db.close();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) makeSample(fileURLToPath(new URL('covel.db', import.meta.url)));
