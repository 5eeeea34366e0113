/** Absolute path of a Chromium; null where none is found. Installs nothing. */
export function findChromium(): string | null;
/** The same, after installing one where that can be done without asking. */
export function ensureChromium(): string | null;
