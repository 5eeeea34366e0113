/** What holds for all requests that Gemini takes. */
import { describe } from 'vitest';
import type { JsonObject } from '../../../shared/model/index.ts';
import { isSystem } from '../build/content.ts';
import type { BuildMessage } from '../build/types.ts';
import { testBuilder } from '../fixtures/properties.ts';
import { valueAt } from '../json.ts';
import { buildGemini } from './build.ts';
import { MODEL } from './testing.ts';

/** Results in the order of their calls, and system text between them behind them. */
function arranged(messages: readonly BuildMessage[]): readonly BuildMessage[] {
  const orderOf = new Map(messages.flatMap(({ toolCalls = [] }) => toolCalls).map(({ id }, i) => [id, i]));
  const at = ({ toolCallId = '' }: BuildMessage): number => orderOf.get(toolCallId) ?? 0;
  const waits = (message: BuildMessage): boolean => message.role === 'tool' || isSystem(message);
  const [first, ...rest] = messages;
  if (first === undefined) return [];
  if (first.role !== 'assistant' || !first.toolCalls?.length) return [first, ...arranged(rest)];
  const end = rest.findIndex((message) => !waits(message));
  const run = rest.slice(0, end < 0 ? rest.length : end);
  const results = run.filter(({ role }) => role === 'tool').toSorted((a, b) => at(a) - at(b));
  return [first, ...results, ...run.filter(({ role }) => role !== 'tool'), ...arranged(rest.slice(run.length))];
}

describe('every request', () => {
  testBuilder({
    arranged: (request) => {
      const answered = arranged(request.messages);
      if (request.options.lateSystemAsUser !== false) return { ...request, messages: answered };
      return { ...request, messages: [...answered.filter(isSystem), ...answered.filter((one) => !isSystem(one))] };
    },
    protocol: 'google-generative-ai-v1',
    build: (request) => buildGemini({ ...request, model: MODEL }),
    formatInSystem: false,
    spelling: {
      call: (found, part) =>
        JSON.stringify(valueAt(found, part.texts[0]?.path.replace(/\/functionCall\/.*/, '/functionCall/args') ?? '')),
      result: (found, part) => {
        const path = part.texts[0]?.path.replace(/\/functionResponse\/.*/, '/functionResponse/response') ?? '';
        const response = valueAt(found, path) as JsonObject;
        return typeof response['result'] === 'string' ? response['result'] : JSON.stringify(response);
      },
    },
  });
});
