/**
 * A request of which nothing is asked beyond its text: what is left out here is the protocol's or the provider's own
 * choice (slots page, sections 2.3 to 2.5).
 */
import type { BuildOptions, BuildRequest } from './types.ts';

export const UNSET = {
  messages: [],
  tools: [],
  toolChoice: null,
  reasoning: null,
  maxOutputTokens: null,
  responseFormat: null,
  parameterOverrides: {},
  metadata: {},
} as const satisfies Partial<BuildRequest>;

export const UNSET_OPTIONS: Omit<BuildOptions, 'texts' | 'sha256Hex'> = {
  cacheStrategy: null,
  lateSystemAsUser: null,
  promptCacheKey: null,
  baseUrl: null,
  sessionId: null,
  runtimeId: null,
  stream: false,
  imageInput: true,
};
