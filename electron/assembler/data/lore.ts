/**
 * World lore reaches a prompt in two ways: the world's one long text, for story runtimes, cut to a budget by whole
 * lines; and lorebook entries, each constant or woken by a keyword in the player's words or in the newest committed
 * messages, compacted ones included (seed 1, section 4; assembler page, sections 2.6 and 2.7).
 *
 * Text: `lore.heading` {label}.
 */
import { estimateTokens } from '../../../shared/tokens.ts';
import type { Estimator, FrameworkTexts, LoreContribution } from '../types.ts';
import { block, byUnits, neutraliseClosing, stripSentinels } from './escape.ts';

/** Estimated tokens of the world-lore block's text. */
const WORLD_LORE_TOKENS = 8000;
const MAX_SCAN_DEPTH = 20;

export type LorebookEntry = {
  readonly id: string;
  readonly title?: string | null;
  readonly keys: readonly string[];
  readonly content: string;
  readonly strategy: string;
  /** `before_plugin`, `after_plugin`, `at_depth`; a hyphen counts as an underscore. */
  readonly position?: string | null;
  readonly insertionOrder?: number;
  readonly enabled?: boolean;
  readonly extra?: {
    /** Newest committed messages that are scanned besides the player's words, 0–20. */
    readonly scanDepth?: number;
    /** Wins over the entry's own position. */
    readonly coordinate?: { readonly position?: string; readonly depth?: number; readonly role?: string };
  } | null;
};

export type LoreScan = {
  readonly playerMessage: string;
  /** Texts of the newest committed messages, oldest first. */
  readonly tail: readonly string[];
  readonly texts: FrameworkTexts;
  /** Told about an entry whose position is unknown; the entry then stands after the plugin's text. */
  readonly warn?: (message: string) => void;
};

const POSITIONS = ['before_plugin', 'after_plugin', 'at_depth'] as const;
const ROLES = ['system', 'user', 'assistant'] as const;
const isBlank = (text: string): boolean => text.trim() === '';

function positionOf(entry: LorebookEntry, warn: LoreScan['warn']): LoreContribution['position'] {
  const given = entry.extra?.coordinate?.position ?? entry.position;
  const known = POSITIONS.find((position) => position === given?.replaceAll('-', '_'));
  if (known) return known;
  if (given !== undefined && given !== null) warn?.(`Lore entry "${entry.id}": there is no position "${given}".`);
  return 'after_plugin';
}

function scanDepthOf({ extra }: LorebookEntry): number {
  const depth = extra?.scanDepth;
  return typeof depth === 'number' && Number.isFinite(depth)
    ? Math.min(MAX_SCAN_DEPTH, Math.max(0, Math.round(depth)))
    : 0;
}

/** What is scanned at each depth, in lower case, made once each. */
function scanner({ playerMessage, tail }: LoreScan): (depth: number) => string {
  const made = new Map<number, string>();
  return (depth) => {
    let text = made.get(depth);
    if (text === undefined) {
      text = [...(depth === 0 ? [] : tail.slice(-depth)), playerMessage].join('\n').toLowerCase();
      made.set(depth, text);
    }
    return text;
  };
}

/** The active entries by insertion order, then id; each text is a heading line and the entry's content. */
export function compileLorebook(entries: readonly LorebookEntry[], scan: LoreScan): readonly LoreContribution[] {
  const textAt = scanner(scan);
  const isActive = (entry: LorebookEntry): boolean =>
    entry.strategy === 'constant' ||
    entry.keys.some((key) => !isBlank(key) && textAt(scanDepthOf(entry)).includes(key.toLowerCase()));
  return entries
    .filter((entry) => entry.enabled !== false && !isBlank(entry.content) && isActive(entry))
    .toSorted((a, b) => (a.insertionOrder ?? 0) - (b.insertionOrder ?? 0) || byUnits(a.id, b.id))
    .map((entry) => {
      const { id, title, keys, content, insertionOrder = 0, extra } = entry;
      const position = positionOf(entry, scan.warn);
      const label = [title, keys.find((key) => !isBlank(key))].find((text) => text && !isBlank(text)) ?? id;
      const depth = position === 'at_depth' ? extra?.coordinate?.depth : undefined;
      const role = ROLES.find((known) => known === extra?.coordinate?.role);
      return {
        kind: 'lore_entry',
        sourceType: 'lorebook',
        sourceId: id,
        content: stripSentinels(`${scan.texts.text('lore.heading', { label })}\n${content}`),
        position,
        order: insertionOrder,
        ...(typeof depth === 'number' && Number.isFinite(depth) ? { depth: Math.max(0, Math.round(depth)) } : {}),
        ...(role ? { role } : {}),
      };
    });
}

/** Whole lines from the start within the budget, then `…`; the text itself when it fits. */
function fitLines(text: string, budget: number, estimate: Estimator): string {
  if (estimate(text) <= budget) return text;
  let used = 0;
  let end = 0;
  while (end < text.length) {
    const newline = text.indexOf('\n', end);
    const next = newline < 0 ? text.length : newline + 1;
    used += estimate(`${text.slice(end, newline < 0 ? next : newline)}\n`);
    if (used > budget) break;
    end = next;
  }
  return `${text.slice(0, end).trimEnd()}\n…`;
}

/** `<world-lore>`, or null for a blank lore. Only its own closing tag is disarmed inside. */
export function worldLoreBlock(lore: string | undefined, estimate: Estimator = estimateTokens): string | null {
  if (lore === undefined || isBlank(lore)) return null;
  return block('world-lore', neutraliseClosing(fitLines(lore, WORLD_LORE_TOKENS, estimate), 'world-lore'));
}

/** The lore entries of one place of the system prompt, in order, each trimmed; blank ones are left out. */
export function systemLoreEntries(
  contributions: readonly LoreContribution[],
  position: 'before_plugin' | 'after_plugin',
): readonly LoreContribution[] {
  return contributions
    .filter((entry) => entry.kind === 'lore_entry' && entry.position === position)
    .map((entry) => ({ ...entry, content: stripSentinels(entry.content).trim() }))
    .filter((entry) => entry.content !== '')
    .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0));
}
