/**
 * A diff editor is dear to make and cheap to refill. It is made once and gets new texts while a person steps through
 * the turns; the old picture stays until the new texts are set, and both are set in one go.
 */
import { useEffect, useRef } from 'react';
import './monaco.css';
import { monaco, sharedOptions, wearTheme } from './setup.ts';

export type TextDiffProps = {
  readonly left: string;
  readonly right: string;
  /** 1-based lines that are marked and scrolled to; null: none. */
  readonly leftLine: number | null;
  readonly rightLine: number | null;
  /** What tells one pair of texts from the next; a new pair is placed at its line. */
  readonly pairId: string;
  readonly theme: string;
  readonly leftLabel: string;
  readonly rightLabel: string;
};

/** Below this width of the editor the two texts stand in one column. */
const INLINE_BELOW = 900;

/** A diff may take this long (ms); then it is given as far as it was found. */
const MOST_MS = 3000;

/** The worker may still be comparing texts that were just replaced, and fails when they vanish under it. */
function retire(model: monaco.editor.IDiffEditorModel | null): void {
  if (!model) return;
  setTimeout(() => {
    model.original.dispose();
    model.modified.dispose();
  }, MOST_MS + 1000);
}

const options = (): monaco.editor.IStandaloneDiffEditorConstructionOptions => ({
  ...sharedOptions(),
  diffAlgorithm: 'advanced',
  diffCodeLens: false,
  diffWordWrap: 'on',
  enableSplitViewResizing: false,
  hideUnchangedRegions: { enabled: true, contextLineCount: 3, minimumLineCount: 4, revealLineCount: 20 },
  folding: false,
  lineDecorationsWidth: 20,
  ignoreTrimWhitespace: false, // a space is a difference to a cache
  maxComputationTime: MOST_MS,
  originalEditable: false,
  renderGutterMenu: false,
  renderIndicators: true,
  renderMarginRevertIcon: false,
  renderOverviewRuler: false,
  renderSideBySideInlineBreakpoint: INLINE_BELOW,
  useInlineViewWhenSpaceIsLimited: true,
});

const mark = (line: number | null): monaco.editor.IModelDeltaDecoration[] =>
  line === null
    ? []
    : [{ range: new monaco.Range(line, 1, line, 1), options: { isWholeLine: true, className: 'lens-divergence' } }];

export function TextDiff(props: TextDiffProps): React.JSX.Element {
  const { left, right, leftLine, rightLine, pairId, theme, leftLabel, rightLabel } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<monaco.editor.IStandaloneDiffEditor | null>(null);

  useEffect(() => {
    if (!host.current) return;
    wearTheme();
    const made = monaco.editor.createDiffEditor(host.current, options());
    editor.current = made;
    return () => {
      const model = made.getModel();
      made.dispose();
      retire(model);
      editor.current = null;
    };
  }, []);

  useEffect(wearTheme, [theme]);

  useEffect(() => {
    editor.current?.getOriginalEditor().updateOptions({ ariaLabel: leftLabel });
    editor.current?.getModifiedEditor().updateOptions({ ariaLabel: rightLabel });
  }, [leftLabel, rightLabel]);

  useEffect(() => {
    const made = editor.current;
    if (!made) return;
    const old = made.getModel();
    const model = {
      original: monaco.editor.createModel(left, 'plaintext'),
      modified: monaco.editor.createModel(right, 'plaintext'),
    };
    made.setModel(model);
    retire(old);
    const marks = [
      made.getOriginalEditor().createDecorationsCollection(mark(leftLine)),
      made.getModifiedEditor().createDecorationsCollection(mark(rightLine)),
    ];
    const place = (): void => {
      if (rightLine !== null) made.getModifiedEditor().revealLineNearTop(rightLine, monaco.editor.ScrollType.Immediate);
      else if (leftLine !== null)
        made.getOriginalEditor().revealLineNearTop(leftLine, monaco.editor.ScrollType.Immediate);
    };
    place();
    // Unchanged regions fold away only when the diff is known, which moves every line.
    const once = made.onDidUpdateDiff(() => {
      once.dispose();
      if (leftLine === null && rightLine === null) made.revealFirstDiff();
      else place();
    });
    return () => {
      once.dispose();
      for (const one of marks) one.clear();
    };
  }, [left, right, leftLine, rightLine, pairId]);

  return <div ref={host} className="monaco-host" data-testid="text-diff" />;
}
