/** Gemini bodies in few words, for the tests beside this file. */
import type { Json, JsonObject } from '../../../shared/model/index.ts';
import { BuildError, type BuildMessage } from '../build/types.ts';
import { requestOf, type Given } from '../fixtures/build-request.ts';
import { buildGemini } from './build.ts';

export const MODEL = 'gemini-2.5-flash';
export const build = (given: Given) => buildGemini(requestOf({ model: MODEL, ...given }));
export const body = (given: Given): JsonObject => build(given).body;
export const contents = (...messages: readonly BuildMessage[]): Json => body({ messages })['contents'] ?? null;
export const says = (role: 'user' | 'model', ...words: readonly string[]) => ({
  role,
  parts: words.map((one) => ({ text: one })),
});
export const calls = (...names: readonly string[]) => ({
  role: 'model',
  parts: names.map((name) => ({ functionCall: { name, args: { sides: 6 } } })),
});
export const answers = (...results: readonly (readonly [name: string, response: Json])[]) => ({
  role: 'user',
  parts: results.map(([name, response]) => ({ functionResponse: { name, response } })),
});
export const thrown = (given: Given): string => {
  try {
    build(given);
  } catch (error) {
    if (error instanceof BuildError) return error.field;
    throw error;
  }
  return 'nothing';
};
