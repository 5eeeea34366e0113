/** Parameters of a build for tests: a plain narrator turn, changed by `over`. */
import type { BuildParams } from '../../types.ts';

export const params = (over: Partial<BuildParams> = {}): BuildParams => ({
  promptTemplate: 'Tell it.',
  manifest: { name: 'narrator', pluginId: 'narrator', outputKind: 'story' },
  turnInput: { sessionId: 'fog-harbour', turnId: 't9', origin: 'player', playerMessage: 'I climb the stair.' },
  ...over,
});

export const SENTINEL = '\ue000COVEL_CACHE_BREAK\ue000';
export const UUID = '06d6a521-f8a9-4a02-8fb9-81029b3113dd';
export const INSTANT = '2026-10-06T08:51:22.123Z';
