/**
 * A window comes back where it was, unless it would be out of sight: screens come and go between two starts.
 * Lengths are device-independent pixels.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const BoundsSchema = z.object({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) });
export type Bounds = z.infer<typeof BoundsSchema>;
const StateSchema = z.object({ bounds: BoundsSchema, isMaximized: z.boolean() });
export type WindowState = z.infer<typeof StateSchema>;

export const MIN_SIZE = { width: 1024, height: 640 } as const;
const FIRST_SIZE = { width: 1440, height: 900 } as const;
/** How much of the title bar must be on a screen to be caught with the mouse. */
const VISIBLE = 64;

/** Where to open the window; without x and y the system centres it. */
export type Placement = { readonly width: number; readonly height: number } & Partial<Pick<Bounds, 'x' | 'y'>>;

/** What was kept; null when there is nothing, or nothing that can be read. */
export function readState(file: string): WindowState | null {
  try {
    return StateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

/** Keeps the state; a full or read-only disk costs no more than the place of the window. */
export function writeState(file: string, state: WindowState): void {
  try {
    writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // The next start uses the first size.
  }
}

/** `screens`: work areas of the screens that are there now. */
export function placement(kept: WindowState | null, screens: readonly Bounds[]): Placement {
  if (!kept) return FIRST_SIZE;
  const { bounds } = kept;
  const size = { width: Math.max(bounds.width, MIN_SIZE.width), height: Math.max(bounds.height, MIN_SIZE.height) };
  const isInSight = screens.some(
    (screen) =>
      bounds.y >= screen.y &&
      bounds.y + VISIBLE <= screen.y + screen.height &&
      bounds.x + size.width >= screen.x + VISIBLE &&
      bounds.x + VISIBLE <= screen.x + screen.width,
  );
  return isInSight ? { ...size, x: bounds.x, y: bounds.y } : size;
}
