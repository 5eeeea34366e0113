/**
 * The only thing a page of ours gets: a frozen bridge with four functions. What crosses it is copied by the
 * browser, and no object of Electron or Node crosses it at all.
 */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { ClientMessage, EngineMessage } from '../shared/rpc.ts';
import { CHANNELS } from './hosts/channels.ts';

contextBridge.exposeInMainWorld(
  'lensHost',
  Object.freeze({
    kind: 'desktop',
    send: (message: ClientMessage): void => ipcRenderer.send(CHANNELS.toEngine, message),
    onMessage(listener: (message: EngineMessage) => void): void {
      ipcRenderer.on(CHANNELS.fromEngine, (_event, message: EngineMessage) => listener(message));
    },
    /** Absolute path of a dropped or chosen file; empty for one that was made in the page. */
    pathForFile: (file: File): string => webUtils.getPathForFile(file),
    openDialog: (): Promise<string | null> => ipcRenderer.invoke(CHANNELS.openDialog) as Promise<string | null>,
  }),
);
