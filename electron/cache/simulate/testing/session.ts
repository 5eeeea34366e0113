/**
 * Hand-made requests in a line: `request('tools A:500', 'system B:2000*', 'user C:100 D:50*1h')`. A block is a name with
 * its tokens (1000 unless said), `*` is a mark, what follows it its lifetime. Blocks of one name and size are equal.
 * `set x` stands for a setting at that place: it changes what follows and is no block.
 */
import type { Usage } from '../../../../shared/model/index.ts';
import { chars, tokens, turnIndex } from '../../../../shared/units.ts';
import type { TextSize } from '../../../../shared/tokens.ts';
import type { BlockMark, RequestBlocks, SimCall } from '../types.ts';

const numbers = new Map<string, number>();
const numberOf = (prefix: string): number => {
  const number = numbers.get(prefix) ?? numbers.size + 1;
  numbers.set(prefix, number);
  return number;
};

export const sizeOfTokens = (count: number): TextSize => ({ chars: chars(count * 4), cjk: chars(0) });

export function request(...lines: readonly string[]): RequestBlocks {
  const prefixes: number[] = [];
  const ends: number[] = [];
  const messageStarts: number[] = [];
  const marks: BlockMark[] = [];
  let automatic: RequestBlocks['automatic'] = null;
  let prefix = '';
  let end = 0;
  for (const line of lines) {
    const [kind = '', ...blocks] = line.split(' ');
    if (kind === 'auto') {
      automatic = { ttl: blocks[0] ?? null };
      continue;
    }
    if (kind === 'set') {
      prefix += `|${line}`;
      continue;
    }
    if (kind !== 'tools' && kind !== 'system') messageStarts.push(prefixes.length);
    for (const [n, block] of blocks.entries()) {
      const [text = '', ...ttls] = block.split('*');
      const size = Number(text.split(':')[1] ?? 1000);
      prefix += `|${kind} ${n === 0} ${text}`;
      end += size;
      for (const ttl of ttls) marks.push({ block: prefixes.length, ttl: ttl === '' ? null : ttl });
      prefixes.push(numberOf(prefix));
      ends.push(sizeOfTokens(end).chars);
    }
  }
  messageStarts.push(prefixes.length);
  return {
    prefixes: Uint32Array.from(prefixes),
    ends: { chars: Uint32Array.from(ends), cjk: new Uint32Array(ends.length) },
    messageStarts: Uint32Array.from(messageStarts),
    marks,
    automatic,
    explicitOnly: false,
  };
}

/** `n` blocks of a message, each of `size` tokens: `A1 A2 …`. */
export const many = (name: string, n: number, size: number): string =>
  Array.from({ length: n }, (_, k) => `${name}${k + 1}:${size}`).join(' ');

export type CallFields = Partial<Omit<SimCall, 'usage' | 'sharedWithPrevious'>> & {
  readonly usage?: Partial<Usage>;
  /** Tokens shared with the request before, to the unit. */
  readonly shared?: number;
};

let made = 0;

/** A call that starts `seconds` after the first and takes a second; `previousId` and so on as given. */
export function call(seconds: number | null, blocks: RequestBlocks, fields: CallFields = {}): SimCall {
  const { usage, shared, ...rest } = fields;
  return {
    id: `call-${++made}`,
    runtimeId: 'narrator',
    turnIndex: turnIndex(1),
    previousId: null,
    provider: 'p',
    protocol: 'anthropic-messages-v1',
    model: 'claude-opus-4-8',
    startedAt: seconds === null ? null : seconds * 1000,
    durationMs: 1000,
    answered: true,
    blocks,
    sharedWithPrevious: shared === undefined ? null : sizeOfTokens(shared),
    usage: usage ? { uncached: null, read: null, write: null, output: null, ...usage } : null,
    billedInput: null,
    countedInput: null,
    ...rest,
  };
}

export const billed = (count: number): Pick<SimCall, 'billedInput'> => ({ billedInput: tokens(count) });
