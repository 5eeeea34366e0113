/** Sentences of the window in English (ICU messages). zh.ts has the same keys with the same placeholders. */
import { viewsEn } from './views.en.ts';

export const en = {
  // frame
  'app.name': 'Covel Lens',
  'app.loading': 'Loading…',
  'app.dismiss': 'Dismiss',
  'app.unknown': 'unknown',
  'app.none': 'none',
  'app.failed': 'This view could not be drawn',
  'tier.billed': 'billed',
  'tier.counted': 'counted',
  'tier.estimated': 'estimated',
  'tier.billed.hint': 'From the usage that the provider reported',
  'tier.counted.hint': 'From a counting endpoint or an exact tokenizer',
  'tier.estimated.hint': 'From the estimator: one token a CJK character, else four characters a token',

  // views
  'view.layout': 'Layout',
  'view.diff': 'Prefix diff',
  'view.context': 'Turn context',
  'view.ledger': 'Ledger',
  'view.wire': 'Wire',
  'view.cache': 'Cache',
  'view.what-if': 'What-if',
  'view.replay': 'Replay',
  'views.label': 'Views of the call',

  // header
  'header.search': 'Search prompts, segments, commands',
  'header.following': 'following',
  'header.following.immutable': 'Read in place; nothing beside the file changes. New turns appear by themselves.',
  'header.following.snapshot':
    'A server is writing this file. It is followed through a private copy; the file itself is never opened for writing.',
  'header.lost': 'file lost',
  'header.lost.hint': 'The file can no longer be read. What is loaded stays on screen.',
  'header.offline': 'not connected',
  'header.offline.hint': 'The connection to the engine is broken. It is tried again by itself.',
  'header.language': 'Language: {language}',
  'header.language.next': 'Switch to {language}',
  'header.theme': 'Theme: {theme, select, dark {dark} light {light} other {as the system}}',
  'header.sample': 'sample',
  'language.en': 'English',
  'language.zh': '中文',

  // start
  'start.title': 'See what the model saw',
  'start.lead':
    'Open a covel.db to step through its turns: every segment of every request, and why the prompt cache hit or missed.',
  'start.open': 'Open a file…',
  'start.sample': 'Open the sample session',
  'start.drop': 'or drop a file anywhere in this window',
  'start.drop.now': 'Drop to open',
  'start.path': 'Path of a covel.db on this computer',
  'start.path.open': 'Open',
  'start.choose': 'Choose a file…',
  'start.recent': 'Recent files',
  'start.recent.none': 'Files that you open are listed here.',
  'start.recent.gone': 'no longer there',
  'start.recent.forget': 'Forget {name}',
  'start.opening': 'Opening {name}…',
  'start.opening.sample': 'Opening the sample session…',
  'start.failed': '{name} was not opened',
  'start.promise': 'The file is only read. Nothing leaves this computer.',

  // flagged rows
  'problems.count': '{n, plural, one {# flagged row} other {# flagged rows}}',
  'problems.none': 'Every row could be read.',
  'problems.title': 'Flagged rows',
  'problems.hint':
    'These rows could not be read as they should. Everything else works; what is left of them is shown raw.',

  // notices
  'notice.restarted': 'The engine stopped and was started again. The file is being opened again…',
  'notice.reopened': 'The engine stopped and was started again. The file is open again, at the same place.',
  'notice.reopen': 'Open again',
  'notice.lost':
    '{name} can no longer be read. What is loaded stays on screen; it is picked up again when the file comes back.',
  'notice.offline':
    'The connection to the engine is broken and is tried again by itself. If this stays, start Covel Lens again.',

  // timeline
  'timeline.label': 'Turns',
  'timeline.resize': 'Width of the timeline',
  'timeline.sessions': 'Session',
  'timeline.counts':
    '{turns, plural, one {# turn} other {# turns}} · {calls, plural, one {# call} other {# calls}} · {summaries, plural, =0 {no summaries} one {# summary} other {# summaries}}',
  'timeline.counts.nocalls':
    '{turns, plural, one {# turn} other {# turns}} · {summaries, plural, =0 {no summaries} one {# summary} other {# summaries}}',
  'timeline.empty': 'No turns',
  'timeline.empty.hint': 'This session has no recorded turns yet. They appear here as soon as they are written.',
  'timeline.nosessions': 'No sessions',
  'timeline.nosessions.hint': 'This database has no sessions yet. They appear here as soon as they are written.',
  'timeline.origin':
    '{origin, select, player {player} continuation {continuation} manual {started by hand} form {form} other {no player words}}',
  'timeline.swept': 'traces were deleted',
  'timeline.share': '{runtime}: {share} shared with the turn before',
  'timeline.share.first': '{runtime}: first call',
  'timeline.share.unknown': '{runtime}: not measured',
  'mark.compaction': '{n, plural, one {compaction} other {# compactions}}',
  'mark.pruned': '{n, plural, one {pruning} other {# prunings}}',
  'mark.failure': '{n, plural, one {failure} other {# failures}}',
  'mark.interrupted': 'interrupted',
  'mark.images': '{n, plural, one {image} other {# images}}',
  'mark.retries': '{n, plural, one {retry} other {# retries}}',
  'mark.running': 'running',

  // strip
  'strip.label': 'Calls of the turn',
  'strip.step': 'step {n}',
  'strip.retry': 'attempt {n}',
  'strip.tokens': '{tokens} input tokens ({tier})',
  'strip.usage': 'billed: {read} read, {write} written, {uncached} uncached',
  'strip.shared': 'estimated: {share} shared with the baseline',
  'strip.running': 'no reply yet',
  'strip.failed': 'failed: {error}',
  'strip.finish': 'finish: {reason}',
  'strip.empty': 'nothing recorded of the request',
  'strip.kernel': 'no body recorded, only the kernel view',
  'strip.none': 'This turn made no recorded calls.',

  // turn without calls
  'turn.none': 'No turn chosen',
  'turn.none.hint': 'Choose a turn on the left.',
  'turn.swept': 'The traces of this turn were deleted',
  'turn.swept.hint':
    'Covel keeps traces for a limited time. The words of the turn are still there, its requests are not.',
  'turn.nocalls': 'No calls in this turn',
  'turn.nocalls.hint': 'The turn ended before any model was called, or its calls were not traced.',
  'turn.error': 'The turns cannot be listed',

  // chart
  'chart.label': 'Input tokens per turn, {runtime}',
  'chart.shared': 'shared',
  'chart.new': 'new',
  'chart.compaction': 'compaction',
  'chart.binned': 'each bar {n} turns, mean',
  'chart.empty': 'No measured calls yet',
  'chart.close': 'Close the chart',
  'chart.bar': 'Turn {from}: {tokens} tokens, {share} shared',
  'chart.bars': 'Turns {from}–{to}: {tokens} tokens on average, {share} shared',
  'chart.turn': 'Turn',
  'chart.tokens': 'Input tokens',
  'chart.max': 'Largest bar',

  // status line
  'status.turn': 'Turn {n} of {total}',
  'status.call': '{runtime} · step {step} · attempt {attempt}',
  'status.indexing': 'Indexing calls {done} / {total}',
  'status.playing': 'playing',
  'status.keys.turn': 'turn',
  'status.keys.call': 'call',
  'status.keys.baseline': 'baseline',
  'status.keys.play': 'play',
  'status.keys.help': 'help',

  // commands
  'group.go': 'Go',
  'group.view': 'View',
  'group.file': 'File',
  'group.app': 'Window',
  'command.turn.next': 'Next turn',
  'command.turn.previous': 'Previous turn',
  'command.turn.first': 'First turn',
  'command.turn.last': 'Last turn',
  'command.call.next': 'Next call of the turn',
  'command.call.previous': 'Previous call of the turn',
  'command.play': 'Play, pause',
  'command.view.layout': 'Show the layout',
  'command.view.diff': 'Show the prefix diff',
  'command.view.context': 'Show the turn context',
  'command.view.wire': 'Show the wire',
  'command.baseline': 'Choose the diff baseline',
  'command.search': 'Search',
  'command.palette': 'Commands',
  'command.help': 'Keys',
  'command.inspector': 'Segment detail',
  'command.chart': 'Session chart',
  'command.open': 'Open a file…',
  'command.sample': 'Open the sample session',
  'command.close': 'Close the file',
  'command.theme.dark': 'Dark theme',
  'command.theme.light': 'Light theme',
  'command.theme.system': 'Theme as the system',
  'command.theme.next': 'Next theme',
  'command.language.en': 'English',
  'command.language.zh': '简体中文',
  'command.language.system': 'Language as the system',
  'command.language.next': 'Next language',

  // palette and help
  'palette.label': 'Search and commands',
  'palette.placeholder': 'Command, turn number, or text in the prompts',
  'palette.none': 'Nothing found.',
  'palette.searching': 'Searching the prompts…',
  'palette.go': 'Go to turn {n}',
  'palette.sessions': 'Sessions',
  'palette.hits': 'In this session',
  'palette.hits.player': 'player',
  'palette.more': 'The first {n} places are shown.',
  'help.title': 'Keys',
  'help.note': 'Keys work everywhere except while you type in a field or an editor.',

  // the views of a call
  ...viewsEn,
} as const satisfies Readonly<Record<string, string>>;
