/**
 * The assembler builds messages in one fixed order: pre-history segments, summaries, history, turn context, recent
 * pictures, the player's message, story and cue, post-history; the tool loop of the run follows (seed 1, section 2;
 * assembler page, section 2.3). A message is placed by its row, by a marker in it, or by where it stands.
 */
import type { HistoryRow, PromptMessage } from '../../../shared/model/index.ts';
import { WRAPPER_CLOSE, WRAPPER_OPEN } from '../parts.ts';
import { splitBlocks, splitHeadings, summaryStarts } from './blocks.ts';
import { name, ownName, rowName, type Name, type NamingEvidence } from './evidence.ts';
import { rowFinder, rowsByOrder, type HistoryLine } from './rows.ts';
import { spokenTexts } from './run.ts';
import { FORMAT_OPEN, RETRY_OPEN, SUMMARY_OPEN, tagFact } from './tags.ts';

/** `prompt`: the system prompt. `context`: the turn context. `summary`: envelopes. `run`: the tool loop. */
export type Place =
  { readonly kind: 'prompt' | 'context' | 'summary' | 'run' } | { readonly kind: 'named'; readonly name: Name };

const named = (given: Name): Place => ({ kind: 'named', name: given });

export type Placed = {
  readonly messages: readonly PromptMessage[];
  readonly places: readonly Place[];
  /** How many messages stand before the first that is not system. */
  readonly leading: number;
};

type Line = { readonly message: PromptMessage; readonly text: string };

const ofSystem = (line: Line | undefined): boolean => line?.message.role === 'system';
const ofUser = (line: Line | undefined): boolean => line?.message.role === 'user';
const isRetry = (line: Line): boolean => line.text.startsWith(RETRY_OPEN);
const isFormat = (line: Line): boolean => ofSystem(line) && line.text.includes(FORMAT_OPEN);
const isSummary = (line: Line): boolean => ofUser(line) && summaryStarts(line.text, SUMMARY_OPEN).length > 0;
const inToolLoop = (line: Line): boolean =>
  line.message.role === 'tool' || line.message.parts.some((part) => part.type === 'tool-call');
const hasPicture = (line: Line): boolean =>
  ofUser(line) && line.message.parts.some((part) => part.type === 'image' || part.texts[0]?.text === '[image]');
const isLore = (line: Line): boolean => (splitHeadings(line.text, 'rules')[0]?.label ?? null) !== null;
const isContext = (line: Line | undefined): boolean =>
  line !== undefined && ofSystem(line) && tagFact(splitBlocks(line.text)[0]?.tag ?? '')?.kind === 'turn-context';
const isTagged = (line: Line): boolean => splitBlocks(line.text)[0]?.tag !== null && line.text !== '';

/** Text of a message without the wrapper of a late system message. */
function lineOf(message: PromptMessage): Line {
  const text = spokenTexts(message)
    .map((part) => part.text)
    .join('');
  return { message, text: message.wrapped ? text.slice(WRAPPER_OPEN.length, -WRAPPER_CLOSE.length) : text };
}

/** Where the tool loop begins: words and thoughts right before a call are items of their own on some wires. */
function loopStart(lines: readonly Line[], from: number): number {
  let at = lines.findIndex((line, i) => i >= from && inToolLoop(line));
  if (at < 0) return lines.length;
  while (at > from && lines[at - 1]?.message.role === 'assistant') at--;
  return at;
}

type Player = { readonly at: number; readonly proof: 'row' | 'position' };

/**
 * Walks back from the player's message over pictures and the schema instruction to the turn context. Where the player's
 * own words prove the place (`isProved`), what stands between the two is pictures even when the wire left them out.
 */
function contextBefore(
  lines: readonly Line[],
  player: number,
  isProved = false,
): { context: number; pictures: number } {
  let at = player - 1;
  const skipFormat = (): void => {
    while (at > 0 && isFormat(lines[at] as Line)) at--;
  };
  skipFormat();
  const here = lines[at];
  const isCaption = isProved && here !== undefined && ofUser(here) && !isSummary(here) && isContext(lines[at - 1]);
  const pictures = at > 0 && (isCaption || hasPicture(here as Line)) ? at-- : -1;
  skipFormat();
  const line = lines[at];
  const context = at > 0 && line !== undefined && ofSystem(line) && !isRetry(line) && !isLore(line) ? at : -1;
  return { context, pictures };
}

/** The current player message: by the player's words, else the cue that stands right after the turn context. */
function findPlayer(lines: readonly Line[], leading: number, evidence: NamingEvidence): Player | null {
  const said = evidence.playerText?.trim() ?? '';
  if (said !== '') {
    for (let i = lines.length - 1; i >= leading; i--) {
      const line = lines[i] as Line;
      if (ofUser(line) && line.text.trim() === said) return { at: i, proof: 'row' };
    }
  }
  const loop = lines.findIndex((line, i) => i >= leading && inToolLoop(line));
  const end = loop < 0 ? lines.length : loop;
  let untagged = -1;
  for (let i = end - 1; i >= leading; i--) {
    const line = lines[i] as Line;
    if (!ofUser(line) || isSummary(line) || isRetry(line) || hasPicture(line)) continue;
    const { context } = contextBefore(lines, i);
    if (context < 0) continue;
    if (isTagged(lines[context] as Line)) return { at: i, proof: 'position' };
    if (untagged < 0) untagged = i;
  }
  if (untagged >= 0) return { at: untagged, proof: 'position' };
  // Without any turn context: the first user message behind the newest message that a row of an earlier turn proves.
  const finder = rowFinder(
    evidence.rows.filter((row) => row.turnId !== evidence.turnId),
    lines.map((line) => line.text),
  );
  let after = leading;
  for (let i = end - 1; i >= leading; i--) {
    const line = lines[i] as Line;
    if (isSummary(line) || finder.before(line.message.role, line.text) !== null) {
      after = i + 1;
      break;
    }
  }
  const at = lines.findIndex((line, i) => i >= after && i < end && ofUser(line) && !isRetry(line));
  const plain = lines.filter((line, i) => i >= leading && i < end && !isRetry(line) && !ofSystem(line)).length;
  return at >= 0 && (after > leading || plain === 1) ? { at, proof: 'position' } : null;
}

const systemLabel = (line: Line): string =>
  splitHeadings(line.text, 'any')[0]?.label ?? splitBlocks(line.text)[0]?.tag ?? 'system text';

/** A system message among the messages before the turn context. */
function placeEarlySystem(line: Line, first: boolean): Place {
  const tag = splitBlocks(line.text)[0]?.tag ?? null;
  if (tag !== null && tagFact(tag)?.kind === 'turn-context') return { kind: 'context' };
  const heading = splitHeadings(line.text, 'any')[0]?.label ?? null;
  // The marker of a cut is one line, in brackets or not; a lore entry has its text beneath its heading.
  const isLine = !line.text.trim().includes('\n');
  if (first && tag === null && (heading === null || (isLine && !isLore(line))))
    return named(name('history', 'position', 'pruned marker'));
  return named(name('depth', 'position', systemLabel(line)));
}

/**
 * Messages before the turn context: rows from the newest back, summaries by their tag, messages with another text than
 * their row by their place between two that have one, the rest by position.
 */
function placeHistory(
  lines: readonly Line[],
  from: number,
  to: number,
  places: Place[],
  evidence: NamingEvidence,
): void {
  const texts = lines.slice(from, to).map((line) => line.text);
  const isOwn = (row: HistoryRow): boolean => row.turnId === evidence.turnId;
  const past = evidence.rows.filter((row) => !isOwn(row));
  const earlier = rowFinder(past, texts);
  const current = rowFinder(evidence.rows.filter(isOwn), texts);
  const open: number[] = [];
  const ordered: HistoryLine[] = [];
  let oldest = to;
  for (let i = to - 1; i >= from; i--) {
    const line = lines[i] as Line;
    if (ofSystem(line)) places[i] = placeEarlySystem(line, i === from);
    else if (isSummary(line)) places[i] = { kind: 'summary' };
    else if (inToolLoop(line)) places[i] = { kind: 'run' };
    else {
      const { role } = line.message;
      const found = earlier.before(role, line.text);
      const row = found?.row ?? current.before(role, line.text)?.row ?? null;
      if (row === null) open.push(i);
      else places[i] = named(rowName(row.picture ? 'picture-note' : 'history', row));
      if (row === null || found !== null) ordered.push({ at: i, role, found });
    }
    if (places[i] !== undefined && !ofSystem(line)) oldest = i;
  }
  const isEarly = (i: number): boolean => i < oldest && oldest < to;
  const byOrder = rowsByOrder(past, ordered.filter(({ at }) => !isEarly(at)).reverse());
  for (const i of open) {
    const row = byOrder.get(i);
    if (isEarly(i)) places[i] = named(name('pre-history', 'position', 'before history'));
    else if (row === undefined) places[i] = named(name('history', 'position', 'no row'));
    else places[i] = named(rowName(row.picture ? 'picture-note' : 'history', row, 'position'));
  }
}

/** Messages between the player's message and the tool loop: story and cue, what was inserted, post-history. */
function placeTurn(lines: readonly Line[], from: number, to: number, places: Place[], evidence: NamingEvidence): void {
  const own = evidence.rows.filter((row) => row.turnId === evidence.turnId);
  const rowOf = (line: Line) =>
    own.find((row) => row.role === line.message.role && row.content.trim() === line.text.trim() && line.text !== '');
  const between = lines.slice(from, to);
  const retry = between.findIndex(isRetry);
  const settled = retry < 0 ? to : from + retry;
  let story = -1;
  for (let i = from; i < settled; i++) if (lines[i]?.message.role === 'assistant') story = i;
  let cue = -1;
  for (let i = story + 1; story >= 0 && cue < 0 && i < settled; i++) if (ofUser(lines[i])) cue = i;
  for (let i = from; i < to; i++) {
    const line = lines[i] as Line;
    const row = rowOf(line);
    if (isRetry(line))
      places[i] = named(ownName('retry-hint', 'marker', /^\[[^\]\n]*\]/.exec(line.text)?.[0] ?? '', evidence));
    else if (line.message.role === 'assistant') {
      if (row !== undefined) places[i] = named(rowName('story', row));
      else
        places[i] = cue > i ? named(name('story', 'position', 'story', { turnId: evidence.turnId })) : { kind: 'run' };
    } else if (i === cue) places[i] = named(name('story-cue', 'position', 'story cue'));
    else if (row !== undefined && row.sourceType === 'player') places[i] = named(rowName('player', row));
    else if (i < Math.max(cue, story) || i >= settled) places[i] = named(name('depth', 'position', systemLabel(line)));
    else places[i] = named(name('post-history', 'position', systemLabel(line)));
  }
}

/** Steps that were folded away: a system message whose lines each name a tool (seed 1, section 5). */
function isFolded(line: Line, tools: ReadonlySet<string>): boolean {
  const steps = line.text
    .split('\n')
    .slice(1)
    .filter((step) => step.trim() !== '');
  return (
    ofSystem(line) && steps.length > 0 && steps.every((step) => step.split(/[^\w-]+/).some((word) => tools.has(word)))
  );
}

function placeLoop(lines: readonly Line[], from: number, places: Place[], evidence: NamingEvidence): void {
  for (let i = from; i < lines.length; i++) {
    const line = lines[i] as Line;
    if (isRetry(line))
      places[i] = named(ownName('retry-hint', 'marker', /^\[[^\]\n]*\]/.exec(line.text)?.[0] ?? '', evidence));
    else if (line.message.role === 'assistant' || line.message.role === 'tool') places[i] = { kind: 'run' };
    else {
      const said = evidence.rows.find(
        (row) => row.turnId === evidence.turnId && row.role === line.message.role && row.content === line.text,
      );
      if (said !== undefined) places[i] = named(rowName('player', said));
      else places[i] = named(name(i === lines.length - 1 ? 'post-history' : 'depth', 'position', systemLabel(line)));
    }
  }
}

/** Places every message of a prompt. `tools`: names of the tools, to know folded steps by. */
export function placeMessages(
  messages: readonly PromptMessage[],
  tools: ReadonlySet<string>,
  evidence: NamingEvidence,
): Placed {
  const lines = messages.map(lineOf);
  const talk = messages.findIndex((message) => message.role !== 'system');
  const leading = talk < 0 ? messages.length : talk;
  const places: Place[] = [];
  const player = findPlayer(lines, leading, evidence);
  const end = player?.at ?? lines.length;
  const { context, pictures } =
    player === null ? { context: -1, pictures: -1 } : contextBefore(lines, player.at, player.proof === 'row');

  for (let i = 0; i < leading; i++) {
    if (i === 0) places[i] = { kind: 'prompt' };
    else if (i !== context) places[i] = placeEarlySystem(lines[i] as Line, true);
  }
  placeHistory(lines, leading, end, places, evidence);
  if (player !== null) {
    const rest = loopStart(lines, player.at + 1);
    places[player.at] = named(name('player', player.proof, 'player', { turnId: evidence.turnId }));
    placeTurn(lines, player.at + 1, rest, places, evidence);
    placeLoop(lines, rest, places, evidence);
  }
  if (context >= 0) places[context] = { kind: 'context' };
  if (pictures >= 0) places[pictures] = named(name('pictures', 'position', 'recent pictures'));
  lines.forEach((line, i) => {
    if (i > 0 && isFormat(line)) places[i] = named(name('response-format', 'tag', 'response format'));
    else if (i > 0 && places[i]?.kind === 'named' && isFolded(line, tools)) {
      places[i] = named(ownName('tool-result', 'marker', 'folded steps', evidence));
    }
  });
  return { messages, places, leading };
}
