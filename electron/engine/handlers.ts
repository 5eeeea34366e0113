/**
 * One line a method of the contract: which room answers it.
 */
import { resolve } from 'node:path';
import type { KeptState } from './kept-state.ts';
import type { EngineOptions, Handlers } from './engine.ts';
import { baselineChoices } from './baseline.ts';
import { callDetail, contextBlocks, diffDetail, segmentDetail } from './call-detail.ts';
import { failWith } from './errors.ts';
import { ledgerMessages } from './ledger/messages.ts';
import { sessionLedger } from './ledger/session-ledger.ts';
import type { OpenSources } from './open-sources.ts';
import { createPromptTexts } from './prompt-texts.ts';
import { assembledDetail } from './reassemble.ts';
import { search } from './search.ts';
import { unchangedSince } from './since.ts';
import { wireDetail } from './wire-detail.ts';

type Rooms = { readonly options: EngineOptions; readonly kept: KeptState; readonly sources: OpenSources };

export function createHandlers({ options, kept, sources }: Rooms): Handlers {
  const prompts = createPromptTexts(options.resources);
  return {
    'app.info': () => ({
      version: options.version,
      host: options.host,
      platform: process.platform,
      openAtStart: options.openAtStart,
    }),
    'settings.get': () => kept.settings(),
    'settings.set': (part) => kept.change(part),
    'recent.list': () => kept.recent(),
    'recent.forget': ({ path }) => {
      kept.forget(path);
      return kept.recent();
    },

    'source.open': async (arg) => {
      const sample = resolve(options.resources, 'sample', 'covel.db');
      const path = 'sample' in arg ? sample : resolve(arg.path);
      if (path === sample) return sources.open(sample, true);
      const summary = await sources.open(path, false);
      kept.opened(path, new Date().toISOString());
      return summary;
    },
    'source.close': ({ sourceId }) => {
      sources.close(sourceId);
      return null;
    },
    'source.problems': async ({ sourceId }, { signal }) => {
      const found = [];
      for (const batch of sources.get(sourceId).db.problemBatches()) {
        found.push(...batch);
        await new Promise((done) => setImmediate(done));
        if (signal.aborted) break;
      }
      return found;
    },

    'turns.list': ({ sourceId, sessionId, from, limit }) => {
      const turns = sources.get(sourceId).turns(sessionId);
      return { total: turns.length, rows: turns.slice(from, from + limit) };
    },
    'calls.index': async ({ sourceId, sessionId }, { signal, item, progress }) => {
      const source = sources.get(sourceId);
      source.turns(sessionId);
      return { calls: await source.index(sessionId).follow({ signal, rows: item, progress }) };
    },
    'turn.calls': ({ sourceId, sessionId, turnId }) => {
      const source = sources.get(sourceId);
      if (!source.turns(sessionId).some((turn) => turn.turnId === turnId)) failWith('unknown-turn', { id: turnId });
      return source.index(sessionId).ofTurn(turnId);
    },

    'call.get': ({ sourceId, callId }) => {
      const source = sources.get(sourceId);
      return callDetail(source, source.view(callId));
    },
    'call.since': ({ sourceId, callId }, { signal }) => {
      const source = sources.get(sourceId);
      return unchangedSince(source, source.view(callId), signal);
    },
    'call.segment': ({ sourceId, callId, segmentId }) => {
      const source = sources.get(sourceId);
      return segmentDetail(source, source.view(callId), segmentId);
    },
    'call.baselines': ({ sourceId, callId }) => {
      const source = sources.get(sourceId);
      const { row, sessionId } = source.call(callId);
      return baselineChoices(source, row, sessionId);
    },
    'call.diff': ({ sourceId, callId, baselineId }) => {
      const source = sources.get(sourceId);
      return diffDetail(source, source.view(callId), baselineId);
    },
    'call.context': ({ sourceId, callId }) => {
      const source = sources.get(sourceId);
      return contextBlocks(source, source.view(callId));
    },
    'call.assembled': ({ sourceId, callId }) => {
      const source = sources.get(sourceId);
      return assembledDetail(source, source.view(callId), prompts);
    },
    'call.wire': ({ sourceId, callId }) => {
      const source = sources.get(sourceId);
      return wireDetail(source, source.call(callId).row);
    },
    'ledger.get': ({ sourceId, sessionId }, { signal }) => sessionLedger(sources.get(sourceId), sessionId, signal),
    'ledger.messages': ({ sourceId, sessionId, messageIds }) =>
      ledgerMessages(sources.get(sourceId).history(sessionId), messageIds),
    'cache.get': async ({ sourceId, sessionId }, listener) => {
      // A file that changes in between has a new cache; then it is asked again.
      while (!listener.signal.aborted) {
        const overview = await sources.get(sourceId).cache(sessionId).overview(listener);
        if (overview) return overview;
      }
      return failWith('cancelled');
    },
    search: (arg, context) => search(sources.get(arg.sourceId), arg, context),
  };
}
