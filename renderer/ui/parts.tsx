/** Small parts without knowledge of the domain. They draw what they are given and hold no state. */
import type { ReactNode } from 'react';
import type { Tier } from '../../shared/units.ts';
import { useText } from '../app/language/index.ts';
import { isApple } from '../host.ts';
import { formatInt, formatKey, formatPercent } from './format.ts';
import './parts.css';

/** The evidence tier of a figure: billed solid, counted plain, estimated dashed. */
export function Tag({ tier }: { readonly tier: Tier }): ReactNode {
  const t = useText();
  return (
    <span className={`ui-tag ui-tag-${tier}`} title={t(`tier.${tier}.hint`)}>
      {t(`tier.${tier}`)}
    </span>
  );
}

/** A whole number in figures of one width; null is the dash of "nothing to say". */
export function Num({ value, dim }: { readonly value: number | null; readonly dim?: boolean }): ReactNode {
  return <span className={dim ? 'ui-num ui-dim' : 'ui-num'}>{value === null ? '—' : formatInt(value)}</span>;
}

/** A share from 0 to 1 in per cent; null is a dash. */
export function Percent(props: { readonly share: number | null; readonly digits?: number }): ReactNode {
  return <span className="ui-num">{props.share === null ? '—' : formatPercent(props.share, props.digits ?? 1)}</span>;
}

export function Code({ children }: { readonly children: ReactNode }): ReactNode {
  return <code className="ui-code">{children}</code>;
}

/** A key as the registry of commands writes it (`mod+k`, `ArrowLeft`). */
export function Kbd({ keys }: { readonly keys: string }): ReactNode {
  return <kbd className="ui-kbd">{formatKey(keys, isApple())}</kbd>;
}

export type BarPart = { readonly share: number; readonly color: string; readonly label?: string };

/** A bar of parts to scale; shares are of 1, the rest is the ground. `label` names it for those who do not see it. */
export function Bar(props: {
  readonly parts: readonly BarPart[];
  readonly label?: string;
  readonly className?: string;
}): ReactNode {
  return (
    <span
      className={`ui-bar ${props.className ?? ''}`}
      {...(props.label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': props.label })}
    >
      {props.parts.map((part, i) => (
        <i key={i} title={part.label} style={{ width: `${part.share * 100}%`, background: part.color }} />
      ))}
    </span>
  );
}

/** A square button that shows a sign; its name is spoken and shown as a tooltip. */
export function IconButton(props: {
  readonly label: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
  readonly pressed?: boolean;
}): ReactNode {
  return (
    <button
      type="button"
      className="ui-icon-button"
      aria-label={props.label}
      aria-pressed={props.pressed}
      title={props.label}
      onClick={props.onClick}
    >
      {props.children}
    </button>
  );
}
