/** A way from a figure to the call behind it, in the view where one sees what happened to its prefix. */
import type { ReactNode } from 'react';
import type { CacheCall } from '../../../shared/model/index.ts';
import { useText } from '../../app/language/index.ts';
import { actions } from '../../app/store.ts';
import { callText } from './words.ts';

export const showCall = ({ id, turnIndex }: CacheCall): void => actions.showDiff(id, turnIndex);

export function CallLink(props: { readonly call: CacheCall; readonly children?: ReactNode }): ReactNode {
  const t = useText();
  return (
    <button type="button" className="cache-link" title={t('cache.call.hint')} onClick={() => showCall(props.call)}>
      {props.children ?? callText(t, props.call)}
    </button>
  );
}
