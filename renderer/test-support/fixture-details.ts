/** What the fixture engine answers about one call: the segments of the drawing, with texts to match their sizes. */
import type { CallDetail, Comparison, ContextDetail, DiffDetail, SegmentText, WireDetail } from '../../shared/api.ts';
import type {
  CacheState,
  CallRow,
  Prediction,
  Role,
  SegmentKind,
  SegmentRow,
  Volatility,
} from '../../shared/model/index.ts';
import { chars, counted, estimated, tokens, turnIndex } from '../../shared/units.ts';

type Sketch = readonly [kind: SegmentKind, label: string, origin: string | null, volatility: Volatility | null, chars: number, tokens: number, role: Role]; // prettier-ignore

const SEGMENTS: readonly Sketch[] = [
  ['tool', 'roll-dice', 'narrator', 'stable', 520, 140, 'system'],
  ['tool', 'look-up', 'narrator', 'stable', 480, 130, 'system'],
  ['tool', 'end-turn', 'narrator', 'stable', 490, 132, 'system'],
  ['framework-preamble', '[RUNTIME] [LANGUAGE] [COMPLETION]', null, 'stable', 310, 164, 'system'],
  ['runtime-body', 'runtime body', 'narrator', 'stable', 1904, 1102, 'system'],
  ['world-lore', 'world-lore', 'world', 'session', 2620, 1480, 'system'],
  ['extension', 'character-notes', 'character-blueprint', 'session', 1210, 655, 'system'],
  ['summary', 'summary 1', null, 'session', 1502, 861, 'user'],
  ...Array.from({ length: 12 }, (_, i): Sketch => [
    'history',
    `turn ${6 + Math.floor(i / 2)}`,
    null,
    null,
    351,
    187,
    i % 2 ? 'assistant' : 'user',
  ]),
  ['turn-context', 'character-fields', 'char-creator', 'turn', 412, 131, 'user'],
  ['turn-context', 'world-dimensions', 'world-init', 'turn', 690, 372, 'user'],
  ['turn-context', 'memory', 'memory', 'turn', 840, 466, 'user'],
  ['player', 'turn 12', null, 'turn', 22, 18, 'user'],
  ['post-history', 'post-history rule', 'narrator', 'turn', 402, 224, 'system'],
];

const TEXTS: Readonly<Record<string, string>> = {
  'character-fields':
    '<character-fields>\n白雀: {"health":"7/10","might":3,"mood":"wary","location":"潮汐闸"}\n何掌灯: {"health":"9/10","debt":120}\n阿宽: {"health":"10/10","mood":"curious"}\n</character-fields>',
  'world-dimensions': '<world-dimensions>\n潮位: 落,闸门半开\n雾: 浓\n</world-dimensions>',
  memory: '<memory>\n第三卷的账本被海水浸过,第七页的墨迹与海图相同。\n</memory>',
};
const OLDER: Readonly<Record<string, string>> = {
  'character-fields':
    '<character-fields>\n白雀: {"health":"7/10","might":4,"mood":"calm","location":"三号灯塔"}\n何掌灯: {"health":"9/10","debt":120}\n</character-fields>',
  'world-dimensions': '<world-dimensions>\n潮位: 高,距退潮还有两刻\n雾: 浓\n</world-dimensions>',
  memory: TEXTS['memory'] ?? '',
};

const textOf = (label: string, size: number): string =>
  TEXTS[label] ?? `雾从港口漫上来。The lamp at the salt house burns low.\n`.repeat(Math.ceil(size / 50)).slice(0, size);

const rows: readonly SegmentRow[] = SEGMENTS.map(([kind, label, origin, volatility, size, count, role], i) => ({
  id: `s${i + 1}`,
  kind,
  role,
  origin: { plugin: origin, runtime: kind === 'runtime-body' ? origin : null, label, turnId: null },
  volatility,
  proof: kind === 'turn-context' ? 'tag' : 'structure',
  chars: chars(size),
  tokens: estimated(count),
  spans: [{ path: i < 3 ? `/tools/${i}` : `/messages/${i - 3}/content/0/text`, start: chars(0), end: chars(size) }],
}));
const TOTAL_CHARS = rows.reduce((sum, row) => sum + row.chars, 0);
const TOTAL_TOKENS = rows.reduce((sum, row) => sum + row.tokens.value, 0);
const BROKEN = rows.find((row) => row.origin.label === 'character-fields')?.id ?? 's1';

function comparison(row: CallRow): Comparison | null {
  if (!row.prefix) return null;
  const share = row.chars ? row.prefix.sharedChars / row.chars : 0;
  return {
    a: row.prefix.baselineId,
    aTurn: turnIndex(row.step > 0 ? row.turnIndex : row.turnIndex - 1),
    b: row.id,
    bTurn: row.turnIndex,
    size: { chars: chars(TOTAL_CHARS), tokens: estimated(TOTAL_TOKENS) },
    shared: {
      chars: chars(Math.round(TOTAL_CHARS * share)),
      tokens: estimated(Math.round(TOTAL_TOKENS * share)),
      share,
    },
    divergence: {
      part: 'message 15 (user)',
      path: '/messages/17/content/0/text',
      offset: chars(48),
      segment: BROKEN,
      was: '{"health":"7/10","might":4,"mood":"calm"',
      now: '{"health":"7/10","might":3,"mood":"wary"',
    },
    cause: { kind: 'turn-context', evidence: [], advice: null },
    changed: rows
      .filter((segment) => segment.kind === 'turn-context')
      .map((segment) => ({
        segment: segment.id,
        kind: segment.kind,
        label: segment.origin.label,
        change: 'modified' as const,
        tokens: segment.tokens,
      })),
  };
}

/** Segments up to the one that ends what was read; what follows it up to the history was written, the rest is neither. */
const READ_UNTIL = 19;
const WRITTEN_UNTIL = 20;
const stateAt = (index: number): CacheState =>
  index < READ_UNTIL ? 'read' : index < WRITTEN_UNTIL ? 'write' : 'uncached';

function predicted(row: CallRow): Pick<CallDetail, 'prediction' | 'predictedEnds' | 'segmentStates'> {
  if (row.error !== null || row.runtimeId === 'guide')
    return { prediction: null, predictedEnds: [], segmentStates: {} };
  const isFirst = row.prefix === null;
  const stateOf = (index: number): CacheState => (isFirst && index < READ_UNTIL ? 'write' : stateAt(index));
  const runs: { state: CacheState; end: number; tokens: number }[] = [];
  rows.forEach((segment, i) => {
    const state = stateOf(i);
    const last = runs.at(-1);
    if (last?.state === state) {
      last.end += segment.chars;
      last.tokens += segment.tokens.value;
    } else runs.push({ state, end: (last?.end ?? 0) + segment.chars, tokens: segment.tokens.value });
  });
  // Places are counted on the scale of the bill.
  const scale = (row.inputTokens?.value ?? TOTAL_TOKENS) / TOTAL_TOKENS;
  for (const run of runs) run.tokens = Math.round(run.tokens * scale);
  const sum = (state: CacheState) => tokens(runs.reduce((all, run) => all + (run.state === state ? run.tokens : 0), 0));
  const prediction: Prediction = {
    rule: 'anthropic',
    read: sum('read'),
    write: sum('write'),
    uncached: sum('uncached'),
    writes: { '5m': sum('write') },
    tier: 'counted',
    why: [],
  };
  return {
    prediction,
    predictedEnds: runs.map((run) => ({ state: run.state, end: chars(run.end), tokens: counted(run.tokens) })),
    segmentStates: Object.fromEntries(rows.map((segment, i) => [segment.id, stateOf(i)])),
  };
}

/** `isPending`: the session has not been simulated yet. */
export const callDetail = (row: CallRow, sessionId: string, isPending = false): CallDetail => ({
  row,
  sessionId,
  view: 'wire',
  complete: true,
  omittedFields: 0,
  segments: rows,
  breakpoints: [
    { kind: 'explicit', path: '/system/1', ttl: '5m', afterSegment: 's5', prefixTokens: estimated(1668), belowMinimum: false, minimum: tokens(1024) },
    { kind: 'explicit', path: '/system/2', ttl: '5m', afterSegment: 's7', prefixTokens: estimated(3803), belowMinimum: false, minimum: tokens(1024) },
    { kind: 'explicit', path: '/messages/13', ttl: '5m', afterSegment: 's20', prefixTokens: estimated(6908), belowMinimum: false, minimum: tokens(1024) },
  ],
  marks: [],
  turnContext: rows
    .filter((segment) => segment.kind === 'turn-context')
    .map((segment) => ({
      segment: segment.id,
      tag: segment.origin.label,
      chars: segment.chars,
      tokens: segment.tokens,
      changedSincePreviousTurn: segment.origin.label !== 'memory',
    })),
  usage: row.usage,
  usageProblems: [],
  predictionState: isPending ? 'pending' : 'done',
  ...(isPending ? { prediction: null, predictedEnds: [], segmentStates: {} } : predicted(row)),
  chars: chars(TOTAL_CHARS),
  tokens: estimated(TOTAL_TOKENS),
  unknownShare: 0,
  comparison: comparison(row),
}); // prettier-ignore

export const since = (row: CallRow): Readonly<Record<string, ReturnType<typeof turnIndex>>> =>
  Object.fromEntries(
    rows.map((segment, i) => [
      segment.id,
      turnIndex(i < 6 ? 1 : i < 20 ? Math.max(1, row.turnIndex - 1) : row.turnIndex),
    ]),
  );

export function segmentText(segmentId: string): SegmentText | null {
  const row = rows.find((segment) => segment.id === segmentId);
  if (!row) return null;
  const text = textOf(row.origin.label, row.chars);
  const from = text.indexOf('"might":3');
  return { text, changed: from < 0 ? [] : [{ start: chars(from), end: chars(from + 9) }] };
}

export function diffDetail(row: CallRow): DiffDetail | null {
  const found = comparison(row);
  if (!found) return null;
  const head = rows
    .slice(0, 20)
    .map((segment) => `# ${segment.origin.label}\n${textOf(segment.origin.label, segment.chars)}\n`);
  const write = (texts: Readonly<Record<string, string>>): string =>
    [...head, ...Object.entries(texts).map(([tag, text]) => `# ${tag}\n${text}\n`)].join('\n');
  const left = write(OLDER);
  const right = write(TEXTS);
  const lineOf = (text: string): number => text.slice(0, text.indexOf('白雀: ')).split('\n').length;
  return {
    comparison: found,
    left,
    right,
    leftLine: lineOf(left),
    rightLine: lineOf(right),
    equalParts: 20,
    equalTokens: estimated(6909),
  };
}

export const contextDetail = (row: CallRow): ContextDetail => ({
  previousTurn: row.turnIndex > 1 ? turnIndex(row.turnIndex - 1) : null,
  blocks: rows
    .filter((segment) => segment.kind === 'turn-context')
    .map((segment) => ({
      segment: segment.id,
      tag: segment.origin.label,
      chars: segment.chars,
      tokens: segment.tokens,
      changedSincePreviousTurn: segment.origin.label !== 'memory',
      label: segment.origin.plugin ?? '',
      text: textOf(segment.origin.label, segment.chars),
      previousText: OLDER[segment.origin.label] ?? null,
    })),
});

export const wireDetail = (row: CallRow): WireDetail => ({
  attempts: [
    {
      index: 0,
      provider: row.provider,
      protocol: row.protocol,
      body: JSON.stringify({
        model: row.model,
        max_tokens: 8192,
        messages: rows
          .slice(3)
          .map((segment) => ({ role: segment.role, content: textOf(segment.origin.label, segment.chars) })),
      }),
      sameBodyAs: null,
      complete: true,
      omittedFields: 0,
      startedAt: row.startedAt,
      durationMs: row.durationMs,
      statusCode: row.error === null ? 200 : 529,
      failed: row.error !== null,
      transportAttempt: 0,
      logicalAttempt: row.attempt,
      retryReason: null,
    },
  ],
  kernel: JSON.stringify({ messages: [] }, null, 2),
  payloadProblem: null,
  reply: {
    text: row.error === null ? '雾里传来三声钟响。白雀没有回头。' : null,
    reasoning: null,
    toolCalls:
      row.finishReason === 'tool-calls' ? [{ id: 'call_1', name: 'roll-dice', arguments: '{"sides":20}' }] : [],
    finishReason: row.finishReason,
    error: row.error,
    durationMs: row.durationMs,
    usage: row.usage,
    diagnostics: null,
  },
  request: { slot: 'story', streaming: true, queueWaitMs: 4, maxOutputTokens: 8192, defaults: null },
});
