import { describe, expect, test } from 'vitest';
import { build, lore, rows, segment } from '../../assembler/testing/params.ts';
import { messageText } from '../../assembler/piece.ts';
import type { AssembledContext } from '../../assembler/types.ts';
import type { ReassemblyReason } from '../../../shared/api.ts';
import { firstDifference, reasonOf, type Evidence } from './difference.ts';
import type { Entry, Recorded } from './recorded.ts';

const NOTHING: Evidence = { pruned: false, mergedLater: false, rowTexts: new Set() };

const entriesOf = ({ systemPrompt, messages }: AssembledContext): readonly Entry[] => [
  { role: 'system', text: systemPrompt, images: 0 },
  ...messages.map((message) => ({ role: message.role, text: messageText(message), images: 0 })),
];
const recordedAs = (entries: readonly Entry[]): Recorded => ({ view: 'kernel', entries, segments: [], outside: [] });

const SLOTS = {
  tide: { cardinality: 'one', value: 'high', source: { pluginId: 'sea', runtimeId: 'sea' } },
} as const;
const context = await build({
  manifest: { outputKind: 'story' },
  messageHistory: rows('u1', 'a1', 'u2', 'a2'),
  summaries: [],
  sessionContext: {
    world: { lore: 'A harbour in fog.' },
    contributions: [lore('[World rule: tide]\nIt rises.', { position: 'after_plugin' })],
  },
  promptSegments: [segment('<mood>\ncalm\n</mood>', { volatility: 'turn' })],
  inputSlots: SLOTS,
  executionStory: [{ role: 'assistant', content: 'The bell rings.' }],
});
const same = entriesOf(context);
const at = (text: string): number => same.findIndex((entry) => entry.text.includes(text));
const TURN = at('<runtime-inputs>');

/** The recording is `context` with one entry rewritten. */
function reasonFor(change: (entries: Entry[]) => void, evidence: Partial<Evidence> = {}): ReassemblyReason | 'equal' {
  const entries = [...same];
  change(entries);
  const recorded = recordedAs(entries);
  const place = firstDifference(recorded, context);
  return place ? reasonOf(place, recorded, context, { ...NOTHING, ...evidence }) : 'equal';
}
const rewrite =
  (index: number, edit: (text: string) => string) =>
  (entries: Entry[]): void => {
    const entry = entries[index] as Entry;
    entries[index] = { ...entry, text: edit(entry.text) };
  };

describe('why the two part', () => {
  test.each<[string, ReassemblyReason | 'equal', (entries: Entry[]) => void, Partial<Evidence>?]>([
    ['nothing', 'equal', () => undefined],
    ['another order of the blocks', 'turn-data-order', rewrite(TURN, (t) => t.split('\n\n').toReversed().join('\n\n'))],
    ['another text in a block', 'unknown', rewrite(TURN, (text) => text.replace('calm', 'wild'))],
    ['white space between blocks', 'separator', rewrite(TURN, (text) => text.replace('\n\n', '\n'))],
    ['a shortened message', 'history-changed', rewrite(at('a1'), () => 'a…')],
    [
      'a message that is the text of another row',
      'unknown',
      rewrite(at('a1'), () => 'a7'),
      { rowTexts: new Set(['a7']) },
    ],
    ['a message more', 'row-missing', (all) => void all.splice(2, 0, { role: 'assistant', text: 'lost', images: 0 })],
    ['a message less, pruned', 'pruned', (all) => void all.splice(1, 2), { pruned: true }],
    ['a message less', 'unknown', (all) => void all.splice(1, 2), { rowTexts: new Set(['u1', 'a1', 'u2', 'a2']) }],
    ['the same messages, pruned elsewhere', 'history-changed', rewrite(at('a1'), () => 'a…'), { pruned: true }],
    ['other lore of the world', 'world-changed', rewrite(0, (text) => text.replace('harbour', 'bay'))],
    [
      'no lore entry',
      'lore-differs',
      rewrite(0, (text) => text.replace(/\n\n\[World rule: tide\]\nIt rises\..*$/s, '')),
    ],
    ['another body', 'unknown', rewrite(0, (text) => text.replace('Body', 'Mind'))],
    ['another story', 'story-changed', rewrite(at('bell'), () => 'The bell is silent.')],
    ['other words', 'player-changed', rewrite(at('I knock.'), () => 'I wait.')],
    ['a picture', 'picture', (all) => void (all[at('u2')] = { role: 'user', text: 'u2', images: 1 })],
  ])('%s: %s', (_, reason, change, evidence) => expect(reasonFor(change, evidence)).toBe(reason));

  test('the place names entry, offset and segment', () => {
    const entries = [...same];
    rewrite(TURN, (text) => text.replace('calm', 'wild'))(entries);
    const place = firstDifference(recordedAs(entries), context);
    expect(place?.at).toBe(TURN);
    expect(same[TURN]?.text.slice(place?.offset, (place?.offset ?? 0) + 4)).toBe('calm');
    expect(place?.segment?.kind).toBe('turn-context');
  });
});

test('in the wire’s form sentinels, edges and joins of the adapter are no difference', () => {
  const entries: readonly Entry[] = [
    { role: 'system', text: context.systemPrompt.replaceAll('\ue000COVEL_CACHE_BREAK\ue000', ''), images: 0 },
    ...same.slice(1),
  ];
  expect(firstDifference({ ...recordedAs(entries), view: 'wire' }, context)).toBe(null);
  expect(firstDifference(recordedAs(entries), context)?.at).toBe(0);
});
