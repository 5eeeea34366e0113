/** The calls of the chosen turn, one pill each, in the lanes of their runtimes. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/interactive-supports-focus --
   the strip keeps the focus and names its pill (aria-activedescendant); a select cannot hold bars. */
import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import type { CallRow } from '../../../shared/model/index.ts';
import { lanesOf, rowsOf, shortRuntime } from '../../app/lanes.ts';
import { useText, type Translate } from '../../app/language/index.ts';
import { actions, useLens } from '../../app/store.ts';
import { formatDuration, formatInt, formatPercent, Sign } from '../../ui/index.ts';
import { pillBar, pillState, type PillBar } from './pill.ts';
import './turn-strip.css';

const PARTS = ['read', 'write', 'uncached'] as const;

function MiniBar({ bar }: { readonly bar: PillBar }): ReactNode {
  if (bar.kind === 'none') return null;
  return (
    <span className={`mini mini-${bar.kind}`} aria-hidden="true">
      {bar.kind === 'estimated' ? (
        <i style={{ width: `${bar.shared * 100}%`, background: 'var(--read)' }} />
      ) : (
        PARTS.map((part) => <i key={part} style={{ width: `${bar[part] * 100}%`, background: `var(--${part})` }} />)
      )}
    </span>
  );
}

/** Everything the pill stands for, in words, one fact a line. */
function pillText(call: CallRow, bar: PillBar, t: Translate): string {
  const { inputTokens: input, usage } = call;
  const figure = (n: number | null | undefined): string => (n == null ? t('app.unknown') : formatInt(n));
  return [
    `${call.runtimeId} · ${t('strip.step', { n: call.step })}`,
    call.attempt > 0 ? t('strip.retry', { n: call.attempt }) : '',
    call.model ?? '',
    input ? t('strip.tokens', { tokens: formatInt(input.value), tier: t(`tier.${input.tier}`) }) : t('strip.empty'),
    bar.kind === 'billed'
      ? t('strip.usage', { read: figure(usage?.read), write: figure(usage?.write), uncached: figure(usage?.uncached) })
      : '',
    bar.kind === 'estimated' ? t('strip.shared', { share: formatPercent(bar.shared) }) : '',
    call.durationMs === null ? '' : formatDuration(call.durationMs),
    call.finishReason === null ? '' : t('strip.finish', { reason: call.finishReason }),
    call.error === null ? '' : t('strip.failed', { error: call.error }),
    pillState(call) === 'running' ? t('strip.running') : '',
    call.kernelOnly ? t('strip.kernel') : '',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** What is written on the pill; its spoken name begins with it. */
const shownText = (call: CallRow): string =>
  [call.step, call.attempt > 0 ? call.attempt : '', call.inputTokens ? formatInt(call.inputTokens.value) : '—']
    .filter((part) => part !== '')
    .join(' ');

function Pill(props: { readonly call: CallRow; readonly chosen: boolean }): ReactNode {
  const { call, chosen } = props;
  const t = useText();
  const bar = pillBar(call);
  const state = pillState(call);
  const label = pillText(call, bar, t);
  const tier = call.inputTokens?.tier ?? 'none';
  return (
    // Keys are handled by the window for the whole strip (app/keys.ts).
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={`call-${call.id}`}
      className={chosen ? 'call call-on' : 'call'}
      role="option"
      aria-selected={chosen}
      aria-label={`${shownText(call)}: ${label.replaceAll('\n', ', ')}`}
      title={label}
      onClick={() => actions.selectCall(call.id)}
    >
      <small>{call.step}</small>{' '}
      {call.attempt > 0 && (
        <small className="call-retry">
          <Sign name="retry" size={10} />
          {call.attempt}
        </small>
      )}{' '}
      <span className={`call-tokens call-tokens-${tier}`}>
        {call.inputTokens ? formatInt(call.inputTokens.value) : '—'}
      </span>
      <MiniBar bar={bar} />
      {state === 'failed' && <Sign name="cross" size={10} />}
      {state === 'running' && <Sign name="clock" size={10} />}
    </div>
  );
}

/** The top of the view: runtimes as lanes, calls as pills; scrolls sideways, the chosen pill stays in sight. */
export function TurnStrip(): ReactNode {
  const t = useText();
  const ids = useLens((state) => (state.turnId === null ? undefined : state.callsByTurn.get(state.turnId)));
  const calls = useLens((state) => state.calls);
  const callId = useLens((state) => state.callId);
  const hasTurn = useLens((state) => state.turnId !== null);
  const lanes = useMemo(() => lanesOf(rowsOf(ids, calls)), [ids, calls]);
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [callId, lanes]);

  if (lanes.length === 0)
    return <div className="turn-strip">{hasTurn && <span className="strip-none">{t('strip.none')}</span>}</div>;
  return (
    <div
      ref={box}
      className="turn-strip"
      role="listbox"
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label={t('strip.label')}
      aria-keyshortcuts="ArrowUp ArrowDown"
      {...(callId === null ? {} : { 'aria-activedescendant': `call-${callId}` })}
    >
      {lanes.map((lane) => (
        <div key={lane.runtimeId} className="lane" role="group" aria-label={lane.runtimeId}>
          <span aria-hidden="true" title={lane.runtimeId}>
            {shortRuntime(lane.runtimeId)}
          </span>
          {lane.calls.map((call) => (
            <Pill key={call.id} call={call} chosen={call.id === callId} />
          ))}
        </div>
      ))}
    </div>
  );
}
