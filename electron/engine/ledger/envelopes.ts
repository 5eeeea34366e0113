/**
 * A summary goes into a prompt as data in an envelope: `<compacted_history>`, a line with its sections, its escaped
 * text, the closing tag (assembler page, section 5.1). The envelope's bytes are the same in every request until the
 * summary changes, so a session is searched for them as bytes, and only what is new is read.
 */
export type Envelope = { readonly content: string; readonly sections: readonly string[] };

/** As JSON writes it: the line break behind the tag is an escape. */
const OPEN = Buffer.from('<compacted_history>\\n');
const CLOSE = Buffer.from('</compacted_history>');

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&amp;': '&',
};
const unescaped = (text: string): string =>
  text.replace(/&(?:lt|gt|quot|apos|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity);

const HEADING = /^# sections:[ \t]*([^\n]*)(?:\n|$)/;

/** What stands between the tags, read. */
export function readEnvelope(inner: string): Envelope {
  const heading = HEADING.exec(inner);
  const sections = (heading?.[1] ?? '')
    .split(', ')
    .map((section) => unescaped(section.trim()))
    .filter((section) => section !== '');
  return { content: unescaped(inner.slice(heading?.[0].length ?? 0)).trim(), sections };
}

/**
 * The envelopes of one recorded payload, each once, in the order of the request. An envelope is given as its bytes in
 * latin1: a name to tell it from others by, to be read with `decodeText`.
 */
export function envelopesIn(payload: Uint8Array): readonly string[] {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  const found = new Set<string>();
  for (let at = bytes.indexOf(OPEN); at >= 0;) {
    const from = at + OPEN.length;
    const to = bytes.indexOf(CLOSE, from);
    if (to < 0) break;
    found.add(bytes.toString('latin1', from, to));
    at = bytes.indexOf(OPEN, to);
  }
  return [...found];
}

/** The text between the tags that bytes stand for; null when they are no text of JSON. */
export function decodeText(latin1: string): string | null {
  try {
    return String(JSON.parse(`"${Buffer.from(latin1, 'latin1').toString('utf8')}"`));
  } catch {
    return null;
  }
}

/** Longest note that a budget may put in the place of what it cut from an envelope, in UTF-16 units. */
const LONGEST_NOTE = 160;
/** So much of the whole must still be there to know it by. */
const LEAST_KEPT = 32;

/** Is this the whole text with its middle cut out for a budget (assembler page, section 6.5)? */
export function isCutOf(text: string, whole: string): boolean {
  if (text.length >= whole.length) return false;
  const limit = Math.min(text.length, whole.length);
  let head = 0;
  while (head < limit && text.charCodeAt(head) === whole.charCodeAt(head)) head++;
  let tail = 0;
  while (tail < limit - head && text.charCodeAt(text.length - 1 - tail) === whole.charCodeAt(whole.length - 1 - tail))
    tail++;
  const kept = head + tail;
  return kept >= LEAST_KEPT && head > 0 && text.length - kept <= LONGEST_NOTE;
}
