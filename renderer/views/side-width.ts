/** The panel beside a view is wide enough for a wire path, and leaves a small window the larger half. */
const WIDE_FROM = 1200;

/** Pixels that the panel has until a person resizes it. */
export const sideWidth = (): number => (window.innerWidth < WIDE_FROM ? 288 : 360);
