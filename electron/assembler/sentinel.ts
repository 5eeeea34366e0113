/**
 * A cache boundary travels inside the system prompt as a private-use sentinel until an adapter turns it into a mark
 * or removes it (seed 1, section 5). Only the serialiser may write one: text that came from outside is cleaned first.
 */

export const SENTINEL = '\ue000COVEL_CACHE_BREAK\ue000';

/**
 * Removes every sentinel and changes nothing else. Text that is nested so that removing would make a new one also
 * loses its private-use characters; the result never contains a sentinel.
 */
export function stripSentinels(text: string): string {
  if (!text.includes(SENTINEL)) return text;
  const rest = text.replaceAll(SENTINEL, '');
  return rest.includes(SENTINEL) ? rest.replaceAll('\ue000', '') : rest;
}

/** The pieces between the sentinels, right-trimmed, without empty ones. */
export const splitAtSentinels = (text: string): readonly string[] =>
  text
    .split(SENTINEL)
    .map((piece) => piece.trimEnd())
    .filter((piece) => piece !== '');
