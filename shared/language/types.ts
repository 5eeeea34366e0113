/**
 * A message of a language file is an ICU message. Its placeholders are read from its text by the compiler, so that
 * a translation with other placeholders, or a sentence without a value it needs, does not compile.
 */
import type { Sentence } from '../model/index.ts';
import type { EN } from './en.ts';

/** Text before the first comma, white space cut off. Branches of a plural begin with `#` and are no names. */
type NameIn<Head extends string> = Head extends `${infer Name},${string}`
  ? NameIn<Name>
  : Head extends `#${string}`
    ? never
    : Head;

/** `'{a} of {n, number}'` gives `'a' | 'n'`. */
export type Placeholders<Message extends string> = Message extends `${string}{${infer Rest}`
  ? (Rest extends `${infer Head}}${string}` ? NameIn<Head> : never) | Placeholders<Rest>
  : never;

type SameNames<A extends string, B extends string> = [A] extends [B] ? ([B] extends [A] ? unknown : never) : never;

/** A file in another language: the same keys, each with the same placeholders. */
export type TranslationOf<Source extends Record<string, string>, Own extends Record<keyof Source, string>> = {
  readonly [Key in keyof Own]: Key extends keyof Source
    ? Own[Key] & SameNames<Placeholders<Own[Key]>, Placeholders<Source[Key]>>
    : never;
};

export type MessageKey = keyof typeof EN;
export type MessageValues<Key extends MessageKey> = {
  readonly [Name in Placeholders<(typeof EN)[Key]>]: string | number;
};

/** A sentence for people, still without a language. */
export const say = <Key extends MessageKey>(key: Key, values: MessageValues<Key>): Sentence => ({ key, values });
