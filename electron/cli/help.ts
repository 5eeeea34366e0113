/** Help and usage lines, made from the table of commands. */
import { COMMANDS, COMMON_OPTIONS, OVERALL_OPTIONS, type CommandSpec, type OptionSpec } from './commands.ts';

const PROGRAM = 'covel-lens';

export const OVERALL_USAGE = `${PROGRAM} <${COMMANDS.map((command) => command.name).join('|')}> [--help]`;

const flag = (name: string, { value }: OptionSpec): string => (value ? `--${name} ${value}` : `--${name}`);

/** `covel-lens prefix <file> [--session id] … [--json]` */
export function usageOf(command: CommandSpec): string {
  const positionals = command.positionals.map(({ name, isRequired }) => (isRequired ? `<${name}>` : `[${name}]`));
  const options = Object.entries({ ...command.options, json: { type: 'boolean', summary: '' } as const });
  return [PROGRAM, command.name, ...positionals, ...options.map(([name, spec]) => `[${flag(name, spec)}]`)].join(' ');
}

function listed(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

const optionRows = (options: Readonly<Record<string, OptionSpec>>): readonly (readonly [string, string])[] =>
  Object.entries(options).map(([name, spec]) => [
    `${spec.short ? `-${spec.short}, ` : ''}${flag(name, spec)}`,
    spec.summary,
  ]);

export function commandHelp(command: CommandSpec): string {
  return `${command.summary[0]?.toUpperCase()}${command.summary.slice(1)}.

Usage: ${usageOf(command)}

${listed(optionRows({ ...command.options, ...COMMON_OPTIONS }))}
`;
}

export function overallHelp(): string {
  return `Covel Lens shows what a language model really saw, turn by turn, and why the prompt cache hit or missed.

Usage: ${PROGRAM} [command] [file] [options]

${listed(COMMANDS.map(({ name, summary }) => [name, summary]))}

${listed(optionRows({ ...COMMON_OPTIONS, ...OVERALL_OPTIONS }))}

Exit codes: 0 fine, 1 a check failed, 2 bad usage, 3 the file cannot be read, 4 the provider refused or could not be reached.
A command's own options: ${PROGRAM} <command> --help
`;
}
