/** Which call is the baseline: by rule the one whose cache entry this call could have read, else any that is chosen. */
import { useEffect, useId, useMemo, useRef, type ReactNode } from 'react';
import type { Baseline } from '../../../shared/api.ts';
import { useText } from '../../app/language/index.ts';
import { runtimeName } from '../../app/runtime-name.ts';
import { actions, useLens } from '../../app/store.ts';
import { useEngine } from '../../app/use-engine.ts';
import { Kbd } from '../../ui/index.ts';
import type { CallRef } from '../use-call.ts';
import { sortedBaselines } from './diff-facts.ts';

const NONE: readonly Baseline[] = [];

export function BaselineChooser({ call }: { readonly call: CallRef }): ReactNode {
  const t = useText();
  const id = useId();
  const select = useRef<HTMLSelectElement>(null);
  const answer = useEngine('call.baselines', call);
  const baselineId = useLens((state) => state.baselineId);
  const isOpen = useLens((state) => state.baselineOpen);
  const runtimeId = useLens((state) => state.calls.get(call.callId)?.runtimeId);
  const choices = useMemo(() => sortedBaselines(answer.isStale ? NONE : (answer.value ?? NONE)), [answer]);
  const hasDefault = choices[0]?.isDefault === true;

  useEffect(() => {
    if (!isOpen || !select.current) return;
    select.current.focus();
    try {
      select.current.showPicker();
    } catch {
      // Without a key press of its own the browser keeps the list closed; the focus is on it all the same.
    }
  }, [isOpen]);

  const words = (one: Baseline): string =>
    [
      t('layout.turn', { n: one.turnIndex }),
      ...(one.runtimeId === runtimeId ? [] : [runtimeName(one.runtimeId, t)]),
      t('strip.step', { n: one.step }),
      ...(one.attempt > 0 ? [t('strip.retry', { n: one.attempt })] : []),
    ].join(' · ');

  return (
    <>
      <label htmlFor={id}>{t('diff.baseline')}</label>
      <select
        ref={select}
        id={id}
        className="diff-select"
        value={baselineId ?? ''}
        onChange={(event) => {
          actions.setBaseline(event.target.value === '' ? null : event.target.value);
          // Opened by its key, it gives the keys back: the next arrow steps to another turn again.
          if (isOpen) select.current?.blur();
          actions.setBaselineOpen(false);
        }}
        onBlur={() => actions.setBaselineOpen(false)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') select.current?.blur();
        }}
      >
        <option value="">
          {hasDefault ? t('diff.baseline.default', { call: words(choices[0]!) }) : t('diff.baseline.none')}
        </option>
        {choices.map((one) =>
          one.isDefault ? null : (
            <option key={one.callId} value={one.callId}>
              {words(one)}
            </option>
          ),
        )}
      </select>
      <Kbd keys="d" />
    </>
  );
}
