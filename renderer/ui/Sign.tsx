/** Signs are drawn, not typed: a glyph that a font lacks would change its size, or turn into a coloured picture. */
import type { ReactNode } from 'react';
import './sign.css';

const PATHS = {
  diamond: 'M6 1 11 6 6 11 1 6Z',
  cross: 'M2.5 2.5 9.5 9.5M9.5 2.5 2.5 9.5',
  pause: 'M4 2.5V9.5M8 2.5V9.5',
  picture: 'M1.5 2.5H10.5V9.5H1.5ZM3.5 8 5.5 5.5 7 7 8 6 9.2 7.6',
  retry: 'M9.8 4.6A4.1 4.1 0 1 0 10.1 6.6M10.2 1.8V4.8H7.2',
  cut: 'M8.5 1.5 3.8 7.6M3.5 1.5 8.2 7.6M2.9 7.6A1.5 1.5 0 1 0 3 10.5 1.5 1.5 0 0 0 2.9 7.6M9.1 7.6A1.5 1.5 0 1 1 9 10.5 1.5 1.5 0 0 1 9.1 7.6',
  clock: 'M6 1.5A4.5 4.5 0 1 0 6.01 1.5M6 3.5V6L7.8 7.2',
  play: 'M3.5 2 10 6 3.5 10Z',
  search: 'M5.2 1.5A3.7 3.7 0 1 0 5.21 1.5M8 8 10.8 10.8',
  sun: 'M6 3.6A2.4 2.4 0 1 0 6.01 3.6M6 .6V1.6M6 10.4V11.4M.6 6H1.6M10.4 6H11.4M2.2 2.2 2.9 2.9M9.1 9.1 9.8 9.8M9.8 2.2 9.1 2.9M2.9 9.1 2.2 9.8',
  moon: 'M10.3 7.4A4.6 4.6 0 1 1 4.8 1.6 3.7 3.7 0 0 0 10.3 7.4Z',
  system: 'M6 1.5A4.5 4.5 0 1 0 6.01 1.5M6 1.5V10.5',
  warning: 'M6 1.5 11 10.5H1ZM6 5V7.4M6 9V9.05',
  concealed: 'M1 6C2.3 3.8 4 2.8 6 2.8S9.7 3.8 11 6C9.7 8.2 8 9.2 6 9.2S2.3 8.2 1 6ZM2 10.5 10 1.5',
  chevron: 'M3 4.5 6 7.5 9 4.5',
  gap: 'M3.2 10 5.2 2M6.8 10 8.8 2',
} as const;
export type SignName = keyof typeof PATHS;
const FILLED: ReadonlySet<SignName> = new Set(['diamond', 'play']);

/** A sign of 12 px. With a label it is spoken and has a tooltip, without it is decoration. */
export function Sign(props: { readonly name: SignName; readonly label?: string; readonly size?: number }): ReactNode {
  const { name, label, size = 12 } = props;
  return (
    <svg
      className={FILLED.has(name) ? 'ui-sign ui-sign-filled' : 'ui-sign'}
      viewBox="0 0 12 12"
      width={size}
      height={size}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {label !== undefined && <title>{label}</title>}
      <path d={PATHS[name]} />
    </svg>
  );
}
