/**
 * Output is for people, or it is JSON for programs; never a mixture. Recorded text may hold anything, also the
 * control sequences of a terminal: outside JSON it goes through `printable` first.
 */
import type { LensError } from '../../shared/error.ts';
import type { Language } from '../../shared/language/index.ts';
import { joinSentences } from '../../shared/language/labels.ts';
import { errorSentences } from './error-sentences.ts';

export type Io = {
  readonly isJson: boolean;
  readonly language: Language;
  readonly paint: Paint;
  /** Width of the terminal; null where the output goes into a file or a pipe. */
  readonly columns: number | null;
  /** Resolves when the text has left the process. A line break is added. */
  print(text: string): Promise<void>;
  printJson(value: unknown): Promise<void>;
  /** One line for people beside the output. */
  note(text: string): void;
};

export type Paint = (style: 'bold' | 'dim' | 'red' | 'green' | 'yellow', text: string) => string;

const STYLES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

/** C0, DEL and C1 controls, line and paragraph separators, and the marks that turn the direction of writing. */
const UNPRINTABLE = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu;

/** On one line, and unable to steer a terminal: runs of such characters become one space. */
export const printable = (text: string): string => text.toWellFormed().replace(UNPRINTABLE, ' ');

/** JSON by itself escapes the C0 controls only. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** `--lang`, else the first of LC_ALL, LC_MESSAGES and LANG that is set (the order of POSIX). */
export function chooseLanguage(asked: string | null, env: Readonly<Record<string, string | undefined>>): Language {
  const locale = asked ?? [env['LC_ALL'], env['LC_MESSAGES'], env['LANG']].find(Boolean) ?? 'en';
  return /^zh/i.test(locale) ? 'zh' : 'en';
}

export function createIo({ isJson, language }: { readonly isJson: boolean; readonly language: Language }): Io {
  const { stdout, stderr, env } = process;
  const isColoured = stdout.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  const write = (text: string): Promise<void> => new Promise((resolve) => stdout.write(text, () => resolve()));
  return {
    isJson,
    language,
    columns: stdout.isTTY ? stdout.columns : null,
    paint: (style, text) => (isColoured ? `\u001b[${STYLES[style][0]}m${text}\u001b[${STYLES[style][1]}m` : text),
    print: (text) => write(`${text}\n`),
    printJson: (value) => write(`${jsonText(value)}\n`),
    note: (text) => void stderr.write(`${printable(text)}\n`),
  };
}

/** One line on stderr; with `--json` also `{"error":…}`, alone on stdout. */
export async function printError(io: Io, error: LensError): Promise<void> {
  const { message, hint } = await errorSentences(io.language, error);
  if (io.isJson) await io.printJson({ error: { code: error.code, message, hint } });
  io.note(`covel-lens: ${joinSentences(io.language, [message, hint])}`);
}
