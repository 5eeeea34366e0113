/** A row that scrolls without a scroll bar must say itself how much of it stands beyond its edges. */
import { useCallback, useEffect, useState, type RefObject } from 'react';

export type Edges = { readonly before: number; readonly after: number };
type Place = { readonly left: number; readonly right: number };

/** Pixels that may be cut off without a pill counting as hidden. */
const SLACK = 2;

/** How many of the places are cut off on each side of a window from `from` to `to`. */
export function edgesOf(places: readonly Place[], from: number, to: number): Edges {
  return {
    before: places.filter((place) => place.left < from - SLACK).length,
    after: places.filter((place) => place.right > to + SLACK).length,
  };
}

/** Options of a box that are not wholly in sight, and a function that looks again. */
export function useEdges(box: RefObject<HTMLElement | null>): readonly [Edges, () => void] {
  const [edges, setEdges] = useState<Edges>({ before: 0, after: 0 });
  const look = useCallback(() => {
    const element = box.current;
    if (!element) return;
    const places = [...element.querySelectorAll<HTMLElement>('[role="option"]')].map((one) => ({
      left: one.offsetLeft,
      right: one.offsetLeft + one.offsetWidth,
    }));
    const next = edgesOf(places, element.scrollLeft, element.scrollLeft + element.clientWidth);
    setEdges((last) => (last.before === next.before && last.after === next.after ? last : next));
  }, [box]);
  useEffect(() => {
    const observer = new ResizeObserver(look);
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, [box, look]);
  return [edges, look];
}
