/** A verdict in one sentence, its evidence tier, and beneath it what it rests on and one piece of advice. */
import { useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import type { Tier } from '../../../shared/units.ts';
import { useText } from '../../app/language/index.ts';
import { Tag } from '../../ui/index.ts';
import { useSentence } from './use-sentence.ts';
import { SIGN, type Tone } from './verdict.ts';
import './verdict.css';

export type VerdictProps = {
  readonly tone: Tone;
  readonly title: ReactNode;
  /** Tier of the figures in the title and beneath it; null when there are none. */
  readonly tier: Tier | null;
  /** Always shown whole, before the rest. */
  readonly lead?: ReactNode;
  /** Cut to two lines in a low window, until a person asks for more. */
  readonly children?: ReactNode;
};

export function Verdict({ tone, title, tier, lead, children }: VerdictProps): ReactNode {
  return (
    <section className={`verdict verdict-${tone}`} aria-live="polite" data-testid="verdict">
      <span className="verdict-sign" aria-hidden="true">
        {SIGN[tone]}
      </span>
      <h2>{title}</h2>
      {tier !== null && <Tag tier={tier} />}
      <div className="verdict-sub">
        {lead}
        <Lines>{children}</Lines>
      </div>
    </section>
  );
}

function Lines({ children }: { readonly children: ReactNode }): ReactNode {
  const t = useText();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isCut, setCut] = useState(false);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      if (box.current && text.current) setCut(text.current.offsetHeight > box.current.offsetHeight + 1);
    });
    if (box.current) observer.observe(box.current);
    if (text.current) observer.observe(text.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div className="verdict-lines">
      <div ref={box} id={id} className={isOpen ? 'verdict-box verdict-open' : 'verdict-box'}>
        <div ref={text}>{children}</div>
      </div>
      {(isCut || isOpen) && (
        <button
          type="button"
          className="verdict-more"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {t(isOpen ? 'app.less' : 'app.more')}
        </button>
      )}
    </div>
  );
}

type ReasonsProps = {
  /** Stands out before the rest. */
  readonly head?: string | null;
  readonly reasons: readonly string[];
  readonly advice: string | null;
};

/** What a verdict rests on, sentence after sentence, and what to do about it. */
export function Reasons({ head = null, reasons, advice }: ReasonsProps): ReactNode {
  const say = useSentence();
  const text = say.join(reasons);
  return (
    <p>
      {head !== null && <b>{head}</b>}
      {text}
      {advice !== null && (
        <>
          {say.between(text, advice)}
          <span className="verdict-advice">{advice}</span>
        </>
      )}
    </p>
  );
}
