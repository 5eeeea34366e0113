/**
 * Every string of a body belongs to segments. The owner of a divergence is the segment whose text begins to differ; a
 * blank rest of a string is nobody's text, so there it is the next segment.
 */
import type { JsonPointer, KeyText, Segment, Text } from '../../shared/model/index.ts';
import type { Chars } from '../../shared/units.ts';
import { locate, stringsFrom } from './locate.ts';
import type { CallSide } from './types.ts';

type Entry = { readonly segment: Segment; readonly text: Text };

export type Owners = {
  /** The segment that begins to differ at a place of the key text: the next one with a text; null behind the last. */
  at(key: KeyText, part: number, offset: Chars): Segment | null;
  /** The same, but a segment of that very string where the place is in one. */
  inPlace(key: KeyText, part: number, offset: Chars): Segment | null;
};

export function ownersOf(side: CallSide): Owners {
  const entries: Entry[] = side.segments.flatMap((segment) => segment.texts.map((text) => ({ segment, text })));
  const byPath = new Map<JsonPointer, number[]>();
  entries.forEach((entry, index) => {
    const there = byPath.get(entry.text.path);
    if (there) there.push(index);
    else byPath.set(entry.text.path, [index]);
  });

  /** Skips what is blank from `offset` of the entry's string on. */
  const settle = (index: number, offset: number): Segment | null => {
    let at = index;
    let from: number = offset;
    for (let entry = entries[at]; entry; entry = entries[++at]) {
      if (entry.text.text.slice(Math.max(0, from - entry.text.start)).trim() !== '') return entry.segment;
      from = 0;
    }
    return null;
  };

  const owners: Owners = {
    at(key, partIndex, offset) {
      const part = key.parts[partIndex];
      const place = part && locate(part, side.body, offset);
      const owned = place ? byPath.get(place.path) : undefined;
      if (place && owned) {
        const index = owned.find((i) => (entries[i]?.text.end ?? 0) > place.offset) ?? owned[owned.length - 1];
        return index === undefined ? null : settle(index, place.offset);
      }
      for (let i = partIndex; i < key.parts.length; i++) {
        const next = key.parts[i];
        if (!next) break;
        for (const path of stringsFrom(next, side.body, (i === partIndex ? offset : 0) as Chars)) {
          const index = byPath.get(path)?.[0];
          if (index !== undefined) return settle(index, 0);
        }
      }
      return null;
    },
    inPlace(key, partIndex, offset) {
      const found = owners.at(key, partIndex, offset);
      const part = key.parts[partIndex];
      const place = part && locate(part, side.body, offset);
      const owned = (place && byPath.get(place.path)) ?? [];
      if (!place || owned.length === 0) return found;
      if (found?.texts.some((text) => text.path === place.path && text.end > place.offset)) return found;
      const index = owned.find((i) => (entries[i]?.text.end ?? 0) > place.offset) ?? owned.at(-1);
      return (index === undefined ? undefined : entries[index]?.segment) ?? found;
    },
  };
  return owners;
}
