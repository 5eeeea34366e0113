import { expect, test } from 'vitest';
import { nameSegments, parseBody } from '../adapters/index.ts';
import { keyText, type CallSide } from '../cache/index.ts';
import type { JsonObject, Protocol } from '../../shared/model/index.ts';
import { turnIndex } from '../../shared/units.ts';
import { historyEnd } from './cache-reusable.ts';

const CONTEXT = '<system-instruction>\n<runtime-inputs>\n{"turn":3}\n</runtime-inputs>\n</system-instruction>';
const PAST = ['Walk to the pier.', 'The bell rings.'];

function sideOf(protocol: Protocol, body: JsonObject): CallSide {
  const prompt = parseBody(protocol, body);
  const evidence = {
    kernel: null,
    turnId: 't',
    runtimeId: 'narrator',
    pluginId: 'narrator',
    playerText: 'Go in.',
    rows: [],
  };
  const segments = nameSegments(prompt, evidence);
  return { id: 'c', protocol, model: 'm', provider: 'p', body, prompt, segments, turnIndex: turnIndex(3) };
}

/** The key text up to the end of the history. */
function kept(protocol: Protocol, body: JsonObject): string {
  const side = sideOf(protocol, body);
  const text = keyText(protocol, body).parts.map((part) => part.text);
  return text.join('').slice(0, historyEnd(side));
}

const text = (words: string): JsonObject => ({ type: 'text', text: words });

test('Anthropic: up to the turn context', () => {
  const past = PAST.map((words, i) => ({ role: i % 2 ? 'assistant' : 'user', content: [text(words)] }));
  const now = [CONTEXT, 'Go in.'].map((words) => ({ role: 'user', content: [text(words)] }));
  const found = kept('anthropic-messages-v1', { system: [text('Rules.')], messages: [...past, ...now] });
  expect(found).toContain(JSON.stringify(past[1]));
  expect(found).not.toContain('runtime-inputs');
  expect(found).not.toContain('Go in');
});

test('Chat: a late system message is the turn’s own', () => {
  const past = PAST.map((content, i) => ({ role: i % 2 ? 'assistant' : 'user', content }));
  const messages = [
    { role: 'system', content: 'Rules.' },
    ...past,
    { role: 'system', content: CONTEXT },
    { role: 'user', content: 'Go in.' },
  ];
  const found = kept('openai-chat-v1', { messages });
  expect(found.endsWith(`${JSON.stringify(past[1])}{"role":"system","content":"`)).toBe(true);
});

test('Gemini: inside one content of several parts', () => {
  const contents = [
    { role: 'user', parts: [{ text: PAST[0] ?? '' }] },
    { role: 'model', parts: [{ text: PAST[1] ?? '' }] },
    { role: 'user', parts: [{ text: CONTEXT }, { text: 'Go in.' }] },
  ];
  const found = kept('google-generative-ai-v1', { systemInstruction: { parts: [{ text: 'Rules.' }] }, contents });
  expect(found).toContain(PAST[1]);
  expect(found).not.toContain('runtime-inputs');
});

test('a request without a turn’s own data can be repeated whole', () => {
  const body = { messages: [{ role: 'system', content: 'Rules.' }] };
  expect(kept('openai-chat-v1', body)).toBe(
    keyText('openai-chat-v1', body)
      .parts.map((part) => part.text)
      .join(''),
  );
});
