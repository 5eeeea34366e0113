/** The door to what the window remembers: state (state.ts) and everything that changes it (actions.ts). */
export { useLens, VIEWS, type LensState, type ShownView, type Status, type ViewId } from './state.ts';
export { actions } from './actions.ts';
