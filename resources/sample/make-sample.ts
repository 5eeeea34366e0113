/**
 * Makes resources/sample/covel.db, the session that opens when nothing else is named. The same input always gives
 * the same file. What each turn is there to show stands in plan.ts.
 */
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildDb, createIds, type DbBuilder } from '../../electron/sources/covel-db/testing/build-db.ts';
import { CHAT, PLAN_EN, PLAN_ZH, type Plan, type Target } from './plan.ts';
import { REJECTED } from './prompts.ts';
import { createProvider, type SampleProvider } from './provider.ts';
import { assembleTurn, textsOf, type Scene } from './runtimes.ts';
import type { HistoryRecord, SummaryRecord } from '../../electron/assembler/types.ts';
import { pictureNote } from '../../electron/assembler/messages/picture-notes.ts';
import type { KernelMessage } from './wire.ts';
import { createTracer, grown, type Reply } from './tracer.ts';

/** Writes one session. Times are real times of the story: a call's row is written after its answer began. */
async function writeSession(db: DbBuilder, plan: Plan, provider: SampleProvider): Promise<void> {
  const { story } = plan;
  const zh = story.locale === 'zh-CN';
  const { sessionId } = story;
  const { at, pass, begin, call, runtime, tool, toolCallId, elapsed } = createTracer(
    db,
    story,
    Date.parse(plan.start),
    provider,
  );

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

  type Row = HistoryRecord & { readonly id: string; readonly turnId: string; readonly turn: number };
  const rows: Row[] = [];
  const summaries: (SummaryRecord & { readonly upTo: number })[] = [];

  /** Rows of earlier turns; a hook shortens one of them from some turn on. */
  function past(turn: number): readonly HistoryRecord[] {
    const covered = summaries.at(-1)?.upTo ?? 0;
    const isEdited = (row: Row): boolean =>
      turn >= plan.editedFrom && row.role === 'assistant' && row.turn === covered + 3;
    return rows
      .filter((row) => row.turn < turn)
      .map((row) => (isEdited(row) ? { ...row, content: `${row.content.slice(0, 30)}……` } : row));
  }

  function compact(upTo: number): void {
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
        tokenSavings: replaced.reduce((sum, row) => sum + row.content.length, 0) - text.length,
        focusSections: sections,
        summariesMerged: 0,
        summaryTokens: text.length,
        totalSummaryTokens: summaries.reduce((sum, one) => sum + one.content.length, text.length),
        summaryTruncated: false,
      },
    });
    summaries.push({ id, content: text, focusSections: sections, upTo });
    for (const row of replaced) rows[rows.indexOf(row)] = { ...row, compactedAtTurnId: id };
  }

  for (const [index, [player, narration]] of story.turns.entries()) {
    const turn = index + 1;
    pass(plan.pauseBefore[turn] ?? 24_000 + ((turn * 7919) % 20_000));
    const upTo = plan.compactions[turn];
    if (upTo !== undefined) compact(upTo);
    const scene: Scene = {
      story,
      at: index,
      player,
      narration,
      past: past(turn),
      summaries,
      hasJoined: turn >= plan.joinedFrom,
      hasPostmarkTool: turn >= plan.postmarkToolFrom && turn < plan.reorderedFrom,
      isRevised: turn >= plan.revisedFrom,
      isReordered: turn >= plan.reorderedFrom,
      isPruned: plan.guidePruned.includes(turn),
    };
    const prompts = await assembleTurn(scene);
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
      call(vain, 'narrator', own, prompts.narrator, { text: '', error: 'first-token timeout' });
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
      call(cutOff, 'narrator', own, prompts.narrator, { text: narration });
      pass(60_000);
    }

    const { startedAt, ...where } = begin(player);
    runtime(where, 'narrator', () => {
      let assembled = prompts.narrator;
      const options = {
        http429: plan.http429.includes(turn),
        ...(isFallback ? { first: own } : {}),
        ...(plan.forcedTool.includes(turn) ? { toolChoice: 'required' as const } : {}),
      };
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
      const before = prompts.dimensionTracker;
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
        const hinted: KernelMessage = {
          role: 'user',
          content: textsOf(story.locale).text('retry.hint', { n: 1, problem: REJECTED[story.locale] }),
        };
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
        const assembled = prompts.characterTracker;
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

    const guideError = plan.guideFails.includes(turn) ? 'upstream 504 after 30 s' : null;
    runtime(
      where,
      'guide',
      () => {
        if (prompts.guide.pruned > 0)
          db.emitEvent({
            ...where,
            type: 'context.pruned',
            createdAt: pass(2),
            payload: { runtimeId: 'guide', pluginId: 'guide', prunedMessageCount: prompts.guide.pruned },
          });
        const args = {
          recap: narration.slice(0, 30),
          actions: zh ? ['看灯', '问局长', '去渡口'] : ['Weigh it again', 'Ask Pell', 'Open the drawer'],
        };
        const toolChoice = { name: 'submit-guide' };
        const reply: Reply =
          guideError !== null
            ? { text: '', error: guideError }
            : { text: '', toolCalls: [{ id: toolCallId(), name: 'submit-guide', arguments: JSON.stringify(args) }] };
        call(where, 'guide', plan.targets.guide, prompts.guide, reply, { toolChoice });
      },
      guideError,
    );

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
      { id: playerRow, turnId: where.turnId, turn, role: 'user', content: player, sourceType: 'player' },
      {
        id: storyRow,
        turnId: where.turnId,
        turn,
        role: 'assistant',
        content: narration,
        sourceType: 'runtime',
        sourcePluginId: 'narrator',
        sourceRuntimeId: 'narrator',
      },
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
      const text = pictureNote(asset.meta, textsOf(story.locale));
      const ui = [
        {
          id: db.newId(),
          type: 'asset.generate',
          data: asset,
          meta: { runtimeId: 'illustrator', pluginId: 'illustrator', turnId: jobTurn },
        },
      ];
      const id = db.insertMessage({
        sessionId,
        turnId: jobTurn,
        sourceType: 'system',
        role: 'user',
        content: text,
        createdAt: at(),
        order: 99,
        ui,
      });
      rows.push({ id, turnId: jobTurn, turn, role: 'user', content: text, sourceType: 'system', ui });
    }
    const durationMs = elapsed(startedAt);
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
export async function makeSample(path: string): Promise<void> {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true });
  const db = buildDb(path, { generation: 'G6', journal: 'delete', pageSize: 1024, ids: createIds('sample') });
  db.db.exec('BEGIN');
  for (const plan of [PLAN_EN, PLAN_ZH]) await writeSession(db, plan, createProvider());
  db.db.exec('COMMIT');
  db.db.pragma('optimize');
  db.db.exec('VACUUM');
  db.close();
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await makeSample(fileURLToPath(new URL('covel.db', import.meta.url)));
