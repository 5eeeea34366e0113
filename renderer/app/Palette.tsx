/** One field for everything: commands, turn numbers, sessions, and places in the recorded prompts. */
import { Command as Menu } from 'cmdk';
import { useEffect, useState, type ReactNode } from 'react';
import type { SearchHit } from '../../shared/api.ts';
import type { LensError } from '../../shared/error.ts';
import { errorText } from '../../shared/language/index.ts';
import { engine } from '../engine-client.ts';
import { formatInt, Kbd, Overlay } from '../ui/index.ts';
import { COMMANDS, isPossible, runCommand } from './commands.ts';
import { asError, isCancelled } from './failure.ts';
import { useLanguage, useText } from './language/index.ts';
import { shortRuntimeName } from './runtime-name.ts';
import { actions, useLens } from './store.ts';

/** Typing rests this long before the prompts are searched (ms). */
const REST_MS = 120;
const MAX_HITS = 50;

type Found = {
  /** What was searched for. */
  readonly query: string;
  readonly hits: readonly SearchHit[];
  readonly searching: boolean;
  readonly error: LensError | null;
};
const NOTHING: Found = { query: '', hits: [], searching: false, error: null };

/** Streams the places of `query` in the session; a new query cancels the one before. */
function useHits(query: string): Found {
  const sourceId = useLens((state) => state.source?.sourceId ?? null);
  const sessionId = useLens((state) => state.sessionId);
  const [found, setFound] = useState<Found>(NOTHING);
  useEffect(() => {
    if (query === '' || sourceId === null || sessionId === null) return;
    const cancel = new AbortController();
    const timer = setTimeout(() => {
      let hits: readonly SearchHit[] = [];
      setFound((last) => ({ ...last, query, searching: true, error: null }));
      engine
        .call(
          'search',
          { sourceId, sessionId, query, limit: MAX_HITS },
          {
            signal: cancel.signal,
            onItem: (more) => {
              if (cancel.signal.aborted) return;
              hits = [...hits, ...more].slice(0, MAX_HITS);
              setFound({ query, hits, searching: true, error: null });
            },
          },
        )
        .then(() => !cancel.signal.aborted && setFound({ query, hits, searching: false, error: null }))
        .catch((cause: unknown) => {
          if (!isCancelled(cause)) setFound({ query, hits, searching: false, error: asError(cause) });
        });
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      cancel.abort();
    };
  }, [query, sourceId, sessionId]);
  // The places of the last query stay until the first of the next one come; an empty field has none.
  return query === '' ? NOTHING : found;
}

function openHit(hit: SearchHit): void {
  actions.setOverlay(null);
  actions.selectTurn(hit.turnId);
  if (hit.callId !== null) actions.selectCall(hit.callId);
}

/** Letters before the match that are shown, so that the match itself is always in sight. */
const LEAD = 20;
const lead = (text: string): string => {
  const letters = Array.from(text);
  return letters.length > LEAD ? `…${letters.slice(-LEAD).join('')}` : text;
};

/** Lower case, so that `Diff` finds `Prefix diff`. */
const plain = (text: string): string => text.toLocaleLowerCase();

export function Palette(): ReactNode {
  const t = useText();
  const language = useLanguage();
  const state = useLens();
  const [query, setQuery] = useState(state.paletteQuery);
  const asked = query.trim();
  const found = useHits(asked);
  const close = (): void => actions.setOverlay(null);
  const number = /^\d+$/.test(asked) ? Number(asked) : null;
  const isIn = (text: string): boolean => plain(text).includes(plain(asked));
  const commands = COMMANDS.filter(
    (command) => command.id !== 'palette.open' && command.id !== 'search.focus' && isPossible(command, state),
  ).filter((command) => isIn(t(command.title)));
  const sessions = (state.source?.sessions ?? []).filter(
    (row) => row.id !== state.sessionId && asked !== '' && isIn(`${row.title ?? ''} ${row.id}`),
  );
  const goes = number !== null && number >= 1 && number <= state.turnTotal;

  return (
    <Overlay label={t('palette.label')} onClose={close}>
      <Menu label={t('palette.label')} shouldFilter={false} loop className="palette">
        <Menu.Input
          className="palette-input"
          value={query}
          onValueChange={setQuery}
          placeholder={t('palette.placeholder')}
        />
        <Menu.List className="palette-list">
          {goes && (
            <Menu.Item
              value="go"
              onSelect={() => {
                close();
                actions.selectTurnIndex(number);
              }}
            >
              {t('palette.go', { n: number })}
            </Menu.Item>
          )}
          {commands.length > 0 && (
            <Menu.Group heading={t('command.palette')}>
              {commands.map((command) => (
                <Menu.Item
                  key={command.id}
                  value={command.id}
                  onSelect={() => {
                    close();
                    runCommand(command);
                  }}
                >
                  <span className="palette-words">{t(command.title)}</span>
                  {command.keys[0] !== undefined && <Kbd keys={command.keys[0]} />}
                </Menu.Item>
              ))}
            </Menu.Group>
          )}
          {sessions.length > 0 && (
            <Menu.Group heading={t('palette.sessions')}>
              {sessions.map((row) => (
                <Menu.Item
                  key={row.id}
                  value={`session ${row.id}`}
                  onSelect={() => {
                    close();
                    actions.selectSession(row.id);
                  }}
                >
                  <span className="palette-words">{row.title ?? row.id}</span>
                  <span className="palette-side">{row.id}</span>
                </Menu.Item>
              ))}
            </Menu.Group>
          )}
          {found.hits.length > 0 && (
            <Menu.Group heading={t('palette.hits')}>
              {found.hits.map((hit, i) => (
                <Menu.Item key={i} value={`hit ${i}`} onSelect={() => openHit(hit)}>
                  <span className="palette-turn">{formatInt(hit.turnIndex)}</span>
                  <span className="palette-words">
                    {lead(hit.before)}
                    <mark>{hit.match}</mark>
                    {hit.after}
                  </span>
                  <span className="palette-side">
                    {hit.runtimeId === null ? t('palette.hits.player') : shortRuntimeName(hit.runtimeId, t)}
                  </span>
                </Menu.Item>
              ))}
            </Menu.Group>
          )}
          <output className="palette-note">
            {found.error
              ? errorText(language, found.error).message
              : found.searching
                ? t('palette.searching')
                : found.hits.length >= MAX_HITS
                  ? t('palette.more', { n: MAX_HITS })
                  : !goes && commands.length + sessions.length + found.hits.length === 0
                    ? t('palette.none')
                    : ''}
          </output>
        </Menu.List>
      </Menu>
    </Overlay>
  );
}
