/** The door to the parts without knowledge of the domain. */
export { Bar, Code, IconButton, Kbd, Num, Percent, Tag, type BarPart } from './parts.tsx';
export { Empty, ErrorNote, Loading } from './states.tsx';
export { Split, type SplitPanel } from './Split.tsx';
export { VirtualList, type VirtualListProps } from './VirtualList.tsx';
export { Sign, type SignName } from './Sign.tsx';
export { Overlay } from './Overlay.tsx';
export {
  columnDecimals,
  formatBytes,
  formatDuration,
  formatInt,
  formatKey,
  formatLifetime,
  formatPercent,
  formatUsd,
  THIN,
} from './format.ts';
