/**
 * The assembler joins the system prompt from up to seven parts and ends parts 1, 2, 3 and 6 with a cache sentinel;
 * empty parts leave no sentinel (assembler page, section 2.1). So the sentinels of the kernel view tell the parts.
 */
import { SENTINEL } from '../kernel/parse.ts';
import { PREAMBLE_OPEN } from './tags.ts';

/**
 * `stable`: world lore and stable or session extensions. `lore`: world info around the event catalogue. `inner`: one
 * of these two. `tail`: what follows the last sentinel. `whole`: a system prompt whose parts the sentinels do not tell.
 */
export type PieceKind = 'preamble' | 'body' | 'stable' | 'lore' | 'inner' | 'tail' | 'whole';
export type Piece = { readonly kind: PieceKind; readonly text: string };

/** The parts of a system prompt of the kernel view, in order, without the white space around them. */
export function systemPieces(prompt: string): readonly Piece[] {
  const parts = prompt.split(SENTINEL).map((part) => part.trim());
  const tail = parts.pop() ?? '';
  const closed = parts.filter((part) => part !== '');
  const pieces: Piece[] = [];
  const first = closed[0];
  let next = 0;
  if (first?.startsWith(PREAMBLE_OPEN) === true) pieces.push({ kind: 'preamble', text: closed[next++] as string });
  const body = closed[next];
  if (body !== undefined) {
    pieces.push({ kind: 'body', text: body });
    const inner = closed.slice(next + 1);
    const kinds: readonly PieceKind[] = inner.length === 2 ? ['stable', 'lore'] : inner.map(() => 'inner');
    inner.forEach((text, i) => pieces.push({ kind: kinds[i] as PieceKind, text }));
  }
  // Without the sentinel of the body nothing tells where the body ends.
  if (tail !== '') pieces.push({ kind: body === undefined ? 'whole' : 'tail', text: tail });
  return pieces;
}
