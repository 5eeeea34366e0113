/** One block of the turn context; its text, or what became of it word by word. */
import { useId, useMemo, type ReactNode } from 'react';
import { useText } from '../../app/language/index.ts';
import { Code, formatInt } from '../../ui/index.ts';
import { LongText } from '../../ui/LongText.tsx';
import { useSentence } from '../parts/use-sentence.ts';
import { drawn, type BlockState, type ShownBlock } from './block-state.ts';
import { wordDiff } from './word-diff.ts';

const SIGN: Readonly<Record<BlockState, string>> = { same: '=', changed: '~', new: '+', gone: '−', unknown: '·' };

/** Texts longer than this are not compared word by word. */
const MOST_COMPARED = 100_000;

type BlockProps = {
  readonly shown: ShownBlock;
  readonly isOpen: boolean;
  readonly showChanges: boolean;
  readonly onToggle: () => void;
};

export function Block({ shown, isOpen, showChanges, onToggle }: BlockProps): ReactNode {
  const t = useText();
  const say = useSentence();
  const id = useId();
  const { block, state } = shown;
  const isCompared =
    showChanges && state === 'changed' && block.text.length + (block.previousText?.length ?? 0) <= MOST_COMPARED;
  return (
    <article className={`context-block context-${state}`}>
      <h3>
        <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
          <i aria-hidden="true">{isOpen ? '▾' : '▸'}</i>
          {block.tag === null ? <span>{t('context.text')}</span> : <Code>{block.tag}</Code>}
          <span className="context-label">{say.label(block.label, 'turn-context')}</span>
          <span className="context-state">
            <b aria-hidden="true">{SIGN[state]}</b> {t(`context.state.${state}`)}
          </span>
          <span className="context-tokens">{t('layout.tokens', { n: formatInt(block.tokens.value) })}</span>
        </button>
      </h3>
      <div id={id} hidden={!isOpen}>
        {isOpen &&
          (isCompared ? (
            <Changed before={drawn(block.previousText ?? '')} after={drawn(block.text)} />
          ) : (
            <LongText text={drawn(block.text)} moreLabel={t('text.more', { n: formatInt(block.text.length) })} />
          ))}
      </div>
    </article>
  );
}

function Changed({ before, after }: { readonly before: string; readonly after: string }): ReactNode {
  const pieces = useMemo(() => wordDiff(before, after), [before, after]);
  return (
    <pre className="context-changes">
      {pieces.map((piece, i) =>
        piece.kind === 'added' ? (
          <ins key={i}>{piece.text}</ins>
        ) : piece.kind === 'removed' ? (
          <del key={i}>{piece.text}</del>
        ) : (
          piece.text
        ),
      )}
    </pre>
  );
}
