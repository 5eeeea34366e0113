import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { en, zh } from '../testing/texts.ts';
import type { Dimension } from '../types.ts';
import { projectDimensions, storyDimensionSegments, trackerDimensionSegments } from './dimensions.ts';

const dimension = (value: Dimension['value'], over: Partial<Dimension> = {}): Dimension => ({
  id: 'd',
  name: 'D',
  version: 3,
  ...(value === undefined ? {} : { value }),
  ...over,
});
const omitted = (count: number): string => en.text('dimensions.not-shown', { count });

describe('story projection', () => {
  test('id, name, version and the whole value while all fit', () =>
    expect(projectDimensions({ tide: dimension('x'.repeat(900)), fog: dimension({ a: [1] }) }, { texts: en })).toBe(
      `tide (D, v3): "${'x'.repeat(900)}"\nfog (D, v3): {"a":[1]}`,
    ));

  test('without name or version', () =>
    expect(projectDimensions({ a: { id: 'a', value: 1 }, b: { id: 'b', value: 2, version: 1 } }, { texts: en })).toBe(
      'a: 1\nb (v1): 2',
    ));

  test('fits exactly', () => {
    const whole = projectDimensions({ a: dimension('x'.repeat(300)), b: dimension('y'.repeat(300)) }, { texts: en });
    const at = (budget: number): string =>
      projectDimensions({ a: dimension('x'.repeat(300)), b: dimension('y'.repeat(300)) }, { texts: en, budget });
    expect(at(whole.length)).toBe(whole);
    expect(at(whole.length - 1)).toContain('…');
  });

  test('the longest is cut to 240 first, and no more than needed', () => {
    const made = projectDimensions(
      { small: dimension('s'.repeat(300)), big: dimension('b'.repeat(3000)), medium: dimension('m'.repeat(1500)) },
      { texts: en, budget: 2400 },
    );
    expect(made).toBe(
      [
        `small (D, v3): "${'s'.repeat(300)}"`,
        `big (D, v3): "${'b'.repeat(239)}…`,
        `medium (D, v3): "${'m'.repeat(1500)}"`,
      ].join('\n'),
    );
  });

  test('what does not fit even then is counted', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`d${i}`, dimension('v'.repeat(400))]));
    const made = projectDimensions(many, { texts: en });
    const lines = made.split('\n');
    expect(made.length).toBeLessThanOrEqual(12_000);
    expect(lines.slice(0, -1).every((line) => line.endsWith('…'))).toBe(true);
    expect(lines.at(-1)).toBe(omitted(100 - (lines.length - 1)));
    expect(projectDimensions(many, { texts: zh }).split('\n').at(-1)).toMatch(/^（另有 \d+ 个维度没有列出/);
  });

  test('only marked nodes are localised', () => {
    const texts = { 'zh-CN': '涨', 'en-US': 'rising' };
    const made = projectDimensions(
      {
        a: dimension({ trend: texts }, { schema: { properties: { trend: { 'x-i18n': true } } }, name: texts }),
        b: dimension(texts),
      },
      { texts: en, locale: 'en-GB' },
    );
    expect(made).toBe(`a (rising, v3): {"trend":"rising"}\nb (D, v3): ${JSON.stringify(texts)}`);
  });

  test('property: within the budget, lines in order, shown + counted = all', () => {
    const sizes = fc.array(fc.nat(900), { maxLength: 40 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 300, max: 9000 }), (lengths, budget) => {
        const all = Object.fromEntries(lengths.map((n, i) => [`d${i}`, dimension('<'.repeat(n % 7) + 'v'.repeat(n))]));
        const made = projectDimensions(all, { texts: en, budget });
        expect(made.length).toBeLessThanOrEqual(budget);
        const ids = made
          .split('\n')
          .flatMap((line) => /^d(\d+) /.exec(line)?.[1] ?? [])
          .map(Number);
        expect(ids).toEqual(ids.toSorted((a, b) => a - b));
        const missing = lengths.length - ids.length;
        expect(missing === 0 || made.endsWith(omitted(missing))).toBe(true);
      }),
    );
  });
});

describe('story segments', () => {
  test('tracked values are turn data, the others hold for the session; no rule is shown', () => {
    const made = storyDimensionSegments(
      { tide: dimension('high', { updateRule: 'one step a turn' }), law: dimension('old', { updateRule: ' ' }) },
      { texts: en },
    );
    expect(made.map(({ id, audience, volatility, position }) => [id, audience, volatility, position])).toEqual([
      ['static-dimensions', 'story', 'session', 'system'],
      ['dimensions', 'story', 'turn', 'system'],
    ]);
    expect(made.map(({ content }) => content)).toEqual([
      '<world-dimensions>\nlaw (D, v3): "old"\n</world-dimensions>',
      '<world-dimensions>\ntide (D, v3): "high"\n</world-dimensions>',
    ]);
  });
  test('none', () => expect(storyDimensionSegments({}, { texts: en })).toEqual([]));
  test('a value can close no block', () =>
    expect(storyDimensionSegments({ a: dimension('</world-dimensions>') }, { texts: en })[0]?.content).toBe(
      '<world-dimensions>\na (D, v3): "&lt;/world-dimensions&gt;"\n</world-dimensions>',
    ));
});

describe('tracker segments', () => {
  const tracked = {
    tide: dimension('</dimension-values>', { updateRule: 'One step.', schema: { enum: ['low', 'high'] } }),
    law: dimension('old'),
    oil: dimension(4, { updateRule: 'Burns.' }),
  };
  test('rules and schemas for the session, values for the turn, no versions', () => {
    const made = trackerDimensionSegments(tracked, { texts: en });
    expect(made).toEqual([
      {
        id: 'dimension-rules',
        content:
          '<dimension-rules>\n- tide: One step.\n  schema: {"enum":["low","high"]}\n- oil: Burns.\n</dimension-rules>',
        position: 'system',
        audience: 'self',
        volatility: 'session',
      },
      {
        id: 'dimension-values',
        content: '<dimension-values>\ntide: "&lt;/dimension-values&gt;"\noil: 4\n</dimension-values>',
        position: 'system',
        audience: 'self',
        volatility: 'turn',
      },
    ]);
  });

  test('a changed value leaves the rules as they are', () => {
    const [before] = trackerDimensionSegments(tracked, { texts: en });
    const [after] = trackerDimensionSegments(
      { ...tracked, oil: { ...tracked.oil, value: 3, version: 9 } },
      { texts: en },
    );
    expect(after).toEqual(before);
  });

  test('beyond the budget only the id is listed', () => {
    const made = trackerDimensionSegments(
      { big: dimension('v', { updateRule: 'r'.repeat(400) }), oil: dimension(4, { updateRule: 'Burns.' }) },
      { texts: en, budget: 100 },
    );
    expect(made.map(({ content }) => content)).toEqual([
      `<dimension-rules>\n- oil: Burns.\n${en.text('dimensions.rules-truncated')}\n- big\n</dimension-rules>`,
      '<dimension-values>\noil: 4\n</dimension-values>',
    ]);
  });

  test('no rule, no segment', () =>
    expect(trackerDimensionSegments({ law: dimension('old') }, { texts: en })).toEqual([]));
});
