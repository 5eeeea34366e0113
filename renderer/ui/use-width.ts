/** What is drawn to scale must know its width before the first picture, else it would jump on the second. */
import { useLayoutEffect, useRef, useState } from 'react';

/** A ref for an element, and its inner width in pixels; 0 until it is laid out. */
export function useWidth<E extends HTMLElement>(): readonly [React.RefObject<E | null>, number] {
  const ref = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
