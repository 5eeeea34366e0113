/** A provider is a plugin: it may throw, never answer, or answer after the turn is over. None of that leaves this file. */
import type { CompactInput, CompactProvider, CompactionClock } from './types.ts';

/** How long a provider may take. */
export const PROVIDER_TIMEOUT_MS = 60_000;

export type Answer =
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly message: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' };

/** Asks once. Whatever comes after a timeout or a cancellation is ignored; the provider's signal tells it so. */
export function ask(
  provider: CompactProvider,
  input: CompactInput,
  clock: CompactionClock,
  turn: AbortSignal | undefined,
): Promise<Answer> {
  const own = new AbortController();
  return new Promise((resolve) => {
    const finish = (answer: Answer): void => {
      stopTimer();
      turn?.removeEventListener('abort', cancel);
      resolve(answer);
    };
    const giveUp = (answer: Answer): void => {
      own.abort();
      finish(answer);
    };
    const cancel = (): void => giveUp({ kind: 'cancelled' });
    const stopTimer = clock.after(PROVIDER_TIMEOUT_MS, () => giveUp({ kind: 'timeout' }));
    if (turn?.aborted) return cancel();
    turn?.addEventListener('abort', cancel);
    call(provider, input, own.signal).then(finish, () => undefined);
  });
}

async function call(provider: CompactProvider, input: CompactInput, signal: AbortSignal): Promise<Answer> {
  try {
    return { kind: 'answer', value: await provider(input, signal) };
  } catch (error) {
    return { kind: 'threw', message: messageOf(error) };
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
