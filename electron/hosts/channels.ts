/** Names of the few IPC lines between the desktop window and the main process; the preload script holds nothing else. */
export const CHANNELS = {
  /** Window → engine: one ClientMessage of shared/rpc.ts. */
  toEngine: 'lens:to-engine',
  /** Engine → window: one EngineMessage. */
  fromEngine: 'lens:from-engine',
  /** Asks for the system's open dialog; answers with an absolute path or null. */
  openDialog: 'lens:open-dialog',
} as const;
