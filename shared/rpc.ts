/**
 * The messages that both hosts carry. They are plain JSON values, so that a worker port, Electron's IPC and a
 * WebSocket carry the same thing. A call is answered once; before that it may stream items and progress.
 */
import { z } from 'zod';
import type { EngineEvent, MethodName } from './api.ts';
import type { LensError } from './error.ts';

export const ClientMessageSchema = z.discriminatedUnion('t', [
  z.object({ t: z.literal('call'), id: z.int().min(0), method: z.string().max(64), arg: z.unknown() }),
  z.object({ t: z.literal('cancel'), id: z.int().min(0) }),
]);

export type ClientMessage =
  | { readonly t: 'call'; readonly id: number; readonly method: MethodName; readonly arg: unknown }
  | { readonly t: 'cancel'; readonly id: number };

export type EngineMessage =
  | { readonly t: 'value'; readonly id: number; readonly value: unknown }
  | { readonly t: 'error'; readonly id: number; readonly error: LensError }
  | { readonly t: 'item'; readonly id: number; readonly item: unknown }
  | { readonly t: 'progress'; readonly id: number; readonly done: number; readonly total: number }
  | { readonly t: 'event'; readonly event: EngineEvent };

/** What a client holds: a pipe of messages. `onClose` fires once, when nothing more will come. */
export type Channel = {
  send(message: ClientMessage): void;
  onMessage(listener: (message: EngineMessage) => void): void;
  onClose(listener: (reason: string) => void): void;
  close(): void;
};
