/**
 * What is remembered between starts: settings and recent files, in one small JSON file of ours. A file that
 * cannot be read or written costs the memory of them, never the work at hand.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DEFAULT_SETTINGS, SettingsSchema, type RecentFile, type Settings } from '../../shared/api.ts';

const MAX_RECENT = 12;

const KeptSchema = z.object({
  settings: SettingsSchema.partial().catch({}),
  recent: z.array(z.object({ path: z.string(), openedAt: z.string() })).catch([]),
});

export type KeptState = {
  settings(): Settings;
  /** Parts that are given replace the old ones; panels are merged by group. */
  change(part: { readonly [K in keyof Settings]?: Settings[K] | undefined }): Settings;
  recent(): readonly RecentFile[];
  opened(path: string, at: string): void;
  forget(path: string): void;
  close(): void;
};

export function createKeptState(userData: string): KeptState {
  const file = join(userData, 'window.json');
  let kept = read(file);
  let pending: NodeJS.Timeout | null = null;

  function write(): void {
    pending = null;
    try {
      mkdirSync(userData, { recursive: true, mode: 0o700 });
      writeFileSync(`${file}.new`, JSON.stringify(kept, null, 2), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    } catch {
      // The next change tries again.
    }
  }
  const later = (): void => {
    pending ??= setTimeout(write, 200);
  };

  return {
    settings: () => ({ ...DEFAULT_SETTINGS, ...defined(kept.settings) }),
    change(part) {
      const panels = { ...kept.settings.panels, ...part.panels };
      kept = { ...kept, settings: { ...kept.settings, ...defined(part), panels } };
      later();
      return { ...DEFAULT_SETTINGS, ...defined(kept.settings) };
    },
    recent: () => kept.recent.map((entry) => ({ ...entry, exists: existsSync(entry.path) })),
    opened(path, at) {
      const others = kept.recent.filter((entry) => entry.path !== path);
      kept = { ...kept, recent: [{ path, openedAt: at }, ...others].slice(0, MAX_RECENT) };
      later();
    },
    forget(path) {
      kept = { ...kept, recent: kept.recent.filter((entry) => entry.path !== path) };
      later();
    },
    close() {
      if (pending) {
        clearTimeout(pending);
        write();
      }
    },
  };
}

function read(file: string): z.infer<typeof KeptSchema> {
  try {
    return KeptSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return { settings: {}, recent: [] };
  }
}

/** Without the keys whose value is undefined. */
function defined<T extends object>(part: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as never;
}
