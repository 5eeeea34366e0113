/** Rows that could not be read as they should are shown raw and flagged, never dropped: here they are counted and listed. */
import type { ReactNode } from 'react';
import type { Problem } from '../../shared/model/index.ts';
import { isMessageKey, sentence } from '../../shared/language/index.ts';
import { Code, formatInt, Overlay, VirtualList } from '../ui/index.ts';
import { useLanguage, useText, type Language } from './language/index.ts';
import { actions, useLens } from './store.ts';

const ROW_HEIGHT = 28;

const NONE: readonly Problem[] = [];
const useProblems = (): readonly Problem[] => useLens((state) => state.problems ?? NONE);

/** The words for a code in the language on screen, else those that the engine sent. */
export function problemText(language: Language, problem: Problem): string {
  const key = `problem.${problem.code}`;
  return isMessageKey(key) ? sentence(language, { key, values: {} }) : problem.message;
}

/** Says how many rows are flagged; nothing while there are none. */
export function ProblemsButton(): ReactNode {
  const t = useText();
  const problems = useProblems();
  if (problems.length === 0) return null;
  return (
    <button type="button" className="pill pill-button pill-flagged" onClick={() => actions.setOverlay('problems')}>
      <i className="pill-dot" aria-hidden="true" />
      {t('problems.count', { n: problems.length })}
    </button>
  );
}

/** All flagged rows of the file. */
export function Problems(): ReactNode {
  const t = useText();
  const language = useLanguage();
  const problems = useProblems();
  return (
    <Overlay label={t('problems.title')} onClose={() => actions.setOverlay(null)} className="problems-overlay">
      <div className="problems">
        <h2>{t('problems.title')}</h2>
        <p>{t(problems.length > 0 ? 'problems.hint' : 'problems.none')}</p>
        <div className="problems-list" style={{ height: Math.min(400, problems.length * ROW_HEIGHT) }}>
          <VirtualList
            count={problems.length}
            rowHeight={ROW_HEIGHT}
            box={{ role: 'list', tabIndex: 0, 'aria-label': t('problems.count', { n: problems.length }) }}
            row={(index) => {
              const problem = problems[index];
              if (!problem) return null;
              return (
                // The list draws only the rows in sight, each in a box of its own, so list items cannot be `li`.
                // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
                <div className="problem" role="listitem" title={problem.message}>
                  <span className="problem-n">{formatInt(index + 1)}</span>
                  <span className="problem-text">{problemText(language, problem)}</span>
                  <Code>{problem.row}</Code>
                </div>
              );
            }}
          />
        </div>
      </div>
    </Overlay>
  );
}
