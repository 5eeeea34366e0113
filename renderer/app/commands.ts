/**
 * Everything a person can do stands here once. Palette, keys, menu, help and tooltips all read this list, so that none
 * of them can offer what another does not know.
 */
import type { TextKey } from './language/index.ts';
import { actions } from './actions.ts';
import { useLens, type LensState, type ShownView } from './state.ts';
import { hasStep, takeStep } from './view-steps.ts';

export type CommandGroup = 'go' | 'view' | 'file' | 'app';

export type Command = {
  /** Stable: the desktop menu names commands by it. */
  readonly id: string;
  readonly title: TextKey;
  readonly group: CommandGroup;
  /** As KeyboardEvent.key, with `mod+` for Control or Command. The first one is printed. */
  readonly keys: readonly string[];
  /** Whether it makes sense now; without it always. */
  readonly when?: (state: LensState) => boolean;
  readonly run: () => void;
};

export const GROUPS: Readonly<Record<CommandGroup, TextKey>> = {
  go: 'group.go',
  view: 'group.view',
  file: 'group.file',
  app: 'group.app',
};

const hasSource = (state: LensState): boolean => state.source !== null;
const hasTurn = (state: LensState): boolean => state.turnTotal > 0;
const hasCall = (state: LensState): boolean => state.callId !== null;
const showsLayout = (state: LensState): boolean => state.view === 'layout' && hasCall(state);
const showsLines = (): boolean => hasStep('line');

const view = (id: ShownView, key: string): Command => ({
  id: `view.${id}`,
  title: `command.view.${id}`,
  group: 'view',
  keys: [key],
  when: hasSource,
  run: () => actions.setView(id),
});

const THEMES = ['system', 'dark', 'light'] as const;
const LANGUAGES = ['system', 'en', 'zh'] as const;

/** In the order in which help and palette list them. */
export const COMMANDS: readonly Command[] = [
  { id: 'turn.previous', title: 'command.turn.previous', group: 'go', keys: ['ArrowLeft'], when: hasTurn, run: () => actions.stepTurn(-1) },
  { id: 'turn.next', title: 'command.turn.next', group: 'go', keys: ['ArrowRight'], when: hasTurn, run: () => actions.stepTurn(1) },
  { id: 'turn.first', title: 'command.turn.first', group: 'go', keys: ['Home'], when: hasTurn, run: () => actions.selectTurnIndex(1) },
  { id: 'turn.last', title: 'command.turn.last', group: 'go', keys: ['End'], when: hasTurn, run: () => actions.selectTurnIndex(Infinity) },
  { id: 'call.previous', title: 'command.call.previous', group: 'go', keys: ['ArrowUp'], when: hasCall, run: () => actions.stepCall(-1) },
  { id: 'call.next', title: 'command.call.next', group: 'go', keys: ['ArrowDown'], when: hasCall, run: () => actions.stepCall(1) },
  { id: 'line.previous', title: 'command.line.previous', group: 'go', keys: ['k'], when: showsLines, run: () => takeStep('line', -1) },
  { id: 'line.next', title: 'command.line.next', group: 'go', keys: ['j'], when: showsLines, run: () => takeStep('line', 1) },
  { id: 'play', title: 'command.play', group: 'go', keys: [' '], when: hasTurn, run: () => actions.togglePlay() },
  view('layout', '1'),
  view('diff', '2'),
  view('context', '3'),
  view('ledger', '4'),
  view('wire', '5'),
  view('cache', '6'),
  { id: 'baseline.choose', title: 'command.baseline', group: 'view', keys: ['d'], when: hasCall, run: () => actions.setBaselineOpen(!useLens.getState().baselineOpen) },
  { id: 'layout.assembled', title: 'command.assembled', group: 'view', keys: ['a'], when: showsLayout, run: () => actions.setLayoutMode(useLens.getState().layoutMode === 'assembled' ? 'recorded' : 'assembled') },
  { id: 'inspector.toggle', title: 'command.inspector', group: 'view', keys: ['i'], when: hasSource, run: () => actions.toggleInspector() },
  { id: 'chart.toggle', title: 'command.chart', group: 'view', keys: ['c'], when: hasSource, run: () => actions.toggleChart() },
  { id: 'file.open', title: 'command.open', group: 'file', keys: ['o', 'mod+o'], run: () => void actions.openDialog() },
  { id: 'file.open-sample', title: 'command.sample', group: 'file', keys: [], run: () => void actions.openSample() },
  { id: 'file.problems', title: 'problems.title', group: 'file', keys: [], when: (state) => state.problems !== null, run: () => actions.setOverlay('problems') },
  { id: 'file.close', title: 'command.close', group: 'file', keys: [], when: hasSource, run: () => actions.closeSource() },
  { id: 'search.focus', title: 'command.search', group: 'app', keys: ['/'], run: () => actions.setOverlay('palette') },
  { id: 'palette.open', title: 'command.palette', group: 'app', keys: ['mod+k'], run: () => actions.setOverlay(useLens.getState().overlay === 'palette' ? null : 'palette') },
  { id: 'help.keys', title: 'command.help', group: 'app', keys: ['?'], run: () => actions.setOverlay('help') },
  ...THEMES.map((theme): Command => ({ id: `theme.${theme}`, title: `command.theme.${theme}`, group: 'app', keys: [], when: (state) => state.theme !== theme, run: () => actions.setTheme(theme) })),
  ...LANGUAGES.map((language): Command => ({ id: `language.${language}`, title: `command.language.${language}`, group: 'app', keys: [], when: (state) => state.language !== language, run: () => actions.setLanguage(language) })),
]; // prettier-ignore

const byId = new Map(COMMANDS.map((command) => [command.id, command]));
const byKey = new Map(COMMANDS.flatMap((command) => command.keys.map((key) => [key, command] as const)));

export const commandOf = (id: string): Command | null => byId.get(id) ?? null;
export const commandOfKey = (key: string): Command | null => byKey.get(key) ?? null;
export const isPossible = (command: Command, state: LensState): boolean => command.when?.(state) ?? true;

/** Carries a command out when it makes sense now; answers whether it did. */
export function runCommand(command: Command | null): boolean {
  if (!command || !isPossible(command, useLens.getState())) return false;
  command.run();
  return true;
}

/** A command that the desktop shell asks for. `open-file` carries a path; the others stand in the registry. */
export function runShellCommand(id: string, argument: string | null): boolean {
  if (id !== 'open-file') return runCommand(commandOf(id));
  if (argument !== null) void actions.openPath(argument);
  return argument !== null;
}
