import { describe, expect, test } from 'vitest';
import { brief, build } from '../testing/params.ts';
import { en, zh } from '../testing/texts.ts';
import type { HistoryRecord, LlmMessage, MediaRef } from '../types.ts';
import { CAPTION_CHARS, captionOf, isPictureNote, pictureNote, pictureNoteRow } from './picture-notes.ts';
import {
  MAX_PICTURE_BYTES,
  prepareForModel,
  recentPicturesMessage,
  remembered,
  type StoredPicture,
} from './pictures.ts';

const noteRow = (id: string, caption: string, rest: Partial<HistoryRecord> = {}): HistoryRecord => ({
  role: 'user',
  sourceType: 'system',
  content: pictureNote({ caption }, en),
  turnId: 't1',
  ui: [
    {
      type: 'asset.generate',
      data: {
        id: `asset-${id}`,
        sessionId: 's1',
        ref: { id, mime: 'image/png', size: 3 },
        modality: 'image',
        meta: { caption },
      },
    },
  ],
  ...rest,
});

type Part = { readonly type: string; readonly text?: string; readonly image?: string };
const partsOf = (message: LlmMessage | undefined): readonly Part[] =>
  typeof message?.content === 'object' ? message.content : [];

describe('note', () => {
  test.each([
    [{ caption: 'A lamp.', prompt: 'p' }, 'A lamp.'],
    [{ caption: ' \n', prompt: ' a\n  lamp\tburns ' }, 'a lamp burns'],
    [{}, ''],
    [null, ''],
    [{ caption: 7 }, ''],
    [{ caption: 'x'.repeat(700) }, 'x'.repeat(CAPTION_CHARS)],
    [{ caption: `${'x'.repeat(599)}😀y` }, 'x'.repeat(599)],
  ])('caption of %j', (meta, caption) => expect(captionOf(meta)).toBe(caption));

  test('with and without what it depicts', () => {
    expect(pictureNote({ caption: 'A lamp.' }, en)).toBe('A picture was shown to the player here: A lamp.');
    expect(pictureNote({}, en)).toBe('A picture was shown to the player here.');
    expect(pictureNote({ prompt: '灯' }, zh)).toBe('这里向玩家展示了一张图片：灯');
  });

  test('is a row in the user’s role, and only pictures have one', () => {
    const asset = { modality: 'image', meta: { caption: 'Lamp' }, ref: { id: 'm', mime: 'image/png', size: 1 } };
    const row = pictureNoteRow(asset, 't1', en);
    expect(row).toMatchObject({ role: 'user', sourceType: 'system', turnId: 't1' });
    expect(row && isPictureNote(row)).toBe(true);
    expect(row?.content).not.toContain('m"');
    expect(pictureNoteRow({ ...asset, modality: 'audio' }, 't1', en)).toBeNull();
  });
});

describe('recent pictures', () => {
  const history = [noteRow('p1', 'One'), noteRow('p2', ''), noteRow('p3', 'Three')];

  test('the newest two, oldest first, right before the player; everything before unchanged', async () => {
    const given = { messageHistory: history, pictureAttachments: 2, manifest: { outputKind: 'story' } };
    const two = await build({ ...given, messageHistory: history.slice(0, 2) });
    const three = await build(given);
    expect(three.messages.at(-2)).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: en.text('picture.intro') },
        { type: 'text', text: 'Picture 1' },
        { type: 'media', ref: { id: 'p2', mime: 'image/png', size: 3 } },
        { type: 'text', text: 'Picture 2: Three' },
        { type: 'media', ref: { id: 'p3', mime: 'image/png', size: 3 } },
      ],
    });
    expect(three.messages.slice(0, 2)).toEqual(two.messages.slice(0, 2));
    expect(three.currentTurnUserMessages).toBe(2);
    expect(three.segmented.at(-2)?.segments.map(({ kind }) => kind)).toEqual(['pictures']);
    expect(three.segmented.slice(0, 3).map(({ segments }) => segments[0]?.kind)).toEqual(Array(3).fill('picture-note'));
  });

  test('after the turn context', async () => {
    const context = await build({
      messageHistory: history,
      pictureAttachments: 1,
      activation: { source: 'manual', detached: false, payload: null },
    });
    expect(context.messages.slice(-3).map(({ role }) => role)).toEqual(['system', 'user', 'user']);
  });

  test.each([
    [0, 0],
    [1, 1],
    [2, 2],
    [5, 2],
  ])('%d wanted: %d shown', (wanted, shown) =>
    expect(
      (recentPicturesMessage(history, wanted, en)?.message.content as readonly { type: string }[] | undefined)?.filter(
        ({ type }) => type === 'media',
      ).length ?? 0,
    ).toBe(shown),
  );

  test('rows that a summary stands for show none', () =>
    expect(recentPicturesMessage([noteRow('p1', 'One', { compactedAtTurnId: 'x' })], 2, en)).toBeNull());

  test('a runtime that asked for none sees the notes alone', async () =>
    expect(brief(await build({ messageHistory: history }))).toEqual([
      'U:A picture was shown to the player here: One',
      'U:A picture was shown to the player here.',
      'U:A picture was shown to the player here: Three',
      'U:I knock.',
    ]));
});

describe('right before a call', () => {
  const message = recentPicturesMessage([noteRow('p1', 'One'), noteRow('p2', 'Two')], 2, en)?.message as LlmMessage;
  const all: readonly LlmMessage[] = [{ role: 'user', content: 'note' }, message, { role: 'user', content: 'go' }];
  const stored = (rest: Partial<StoredPicture> = {}): StoredPicture => ({
    mime: 'image/png',
    size: 3,
    isOfSession: true,
    read: () => Promise.resolve(new Uint8Array([1, 2, 3])),
    ...rest,
  });
  const load =
    (pictures: Readonly<Record<string, StoredPicture | null>>) =>
    (ref: MediaRef): Promise<StoredPicture | null> =>
      Promise.resolve(pictures[ref.id] ?? null);

  test('a text-only model gets no media at all', async () => {
    const { messages, skipped } = await prepareForModel(all, { acceptsImages: false, load: load({}) });
    expect(messages.map(({ content }) => content)).toEqual(['note', 'go']);
    expect(JSON.stringify(messages)).not.toContain('p1');
    expect(skipped).toEqual([]);
  });

  test('a model with image input gets base64', async () => {
    const { messages } = await prepareForModel(all, {
      acceptsImages: true,
      load: load({ p1: stored({ mime: 'Image/JPEG; q=1' }), p2: stored() }),
    });
    expect(messages[1]?.content).toEqual([
      { type: 'text', text: en.text('picture.intro') },
      { type: 'text', text: 'Picture 1: One' },
      { type: 'image', image: 'AQID', mediaType: 'image/jpeg' },
      { type: 'text', text: 'Picture 2: Two' },
      { type: 'image', image: 'AQID', mediaType: 'image/png' },
    ]);
  });

  test.each([
    ['unknown', null],
    ['other-session', stored({ isOfSession: false })],
    ['empty', stored({ size: 0 })],
    ['empty', stored({ read: () => Promise.resolve(new Uint8Array()) })],
    ['too-large', stored({ size: MAX_PICTURE_BYTES + 1 })],
    ['too-large', stored({ read: () => Promise.resolve(new Uint8Array(MAX_PICTURE_BYTES + 1)) })],
    ['wrong-type', stored({ mime: 'image/bmp' })],
    ['read-failed', stored({ read: () => Promise.reject(new Error('gone')) })],
  ] as const)('%s: skipped with its line, never the intro', async (reason, picture) => {
    const one = await prepareForModel(all, { acceptsImages: true, load: load({ p1: picture, p2: stored() }) });
    expect(one.skipped).toEqual([{ id: 'p1', reason, detail: expect.toBeOneOf([null, 'gone', 'image/bmp']) }]);
    expect(partsOf(one.messages[1]).map(({ text }) => text ?? 'image')).toEqual([
      en.text('picture.intro'),
      'Picture 2: Two',
      'image',
    ]);
    const none = await prepareForModel(all, { acceptsImages: true, load: load({ p1: picture, p2: picture }) });
    expect(none.messages.map(({ content }) => content)).toEqual(['note', 'go']);
  });

  test('exactly the limit is sent, and the store is asked once in a tool loop', async () => {
    let reads = 0;
    const read = (): Promise<Uint8Array> => {
      reads++;
      return Promise.resolve(new Uint8Array(MAX_PICTURE_BYTES));
    };
    const once = remembered(load({ p1: stored({ size: MAX_PICTURE_BYTES, read }), p2: null }));
    for (let i = 0; i < 2; i++) {
      const { messages } = await prepareForModel(all, { acceptsImages: true, load: once });
      const image = partsOf(messages[1]).find((part) => part.image)?.image;
      expect(image).toHaveLength(5_000_000);
    }
    expect(reads).toBe(1);
  });
});
