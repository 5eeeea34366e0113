/**
 * A browser packs its pictures in haste. A picture that is kept in the repository is packed once more, without loss:
 * opaque pixels without their opacity, each line with the filter that suits it, and the slowest deflate.
 */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const HEAD = 8;
const RGBA = 6;
const RGB = 2;

type Chunk = { readonly type: string; readonly data: Buffer };

function chunksOf(png: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = HEAD; at < png.length;) {
    const size = png.readUInt32BE(at);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + size) });
    at += size + 12;
  }
  return chunks;
}

/** A chunk as it stands in a file: size, type, data, check sum. */
export function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

/** The predictor of PNG's fourth filter: left, above or above left, whichever is nearest to their plane. */
function paeth(a: number, b: number, c: number): number {
  const [da, db, dc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  return da <= db && da <= dc ? a : db <= dc ? b : c;
}

/** What the five filters foresee for a byte, from the bytes left of, above and above left of it. */
const FORESEEN: readonly ((a: number, b: number, c: number) => number)[] = [
  () => 0,
  (a) => a,
  (_, b) => b,
  (a, b) => (a + b) >> 1,
  paeth,
];

/** Plain bytes of the pixels, line after line. */
function plainOf(packed: Buffer, height: number, line: number, step: number): Uint8Array {
  const plain = new Uint8Array(height * line);
  for (let y = 0; y < height; y++) {
    const foresee = FORESEEN[packed[y * (line + 1)] ?? 0] ?? (() => 0);
    const row = y * line;
    for (let x = 0; x < line; x++) {
      const a = x < step ? 0 : plain[row + x - step]!;
      const b = y === 0 ? 0 : plain[row - line + x]!;
      const c = x < step || y === 0 ? 0 : plain[row - line + x - step]!;
      plain[row + x] = packed[y * (line + 1) + 1 + x]! + foresee(a, b, c);
    }
  }
  return plain;
}

/** Each line under the filter that leaves the smallest differences; or all without one, which suits even surfaces. */
function filtered(plain: Uint8Array, height: number, line: number, step: number, isAdaptive: boolean): Buffer {
  const packed = Buffer.alloc(height * (line + 1));
  const tried = FORESEEN.map(() => new Uint8Array(line));
  for (let y = 0; y < height; y++) {
    const row = y * line;
    const costs = FORESEEN.map((foresee, filter) => {
      if (!isAdaptive && filter > 0) return Infinity;
      let cost = 0;
      for (let x = 0; x < line; x++) {
        const a = x < step ? 0 : plain[row + x - step]!;
        const b = y === 0 ? 0 : plain[row - line + x]!;
        const c = x < step || y === 0 ? 0 : plain[row - line + x - step]!;
        const left = (plain[row + x]! - foresee(a, b, c)) & 255;
        tried[filter]![x] = left;
        cost += left < 128 ? left : 256 - left;
      }
      return cost;
    });
    const best = costs.indexOf(Math.min(...costs));
    packed[y * (line + 1)] = best;
    packed.set(tried[best]!, y * (line + 1) + 1);
  }
  return packed;
}

type Picture = {
  readonly width: number;
  readonly height: number;
  /** Bytes to a pixel: 3 for RGB, 4 for RGBA. */
  readonly step: number;
  /** Line after line. */
  readonly pixels: Uint8Array;
};

/** The pixels of what a browser writes: 8 bits, RGB or RGBA, not interlaced. Null for anything else. */
export function pictureOf(png: Buffer): Picture | null {
  const chunks = chunksOf(png);
  const head = chunks.find(({ type }) => type === 'IHDR')?.data;
  if (!head || head[8] !== 8 || head[12] !== 0 || (head[9] !== RGB && head[9] !== RGBA)) return null;
  const [width, height, step] = [head.readUInt32BE(0), head.readUInt32BE(4), head[9] === RGBA ? 4 : 3];
  const packed = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)));
  return { width, height, step, pixels: plainOf(packed, height, width * step, step) };
}

/** The same picture in fewer bytes; as it was where that cannot be done. */
export function smallerPng(png: Buffer): Buffer {
  const picture = pictureOf(png);
  if (!picture) return png;
  const { width, height } = picture;
  const isOpaque = picture.step === 4 && picture.pixels.every((byte, i) => i % 4 !== 3 || byte === 255);
  const pixels = isOpaque ? picture.pixels.filter((_, i) => i % 4 !== 3) : picture.pixels;
  const step = isOpaque ? 3 : picture.step;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, step === 3 ? RGB : RGBA], 8);
  const bodies = [true, false].map((isAdaptive) =>
    deflateSync(filtered(pixels, height, width * step, step, isAdaptive), { level: 9, memLevel: 9 }),
  );
  const body = bodies.reduce((least, one) => (one.length < least.length ? one : least));
  const made = Buffer.concat([
    png.subarray(0, HEAD),
    chunk('IHDR', head),
    chunk('IDAT', body),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return made.length < png.length ? made : png;
}
