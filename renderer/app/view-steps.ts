/**
 * Some keys mean a step inside the view on screen (the next segment, the next cause). Only the view knows what is
 * next, so it lends its step to the registry of commands while it is shown.
 */
export type StepName = 'line';
type Step = (by: 1 | -1) => void;

const lent = new Map<StepName, Step>();

/** Lends a step; returns what takes it back. */
export function lendStep(name: StepName, step: Step): () => void {
  lent.set(name, step);
  return () => {
    if (lent.get(name) === step) lent.delete(name);
  };
}

/** Carries out the step of the view on screen; without one nothing happens. */
export const takeStep = (name: StepName, by: 1 | -1): void => lent.get(name)?.(by);

export const hasStep = (name: StepName): boolean => lent.has(name);
