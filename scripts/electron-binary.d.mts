/** Absolute path of Electron's executable; null where it is not present. Never downloads. */
export function electronBinary(root?: string, env?: Readonly<Record<string, string | undefined>>): string | null;
/** Fetches it; `reason` is one short line when that fails. */
export function fetchElectron(): Promise<{ readonly binary: string | null; readonly reason: string }>;
