import { afterEach, describe, expect, test, vi } from 'vitest';
import { actions } from './actions.ts';
import { COMMANDS, commandOf, commandOfKey, isPossible, runCommand, runShellCommand } from './commands.ts';
import { DICTIONARIES } from './language/text.ts';
import { INITIAL, useLens, VIEWS } from './state.ts';

afterEach(() => {
  vi.restoreAllMocks();
  actions.reset();
});

describe('registry', () => {
  test('ids and keys are unique', () => {
    const ids = COMMANDS.map((command) => command.id);
    const keys = COMMANDS.flatMap((command) => command.keys);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('every title stands in both dictionaries', () => {
    for (const { title } of COMMANDS) {
      expect(DICTIONARIES.en[title]).toBeTypeOf('string');
      expect(DICTIONARIES.zh[title]).toBeTypeOf('string');
    }
  });

  test('every view has its command under its number key', () => {
    for (const { id, key } of VIEWS) expect(commandOfKey(key)?.id).toBe(`view.${id}`);
  });

  test.each(['7', '8', 'r'])('%s belongs to no view that exists', (key) => {
    expect(commandOfKey(key)).toBeNull();
  });

  test.each([
    'turn.previous',
    'turn.next',
    'call.previous',
    'call.next',
    'search.focus',
    'palette.open',
    'file.open-sample',
    'help.keys',
  ])('the desktop menu finds %s', (id) => expect(commandOf(id)).not.toBeNull());
});

describe('when', () => {
  test('without a file only opening, language, theme and help are possible', () => {
    const possible = COMMANDS.filter((command) => isPossible(command, INITIAL)).map((command) => command.id);
    expect(possible).toEqual([
      'file.open',
      'file.open-sample',
      'search.focus',
      'palette.open',
      'help.keys',
      'theme.dark',
      'theme.light',
      'language.en',
      'language.zh',
    ]);
  });

  test('what is not possible does not run', () => {
    const step = vi.spyOn(actions, 'stepTurn');
    expect(runCommand(commandOf('turn.next'))).toBe(false);
    expect(step).not.toHaveBeenCalled();
    expect(runCommand(null)).toBe(false);
  });
});

describe('shell commands', () => {
  test('open-file opens its path', () => {
    const open = vi.spyOn(actions, 'openPath').mockResolvedValue();
    expect(runShellCommand('open-file', '/a/covel.db')).toBe(true);
    expect(open).toHaveBeenCalledWith('/a/covel.db');
    expect(runShellCommand('open-file', null)).toBe(false);
  });

  test('others stand in the registry', () => {
    expect(runShellCommand('help.keys', null)).toBe(true);
    expect(useLens.getState().overlay).toBe('help');
    expect(runShellCommand('no-such-command', null)).toBe(false);
  });
});
