import { describe, expect, test } from 'vitest';
import type { HttpAttempt } from '../../../shared/model/index.ts';
import { bodyOf, firstTab, MOST_FORMATTED, shownBody, tabsOf } from './wire-facts.ts';

const attempt = (index: number, given: Partial<HttpAttempt> = {}): HttpAttempt => ({
  index,
  provider: 'anthropic',
  protocol: 'anthropic-messages-v1',
  body: '{}',
  sameBodyAs: null,
  complete: true,
  omittedFields: 0,
  startedAt: null,
  durationMs: null,
  statusCode: 200,
  failed: false,
  transportAttempt: null,
  logicalAttempt: null,
  retryReason: null,
  ...given,
});

describe('the tab shown first', () => {
  test.each([
    ['the one answered', [attempt(0, { failed: true }), attempt(1)], '{}', 1],
    ['not a later failure', [attempt(0), attempt(1, { failed: true })], '{}', 0],
    ['an error status is a failure', [attempt(0), attempt(1, { statusCode: 529 })], '{}', 0],
    ['the last when all failed', [attempt(0, { failed: true }), attempt(1, { failed: true })], '{}', 1],
    ['the kernel view without bodies', [], '{}', 'kernel'],
    ['nothing when concealed', [], null, null],
  ] as const)('%s', (_name, attempts, kernel, tab) => expect(firstTab({ attempts, kernel })).toBe(tab));
});

test('tabs', () => expect(tabsOf({ attempts: [attempt(0), attempt(1)], kernel: '{}' })).toEqual([0, 1, 'kernel']));

describe('bodies', () => {
  const first = attempt(0, { body: '{"a":1}' });
  test('its own', () => expect(bodyOf(first, [first])).toBe('{"a":1}'));
  test('that of an earlier attempt', () => {
    const second = attempt(1, { body: null, sameBodyAs: 0 });
    const third = attempt(2, { body: null, sameBodyAs: 1 });
    expect(bodyOf(third, [first, second, third])).toBe('{"a":1}');
  });
  test('none', () => expect(bodyOf(attempt(0, { body: null }), [])).toBeNull());
  test('entries that point at each other end', () => {
    const a = attempt(0, { body: null, sameBodyAs: 1 });
    const b = attempt(1, { body: null, sameBodyAs: 0 });
    expect(bodyOf(a, [a, b])).toBeNull();
  });
});

describe('how a body is shown', () => {
  test('JSON with line breaks', () => expect(shownBody('{"a":[1]}').text).toBe('{\n  "a": [\n    1\n  ]\n}'));
  test('what is no JSON as it is', () => expect(shownBody('{"a":')).toEqual({ kind: 'plain', text: '{"a":' }));
  test('a very long one as it is', () =>
    expect(shownBody(JSON.stringify('x'.repeat(MOST_FORMATTED))).kind).toBe('plain'));
});
