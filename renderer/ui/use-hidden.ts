/** A list that is cut off below says how much is missing. */
import { useLayoutEffect, useState, type RefObject } from 'react';

/** How many children of an element begin below its visible part. Looks again when it is resized or `content` changes. */
export function useHidden(ref: RefObject<HTMLElement | null>, content: unknown): number {
  const [hidden, setHidden] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const look = (): void => {
      const bottom = element.offsetTop + element.clientHeight;
      setHidden([...element.children].filter((one) => one instanceof HTMLElement && one.offsetTop >= bottom).length);
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref, content]);
  return hidden;
}
