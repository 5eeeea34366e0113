/** A file may be dropped anywhere in the window; without this the browser would leave the page and show the file. */
import { useEffect, useState } from 'react';
import { actions } from './store.ts';

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** Opens what is dropped; answers whether a file hovers above the window. */
export function useDrop(): boolean {
  const [hovers, setHovers] = useState(false);
  useEffect(() => {
    // Enter and leave fire for every element on the way: the file is gone when as many left as entered.
    let depth = 0;
    const enter = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      depth++;
      setHovers(true);
    };
    const leave = (event: DragEvent): void => {
      if (hasFiles(event) && --depth <= 0) setHovers(false);
    };
    const over = (event: DragEvent): void => {
      if (hasFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth = 0;
      setHovers(false);
      const file = event.dataTransfer?.files[0];
      if (file) void actions.openFile(file);
    };
    const all = { dragenter: enter, dragleave: leave, dragover: over, drop } as const;
    for (const [name, listener] of Object.entries(all)) window.addEventListener(name as 'drop', listener);
    return () => {
      for (const [name, listener] of Object.entries(all)) window.removeEventListener(name as 'drop', listener);
    };
  }, []);
  return hovers;
}
