/** Errors are made with English sentences; other languages have theirs by the error's code. */
import type { ErrorCode, LensError } from '../../shared/error.ts';
import type { Language } from '../../shared/language/index.ts';
import type { TextKey } from './texts.ts';

export type ErrorSentences = { readonly message: string; readonly hint: string };

/** Codes whose general sentence speaks of the window; here they have only one meaning. */
const OWN: Partial<Record<ErrorCode, readonly [message: TextKey, hint: TextKey]>> = {
  'not-available': ['notBuilt', 'notBuiltHint'],
  'port-in-use': ['portInUse', 'portInUseHint'],
};

/** A mistake on the command line speaks of words and usage that only the command line knows: it stays as it is. */
export async function errorSentences(language: Language, error: LensError): Promise<ErrorSentences> {
  if (language === 'en' || error.code === 'bad-usage') return error;
  const own = OWN[error.code];
  if (own) {
    const { say } = await import('./texts.ts');
    const [message, hint] = own;
    return { message: say(language)(message, error.values), hint: say(language)(hint, error.values) };
  }
  const { errorText } = await import('../../shared/language/index.ts');
  return errorText(language, error);
}
