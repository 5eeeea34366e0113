/** What stands in a place that has nothing to show: it is empty, still loading, or could not be read. */
import { useEffect, useState, type ReactNode } from 'react';
import type { LensError } from '../../shared/error.ts';
import { errorText } from '../../shared/language/index.ts';
import { useLanguage, useText } from '../app/language/index.ts';
import './states.css';

/** Waits shorter than this are not worth a word (ms). */
const PATIENCE_MS = 150;

/** Says why there is nothing, and what to do. */
export function Empty(props: {
  readonly title: string;
  readonly hint?: string;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <div className="ui-empty">
      <p className="ui-empty-title">{props.title}</p>
      {props.hint !== undefined && <p className="ui-empty-hint">{props.hint}</p>}
      {props.children}
    </div>
  );
}

/** An error in words: what happened, and what to do. */
export function ErrorNote(props: {
  readonly error: LensError;
  readonly title?: string;
  readonly children?: ReactNode;
}): ReactNode {
  const language = useLanguage();
  const { message, hint } = errorText(language, props.error);
  return (
    <div className="ui-error" role="alert">
      <span className="ui-error-sign" aria-hidden="true">
        !
      </span>
      <div>
        {props.title !== undefined && <p className="ui-error-title">{props.title}</p>}
        <p>{message}</p>
        {hint !== '' && <p className="ui-error-hint">{hint}</p>}
        {props.children}
      </div>
    </div>
  );
}

/** A quiet word that something is on its way; appears only when it takes longer than a blink. */
export function Loading({ label }: { readonly label?: string }): ReactNode {
  const t = useText();
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return <output className="ui-loading">{late && <span>{label ?? t('app.loading')}</span>}</output>;
}
