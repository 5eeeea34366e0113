/** Event types that Covel is known to write (storage page, section 3). Others are shown raw and flagged. */
const FAMILIES: Readonly<Record<string, string>> = {
  llm: 'calling responded',
  tool: 'calling completed failed',
  'domain-event': 'previewed',
  message: 'completed',
  turn: 'started completed failed',
  runtime: 'started completed failed',
  proposal: 'committed failed',
  context: 'compacted pruned',
  hook: 'fired rewrote aborted',
  block: 'emitted',
  ui: 'rendered',
  'state.patch': 'applied',
  character: 'upserted',
  gateway: 'calling responded failed',
  'utils.fetch': 'calling responded failed',
  function: 'executing completed',
  recursive: 'calling completed failed',
  command: 'invoked completed failed',
  asset: 'progress generated generate',
  'job-status': 'updated',
};

export const KNOWN_EVENT_TYPES: ReadonlySet<string> = new Set(
  Object.entries(FAMILIES).flatMap(([family, names]) => names.split(' ').map((name) => `${family}.${name}`)),
);
