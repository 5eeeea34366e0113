/**
 * Assembles a recorded request once more: what the database still holds (the conversation as it stood, summaries, the
 * world's lore, lorebook, plugin data, the player's words, this turn's story, pictures) goes through the assembler; what
 * no database holds (bodies, code of extensions, results of the run, wording of another version) is taken from the
 * recorded request itself, and said to be (seed 1, sections 1 to 4).
 */
import { buildContext } from '../assembler/build-context.ts';
import { storeOf } from '../assembler/data/inject.ts';
import { instructionLanguage } from '../assembler/locale.ts';
import { AssemblyError, type AssembledSegment, type BuildParams, type HistoryRecord } from '../assembler/types.ts';
import { segmentRow } from '../adapters/index.ts';
import type { AssembledDetail, AssembledRow, TakenFrom } from '../../shared/api.ts';
import type { SegmentKind } from '../../shared/model/index.ts';
import { chars, estimated } from '../../shared/units.ts';
import { reportOf } from './assemble.ts';
import type { CallView } from './call-view.ts';
import { failWith } from './errors.ts';
import type { OpenedSource } from './opened-source.ts';
import type { PromptTexts } from './prompt-texts.ts';
import { firstDifference, reasonOf, type Evidence } from './reassembly/difference.ts';
import { pastOf, projectionOf, recordOf } from './reassembly/past.ts';
import { ofKind, plainText, readRecorded, type Recorded } from './reassembly/recorded.ts';
import { catalogueOf, sentencesOf, withSentences } from './reassembly/sentences.ts';
import { beforeMerge, mergedAfter } from './reassembly/summaries.ts';
import { extensionsOf, loreOf, preambleOf, worldLoreOf } from './reassembly/system-data.ts';
import { activationIn, turnDataOf } from './reassembly/turn-data.ts';

/** Units of text shown on both sides of a difference. */
const SHOWN_BEFORE = 40;
const SHOWN_AFTER = 80;

/** Stage number of narrative runtimes (storage page, section 2). */
const NARRATIVE = 2;

/** Kinds whose texts only the request shows. */
const RECORDED: ReadonlySet<SegmentKind> = new Set([
  'runtime-body',
  'extension',
  'events',
  'activation',
  'pre-history',
  'post-history',
]);

const HISTORY: ReadonlySet<SegmentKind> = new Set(['history', 'picture-note', 'summary', 'unknown']);

/** The recorded history: what stands between the system prompt and this turn's own messages, a segment a message. */
const historyEntries = (recorded: Recorded): Recorded['entries'] =>
  recorded.segments
    .filter(({ kind, role }) => HISTORY.has(kind) && role !== 'system')
    .map((segment) => ({ role: segment.role, text: plainText(segment), images: 0 }));

/** This turn's stories that stood before the runtime: rows of the narrative stage, else the request's own. */
function storyOf(
  recorded: Recorded,
  source: OpenedSource,
  view: CallView,
): { readonly rows: readonly HistoryRecord[]; readonly from: TakenFrom } {
  const shown = ofKind(recorded, 'story');
  if (shown.length === 0) return { rows: [], from: 'database' };
  const rows = source.db
    .messages(view.sessionId)
    .filter(
      (row) =>
        row.turnId === view.row.turnId &&
        row.sourceType === 'runtime' &&
        row.runtime !== view.row.runtimeId &&
        (row.stage ?? NARRATIVE) === NARRATIVE &&
        row.content.trim() !== '',
    )
    .map(recordOf);
  if (rows.length > 0) return { rows, from: 'database' };
  return { rows: shown.map((one) => ({ role: 'assistant', content: plainText(one) })), from: 'recorded' };
}

/** The player's words: the row of the turn; before it is committed only their beginning is kept, which the request completes. */
function playerOf(recorded: Recorded, source: OpenedSource, view: CallView): { text: string; from: TakenFrom } {
  const { turnId, turnIndex } = view.row;
  const row = source.db
    .messages(view.sessionId)
    .find((one) => one.turnId === turnId && one.sourceType === 'player' && one.role === 'user');
  if (row) return { text: row.content, from: 'database' };
  const begun = source.turns(view.sessionId)[turnIndex - 1]?.playerText ?? null;
  const [segment] = ofKind(recorded, 'player');
  const shown = segment ? plainText(segment) : '';
  if (begun === null || begun.trim() === '') return { text: '', from: segment ? 'recorded' : 'database' };
  return shown !== begun && shown.startsWith(begun) && begun.length >= 199
    ? { text: shown, from: 'recorded' }
    : { text: begun, from: 'database' };
}

const field = (payload: unknown, key: string): unknown =>
  typeof payload === 'object' && payload !== null ? (payload as Readonly<Record<string, unknown>>)[key] : undefined;

function evidenceOf(source: OpenedSource, view: CallView, start: string): Evidence {
  const events = source.ledger(view.sessionId);
  return {
    pruned: events.some(
      (event) =>
        event.type === 'context.pruned' &&
        event.turnId === view.row.turnId &&
        field(event.payload, 'runtimeId') === view.row.runtimeId,
    ),
    mergedLater: mergedAfter(events, start),
    rowTexts: new Set(source.db.messages(view.sessionId).map((row) => row.content)),
  };
}

/**
 * Assembles the recorded call anew and compares. Tool loop, corrections and tool definitions stand outside what the
 * assembler builds and are shown as recorded. Fails with `no-body` where nothing was recorded, `engine-failed` where
 * the recording's own data cannot be assembled.
 */
export async function assembledDetail(
  source: OpenedSource,
  view: CallView,
  prompts: PromptTexts,
): Promise<AssembledDetail> {
  const side = view.kernelSide() ?? view.side;
  const recorded = readRecorded(side);
  const { sessionId, row } = view;
  const start = row.startedAt ?? source.turns(sessionId)[row.turnIndex - 1]?.startedAt ?? '\uffff';
  const stored = source.db.world(sessionId);
  const locale = stored.locale ?? 'en';
  const base = prompts.framework(instructionLanguage(locale));
  const then = pastOf(source.db.messages(sessionId), source.db.summaries(sessionId), { turnId: row.turnId, start });
  const past = beforeMerge(then, recorded, source.ledger(sessionId), start);
  const player = playerOf(recorded, source, view);
  const said = player.text.trim() !== '';
  const sentences = sentencesOf(recorded, past.rows, said);
  const texts = withSentences(base, sentences);

  const pluginId = row.pluginId ?? row.runtimeId.split('/', 1)[0] ?? row.runtimeId;
  const preamble = preambleOf(recorded, locale, base);
  const isStory = preamble?.ending.outputKind === 'story' || ofKind(recorded, 'world-lore', 'pictures').length > 0;
  const lore = loreOf(recorded, stored.lorebook, {
    start,
    playerMessage: player.text,
    tail: past.rows.map(({ content }) => content),
    texts,
    isReader: isStory || ofKind(recorded, 'lore').length > 0,
  });
  const worldLore = isStory ? worldLoreOf(recorded, stored.world) : null;
  const turnData = await turnDataOf(
    recorded,
    pluginId,
    stored.pluginData.filter((one) => one.createdAt <= start),
    texts,
  );
  const projection = projectionOf(past, historyEntries(recorded), row.runtimeId, texts);
  const story = storyOf(recorded, source, view);
  const catalogue = catalogueOf(recorded);
  const [staged] = ofKind(recorded, 'activation');
  const activation = turnData.activation ?? (staged ? activationIn(plainText(staged)) : null);
  const images = ofKind(recorded, 'pictures').length > 0 ? imagesIn(recorded) : 0;

  const params: BuildParams = {
    // A variable that holds the whole body: braces in it are not read again.
    promptTemplate: '{{ userSettings.body }}',
    userSettings: { body: ofKind(recorded, 'runtime-body').map(plainText).join('\n\n') },
    manifest: {
      ...preamble?.ending,
      name: row.runtimeId,
      pluginId,
      ...(isStory ? { outputKind: 'story' } : {}),
      ...(catalogue ? { advertiseEvents: true } : {}),
      input: { inject: turnData.inject },
    },
    turnInput: { sessionId, turnId: row.turnId, origin: 'player', playerMessage: player.text, locale },
    completedResults: turnData.results,
    messageHistory: projection.history,
    summaries: projection.summaries,
    executionStory: story.rows,
    pictureAttachments: images,
    promptSegments: [...extensionsOf(recorded, lore.contributions), ...turnData.segments],
    sessionContext: {
      characters: stored.characters,
      contributions: lore.contributions,
      ...(worldLore ? { world: { lore: worldLore.lore } } : {}),
    },
    ...(turnData.inputSlots ? { inputSlots: turnData.inputSlots } : {}),
    ...(turnData.exportSlots ? { exportSlots: turnData.exportSlots } : {}),
    ...(activation ? { activation } : {}),
    ...(catalogue ? { eventCatalogText: catalogue.text } : {}),
    store: storeOf(stored.pluginData),
    ...(preamble === null ? { frameworkPreamble: '' } : {}),
    ...(preamble?.recorded != null ? { frameworkPreamble: preamble.recorded } : {}),
  };
  const context = await buildContext(params, texts).catch((thrown: unknown) => {
    if (thrown instanceof AssemblyError) return failWith('engine-failed', { detail: thrown.message });
    throw thrown;
  });

  const either = (isRecorded: boolean, otherwise: TakenFrom = 'database'): TakenFrom =>
    isRecorded ? 'recorded' : otherwise;
  const storedLore = new Set(lore.contributions.map(({ sourceId }) => sourceId));
  const sources: Readonly<Partial<Record<SegmentKind, (label: string) => TakenFrom>>> = {
    'framework-preamble': () => either(preamble?.recorded != null, 'framework'),
    'story-cue': () => either(sentences['cue.story'] !== base.text('cue.story'), 'framework'),
    'world-lore': () => worldLore?.from ?? 'database',
    lore: (label) => either(lore.taken.has(label)),
    summary: (label) => either(past.taken.has(label.replace(/^summary /, ''))),
    depth: (label) => either(!storedLore.has(label)),
    'turn-context': (label) => either(!turnData.fromDatabase.has(label)),
    player: () => player.from,
    story: () => story.from,
  };
  const fromOf = ({ kind, label }: AssembledSegment): TakenFrom =>
    RECORDED.has(kind) ? 'recorded' : (sources[kind]?.(label) ?? 'database');
  const all = [...context.system.segments, ...context.segmented.flatMap(({ segments }) => segments)].filter(
    (segment) => segment.text !== '',
  );
  const report = reportOf(context);
  const turns = new Map(source.turns(sessionId).map((turn) => [turn.turnId, turn.index]));
  const assembledRows = report.segments.map((one, i): AssembledRow => {
    const segment = all[i];
    const turn = one.origin.turnId === null ? undefined : turns.get(one.origin.turnId);
    const label = turn !== undefined && (one.kind === 'history' || one.kind === 'story') ? `turn ${turn}` : null;
    return {
      ...one,
      id: `a${i + 1}`,
      origin: label === null ? one.origin : { ...one.origin, label },
      from: segment ? fromOf(segment) : 'database',
      text: segment?.text ?? '',
    };
  });
  const outside = recorded.outside.map((segment): AssembledRow => ({
    ...segmentRow(segment),
    id: `r${segment.id}`,
    from: 'recorded',
    text: view.textOf(segment),
  }));
  const isTool = ({ kind }: AssembledRow): boolean => kind === 'tool';
  const segments = [...outside.filter(isTool), ...assembledRows, ...outside.filter((one) => !isTool(one))];

  const place = firstDifference(recorded, context);
  const shown = (text: string | undefined): string =>
    (text ?? '').slice(Math.max(0, (place?.offset ?? 0) - SHOWN_BEFORE), (place?.offset ?? 0) + SHOWN_AFTER);
  const placed = place?.segment ? all.indexOf(place.segment) : -1;
  const total = segments.reduce((sum, one) => sum + one.chars, 0);
  return {
    callId: row.id,
    view: recorded.view,
    equal: place === null,
    first: place && {
      where:
        place.at === 0
          ? 'system'
          : `message ${place.at + 1} (${(place.recorded ?? place.assembled)?.role ?? 'system'})`,
      segmentId: placed < 0 ? null : (assembledRows[placed]?.id ?? null),
      segment: placed < 0 ? null : (assembledRows[placed]?.origin.label ?? null),
      kind: place.segment?.kind ?? null,
      offset: chars(place.offset),
      recorded: place.recorded ? shown(place.recorded.text) : null,
      assembled: place.assembled ? shown(place.assembled.text) : null,
      reason: reasonOf(place, recorded, context, evidenceOf(source, view, start)),
    },
    taken: segments.map((one) => ({ segmentId: one.id, label: one.origin.label, kind: one.kind, from: one.from })),
    window: projection.maxTurns,
    segments,
    chars: chars(total),
    tokens: estimated(segments.reduce((sum, one) => sum + one.tokens.value, 0)),
  };
}

function imagesIn(recorded: Recorded): number {
  const [segment] = ofKind(recorded, 'pictures');
  const entry = segment?.message == null ? undefined : recorded.entries[segment.message];
  // In the wire's form a picture has no entry; its line of text stands behind the introduction.
  return entry && entry.images > 0 ? entry.images : Math.max(0, (segment?.texts.length ?? 1) - 1);
}
