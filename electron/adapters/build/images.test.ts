/** Assembler page, section 8.7. */
import { expect, test } from 'vitest';
import { imageUrl, readImage } from './images.ts';

test.each([
  ['an address', { image: 'https://a.example/p' }, { kind: 'url', url: 'https://a.example/p' }],
  ['in any case', { image: 'HTTP://a.example/p' }, { kind: 'url', url: 'HTTP://a.example/p' }],
  [
    'a data URL says its type',
    { image: 'data:image/WEBP;base64,QQ==', mediaType: 'image/gif' },
    inline('image/webp', 'QQ=='),
  ],
  ['a data URL without a type', { image: 'data:;base64,QQ==' }, inline('image/png', 'QQ==')],
  ['with parameters', { image: 'data:image/png;name=x;base64,QQ==' }, inline('image/png', 'QQ==')],
  [
    'a data URL that is not base64 stays as it is',
    { image: 'data:image/svg+xml,<svg/>' },
    { kind: 'url', url: 'data:image/svg+xml,<svg/>' },
  ],
  ['base64 with a type', { image: 'QQ==', mediaType: 'image/gif' }, inline('image/gif', 'QQ==')],
  ['png', { image: 'iVBORw0KGgoAA' }, inline('image/png', 'iVBORw0KGgoAA')],
  ['jpeg', { image: '/9j/4AAQ' }, inline('image/jpeg', '/9j/4AAQ')],
  ['gif', { image: 'R0lGODlh' }, inline('image/gif', 'R0lGODlh')],
  ['webp', { image: 'UklGRkQA' }, inline('image/webp', 'UklGRkQA')],
  ['of no known format', { image: 'QUJD' }, inline('image/png', 'QUJD')],
])('%s', (_, part, source) => expect(readImage(part)).toEqual(source));

function inline(mediaType: string, data: string) {
  return { kind: 'inline', mediaType, data };
}

test('one string form for all', () => {
  const part = (image: string) => ({ type: 'image', image, segment: 's1' }) as const;
  expect(imageUrl(part('https://a.example/p'))).toBe('https://a.example/p');
  expect(imageUrl(part('/9j/4'))).toBe('data:image/jpeg;base64,/9j/4');
});
