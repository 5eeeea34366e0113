import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLine } from './arguments.ts';
import { COMMANDS, COMMON_OPTIONS, OVERALL_OPTIONS } from './commands.ts';
import { commandHelp, overallHelp, usageOf } from './help.ts';

const read = (line: string, isFile = false) => readLine(line.split(' ').filter(Boolean), () => isFile);

function shape(line: string, isFile = false) {
  const result = read(line, isFile);
  if (!result.ok) return result.error.message;
  const { command, args } = result.value;
  return [command?.name ?? null, ...args.positionals];
}

describe('which command', () => {
  test.each([
    ['', ['open']],
    ['--sample', ['open']],
    ['sessions a.db', ['sessions', 'a.db']],
    ['--json sessions a.db', ['sessions', 'a.db']],
    ['--lang zh sessions a.db', ['sessions', 'a.db']],
    ['sessions a.db --json', ['sessions', 'a.db']],
    ['sessions -- --odd-name.db', ['sessions', '--odd-name.db']],
    ['diff a.db one', ['diff', 'a.db', 'one']],
    ['diff a.db one two', ['diff', 'a.db', 'one', 'two']],
    ['--help', [null]],
    ['-h', [null]],
    ['--version', [null]],
    ['prefix --help', ['prefix']],
  ])('%s', (line, expected) => expect(shape(line)).toEqual(expected));

  test('a word that names a file is opened', () => expect(shape('a.db --no-open', true)).toEqual(['open', 'a.db']));
});

describe('what is refused, with the usage line', () => {
  test.each([
    ['frob', 'There is no command "frob".'],
    ['frob --help', 'There is no command "frob".'],
    ['constructor', 'There is no command "constructor".'],
    ['sessions', '<file> is missing.'],
    ['call a.db', '<call-id> is missing.'],
    ['sessions a.db b.db', '"b.db" is one argument too many.'],
    ['sessions a.db --frob', 'There is no option --frob.'],
    ['sessions a.db -x', 'There is no option -x.'],
    ['sessions a.db --constructor', 'There is no option --constructor.'],
    ['sessions a.db --__proto__=1', 'There is no option --__proto__.'],
    ['sessions a.db --port 1', 'There is no option --port.'],
    ['sessions a.db --version', 'There is no option --version.'],
    ['prefix a.db --session', '--session needs a value.'],
    ['prefix a.db --session --json', '--session needs a value.'],
    ['prefix a.db --session=', '--session needs a value.'],
    ['prefix a.db --covel=yes', '--covel takes no value.'],
  ])('%s', (line, message) => {
    const result = read(line);
    const hint = expect.stringMatching(/^Usage: covel-lens /);
    expect(result).toMatchObject({ ok: false, error: { code: 'bad-usage', message, hint } });
  });

  test('no line of words throws', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom(...COMMANDS.map((command) => command.name), '--', '-', '--json', '--session', '--lang=', '-hx'),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        expect(readLine(words, () => false)).toHaveProperty('ok');
      }),
    );
  });
});

test('values and flags', () => {
  const result = read('prefix a.db --session=s-1 --show narrator --json');
  if (!result.ok) throw new Error(result.error.message);
  const { args } = result.value;
  expect([args.text('session'), args.text('show'), args.text('lang')]).toEqual(['s-1', 'narrator', null]);
  expect([args.flag('json'), args.flag('covel')]).toEqual([true, false]);
  expect(read('prefix a.db --session=-1').ok).toBe(true);
});

test('an option means the same in every command, so the line can be read before its command is known', () => {
  const types = new Map<string, string>();
  for (const options of [...COMMANDS.map((command) => command.options), COMMON_OPTIONS, OVERALL_OPTIONS]) {
    for (const [name, { type }] of Object.entries(options)) {
      expect([name, types.get(name) ?? type]).toEqual([name, type]);
      types.set(name, type);
    }
  }
});

test('help names every command and every option', () => {
  for (const command of COMMANDS) {
    expect(overallHelp()).toContain(`  ${command.name} `);
    for (const name of Object.keys({ ...command.options, ...COMMON_OPTIONS })) {
      expect(commandHelp(command)).toContain(`--${name}`);
    }
    expect(commandHelp(command)).toContain(usageOf(command));
  }
});
