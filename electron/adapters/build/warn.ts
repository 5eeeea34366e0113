/** What was asked for and is not sent is said, never dropped in silence (assembler page, section 8.2). */
import type { BuildWarning } from './types.ts';

/** `code` is stable, `message` is an English sentence for people. */
export type Warn = (code: string, message: string) => void;

/** A list and the function that fills it. The same sentence is said once. */
export function collectWarnings(): { readonly warn: Warn; readonly warnings: readonly BuildWarning[] } {
  const warnings: BuildWarning[] = [];
  const warn: Warn = (code, message) => {
    if (!warnings.some((said) => said.code === code && said.message === message)) warnings.push({ code, message });
  };
  return { warn, warnings };
}
