/** The bottom line: where you are, and the keys that work here. */
import type { ReactNode } from 'react';
import { formatInt, formatKey } from '../ui/index.ts';
import { isApple } from '../host.ts';
import { COMMANDS, isPossible } from './commands.ts';
import { useText, type TextKey } from './language/index.ts';
import { runtimeName } from './runtime-name.ts';
import { useLens } from './store.ts';
import { indexOfTurn } from './turns.ts';

/** Pairs of keys share one word; the keys themselves come from the registry of commands. */
const HINTS: readonly { readonly word: TextKey; readonly commands: readonly string[]; readonly wide?: boolean }[] = [
  { word: 'status.keys.turn', commands: ['turn.previous', 'turn.next'] },
  { word: 'status.keys.call', commands: ['call.previous', 'call.next'] },
  { word: 'status.keys.baseline', commands: ['baseline.choose'] },
  { word: 'status.keys.play', commands: ['play'], wide: true },
  { word: 'status.keys.help', commands: ['help.keys'] },
];

function Keys(): ReactNode {
  const t = useText();
  const state = useLens();
  const shown = HINTS.flatMap(({ word, commands, wide }) => {
    const possible = COMMANDS.filter((command) => commands.includes(command.id) && isPossible(command, state));
    if (possible.length === 0) return [];
    const keys = possible.map((command) => formatKey(command.keys[0] ?? '', isApple())).join(' ');
    return [{ word, keys, wide: wide === true }];
  });
  return (
    <span className="status-keys">
      {shown.map(({ word, keys, wide }) => (
        <span key={word} className={wide ? 'status-wide' : undefined}>
          {keys} {t(word)}
        </span>
      ))}
    </span>
  );
}

export function StatusLine(): ReactNode {
  const t = useText();
  const index = useLens((state) => indexOfTurn(state.turns, state.turnId));
  const total = useLens((state) => state.turnTotal);
  const call = useLens((state) => (state.callId === null ? undefined : state.calls.get(state.callId)));
  const indexing = useLens((state) => state.indexing);
  const playing = useLens((state) => state.playing);
  return (
    <footer className="status">
      {index >= 0 && <span>{t('status.turn', { n: formatInt(index + 1), total: formatInt(total) })}</span>}
      {call && (
        <span>
          {t('status.call', { runtime: runtimeName(call.runtimeId, t), step: call.step, attempt: call.attempt })}
        </span>
      )}
      {call && (
        <span className="status-model">
          {[call.protocol ?? t('app.unknown'), call.model ?? t('app.unknown')].join(' · ')}
        </span>
      )}
      {playing && <span className="status-playing">{t('status.playing')}</span>}
      {indexing && (
        <output className="status-indexing">
          {t('status.indexing', { done: formatInt(indexing.done), total: formatInt(indexing.total) })}
        </output>
      )}
      <Keys />
    </footer>
  );
}
