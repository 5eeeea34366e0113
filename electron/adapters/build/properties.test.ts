/**
 * What holds for every protocol and every setting of `lateSystemAsUser`, over generated requests. Read back, a body
 * says what the request said. What a body cannot carry: names of messages (none does); reasoning (Chat does, the
 * others only in native blocks); developer as a role of its own (Anthropic, Gemini); ids of calls (Gemini); the type of
 * a picture by URL (Chat, Responses).
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PROTOCOLS, type JsonObject, type Protocol, type WirePrompt } from '../../../shared/model/index.ts';
import { buildRequest } from '../build.ts';
import { coverFaults } from '../fixtures/cover.ts';
import { frozen, keyText, stringAt } from '../fixtures/properties.ts';
import { randomRequest, spokenBy, spokenIn, type Spelling } from '../fixtures/random-request.ts';
import { field } from '../json.ts';
import { SENTINEL } from '../kernel/parse.ts';
import { parseBody } from '../parse.ts';
import { bodyTexts } from '../texts.ts';
import { allMessages, isSystem } from './content.ts';
import { lateSystemAsUser } from './late-system.ts';
import { formatInstruction } from './response-format.ts';
import { plain, trace } from './traced.ts';
import type { BuildRequest, BuiltRequest } from './types.ts';

const CASES = PROTOCOLS.flatMap((protocol) => [null, true, false].map((late) => ({ protocol, late })));

const setTo = (request: BuildRequest, late: boolean | null): BuildRequest => ({
  ...request,
  options: { ...request.options, lateSystemAsUser: late },
});

describe.each(CASES)('$protocol, lateSystemAsUser $late', ({ protocol, late }) => {
  const any = (check: (built: BuiltRequest, request: BuildRequest) => void): void =>
    fc.assert(
      fc.property(randomRequest, (given) => {
        const request = frozen(setTo(given, late));
        check(buildRequest(protocol, request), request);
      }),
      { numRuns: 150 },
    );

  test('the map gives every text of the body, each character once, in order; equal requests give equal bytes', () =>
    any(({ body, map }, request) => {
      const spans = map.map((span) => ({
        ...span,
        text: stringAt(body, span.path).slice(span.start, span.end),
      }));
      const texts = bodyTexts(protocol, body);
      expect(coverFaults(texts, spans)).toEqual([]);
      expect([...new Set(map.map(({ path }) => path))]).toEqual(texts.map(({ path }) => path));
      expect(JSON.stringify(body)).not.toContain(SENTINEL);
      const again = buildRequest(protocol, copyOf(request));
      expect(JSON.stringify(again.body)).toBe(JSON.stringify(body));
      expect(again.map).toEqual(map);
    }));
});

// Gemini's older shape puts every system text before the conversation, so that one cannot.
const KEEPS_PLACE = CASES.filter(({ protocol, late }) => protocol !== 'google-generative-ai-v1' || late !== false);
test.each(KEEPS_PLACE)(
  '$protocol, lateSystemAsUser $late: requests that differ in the turn context alone share every byte up to it, and all of history stands before it',
  ({ protocol, late }) =>
    fc.assert(
      fc.property(randomRequest, fc.string(), fc.string(), fc.string(), (given, one, other, said) => {
        const history = given.messages;
        fc.pre(history.some((message) => !isSystem(message)));
        const withContext = (context: string): BuiltRequest =>
          buildRequest(protocol, {
            ...setTo(given, late),
            messages: [
              ...history,
              { role: 'system', content: trace(`${MARK}${context}`, 'context') },
              { role: 'user', content: trace(`${PLAYER}${said}`, 'player') },
            ],
          });
        const [a, b] = [withContext(`1${one}`), withContext(`2${other}`)];
        expectSharedPrefix(JSON.stringify(a.body), JSON.stringify(b.body));
        expectSharedPrefix(keyText(a.body), keyText(b.body));
        const order = a.map.map(({ segment }) => segment);
        const context = order.indexOf('context');
        expect(context).toBeGreaterThan(-1);
        const behind = new Set(order.slice(context));
        for (const segment of ['s1', 's2', 's3']) expect(behind).not.toContain(segment);
      }),
      { numRuns: 150 },
    ),
);

test.each(PROTOCOLS)(
  '%s: streamed or not, the same prompt, tool choice and settings, with the same warnings',
  (protocol) =>
    fc.assert(
      fc.property(randomRequest, (given) => {
        const [whole, streamed] = [false, true].map((stream) => {
          const { body, warnings } = buildRequest(protocol, { ...given, options: { ...given.options, stream } });
          const { stream: _sent, stream_options: _asked, ...rest } = body;
          return { rest, warnings };
        });
        expect(streamed).toEqual(whole);
      }),
    ),
);

const MARK = '\u27e6context\u27e7';
const PLAYER = '\u27e6player\u27e7';

function expectSharedPrefix(a: string, b: string): void {
  const at = a.indexOf(MARK);
  expect(at).toBeGreaterThan(-1);
  expect(b.slice(0, at + MARK.length)).toBe(a.slice(0, at + MARK.length));
  expect(a.indexOf(PLAYER)).toBeGreaterThan(at);
}

/** Another object with the same content. */
const copyOf = (request: BuildRequest): BuildRequest => ({ ...request, messages: [...request.messages] });

/** The member beside the texts of a call or a result. */
const beside =
  (steps: number, member: string) =>
  (body: JsonObject, part: { readonly texts: readonly { readonly path: string }[] }): string => {
    const base = part.texts[0]?.path.split('/').slice(0, steps).join('/') ?? '';
    return stringAt(body, `${base}/${member}`);
  };

const SPELLINGS: readonly (readonly [Protocol, Spelling])[] = [
  ['openai-chat-v1', { call: beside(5, 'function/arguments'), result: beside(3, 'content') }],
  ['openai-responses-v1', { call: beside(3, 'arguments'), result: beside(3, 'output') }],
];

/** Without reasoning, which Chat alone carries; every generated picture is a png, and no URL says so. */
const comparable = (prompt: WirePrompt): WirePrompt => ({
  ...prompt,
  messages: prompt.messages.map((message) => ({
    ...message,
    parts: message.parts
      .filter((part) => part.type !== 'reasoning')
      .map((part) => (part.type === 'image' ? { ...part, mediaType: 'image/png' } : part)),
  })),
});

/** The request with Chat's sentence about the schema where Chat puts it, in the roles before any rewriting. */
function withSentence(request: BuildRequest): BuildRequest {
  const all = allMessages(request);
  const placed = request.options.lateSystemAsUser === true ? lateSystemAsUser(all) : all;
  const instruction = formatInstruction(request, placed);
  if (instruction === null) return request;
  const messages = all.toSpliced(placed.findLastIndex(isSystem) + 1, 0, { role: 'system', content: instruction });
  return { ...request, system: trace('', null), messages };
}

describe.each(SPELLINGS)('%s read back', (protocol, spelling) => {
  test.each([null, true, false])('says what was said, lateSystemAsUser %s', (late) =>
    fc.assert(
      fc.property(randomRequest, (given) => {
        const request = setTo(given, late);
        const { body } = buildRequest(protocol, request);
        const prompt = parseBody(protocol, body);
        const said = spokenIn(comparable(prompt), body, spelling);
        expect(said).toEqual(spokenBy(protocol === 'openai-chat-v1' ? withSentence(request) : request, false));
        const tools = request.tools.map(({ name, description = null }) => [
          name,
          description?.replaceAll(SENTINEL, '') ?? null,
        ]);
        expect(prompt.tools.map(({ name, description }) => [name, description])).toEqual(tools);
        const schema = request.responseFormat?.schema;
        const sent = field(field(body['text'], 'format'), 'schema');
        expect(protocol === 'openai-chat-v1' ? schema : sent).toEqual(schema);
        expect(late !== true && prompt.messages.some(({ wrapped }) => wrapped)).toBe(false);
      }),
      { numRuns: 200 },
    ),
  );
  test('Chat gives reasoning back, Responses only as native items', () =>
    fc.assert(
      fc.property(randomRequest, (request) => {
        const { body } = buildRequest(protocol, request);
        const sent = parseBody(protocol, body).messages.flatMap(({ parts }) =>
          parts.flatMap((part) => (part.type === 'reasoning' ? part.texts.map(({ text }) => text) : [])),
        );
        const thoughts = request.messages
          .map(({ reasoningContent }) => (reasoningContent ? plain(reasoningContent).replaceAll(SENTINEL, '') : ''))
          .filter((text) => text !== '');
        expect(sent).toEqual(protocol === 'openai-chat-v1' ? thoughts : []);
      }),
    ));
});
