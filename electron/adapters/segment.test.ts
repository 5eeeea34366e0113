/** What a segment says of itself: its text, its size, its place. */
import { describe, expect, test } from 'vitest';
import { estimateTokens } from '../../shared/tokens.ts';
import type { Segment } from '../../shared/model/index.ts';
import { fullScene, json, wireBody } from './fixtures/scene.ts';
import { nameSegments } from './naming/name.ts';
import { parseBody } from './parse.ts';
import { comparedText, segmentRow, segmentText, turnBlocks } from './segment.ts';

const scene = fullScene('zh');
const segments = nameSegments(
  parseBody('anthropic-messages-v1', wireBody('anthropic-messages-v1', scene)),
  scene.evidence,
);
const of = (label: string): Segment => segments.find((segment) => segment.origin.label === label) as Segment;

describe('a segment', () => {
  test('is read as it stands in the request', () => {
    expect(segmentText(of('story cue'))).toBe('以上正文写于本回合。');
    expect(segmentRow(of('story cue'))).toMatchObject({
      chars: 10,
      tokens: { value: 10, tier: 'estimated' },
      spans: [{ path: '/messages/12/content/0/text', start: 0, end: 10 }],
    });
  });

  test('in several strings has one line for each', () => {
    const call = segments.find((segment) => segment.kind === 'tool-call' && segment.origin.label === 'look') as Segment;
    expect(segmentText(call)).toBe('c2\nlook\nwheel');
    expect(segmentRow(call).chars).toBe('c2lookwheel'.length);
  });

  test('of a tool is its definition; its tokens are those of the compact JSON; marks do not count', () => {
    const definition = { name: 'a', description: 'd', input_schema: { type: 'object', maxProperties: 3 } };
    const body = json({ tools: [{ ...definition, cache_control: { type: 'ephemeral' } }] });
    const [segment] = nameSegments(parseBody('anthropic-messages-v1', body), scene.evidence) as [Segment];
    expect(segmentText(segment)).toBe(JSON.stringify(definition, null, 2));
    const row = segmentRow(segment);
    expect(row.chars).toBe('adobject'.length);
    expect(row.tokens.value).toBe(estimateTokens(JSON.stringify(definition)));
  });

  test('the wrapper of the turn context belongs to its first and last block', () => {
    const blocks = turnBlocks(segments);
    expect(blocks.map((block) => block.tag)).toEqual(['memory-blocks', null, 'runtime-inputs']);
    expect(segmentText(of('memory-blocks'))).toBe('<system-instruction>\n<memory-blocks>\nm\n</memory-blocks>');
    expect(segmentText(of('runtime-inputs'))).toBe(
      '<runtime-inputs>\n{"a":1}\n</runtime-inputs>\n</system-instruction>',
    );
    expect(comparedText(of('memory-blocks'))).toBe('<memory-blocks>\nm\n</memory-blocks>');
    expect(comparedText(of('runtime-inputs'))).toBe('<runtime-inputs>\n{"a":1}\n</runtime-inputs>');
    expect(blocks.map((block) => block.changedSincePreviousTurn)).toEqual([null, null, null]);
  });
});
