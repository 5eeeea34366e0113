/** The requests of one runtime on a line of time: how long each entry lived, and which gaps were longer. */
import { useMemo, type CSSProperties, type ReactNode } from 'react';
import type { CacheCall } from '../../../shared/model/index.ts';
import { LANGUAGE_TAGS, useLanguage, useText } from '../../app/language/index.ts';
import { shortRuntimeName } from '../../app/runtime-name.ts';
import { actions, useLens } from '../../app/store.ts';
import { indexOfTurn } from '../../app/turns.ts';
import { formatDuration, formatInt, formatLifetime, Sign } from '../../ui/index.ts';
import { useWidth } from '../../ui/use-width.ts';
import { CallLink } from './CallLink.tsx';
import { requestsOf, roomFor, rulerOf, type Requests, type Ruler, type RulerGap } from './ruler-model.ts';
import { callText, shortGap } from './words.ts';

/** Pixels. */
const TURN_WIDTH = 8;
const GAP_WIDTH = 44;
const APART = 3;
/** Expired gaps that are listed in words. */
const LISTED = 6;

const place = (from: number, to: number): CSSProperties => ({ left: `${from * 100}%`, width: `${(to - from) * 100}%` });

type Props = { readonly calls: readonly CacheCall[]; readonly runtimeId: string };

export function LifetimeRuler({ calls, runtimeId }: Props): ReactNode {
  const t = useText();
  const turn = useLens((state) => indexOfTurn(state.turns, state.turnId) + 1);
  const callId = useLens((state) => state.callId);
  const requests = useMemo(() => requestsOf(calls, runtimeId), [calls, runtimeId]);
  const ruler = useMemo(() => rulerOf(requests, turn), [requests, turn]);
  const { ticks } = ruler;
  const { unclocked } = requests;
  const chosen = ticks.findIndex(({ call }) => call.id === callId);
  const current = chosen >= 0 ? chosen : ticks.findIndex(({ call }) => call.turnIndex === turn);
  return (
    <figure className="cache-ruler" aria-label={t('cache.ruler', { runtime: shortRuntimeName(runtimeId, t) })}>
      <figcaption>
        <span>
          {t('cache.ruler', { runtime: shortRuntimeName(runtimeId, t) })} ·{' '}
          <span>
            <i className="ruler-key-tick" /> {t('cache.ruler.request')}
          </span>{' '}
          <span>
            <i className="ruler-key ruler-alive" /> {t('cache.ruler.alive')}
          </span>{' '}
          <span>
            <i className="ruler-key ruler-expired" /> <Sign name="clock" size={10} /> {t('cache.ruler.expired')}
          </span>
          {ruler.gaps.some((gap) => gap.isCut) && (
            <>
              {' '}
              <span>
                <Sign name="gap" size={10} /> {t('cache.ruler.cut')}
              </span>
            </>
          )}
        </span>
        <Span ruler={ruler} />
      </figcaption>
      {ticks.length > 1 && <Line ruler={ruler} current={current} />}
      <div className="ruler-words">
        {ticks.length === 0 && <p>{t('cache.ruler.none')}</p>}
        {ticks.length === 1 && <p>{t('cache.ruler.few')}</p>}
        {ticks.length > 1 && (
          <p>
            <Here ruler={ruler} current={current} turn={turn} />
          </p>
        )}
        <p>
          <Longer requests={requests} />
          {unclocked > 0 && ` ${t('cache.ruler.unclocked', { n: unclocked })}`}
        </p>
      </div>
    </figure>
  );
}

/** When the first and the last of the drawn requests were sent, and which they are where not all are drawn. */
function Span({ ruler: { ticks, before, after } }: { readonly ruler: Ruler }): ReactNode {
  const t = useText();
  const language = useLanguage();
  const ends = [ticks.at(0), ticks.at(-1)].flatMap((tick) =>
    tick?.call.startedAt == null ? [] : [new Date(tick.call.startedAt)],
  );
  const [first, last] = ends;
  if (!first || !last) return null;
  const format = new Intl.DateTimeFormat(LANGUAGE_TAGS[language], {
    ...(first.toDateString() === last.toDateString() ? {} : { month: 'short', day: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
  });
  const isPart = before + after > 0;
  return (
    <span className="ruler-span">
      {isPart &&
        `${t('cache.ruler.around', { from: before + 1, to: before + ticks.length, all: before + ticks.length + after })} `}
      {format.formatRange(first, last)}
    </span>
  );
}

function Line({ ruler, current }: { readonly ruler: Ruler; readonly current: number }): ReactNode {
  const t = useText();
  const [box, width] = useWidth<HTMLDivElement>();
  const { ticks, gaps, tailTo } = ruler;
  const lastAt = ticks.at(-1)?.at ?? 0;
  // One number a turn, under its first request.
  const firsts = ticks.filter(({ call }, i) => call.turnIndex !== ticks[i - 1]?.call.turnIndex);
  const here = ticks[current]?.call.turnIndex;
  const numbers = roomFor(
    firsts.map(({ call, at }) => ({ x: at * width, width: TURN_WIDTH * String(call.turnIndex).length })),
    width,
    APART,
    firsts.findIndex(({ call }) => call.turnIndex === here),
  );
  const long = gaps.filter((gap) => gap.isExpired === true || gap.isCut);
  const words = roomFor(
    long.map((gap) => ({ x: ((gap.from + gap.to) / 2) * width, width: GAP_WIDTH })),
    width,
    APART,
  );
  return (
    <div className="ruler-plot" ref={box} aria-hidden="true">
      {width > 0 && (
        <>
          <div className="ruler-over">
            {long.map((gap, i) => {
              const x = words[i];
              return (
                x != null && (
                  <span key={gap.tick} className={gap.isExpired ? 'ruler-late' : ''} style={{ left: x }}>
                    {gap.isExpired === true && <Sign name="clock" size={9} />} {shortGap(gap.ms)}
                  </span>
                )
              );
            })}
          </div>
          <div className="ruler-line">
            {gaps.map((gap) => (
              <Gap key={gap.tick} gap={gap} />
            ))}
            {tailTo !== null && <i className="ruler-alive" style={place(lastAt, tailTo)} />}
            {ticks.map(({ call, at }, i) => (
              <button
                key={call.id}
                type="button"
                tabIndex={-1}
                className={`ruler-tick${i === current ? ' ruler-here' : ''}`}
                style={{ left: `${at * 100}%` }}
                aria-label={callText(t, call)}
                title={[
                  callText(t, call),
                  ...(call.gapMs === null || call.gapMs < 0 ? [] : [`+ ${formatDuration(call.gapMs)}`]),
                ].join('\n')}
                onClick={() => actions.selectCall(call.id)}
              />
            ))}
          </div>
          <div className="ruler-under">
            {firsts.map(({ call }, i) => {
              const x = numbers[i];
              return (
                x != null && (
                  <span key={call.id} className={call.turnIndex === here ? 'ruler-now' : ''} style={{ left: x }}>
                    {formatInt(call.turnIndex)}
                  </span>
                )
              );
            })}
          </div>
        </>
      )}
    </div>
  );
}

function Gap({ gap }: { readonly gap: RulerGap }): ReactNode {
  const { from, to, bandTo, isExpired, isCut } = gap;
  return (
    <>
      {bandTo !== null && <i className="ruler-alive" style={place(from, bandTo)} />}
      {isExpired === true && <i className="ruler-expired" style={place(bandTo ?? from, to)} />}
      {isCut && (
        <span className="ruler-cut" style={{ left: `${(((bandTo ?? from) + to) / 2) * 100}%` }}>
          <Sign name="gap" size={14} />
        </span>
      )}
    </>
  );
}

/** The chosen turn in words. */
function Here(props: { readonly ruler: Ruler; readonly current: number; readonly turn: number }): ReactNode {
  const t = useText();
  const { ruler, current, turn } = props;
  if (current < 0) return turn > 0 ? t('cache.ruler.here.none', { n: turn }) : null;
  const n = ruler.ticks[current]!.call.turnIndex;
  const gap = ruler.gaps[current - 1];
  if (!gap) return t('cache.ruler.first', { n });
  if (gap.isBackwards) return t('cache.ruler.here.backwards', { n });
  const words = { n, gap: formatDuration(gap.ms) };
  if (gap.lifetimeMs === null) return t('cache.ruler.here.unknown', words);
  return t(gap.isExpired ? 'cache.ruler.here.expired' : 'cache.ruler.here.alive', {
    ...words,
    life: formatLifetime(gap.lifetimeMs / 1000),
  });
}

/** Lifetimes, and the gaps that were longer, each a way to its call. */
function Longer({ requests }: { readonly requests: Requests }): ReactNode {
  const t = useText();
  const { lifetimes, expired, dated } = requests;
  if (lifetimes.length === 0) return t('cache.ruler.lifetime.unknown');
  return (
    <>
      {t(lifetimes.length === 1 ? 'cache.ruler.lifetime' : 'cache.ruler.lifetimes', {
        n: lifetimes.map(formatLifetime).join(', '),
      })}{' '}
      {expired.length === 0 ? t('cache.ruler.held') : t('cache.ruler.longer', { n: expired.length, all: dated })}{' '}
      {expired.slice(0, LISTED).map((call) => (
        <CallLink key={call.id} call={call}>
          {t('cache.ruler.gap', { n: call.turnIndex, gap: shortGap(call.gapMs ?? 0) })}
        </CallLink>
      ))}
      {expired.length > LISTED && t('cache.flagged.more', { n: expired.length - LISTED })}
    </>
  );
}
