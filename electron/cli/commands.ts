/**
 * One table says what the command line can do; parsing, help and usage lines read it. A command's own file is
 * loaded only when that command runs, so that a command that opens no file starts at once.
 */
import type { Result } from '../../shared/error.ts';
import type { Args } from './arguments.ts';
import type { Io } from './io.ts';

export type OptionSpec = {
  readonly type: 'string' | 'boolean';
  /** Name of the value in usage and help; only for strings. */
  readonly value?: string;
  readonly short?: string;
  readonly summary: string;
};

export type Positional = { readonly name: string; readonly isRequired: boolean };

/** Resolves when the command is done; an error decides the exit code, and so does a check that failed. */
export type Run = (args: Args, io: Io) => Promise<Result<void | 'check-failed'>>;

export type CommandSpec = {
  readonly name: string;
  readonly summary: string;
  readonly positionals: readonly Positional[];
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly load: () => Promise<{ readonly run: Run }>;
};

const FILE: Positional = { name: 'file', isRequired: true };
const OPTIONAL_FILE: Positional = { name: 'file', isRequired: false };
const CALL: Positional = { name: 'call-id', isRequired: true };
const SESSION: OptionSpec = { type: 'string', value: 'id', summary: 'only this session' };

const HOST_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  sample: { type: 'boolean', summary: 'open the bundled sample session' },
  port: { type: 'string', value: 'n', summary: 'port of the browser mode; a free one when it is left out' },
  'no-open': { type: 'boolean', summary: 'print the address, open no browser' },
  'idle-minutes': { type: 'string', value: 'n', summary: 'browser mode ends after so long without a window (30)' },
};

export const COMMON_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  json: { type: 'boolean', summary: 'print JSON, also for errors' },
  lang: { type: 'string', value: 'en|zh', summary: 'language of tables and sentences; else LC_ALL or LANG decide' },
  help: { type: 'boolean', short: 'h', summary: 'show this help' },
};

export const OVERALL_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  version: { type: 'boolean', summary: 'print the version' },
};

export const DEFAULT_COMMAND = 'open';

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'open',
    summary: 'open the desktop app, or the browser mode where it is not installed (the default command)',
    positionals: [OPTIONAL_FILE],
    options: HOST_OPTIONS,
    load: () => import('./open.ts'),
  },
  {
    name: 'serve',
    summary: 'the same app in a browser, on this machine only, behind a one-time token',
    positionals: [OPTIONAL_FILE],
    options: HOST_OPTIONS,
    load: () => import('./serve.ts'),
  },
  {
    name: 'sessions',
    summary: 'the sessions of a file, with counts and flagged rows',
    positionals: [FILE],
    options: {},
    load: () => import('./sessions.ts'),
  },
  {
    name: 'turns',
    summary: 'the turns of a session and their model calls',
    positionals: [FILE],
    options: { session: { ...SESSION, summary: 'the session; may be left out where there is only one' } },
    load: () => import('./turns.ts'),
  },
  {
    name: 'prefix',
    summary: 'what each turn’s first request shares with the turn before, per runtime',
    positionals: [FILE],
    options: {
      session: SESSION,
      covel: { type: 'boolean', summary: 'measure as Covel’s own prompt:prefix script does' },
      show: { type: 'string', value: 'runtime', summary: 'print each first difference of this runtime' },
    },
    load: () => import('./prefix.ts'),
  },
  {
    name: 'call',
    summary: 'one call: segments, breakpoints, turn context, usage',
    positionals: [FILE, CALL],
    options: {
      assembled: { type: 'boolean', summary: 'also assemble it anew from the database and compare' },
    },
    load: () => import('./call.ts'),
  },
  {
    name: 'diff',
    summary: 'what a call shares with the turn before or with another call, and why it parts',
    positionals: [FILE, CALL, { name: 'other-call-id', isRequired: false }],
    options: {},
    load: () => import('./diff.ts'),
  },
  {
    name: 'ledger',
    summary: 'what compaction and pruning took away: summaries, cut messages, tool groups',
    positionals: [FILE],
    options: {
      session: {
        ...SESSION,
        summary: 'only this session; without it and with more than one session, --json prints an array of ledgers',
      },
    },
    load: () => import('./ledger.ts'),
  },
  {
    name: 'cache',
    summary: 'what the cache should have done and what was billed, what was wasted, and why',
    positionals: [FILE],
    options: {
      session: {
        ...SESSION,
        summary: 'only this session; without it and with more than one session, --json prints an array',
      },
    },
    load: () => import('./cache.ts'),
  },
  {
    name: 'check',
    summary: 'for CI: ends with 1 where a turn’s first request shares too little with the turn before',
    positionals: [FILE],
    options: {
      'min-shared': { type: 'string', value: '80%', summary: 'smallest share, as 80% or 0.8' },
      'max-miss-tokens': {
        type: 'string',
        value: 'n',
        summary: 'most tokens of the turn before, up to the end of its history, that may be lost',
      },
      runtime: { type: 'string', value: 'r', summary: 'only this runtime' },
      session: SESSION,
    },
    load: () => import('./check.ts'),
  },
  {
    name: 'assemble',
    summary: 'assemble the prompt of a JSON input, with the address of every segment',
    positionals: [{ name: 'input.json', isRequired: true }],
    options: { protocol: { type: 'string', value: 'p', summary: 'also the request that this protocol sends of it' } },
    load: () => import('./assemble.ts'),
  },
  {
    name: 'convert',
    summary: 'the request that a protocol sends of a prompt: address, headers, body, and the segment of every text',
    positionals: [{ name: 'prompt.json', isRequired: true }],
    options: {
      protocol: {
        type: 'string',
        value: 'p',
        summary: 'anthropic-messages-v1, openai-chat-v1, openai-responses-v1 or google-generative-ai-v1',
      },
    },
    load: () => import('./convert.ts'),
  },
];

export const findCommand = (name: string): CommandSpec | null =>
  COMMANDS.find((command) => command.name === name) ?? null;
