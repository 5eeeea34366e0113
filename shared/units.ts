/**
 * A number without its unit is how token counts get added to character counts.
 * Each unit is a branded number: it is a plain number at run time, and the compiler keeps the kinds apart.
 */
declare const unit: unique symbol;

/** UTF-16 code units, as `string.length` counts them. */
export type Chars = number & { readonly [unit]: 'chars' };
/** Bytes of UTF-8. */
export type Bytes = number & { readonly [unit]: 'bytes' };
/** Model tokens; every count that is shown also carries its evidence tier (see Measured). */
export type Tokens = number & { readonly [unit]: 'tokens' };
/** Millionths of a US dollar. */
export type UsdMicros = number & { readonly [unit]: 'usd-micros' };
/** Position of a turn in its session, counted from 1. */
export type TurnIndex = number & { readonly [unit]: 'turn' };

export const chars = (n: number): Chars => n as Chars;
export const bytes = (n: number): Bytes => n as Bytes;
export const tokens = (n: number): Tokens => n as Tokens;
export const usdMicros = (n: number): UsdMicros => n as UsdMicros;
export const turnIndex = (n: number): TurnIndex => n as TurnIndex;

/** Where a number comes from: the provider's usage, an exact counter, or the estimator. */
export type Tier = 'billed' | 'counted' | 'estimated';

/** A token count with its evidence tier, exactly as the command line prints it. */
export type Measured = { readonly value: Tokens; readonly tier: Tier };

export const estimated = (n: number): Measured => ({ value: tokens(n), tier: 'estimated' });
export const counted = (n: number): Measured => ({ value: tokens(n), tier: 'counted' });
export const billed = (n: number): Measured => ({ value: tokens(n), tier: 'billed' });
