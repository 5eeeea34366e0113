/** Copies a text and says so for a moment, on the button itself. */
import { useEffect, useState, type ReactNode } from 'react';
import './copy-button.css';

type CopyState = 'ready' | 'copied' | 'failed';
const SAID_MS = 1500;

export type CopyButtonProps = {
  /** The text, or how to get it when it is asked for. */
  readonly text: string | (() => string);
  readonly label: string;
  readonly copiedLabel: string;
  readonly failedLabel: string;
};

export function CopyButton({ text, label, copiedLabel, failedLabel }: CopyButtonProps): ReactNode {
  const [state, setState] = useState<CopyState>('ready');
  useEffect(() => {
    if (state === 'ready') return;
    const timer = setTimeout(() => setState('ready'), SAID_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const words = { ready: label, copied: copiedLabel, failed: failedLabel }[state];
  return (
    <button
      type="button"
      className="copy-button"
      onClick={() => {
        navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(
          () => setState('copied'),
          () => setState('failed'),
        );
      }}
    >
      <span aria-live="polite">{words}</span>
    </button>
  );
}
