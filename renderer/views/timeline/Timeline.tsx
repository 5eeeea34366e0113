/** The turns of a session, one row each: what the player said, how much of each request was new, what went wrong. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/interactive-supports-focus --
   the list keeps the focus and names its row (aria-activedescendant); a select cannot hold bars. */
import { memo, useCallback, useMemo, type ReactNode } from 'react';
import type { CallRow, SessionRow, TurnRow } from '../../../shared/model/index.ts';
import { rowsOf } from '../../app/lanes.ts';
import { useText, type Translate } from '../../app/language/index.ts';
import { shortRuntimeName } from '../../app/runtime-name.ts';
import { actions, useLens } from '../../app/store.ts';
import { indexOfTurn } from '../../app/turns.ts';
import { Empty, ErrorNote, formatInt, formatPercent, Loading, Sign, VirtualList } from '../../ui/index.ts';
import { barsOf, callGroups, marksOf, runtimesOf, type TurnBar } from './turn-row.ts';
import './timeline.css';

const ROW_HEIGHT = 37;
const rowId = (index: number): string => `turn-row-${index + 1}`;

const sessionTitle = (row: SessionRow): string =>
  row.title !== null && row.title !== '' ? `${row.title} · ${row.id}` : row.id;

function SessionHead(): ReactNode {
  const t = useText();
  const sessions = useLens((state) => state.source?.sessions);
  const sessionId = useLens((state) => state.sessionId);
  const session = sessions?.find((row) => row.id === sessionId);
  const calls = useLens((state) => (state.indexing === null ? state.calls : null));
  // A list of sessions may come without counting their calls; the index of calls then knows.
  const indexed = useMemo(() => (calls && calls.size > 0 ? callGroups(calls.values()) : null), [calls]);
  if (!sessions || !session) return null;
  const count = session.calls ?? indexed;
  const counts = { turns: session.turns, calls: count ?? 0, summaries: session.summaries };
  return (
    <div className="session-head">
      <b title={sessionTitle(session)}>
        <span>{sessionTitle(session)}</span>
        {sessions.length > 1 && <Sign name="chevron" />}
      </b>
      <div>
        {session.locale !== null && `${session.locale} · `}
        {t(count === null ? 'timeline.counts.nocalls' : 'timeline.counts', counts)}
      </div>
      {sessions.length > 1 && (
        <select
          aria-label={t('timeline.sessions')}
          value={session.id}
          onChange={(event) => {
            actions.selectSession(event.target.value);
            event.target.blur(); // the arrow keys belong to the turns again
          }}
        >
          {sessions.map((row) => (
            <option key={row.id} value={row.id}>
              {sessionTitle(row)}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

function barLabel(bar: TurnBar, t: Translate): string {
  const runtime = shortRuntimeName(bar.runtimeId, t);
  if (bar.kind === 'share') return t('timeline.share', { runtime, share: formatPercent(bar.share) });
  return t(bar.kind === 'first' ? 'timeline.share.first' : 'timeline.share.unknown', { runtime });
}

const words = (turn: TurnRow, t: Translate): string =>
  turn.playerText?.trim() ||
  (turn.swept ? t('timeline.swept') : t('timeline.origin', { origin: turn.origin ?? 'none' }));

const Row = memo(function Row(props: {
  readonly index: number;
  readonly total: number;
  readonly turn: TurnRow | undefined;
  readonly ids: readonly string[] | undefined;
  readonly calls: ReadonlyMap<string, CallRow>;
  readonly runtimes: readonly string[];
  readonly chosen: boolean;
}): ReactNode {
  const { index, turn, chosen } = props;
  const t = useText();
  if (!turn) return <div className="turn" role="option" aria-selected={false} aria-label={t('app.loading')} />;
  const calls = rowsOf(props.ids, props.calls);
  const bars = barsOf(calls, props.runtimes, index === 0);
  const story = bars[0];
  const marks = marksOf(turn, calls);
  const shown = bars.filter((bar) => bar.kind !== 'none');
  return (
    // Keys are handled by the window for the whole list (app/keys.ts).
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={rowId(index)}
      className={chosen ? 'turn turn-on' : 'turn'}
      role="option"
      aria-selected={chosen}
      aria-posinset={index + 1}
      aria-setsize={props.total}
      title={shown.map((bar) => barLabel(bar, t)).join('\n')}
      onClick={() => actions.selectTurn(turn.turnId)}
    >
      <span className="turn-n">{formatInt(turn.index)}</span>
      <span className={turn.playerText?.trim() ? 'turn-words' : 'turn-words turn-words-none'}>{words(turn, t)}</span>
      <span className="turn-share">{story?.kind === 'share' ? formatPercent(story.share, 0) : '—'}</span>
      <span className="turn-bars" data-n={bars.length}>
        {bars.map((bar) => (
          <span key={bar.runtimeId} className={`turn-bar turn-bar-${bar.kind}`}>
            <i style={{ width: `${bar.share * 100}%` }} />
          </span>
        ))}
      </span>
      <span className="turn-marks">
        {marks.map((mark) => (
          <span key={mark.kind} className={`turn-mark turn-mark-${mark.kind}`}>
            <Sign name={mark.sign} size={10} label={t(`mark.${mark.kind}`, { n: mark.n })} />
          </span>
        ))}
      </span>
    </div>
  );
});

function Turns(): ReactNode {
  const t = useText();
  const turns = useLens((state) => state.turns);
  const calls = useLens((state) => state.calls);
  const callsByTurn = useLens((state) => state.callsByTurn);
  const turnId = useLens((state) => state.turnId);
  const sessionId = useLens((state) => state.sessionId);
  const runtimes = useMemo(() => runtimesOf(calls.values()), [calls]);
  const current = indexOfTurn(turns, turnId);
  const rowKey = useCallback((index: number) => turns[index]?.turnId ?? index, [turns]);
  return (
    <VirtualList
      key={sessionId}
      className="turns"
      count={turns.length}
      rowHeight={ROW_HEIGHT}
      padding={4}
      current={current < 0 ? null : current}
      rowKey={rowKey}
      box={{
        role: 'listbox',
        tabIndex: 0,
        'aria-label': t('timeline.label'),
        'aria-keyshortcuts': 'ArrowLeft ArrowRight Home End',
        ...(current < 0 ? {} : { 'aria-activedescendant': rowId(current) }),
      }}
      row={(index) => {
        const turn = turns[index];
        return (
          <Row
            index={index}
            total={turns.length}
            turn={turn}
            ids={turn ? callsByTurn.get(turn.turnId) : undefined}
            calls={calls}
            runtimes={runtimes}
            chosen={index === current}
          />
        );
      }}
    />
  );
}

/** The left side of the window: session, then turns. */
export function Timeline(): ReactNode {
  const t = useText();
  const sessionId = useLens((state) => state.sessionId);
  const total = useLens((state) => state.turnTotal);
  const error = useLens((state) => state.turnsError);
  const listed = useLens((state) => state.source?.sessions.find((row) => row.id === state.sessionId)?.turns ?? 0);
  return (
    <nav className="timeline" aria-label={t('timeline.label')}>
      <SessionHead />
      {error && total === 0 ? (
        <div className="timeline-note">
          <ErrorNote error={error} title={t('turn.error')} />
        </div>
      ) : sessionId === null ? (
        <Empty title={t('timeline.nosessions')} hint={t('timeline.nosessions.hint')} />
      ) : total > 0 ? (
        <Turns />
      ) : listed > 0 ? (
        <Loading />
      ) : (
        <Empty title={t('timeline.empty')} hint={t('timeline.empty.hint')} />
      )}
    </nav>
  );
}
