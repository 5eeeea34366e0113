/**
 * OpenAI's models of the rules file all use one public vocabulary, o200k; for them a request without a bill can be
 * counted instead of estimated. Requests repeat each other, so each part is counted once.
 */
import { createHash } from 'node:crypto';
import { textOf } from '../cache/bytes/canonical.ts';
import type { CallKey } from '../cache/bytes/key-bytes.ts';
import { tokens, type Tokens } from '../../shared/units.ts';

export type TokenCounter = {
  /** Tokens of all parts of a request. What providers add around messages is not in it. */
  count(key: CallKey): Tokens;
};

/** Names of models whose vocabulary is o200k. */
const O200K = /^(?:.*\/)?(?:gpt-(?:4o|4\.1|[5-9])|chatgpt-|o[134](?:-|$))/i;

export const canCount = (model: string | null): boolean => model !== null && O200K.test(model);

/** Loads the vocabulary, some megabytes; only for a session that needs it. */
export async function createTokenCounter(): Promise<TokenCounter> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  const known = new Map<string, number>();
  return {
    count(key) {
      let sum = 0;
      for (const part of key.parts) {
        const digest = createHash('sha1')
          .update(part.form)
          .update(part.source.subarray(part.start, part.end))
          .digest('base64');
        let count = known.get(digest);
        if (count === undefined) {
          // Texts of a request are data: what looks like a control token in them is plain text.
          count = countTokens(textOf(part, part.form), { allowedSpecial: new Set(), disallowedSpecial: new Set() });
          known.set(digest, count);
        }
        sum += count;
      }
      return tokens(sum);
    },
  };
}
