/** The calls of the chosen turn, one pill each, in the lanes of their runtimes. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/interactive-supports-focus --
   the strip keeps the focus and names its pill (aria-activedescendant); a select cannot hold bars. */
import { useEffect, useMemo, useRef, type ReactNode, type RefObject } from 'react';
import type { CallRow } from '../../../shared/model/index.ts';
import { lanesOf, rowsOf, type Lane } from '../../app/lanes.ts';
import { useText, type Translate } from '../../app/language/index.ts';
import { runtimeName, shortRuntimeName } from '../../app/runtime-name.ts';
import { actions, useLens } from '../../app/store.ts';
import { formatDuration, formatInt, formatPercent, Sign, type SignName } from '../../ui/index.ts';
import { pillBar, pillState, type PillBar, type PillState } from './pill.ts';
import { useEdges } from './use-edges.ts';
import './turn-strip.css';

const SIGNS: Readonly<Record<Exclude<PillState, 'ok'>, SignName>> = {
  failed: 'cross',
  running: 'clock',
  unreadable: 'warning',
  concealed: 'concealed',
};
/** States that are said in a sentence of their own. */
const SAID = { running: 'strip.running', unreadable: 'strip.unreadable', concealed: 'strip.concealed' } as const;

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
  const state = pillState(call);
  const figure = (n: number | null | undefined): string => (n == null ? t('app.unknown') : formatInt(n));
  return [
    `${runtimeName(call.runtimeId, t)} · ${t('strip.step', { n: call.step })}`,
    call.attempt > 0 ? t('strip.retry', { n: call.attempt }) : '',
    call.model ?? '',
    input ? t('strip.tokens', { tokens: formatInt(input.value), tier: t(`tier.${input.tier}`) }) : '',
    !input && !(state in SAID) ? t('strip.empty') : '',
    bar.kind === 'billed'
      ? t('strip.usage', { read: figure(usage?.read), write: figure(usage?.write), uncached: figure(usage?.uncached) })
      : '',
    bar.kind === 'estimated' ? t('strip.shared', { share: formatPercent(bar.shared) }) : '',
    call.durationMs === null ? '' : formatDuration(call.durationMs),
    call.finishReason === null ? '' : t('strip.finish', { reason: call.finishReason }),
    call.error === null ? '' : t('strip.failed', { error: call.error }),
    state === 'ok' || state === 'failed' ? '' : t(SAID[state]),
    call.kernelOnly ? t('strip.kernel') : '',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** What is written on the pill; its spoken name begins with it. */
const shownText = (call: CallRow, t: Translate): string =>
  [call.step, call.attempt > 0 ? call.attempt : '', amount(call, t)].filter((part) => part !== '').join(' ');

/** Input tokens, or in a word why there are none. */
function amount(call: CallRow, t: Translate): string {
  if (call.inputTokens) return formatInt(call.inputTokens.value);
  const state = pillState(call);
  return state === 'unreadable' || state === 'concealed' ? t(`strip.${state}.word`) : '—';
}

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
      aria-label={t('strip.name', { shown: shownText(call, t), words: label.replaceAll('\n', t('app.comma')) })}
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
      <span className={`call-tokens call-tokens-${tier}`}>{amount(call, t)}</span>
      <MiniBar bar={bar} />
      {state !== 'ok' && <Sign name={SIGNS[state]} size={10} />}
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
  if (lanes.length === 0)
    return <div className="turn-strip">{hasTurn && <span className="strip-none">{t('strip.none')}</span>}</div>;
  return <Lanes lanes={lanes} callId={callId} />;
}

function Lanes({ lanes, callId }: { readonly lanes: readonly Lane[]; readonly callId: string | null }): ReactNode {
  const t = useText();
  const box = useRef<HTMLDivElement>(null);
  const [edges, look] = useEdges(box);

  useEffect(() => {
    box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    look();
  }, [callId, lanes, look]);

  return (
    <div className="turn-strip-frame">
      <div
        ref={box}
        className="turn-strip"
        onScroll={look}
        role="listbox"
        tabIndex={0}
        aria-orientation="horizontal"
        aria-label={t('strip.label')}
        aria-keyshortcuts="ArrowUp ArrowDown"
        {...(callId === null ? {} : { 'aria-activedescendant': `call-${callId}` })}
      >
        {lanes.map((lane) => (
          <div key={lane.runtimeId} className="lane" role="group" aria-label={runtimeName(lane.runtimeId, t)}>
            <span aria-hidden="true" title={runtimeName(lane.runtimeId, t)}>
              {shortRuntimeName(lane.runtimeId, t)}
            </span>
            {lane.calls.map((call) => (
              <Pill key={call.id} call={call} chosen={call.id === callId} />
            ))}
          </div>
        ))}
      </div>
      <Edge side="before" n={edges.before} box={box} />
      <Edge side="after" n={edges.after} box={box} />
    </div>
  );
}

type EdgeProps = { readonly side: 'before' | 'after'; readonly n: number; readonly box: RefObject<HTMLElement | null> };

/** How many pills stand beyond an edge; the keys reach them, and a click scrolls there. */
function Edge({ side, n, box }: EdgeProps): ReactNode {
  const t = useText();
  if (n === 0) return null;
  const label = t(`strip.${side}`, { n });
  const scroll = (): void => {
    const width = box.current?.clientWidth ?? 0;
    box.current?.scrollBy({ left: (side === 'after' ? 1 : -1) * width * 0.8 });
  };
  return (
    <button
      type="button"
      tabIndex={-1}
      className={`strip-edge strip-edge-${side}`}
      aria-label={label}
      title={label}
      onClick={scroll}
    >
      +{formatInt(n)}
    </button>
  );
}
