/** One line under the header when something happened to the file, the engine or the connection. */
import type { ReactNode } from 'react';
import { errorText, joinSentences } from '../../shared/language/index.ts';
import { IconButton, Sign } from '../ui/index.ts';
import { useConnection } from './Header.tsx';
import { useLanguage, useText } from './language/index.ts';
import { actions, useLens } from './store.ts';

export function Notices(): ReactNode {
  const t = useText();
  const language = useLanguage();
  const notice = useLens((state) => state.notice);
  const status = useLens((state) => state.status);
  const source = useLens((state) => state.source);
  const connection = useConnection();

  if (connection === 'closed') return <Line text={t('notice.offline')} />;
  if (notice?.kind === 'error') {
    const { message, hint } = errorText(language, notice.error);
    return (
      <Line text={joinSentences(language, [message, hint])} dismissable>
        {status.kind === 'lost' && source && <Reopen path={source.path} label={t('notice.reopen')} />}
      </Line>
    );
  }
  if (status.kind === 'lost' && source) {
    return (
      <Line text={t('notice.lost', { name: source.name })}>
        <Reopen path={source.path} label={t('notice.reopen')} />
      </Line>
    );
  }
  if (notice) return <Line text={t(notice.reopened ? 'notice.reopened' : 'notice.restarted')} dismissable />;
  return null;
}

function Reopen(props: { readonly path: string; readonly label: string }): ReactNode {
  return (
    <button type="button" className="notice-action" onClick={() => void actions.openPath(props.path)}>
      {props.label}
    </button>
  );
}

function Line(props: {
  readonly text: string;
  readonly dismissable?: boolean;
  readonly children?: ReactNode;
}): ReactNode {
  const t = useText();
  return (
    <output className="notice">
      <span className="notice-text" title={props.text}>
        {props.text}
      </span>
      {props.children}
      {props.dismissable === true && (
        <IconButton label={t('app.dismiss')} onClick={actions.dismissNotice}>
          <Sign name="cross" size={10} />
        </IconButton>
      )}
    </output>
  );
}
