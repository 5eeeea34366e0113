/**
 * A picture comes as an http(s) URL, a data URL or bare base64, and each protocol wants it in its own form (assembler
 * page, section 8.7). Base64 without a type tells its format by its first characters.
 */
import type { BuildMessage, BuildPart } from './types.ts';
import { partText } from './content.ts';

export type ImagePart = Extract<BuildPart, { readonly type: 'image' }>;

export type ImageSource =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'inline'; readonly mediaType: string; readonly data: string };

/** First characters of the base64 of a picture, by format. */
const SIGNATURES: readonly (readonly [prefix: string, mediaType: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
];
const DEFAULT_TYPE = 'image/png';

const DATA_URL = /^data:([^;,]*)((?:;[^;,]*)*),(.*)$/is;

function readDataUrl(url: string): ImageSource | null {
  const [, type = '', parameters = '', data = ''] = DATA_URL.exec(url) ?? [];
  if (!/;base64$/i.test(parameters)) return null;
  return { kind: 'inline', mediaType: type.toLowerCase() || DEFAULT_TYPE, data };
}

/** What a picture is: a URL that the provider fetches, or its bytes in base64 with their type. */
export function readImage({ image, mediaType }: Pick<ImagePart, 'image' | 'mediaType'>): ImageSource {
  if (/^https?:\/\//i.test(image)) return { kind: 'url', url: image };
  if (/^data:/i.test(image)) return readDataUrl(image) ?? { kind: 'url', url: image };
  const sniffed = SIGNATURES.find(([prefix]) => image.startsWith(prefix))?.[1];
  return { kind: 'inline', mediaType: mediaType ?? sniffed ?? DEFAULT_TYPE, data: image };
}

/** The one string form: the URL itself, or a data URL. */
export function imageUrl(part: ImagePart): string {
  const source = readImage(part);
  return source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`;
}

/** For a model that reads text only: each picture becomes its placeholder. */
export function withoutImages(message: BuildMessage): BuildMessage {
  const { content } = message;
  if (content === null || 'runs' in content || !content.some((part) => part.type === 'image')) return message;
  return {
    ...message,
    content: content.map((part): BuildPart => (part.type === 'image' ? { type: 'text', text: partText(part) } : part)),
  };
}
