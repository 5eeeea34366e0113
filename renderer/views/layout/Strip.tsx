/**
 * The prompt to scale: one bar of segments, under it what the cache did with it, breakpoints as ticks, and the first
 * difference as the one red line across both. The mouse reads it; the table below says the same to the keyboard.
 */
/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a drawing made of elements is one image to a screen reader */
import { useMemo, useState, type ReactNode } from 'react';
import type { Breakpoint } from '../../../shared/model/index.ts';
import { useText } from '../../app/language/index.ts';
import { formatInt, formatPercent } from '../../ui/index.ts';
import { useWidth } from '../../ui/use-width.ts';
import { useSentence } from '../parts/use-sentence.ts';
import { breakpointWords } from './breakpoint-words.ts';
import { Legend, StateBar } from './CacheLines.tsx';
import { familyColour } from './families.ts';
import { marksOf } from './marks.ts';
import { scaleOf, ticksOf, type Scale } from './scale.ts';
import { familyOfRun, segmentAt, tokensOfRun, type LayoutModel } from './view-model.ts';
import './strip.css';

/** Hairlines between the members of a run are drawn only when they are this far apart (px). */
const HAIRLINE_APART = 4;
/** Room that the words at the end of the ruler need (px). */
const TOTAL_ROOM = 92;
/** Room of the words at the first difference, and half of a figure of the ruler (px). */
const CUT_ROOM = 84;
const TICK_HALF = 16;
const TIP_HALF = 130;

type StripProps = {
  readonly model: LayoutModel;
  readonly selected: number;
  readonly onSelect: (segment: number) => void;
};

export function Strip({ model, selected, onSelect }: StripProps): ReactNode {
  const t = useText();
  const [box, width] = useWidth<HTMLDivElement>();
  const [hovered, setHovered] = useState<{ readonly segment: number; readonly x: number } | null>(null);
  const scale = useMemo(
    () =>
      scaleOf(
        model.runs.map((run) => tokensOfRun(model, run)),
        width,
      ),
    [model, width],
  );
  const find = (event: React.MouseEvent<HTMLElement>): { segment: number; x: number } => {
    const x = event.clientX - (box.current?.getBoundingClientRect().left ?? 0);
    return { segment: segmentAt(model, scale.tokensAt(x)), x };
  };

  return (
    <figure className="strip" aria-label={t('layout.strip')}>
      <div ref={box} className="strip-scale">
        {width > 0 && (
          <>
            <Ruler scale={scale} cut={model.cut?.isDifference ? scale.at(model.cut.tokens) : null} />
            <div className="strip-bar" role="group" aria-label={t('layout.strip.bar')}>
              <Runs
                model={model}
                scale={scale}
                onSelect={(event) => onSelect(find(event).segment)}
                onHover={(event) => setHovered(event && find(event))}
              />
              <Outline model={model} scale={scale} segment={selected} className="strip-selected" />
            </div>
            <StateBar model={model} scale={scale} />
            <Marks model={model} scale={scale} />
            {model.cut?.isDifference && <Cut x={scale.at(model.cut.tokens)} width={width} />}
            {hovered && hovered.segment >= 0 && (
              <Tip model={model} segment={hovered.segment} x={hovered.x} width={width} />
            )}
          </>
        )}
      </div>
      <Legend model={model} />
    </figure>
  );
}

/** `cut`: place of the first difference, whose words need the room of the figures beside it. */
function Ruler({ scale, cut }: { readonly scale: Scale; readonly cut: number | null }): ReactNode {
  const t = useText();
  const words = cut === null ? null : cutWords(cut, scale.width);
  const isFree = (x: number): boolean => words === null || x + TICK_HALF < words.from || x - TICK_HALF > words.to;
  return (
    <div className="strip-ruler" aria-hidden="true">
      {isFree(0) && <span style={{ left: 0 }}>0</span>}
      {ticksOf(scale).map(
        (tick) =>
          isFree(tick.x) && (
            <span key={tick.tokens} className="strip-tick" style={{ left: tick.x }}>
              {formatInt(tick.tokens)}
            </span>
          ),
      )}
      <span style={{ right: 0 }}>{t('layout.tokens', { n: formatInt(scale.total) })}</span>
    </div>
  );
}

/** The words stand left of the line, right of it near the beginning, and never on the total of the ruler. */
function cutWords(x: number, width: number): { readonly from: number; readonly to: number } {
  if (x < CUT_ROOM) return { from: x, to: x + CUT_ROOM };
  const to = Math.min(x, width - TOTAL_ROOM);
  return { from: to - CUT_ROOM, to };
}

type RunsProps = {
  readonly model: LayoutModel;
  readonly scale: Scale;
  readonly onSelect: (event: React.MouseEvent<HTMLElement>) => void;
  /** Null when the mouse leaves. */
  readonly onHover: (event: React.MouseEvent<HTMLElement> | null) => void;
};

function Runs({ model, scale, onSelect, onHover }: RunsProps): ReactNode {
  const t = useText();
  const say = useSentence();
  return model.runs.map((run, index) => {
    const box = scale.boxes[index]!;
    const first = model.segments[run.from]!;
    const label = run.fold
      ? t(`layout.fold.${run.fold}`, { n: run.to - run.from, kind: say.kind(first.kind) })
      : say.segment(first.kind, first.origin.label);
    return (
      <button
        key={run.from}
        type="button"
        tabIndex={-1}
        className="strip-run"
        aria-label={t('layout.strip.segment', { name: label, n: formatInt(box.size) })}
        style={{ left: box.x, width: box.width, background: familyColour(familyOfRun(model, run)) }}
        onClick={onSelect}
        onMouseMove={onHover}
        onMouseLeave={() => onHover(null)}
      >
        {hairlines(model, scale, index).map((x) => (
          <i key={x} style={{ left: x - box.x }} />
        ))}
      </button>
    );
  });
}

/** Places between the members of a run, thinned out to what an eye can tell apart. */
function hairlines(model: LayoutModel, scale: Scale, index: number): readonly number[] {
  const run = model.runs[index]!;
  const box = scale.boxes[index]!;
  const places: number[] = [];
  let last = box.x;
  for (let segment = run.from + 1; segment < run.to; segment++) {
    const x = scale.at(model.starts[segment]!);
    if (x - last < HAIRLINE_APART || box.x + box.width - x < HAIRLINE_APART) continue;
    places.push(x);
    last = x;
  }
  return places;
}

type OutlineProps = {
  readonly model: LayoutModel;
  readonly scale: Scale;
  readonly segment: number;
  readonly className: string;
};

function Outline({ model, scale, segment, className }: OutlineProps): ReactNode {
  if (segment < 0) return null;
  const run = model.runs.findIndex((one) => one.from <= segment && segment < one.to);
  const box = scale.boxes[run];
  if (!box) return null;
  const isWhole = model.runs[run]!.fold === null;
  const left = isWhole ? box.x : scale.at(model.starts[segment]!);
  const right = isWhole ? box.x + box.width : Math.max(left + 2, scale.at(model.starts[segment + 1]!));
  return <i className={className} style={{ left, width: Math.max(3, right - left) }} />;
}

function Marks({ model, scale }: { readonly model: LayoutModel; readonly scale: Scale }): ReactNode {
  const t = useText();
  const words = (one: Breakpoint): string => breakpointWords(one, t).short;
  return (
    <ul className="strip-marks" aria-label={t('layout.marks')}>
      {marksOf(model.detail.breakpoints, model.segments, scale, words).map((mark, i) => (
        <li key={i} title={breakpointWords(mark.breakpoint, t).long}>
          <i style={{ left: Math.min(mark.x, scale.width - 1) }} className={`strip-mark-${mark.breakpoint.kind}`} />
          {mark.labelX !== null && <span style={{ left: mark.labelX }}>{mark.label}</span>}
        </li>
      ))}
    </ul>
  );
}

function Cut({ x, width }: { readonly x: number; readonly width: number }): ReactNode {
  const t = useText();
  const words = cutWords(x, width);
  const side = words.from === x ? { left: x } : { right: width - words.to };
  return (
    <>
      <i className="strip-cut" style={{ left: Math.min(x, width - 2) }} />
      <span className="strip-cut-label" style={side}>
        {t('layout.cut')}
      </span>
    </>
  );
}

type TipProps = {
  readonly model: LayoutModel;
  readonly segment: number;
  readonly x: number;
  readonly width: number;
};

function Tip({ model, segment, x, width }: TipProps): ReactNode {
  const say = useSentence();
  const t = useText();
  const row = model.segments[segment]!;
  const left = Math.min(Math.max(x, TIP_HALF), Math.max(TIP_HALF, width - TIP_HALF));
  return (
    <div className="strip-tip" style={{ left }} aria-hidden="true">
      <b>{say.segment(row.kind, row.origin.label)}</b>
      <span>
        {t('layout.tokens', { n: formatInt(row.tokens.value) })} ·{' '}
        {formatPercent(model.total > 0 ? row.tokens.value / model.total : 0)}
      </span>
    </div>
  );
}
