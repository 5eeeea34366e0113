/**
 * Naming gives every text of a request to one segment, in cache key order: tools, system, messages, response format.
 * What no evidence names is `unknown` with proof `none`.
 */
import type {
  Json,
  PromptMessage,
  PromptPart,
  Role,
  Segment,
  Text,
  ToolDef,
  WirePrompt,
} from '../../../shared/model/index.ts';
import { isObject } from '../json.ts';
import { parseKernel } from '../kernel/parse.ts';
import { contextRanges, draftsOf, summaryRanges, type Draft } from './drafts.ts';
import { name, ownName, rowName, UNKNOWN, type Name, type NamingEvidence } from './evidence.ts';
import { placeMessages, type Place, type Placed } from './places.ts';
import { runOf, spokenTexts } from './run.ts';
import { nameSystem } from './system.ts';

type Numbered = Draft & { readonly message: number | null; readonly definition?: Json };

const toolNames = (tools: readonly ToolDef[]): ReadonlySet<string> => new Set(tools.map((tool) => tool.name));

/** A definition without the cache marks on it. */
function unmarked(value: Json): Json {
  if (!isObject(value) || !('cache_control' in value || 'prompt_cache_breakpoint' in value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => key !== 'cache_control' && key !== 'prompt_cache_breakpoint'),
  );
}

const toolDraft = (tool: ToolDef): Numbered => ({
  name: name('tool', 'structure', tool.name),
  role: 'system',
  texts: tool.texts,
  message: null,
  definition: unmarked(tool.value),
});

/** Name of a part that is no plain text of its message; null where it goes with the message's text. */
function partName(part: PromptPart, run: boolean, evidence: NamingEvidence): Name | null {
  switch (part.type) {
    case 'tool-call':
      return ownName('tool-call', 'structure', part.name || 'tool', evidence);
    case 'tool-result':
      return ownName('tool-result', 'structure', part.name ?? part.id ?? 'tool', evidence);
    case 'reasoning':
      return run ? ownName('tool-call', 'structure', 'reasoning', evidence) : null;
    case 'other':
      return run ? ownName('tool-call', 'structure', 'other', evidence) : null;
    case 'text':
    case 'image':
      return null;
  }
}

/** Text that stands beside tool calls: the story of this turn where a row says so, else part of the call. */
function spokenInRun(texts: readonly Text[], evidence: NamingEvidence): Name {
  const said = texts.map((text) => text.text).join('');
  const row = evidence.rows.find(
    (one) => one.turnId === evidence.turnId && one.role === 'assistant' && one.content === said,
  );
  return row === undefined ? ownName('tool-call', 'structure', 'text', evidence) : rowName('story', row);
}

/** A message as segments: one for each call, result and thought of the run, one for all the rest of it. */
function wholeMessage(message: PromptMessage, given: Name | null, evidence: NamingEvidence): readonly Draft[] {
  const drafts: Draft[] = [];
  let pending: Text[] = [];
  let plain = false;
  const flush = (): void => {
    const own = given === null ? spokenInRun(pending, evidence) : plain ? given : UNKNOWN;
    if (pending.length > 0) drafts.push({ name: own, role: message.role, texts: pending });
    pending = [];
    plain = false;
  };
  for (const part of message.parts) {
    const own = partName(part, given === null, evidence);
    if (own === null) {
      for (const text of part.texts) pending.push(text);
      plain ||= part.type !== 'other';
      continue;
    }
    flush();
    const role: Role = part.type === 'tool-result' ? 'tool' : message.role;
    if (part.texts.length > 0) drafts.push({ name: own, role, texts: part.texts });
  }
  flush();
  return drafts;
}

/** A message with several segments in its text; parts that are no text make one more, of unknown origin. */
function dividedMessage(message: PromptMessage, place: Place, summaries: number): readonly Draft[] {
  const run = runOf(spokenTexts(message));
  const ranges =
    place.kind === 'summary' ? summaryRanges(run.text, summaries) : contextRanges(run.text, message.wrapped);
  const rest = message.parts.flatMap((part) => (part.type === 'text' ? [] : part.texts));
  const drafts = draftsOf(run, ranges, message.role);
  return rest.length === 0 ? drafts : [...drafts, { name: UNKNOWN, role: message.role, texts: rest }];
}

/** Anthropic wants a user message first; where history does not begin with one, the adapter puts one before it. */
const OPENER = name('pre-history', 'structure', 'opener');

const hasOpener = (prompt: WirePrompt, wire: Placed, kernel: Placed | null): boolean =>
  prompt.protocol === 'anthropic-messages-v1' &&
  wire.messages[wire.leading]?.role === 'user' &&
  kernel?.messages[kernel.leading]?.role === 'assistant';

function nameMessages(wire: Placed, opener: boolean, evidence: NamingEvidence): readonly Numbered[] {
  const numbered: Numbered[] = [];
  let summaries = 0;
  for (let i = wire.leading; i < wire.messages.length; i++) {
    const message = wire.messages[i] as PromptMessage;
    const place: Place = opener && i === wire.leading ? { kind: 'named', name: OPENER } : (wire.places[i] as Place);
    const divided = place.kind === 'summary' || place.kind === 'context';
    const drafts = divided
      ? dividedMessage(message, place, summaries)
      : wholeMessage(message, place.kind === 'named' ? place.name : null, evidence);
    if (place.kind === 'summary') summaries += drafts.filter((draft) => draft.name.kind === 'summary').length;
    for (const draft of drafts) numbered.push({ ...draft, message: i });
  }
  return numbered;
}

/**
 * The kernel view, placed: the prompt itself when it is one. Of another prompt's kernel view only the system messages
 * are used; once the player's words place them, no rows are needed.
 */
function kernelOf(prompt: WirePrompt, wire: Placed, evidence: NamingEvidence): Placed | null {
  if (prompt.protocol === null) return wire;
  if (evidence.kernel === null) return null;
  const { messages } = parseKernel({ messages: evidence.kernel.messages, tools: null });
  const placed = (evidence.playerText ?? '').trim() !== '';
  return placeMessages(messages, toolNames(prompt.tools), placed ? { ...evidence, rows: [] } : evidence);
}

/**
 * The segments of a request in cache key order, ids `s1`, `s2`, …; their texts cover every text of the prompt exactly
 * once. Never throws; time is linear in the size of the prompt and of the evidence. Source: seed 1, section 2;
 * assembler page, sections 2 and 5.
 */
export function nameSegments(prompt: WirePrompt, evidence: NamingEvidence): readonly Segment[] {
  const wire = placeMessages(prompt.messages, toolNames(prompt.tools), evidence);
  const kernel = kernelOf(prompt, wire, evidence);
  const usable = kernel !== null && kernel.leading > 0 ? kernel : null;
  const drafts: Numbered[] = [
    ...prompt.tools.map(toolDraft),
    ...nameSystem(prompt, wire, usable, evidence),
    ...nameMessages(wire, hasOpener(prompt, wire, usable), evidence),
  ];
  if (prompt.responseFormat.length > 0) {
    const given = name('response-format', 'structure', 'response format');
    drafts.push({ name: given, role: 'system', texts: prompt.responseFormat, message: null });
  }
  return drafts.map((draft, i) => ({
    id: `s${i + 1}`,
    kind: draft.name.kind,
    role: draft.role,
    origin: draft.name.origin,
    volatility: draft.name.volatility,
    proof: draft.name.proof,
    message: draft.message,
    texts: draft.texts,
    ...(draft.definition === undefined ? {} : { definition: draft.definition }),
  }));
}
