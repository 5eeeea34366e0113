/**
 * All commands share one set of option names, so the whole line is read once, wherever the options stand; then the
 * command says which of them it takes.
 */
import { parseArgs } from 'node:util';
import { fail, ok, type Result } from '../../shared/error.ts';
import {
  COMMANDS,
  COMMON_OPTIONS,
  DEFAULT_COMMAND,
  OVERALL_OPTIONS,
  findCommand,
  type CommandSpec,
  type OptionSpec,
} from './commands.ts';
import { badUsage } from './errors.ts';
import { OVERALL_USAGE, usageOf } from './help.ts';

export type Args = {
  readonly positionals: readonly string[];
  readonly text: (option: string) => string | null;
  readonly flag: (option: string) => boolean;
};

export type Line = {
  /** null: nothing but overall options. */
  readonly command: CommandSpec | null;
  readonly args: Args;
};

const ALL_OPTIONS: Readonly<Record<string, OptionSpec>> = Object.assign(
  {},
  ...COMMANDS.map((command) => command.options),
  COMMON_OPTIONS,
  OVERALL_OPTIONS,
);

const PARSE_OPTIONS = Object.fromEntries(
  Object.entries(ALL_OPTIONS).map(([name, { type, short }]) => [name, short ? { type, short } : { type }]),
);

/**
 * Reads the words after the program's name. `isFile` tells whether a word that is no command names a file, which
 * then is opened. Error: `bad-usage`, with the usage line as its hint.
 */
export function readLine(argv: readonly string[], isFile: (word: string) => boolean): Result<Line> {
  const { tokens } = parseArgs({
    args: [...argv],
    options: PARSE_OPTIONS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const given = tokens.flatMap((token) => (token.kind === 'option' ? [token] : []));

  const first = words[0];
  const named = first === undefined ? null : findCommand(first);
  if (first !== undefined && !named && !isFile(first)) {
    return fail(badUsage(`there is no command "${first}"`, OVERALL_USAGE));
  }
  const command = named ?? findCommand(DEFAULT_COMMAND);
  const allowed = { ...command?.options, ...COMMON_OPTIONS, ...(named ? {} : OVERALL_OPTIONS) };
  const usage = named ? usageOf(named) : OVERALL_USAGE;

  const values = new Map<string, string | true>();
  for (const { name, rawName, value, inlineValue } of given) {
    const spec = Object.hasOwn(allowed, name) ? allowed[name] : undefined;
    if (!spec) return fail(badUsage(`there is no option ${rawName}`, usage));
    if (spec.type === 'boolean' && value !== undefined) return fail(badUsage(`${rawName} takes no value`, usage));
    if (spec.type === 'string' && (!value || (!inlineValue && value.startsWith('-')))) {
      return fail(badUsage(`${rawName} needs a value`, usage));
    }
    values.set(name, value ?? true);
  }
  const positionals = named ? words.slice(1) : words;
  const args: Args = {
    positionals,
    text(option) {
      const value = values.get(option);
      return typeof value === 'string' ? value : null;
    },
    flag: (option) => values.get(option) === true,
  };
  if (!args.flag('help') && !args.flag('version') && command) {
    const missing = command.positionals.find((each, index) => each.isRequired && positionals[index] === undefined);
    if (missing) return fail(badUsage(`<${missing.name}> is missing`, usage));
    const extra = positionals[command.positionals.length];
    if (extra !== undefined) return fail(badUsage(`"${extra}" is one argument too many`, usage));
  }
  const isBare = !named && positionals.length === 0 && (args.flag('help') || args.flag('version'));
  return ok({ command: isBare ? null : command, args });
}
