/**
 * A layer above the window. The browser's own modal dialog keeps the focus inside and gives it back on closing.
 * Where there is a field to type in, it has the focus first.
 */
import { useEffect, useRef, type ReactNode } from 'react';
import './overlay.css';

export function Overlay(props: {
  readonly label: string;
  readonly onClose: () => void;
  readonly className?: string;
  readonly children: ReactNode;
}): ReactNode {
  const { onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    element?.querySelector('input')?.focus();
    return () => element?.close();
  }, []);
  return (
    // A modal dialog is where Escape and a click beside it belong.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className={`ui-overlay ${props.className ?? ''}`}
      aria-label={props.label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // A click on the ground beside the sheet hits the dialog element itself.
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <div className="ui-sheet">{props.children}</div>
    </dialog>
  );
}
