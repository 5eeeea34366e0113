/**
 * The strip is drawn to scale of tokens, but a segment that is too small for the screen must not vanish. Small
 * runs are held at a least width and the rest shrinks in proportion, so the scale is straight inside a run and
 * bends only between runs; ruler, breakpoints and the first difference are placed through the same scale.
 */
export type Box = {
  /** Left edge and width in pixels. */
  readonly x: number;
  readonly width: number;
  /** Tokens before the box, and in it. */
  readonly start: number;
  readonly size: number;
};

export type Scale = {
  readonly boxes: readonly Box[];
  readonly width: number;
  readonly total: number;
  /** Pixels from the left edge for a place counted in tokens from the start. */
  at(tokens: number): number;
  /** The other way round. */
  tokensAt(x: number): number;
};

/** Widths that add up to `width`, in proportion to `sizes`, none below `least` while there is room for that. */
function shareOut(sizes: readonly number[], width: number, least: number): readonly number[] {
  const floor = Math.min(least, width / Math.max(1, sizes.length));
  const held = new Set<number>();
  for (;;) {
    const free = width - held.size * floor;
    const weight = sizes.reduce((sum, size, i) => (held.has(i) ? sum : sum + size), 0);
    const per = weight > 0 ? free / weight : 0;
    const small = sizes.flatMap((size, i) => (!held.has(i) && size * per < floor ? [i] : []));
    if (small.length === 0 || held.size + small.length === sizes.length) {
      const rest = sizes.length - held.size;
      return sizes.map((size, i) => (held.has(i) ? floor : weight > 0 ? size * per : free / Math.max(1, rest)));
    }
    for (const i of small) held.add(i);
  }
}

/**
 * Lays runs of `sizes` tokens out over `width` pixels. `least` is the least width of a run in pixels.
 * The boxes touch; gaps are drawn inside them.
 */
export function scaleOf(sizes: readonly number[], width: number, least = 3): Scale {
  const widths = shareOut(sizes, width, least);
  let x = 0;
  let start = 0;
  const boxes = sizes.map((size, i): Box => {
    const box = { x, width: widths[i]!, start, size };
    x += box.width;
    start += size;
    return box;
  });
  const total = start;
  return {
    boxes,
    width,
    total,
    at(tokens) {
      const box = boxes.findLast((one) => one.start <= tokens);
      if (!box) return 0;
      return box.x + box.width * (box.size > 0 ? Math.min(1, (tokens - box.start) / box.size) : 0);
    },
    tokensAt(place) {
      const box = boxes.findLast((one) => one.x <= place) ?? boxes[0];
      if (!box) return 0;
      return box.start + box.size * (box.width > 0 ? Math.min(1, Math.max(0, (place - box.x) / box.width)) : 0);
    },
  };
}

export type Tick = { readonly tokens: number; readonly x: number };

/** Round places (1, 2 or 5 times a power of ten) at least `apart` pixels from each other and from both ends. */
export function ticksOf(scale: Scale, apart = 110): readonly Tick[] {
  if (scale.total <= 0 || scale.width <= 0) return [];
  const least = (scale.total * apart) / scale.width;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  const step = [1, 2, 5, 10].map((m) => m * power).find((one) => one >= least) ?? 10 * power;
  const ticks: Tick[] = [];
  let last = 0;
  for (let tokens = step; tokens < scale.total; tokens += step) {
    const x = scale.at(tokens);
    if (x - last < apart / 2 || scale.width - x < apart) continue;
    ticks.push({ tokens, x });
    last = x;
  }
  return ticks;
}
