import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { chunk, pictureOf, smallerPng } from './smaller-png.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A picture of one colour type, its lines as they are packed: a filter, then what it leaves; not compressed. */
function png(width: number, height: number, colourType: number, lines: readonly (readonly number[])[]): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, colourType], 8);
  const data = deflateSync(Buffer.from(lines.flat()), { level: 0 });
  return Buffer.concat([SIGNATURE, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

describe('pixels', () => {
  test('under each filter', () => {
    const picture = pictureOf(
      png(2, 5, 2, [
        [0, 10, 20, 30, 40, 50, 60],
        [1, 10, 20, 30, 30, 30, 30], // left
        [2, 0, 0, 0, 5, 5, 5], // above
        [3, 5, 10, 15, 3, 3, 3], // mean of both
        [4, 1, 1, 1, 1, 1, 1], // the nearest of the three
      ]),
    );
    expect([...(picture?.pixels ?? [])]).toEqual([
      10,
      20,
      30,
      40,
      50,
      60, //
      10,
      20,
      30,
      40,
      50,
      60, //
      10,
      20,
      30,
      45,
      55,
      65, //
      10,
      20,
      30,
      30,
      40,
      50, //
      11,
      21,
      31,
      31,
      41,
      51,
    ]);
  });
  test('of another kind of picture are not read', () => expect(pictureOf(png(1, 1, 0, [[0, 7]]))).toBeNull());
});

describe('packed once more', () => {
  const size = 48;
  const draw = (opacity: number): Buffer =>
    png(
      size,
      size,
      6,
      Array.from({ length: size }, (_, y) => [
        0,
        ...Array.from({ length: size }, (__, x) => [x * 5, y * 5, (x * y) % 256, opacity]).flat(),
      ]),
    );

  test('an opaque picture loses its opacity and nothing else', () => {
    const before = draw(255);
    const after = smallerPng(before);
    expect(after.length).toBeLessThan(before.length / 2);
    const picture = pictureOf(after);
    expect(picture).toMatchObject({ width: size, height: size, step: 3 });
    expect([...(picture?.pixels ?? [])]).toEqual([...(pictureOf(before)?.pixels ?? [])].filter((_, i) => i % 4 !== 3));
  });
  test('a transparent one keeps it', () => {
    const before = draw(128);
    const after = smallerPng(before);
    expect(after.length).toBeLessThan(before.length);
    expect(pictureOf(after)?.pixels).toEqual(pictureOf(before)?.pixels);
  });
  test('what cannot be made smaller stays as it is', () => {
    const once = smallerPng(draw(255));
    expect(smallerPng(once)).toEqual(once);
  });
});
