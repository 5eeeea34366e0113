/** Text as it was sent, in the code font, with marked places; a very long one opens on demand. */
import { useState } from 'react';
import './long-text.css';
import { beginningOf, blocksOf, FIRST_PART, piecesOf, type Range } from './long-text.ts';

export type LongTextProps = {
  readonly text: string;
  /** Places to underline, ascending. */
  readonly marks?: readonly Range[];
  /** What the underlined places are, for a screen reader. */
  readonly markLabel?: string;
  readonly moreLabel: string;
};

const NO_MARKS: readonly Range[] = [];

export function LongText({ text, marks = NO_MARKS, markLabel, moreLabel }: LongTextProps): React.JSX.Element {
  const [opened, setOpened] = useState<string | null>(null);
  const isWhole = opened === text || text.length <= FIRST_PART;
  const shown = isWhole ? text : beginningOf(text, FIRST_PART);
  return (
    <div className="long-text">
      {blocksOf(shown).map((block) => (
        <pre key={block.start}>
          {piecesOf(shown, block, marks).map((piece, i) =>
            piece.isMarked ? (
              <mark key={i} aria-label={markLabel}>
                {piece.text}
              </mark>
            ) : (
              piece.text
            ),
          )}
        </pre>
      ))}
      {!isWhole && (
        <button type="button" className="long-text-more" onClick={() => setOpened(text)}>
          {moreLabel}
        </button>
      )}
    </div>
  );
}
