/**
 * What the system prompt is made from besides the body: the framework's preamble, the world's lore and lorebook from the
 * database, and what extensions and the world's files brought, which only the request still shows.
 */
import { compileLorebook } from '../../assembler/data/lore.ts';
import { frameworkPreamble } from '../../assembler/preamble.ts';
import type { FrameworkTexts, LoreContribution, PromptSegment, RuntimeManifest } from '../../assembler/types.ts';
import type { SessionWorld } from '../../sources/covel-db/types.ts';
import type { Segment, SegmentKind } from '../../../shared/model/index.ts';
import { insideOf, ofKind, plainText, type Recorded } from './recorded.ts';

type Ending = Pick<RuntimeManifest, 'outputKind' | 'output' | 'requireToolUse' | 'completeAfterTools'>;

/** Ways in which a run may end; the manifest that says so is not in the database. */
function endings(tools: readonly string[]): readonly Ending[] {
  return [
    { outputKind: 'story' },
    ...tools.map((tool) => ({ requireToolUse: true, completeAfterTools: [tool] })),
    ...(tools.length > 1 ? [{ requireToolUse: true, completeAfterTools: tools }] : []),
    { output: { schema: {} } },
    {},
    { requireToolUse: true },
  ];
}

export type Preamble = {
  /** What of the manifest the preamble proves. */
  readonly ending: Ending;
  /** The recorded wording where none of ours is the same; null: the framework's own. */
  readonly recorded: string | null;
};

/** null: the request has no preamble. */
export function preambleOf(recorded: Recorded, locale: string, texts: FrameworkTexts): Preamble | null {
  const [segment] = ofKind(recorded, 'framework-preamble');
  if (!segment) return null;
  const text = plainText(segment);
  const tools = recorded.outside.filter(({ kind }) => kind === 'tool').map(({ origin }) => origin.label);
  const same = endings(tools).find(
    (ending) => frameworkPreamble({ name: '', pluginId: '', ...ending }, locale, texts) === text,
  );
  return same ? { ending: same, recorded: null } : { ending: {}, recorded: text };
}

export type WorldLore = { readonly lore: string; readonly from: 'database' | 'recorded' };

/** The world's long text: from its record, else from the request, because worlds may also be files. */
export function worldLoreOf(recorded: Recorded, world: SessionWorld['world']): WorldLore | null {
  const [segment] = ofKind(recorded, 'world-lore');
  const stored = world?.lore ?? '';
  if (stored.trim() !== '') return { lore: stored, from: 'database' };
  const inside = segment ? insideOf(plainText(segment), 'world-lore') : null;
  return inside === null ? null : { lore: inside.replace(/^\n|\n$/g, ''), from: 'recorded' };
}

export type Lore = {
  readonly contributions: readonly LoreContribution[];
  /** Ids of entries that the request alone shows. */
  readonly taken: ReadonlySet<string>;
};

/**
 * Lore entries: those of the database that the player's words and the newest messages wake, and those that only the
 * request shows (entries of world and plugin files), each behind the entry that stands before it there.
 */
export function loreOf(
  recorded: Recorded,
  lorebook: SessionWorld['lorebook'],
  scan: {
    readonly start: string;
    readonly playerMessage: string;
    readonly tail: readonly string[];
    readonly texts: FrameworkTexts;
    /** The runtime reads lore at all. */
    readonly isReader: boolean;
  },
): Lore {
  const stored = scan.isReader
    ? compileLorebook(
        lorebook.filter((entry) => entry.createdAt <= scan.start),
        scan,
      )
    : [];
  const shown = ofKind(recorded, 'lore');
  const session = Math.max(
    -1,
    ...recorded.segments.flatMap((one, i) => (one.kind === 'events' || one.kind === 'activation' ? [i] : [])),
  );
  const taken = new Set<string>();
  const rest = new Set(stored);
  const ordered: LoreContribution[] = [];
  let order = Number.MIN_SAFE_INTEGER;
  for (const [i, segment] of shown.entries()) {
    const text = plainText(segment);
    const known = stored.find((entry) => rest.has(entry) && entry.content.trim() === text);
    if (known) {
      rest.delete(known);
      order = known.order ?? 0;
      ordered.push(known);
      continue;
    }
    const sourceId = `${segment.origin.label || 'lore'} ${i + 1}`;
    // An entry of the same heading in the database: its text differs, and the database speaks.
    if (stored.some((entry) => entry.content.split('\n', 1)[0] === text.split('\n', 1)[0])) continue;
    taken.add(sourceId);
    ordered.push({
      kind: 'lore_entry',
      sourceType: 'recorded',
      sourceId,
      content: text,
      position: recorded.segments.indexOf(segment) < session ? 'before_plugin' : 'after_plugin',
      order,
    });
  }
  const depths = new Set(ofKind(recorded, 'depth').map(plainText));
  const others = [...rest].filter((entry) => entry.position !== 'at_depth' || depths.has(entry.content.trim()));
  return { contributions: [...ordered, ...others], taken };
}

const roleOf = (segment: Segment): NonNullable<PromptSegment['role']> =>
  segment.role === 'user' || segment.role === 'assistant' ? segment.role : 'system';

type Place = Pick<PromptSegment, 'position' | 'volatility'>;

/** Where a recorded segment of an extension stood; the places that the assembler gives them, read backwards. */
const PLACES: Readonly<Partial<Record<SegmentKind, (segment: Segment, depthOf: (at: number) => number) => Place>>> = {
  extension: ({ volatility }) =>
    volatility === 'turn'
      ? { position: 'pre-history', volatility: 'turn' }
      : { position: 'system', volatility: 'session' },
  'pre-history': () => ({ position: 'pre-history', volatility: 'session' }),
  'post-history': () => ({ position: 'post-history', volatility: 'turn' }),
  depth: ({ message }, depthOf) => ({ position: { depth: depthOf(message ?? 0) }, volatility: 'turn' }),
};

/** Segments of extensions outside the turn context, in their recorded order and places. */
export function extensionsOf(recorded: Recorded, lore: readonly LoreContribution[]): readonly PromptSegment[] {
  const stored = new Set(lore.filter(({ position }) => position === 'at_depth').map(({ content }) => content.trim()));
  const outsideBase = new Set(
    recorded.segments.flatMap((one) =>
      ['turn-context', 'pictures', 'depth', 'post-history', 'framework-preamble', 'runtime-body'].includes(one.kind)
        ? (one.message ?? [])
        : [],
    ),
  );
  const base = new Set(recorded.segments.flatMap(({ message }) => message ?? []));
  const depthOf = (at: number): number => [...base].filter((n) => n > at && !outsideBase.has(n)).length;
  return recorded.segments.flatMap((segment, i): readonly PromptSegment[] => {
    const text = plainText(segment);
    const place = PLACES[segment.kind];
    if (!place || (segment.kind === 'depth' && stored.has(text))) return [];
    const { label: id, plugin } = segment.origin;
    return [
      {
        id,
        content: text,
        audience: 'all',
        order: i,
        ...(plugin === null ? {} : { providerPluginId: plugin }),
        ...(segment.kind === 'extension' ? {} : { role: roleOf(segment) }),
        ...place(segment, depthOf),
      },
    ];
  });
}
