/** Ten thousand rows are drawn as the few dozen that are in sight. All rows of a list have one height. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type HTMLAttributes, type ReactNode } from 'react';
import './virtual-list.css';

export type VirtualListProps = {
  readonly count: number;
  /** Pixels. */
  readonly rowHeight: number;
  readonly row: (index: number) => ReactNode;
  /** The same function as long as the rows keep their keys: a new one makes the list measure every row again. */
  readonly rowKey?: (index: number) => string | number;
  /** Kept in sight; null leaves the list where it is. */
  readonly current?: number | null;
  /** Pixels above the first and below the last row. */
  readonly padding?: number;
  readonly className?: string;
  /** Role, name and keys of the scrolling element. */
  readonly box?: HTMLAttributes<HTMLDivElement>;
};

export function VirtualList(props: VirtualListProps): ReactNode {
  const { count, rowHeight, row, rowKey, current = null, padding = 0 } = props;
  const box = useRef<HTMLDivElement>(null);
  // It answers with functions that change; nothing here keeps them from one drawing to the next.
  // oxlint-disable-next-line react/incompatible-library
  const list = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    paddingStart: padding,
    paddingEnd: padding,
    scrollPaddingStart: padding,
    scrollPaddingEnd: padding,
    ...(rowKey ? { getItemKey: rowKey } : {}),
  });

  // The current row stays in sight also when the list gets smaller.
  const [boxHeight, setBoxHeight] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setBoxHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const element = box.current;
    if (!element || current === null || current >= count) return;
    // What the list knows of its own scrolling spares a layout for each step of a held key.
    const top = padding + current * rowHeight;
    const height = boxHeight || element.clientHeight;
    const from = list.scrollOffset ?? element.scrollTop;
    if (top - padding < from) element.scrollTop = top - padding;
    else if (top + rowHeight + padding > from + height) element.scrollTop = top + rowHeight + padding - height;
  }, [current, count, padding, rowHeight, boxHeight, list]);
  useEffect(() => list.measure(), [rowHeight, list]);

  return (
    <div {...props.box} ref={box} className={`ui-virtual ${props.className ?? ''}`}>
      <div role="presentation" className="ui-virtual-all" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map((item) => (
          <div
            key={item.key}
            role="presentation"
            className="ui-virtual-row"
            style={{ height: item.size, transform: `translateY(${item.start}px)` }}
          >
            {row(item.index)}
          </div>
        ))}
      </div>
    </div>
  );
}
