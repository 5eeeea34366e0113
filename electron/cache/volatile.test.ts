import { describe, expect, test } from 'vitest';
import { commonLead } from './shared-prefix.ts';
import { volatileAt, type VolatileKind } from './volatile.ts';

const between = (was: string, now: string) => volatileAt(was, now, commonLead(was, now));

describe('values that change by themselves', () => {
  const CASES: readonly (readonly [kind: VolatileKind, frame: (value: string) => string, was: string, now: string])[] =
    [
      ['timestamp', (v) => `Now: ${v}.`, '2026-11-30T12:03:04Z', '2026-11-30T12:03:09Z'],
      ['timestamp', (v) => `{"createdAt":"${v}"}`, '2026-11-30T12:03:04.123+08:00', '2026-12-01T00:00:00.000+08:00'],
      ['timestamp', (v) => `Today is ${v}`, '2026-11-30', '2026-12-01'],
      ['timestamp', (v) => `[${v}] Lin waits.`, '2026-11-30 09:59:59', '2026-11-30 10:00:00'],
      [
        'timestamp',
        (v) => `Date: ${v} and on`,
        'Mon Nov 30 2026 12:03:04 GMT+0800',
        'Mon Nov 30 2026 12:04:00 GMT+0800',
      ],
      ['timestamp', (v) => `It is ${v}, and`, 'November 30, 2026', 'December 1, 2026'],
      ['timestamp', (v) => `It is ${v}; and`, '30 November 2026 at 9:05', '30 November 2026 at 9:06'],
      ['timestamp', (v) => `as of ${v}`, '11/30/2026', '12/01/2026'],
      ['timestamp', (v) => `clock ${v} in the hall`, '09:59', '10:01'],
      ['timestamp', (v) => `at ${v} sharp`, '3:15 pm', '3:20 pm'],
      ['timestamp', (v) => `现在是${v}。`, '2026年11月30日', '2026年12月1日'],
      ['timestamp', (v) => `现在是${v}，`, '2026年11月30日 下午3点20分', '2026年11月30日 下午3点25分'],
      ['timestamp', (v) => `已经${v}了`, '下午3点', '下午4点'],
      ['epoch', (v) => `"at":${v},"x"`, '1796040184', '1796040244'],
      ['epoch', (v) => `ts=${v};`, '1796040184123', '1796040999001'],
      ['epoch', (v) => `"at":${v}}`, '1796040184.512', '1796040244.017'],
      [
        'uuid',
        (v) => `session ${v} of`,
        '3f0c1a52-9d1e-4c5b-8a77-0d7a1b2c3d4e',
        '3f0c1a52-9d1e-4c5b-8a77-0d7a1b2c3d4f',
      ],
      ['id', (v) => `commit ${v}.`, '8f14e45fceea167a5a36dedd4bea2543', '8f14e45fceea167a5a36dedd4bea2544'],
      ['id', (v) => `"id":"${v}"`, 'call_8f3a2c1b', 'call_9b20ee41'],
      ['id', (v) => `"id":"${v}"`, 'msg_01XFDUDYJgAACzvnptvVoYEL', 'msg_01XFDUDYJgAACzvnptvVoYEZ'],
      ['id', (v) => `ref ${v}`, '01ARZ3NDEKTSV4RRFFQ69G5FAV', '01ARZ3NDEKTSV4RRFFQ69G5FAW'],
      ['id', (v) => `key ${v}, then`, 'V1StGXR8Z5jdHi6BmyT', 'V1StGXR8Z5jdHi6BmyU'],
      ['counter', (v) => `This is ${v} of the story.`, 'turn 12', 'turn 13'],
      ['counter', (v) => `{"${v},"mood":"calm"}`, 'turnNumber":9', 'turnNumber":10'],
      ['counter', (v) => `Status (${v})`, 'step #41', 'step #42'],
      ['counter', (v) => `mood: calm, ${v}`, 'version: 4', 'version: 5'],
      ['counter', (v) => `现在是${v}，请继续。`, '第 12 回合', '第 13 回合'],
      ['counter', (v) => `现在是${v}。`, '第九回合', '第十回合'],
      ['counter', (v) => `${v}，潮位高`, '回合数：12', '回合数：13'],
      ['counter', (v) => `events so far ${v} in all`, '10482817', '10482830'],
      ['duration', (v) => `Last seen ${v}.`, '5 minutes ago', '12 minutes ago'],
      ['duration', (v) => `uptime ${v};`, '2h 15m', '2h 16m'],
      ['duration', (v) => `took ${v} to answer`, '1204 ms', '988 ms'],
      ['duration', (v) => `took ${v} to answer`, '5.2s', '6.0s'],
      ['duration', (v) => `他在${v}离开。`, '3 分钟前', '8 分钟前'],
      ['duration', (v) => `任务${v}。`, '已过去 3 小时', '已过去 4 小时'],
    ];
  test.each(CASES)('%s', (kind, frame, was, now) => {
    expect(between(frame(was), frame(now))).toEqual({ kind, was, now });
  });
});

describe('what an author or the story changed', () => {
  const CASES: readonly (readonly [what: string, was: string, now: string])[] = [
    ['a price', 'The lamp costs $12.50.', 'The lamp costs $13.00.'],
    ['a large price', 'The ship costs $1250000 today.', 'The ship costs $1260000 today.'],
    ['coins', 'She has 12 gold left.', 'She has 9 gold left.'],
    ['coins in Chinese', '她还有 120 枚金币。', '她还有 118 枚金币。'],
    ['yuan', '船价 1200000元。', '船价 1210000元。'],
    ['a year in prose', 'It was built in 1888.', 'It was built in 1889.'],
    ['a year in Chinese', '这座桥建于 1888 年。', '这座桥建于 1889 年。'],
    ['a name', 'Lin opens the door.', 'Mara opens the door.'],
    ['a name in Chinese', '林推开门。', '玛拉推开门。'],
    ['a number of paragraphs', 'Write 2 paragraphs.', 'Write 3 paragraphs.'],
    ['a rule with minutes', 'Wait 3 minutes before it boils.', 'Wait 5 minutes before it boils.'],
    ['a score', 'The score is 2:1 now.', 'The score is 3:1 now.'],
    ['a hit value', 'might: 2/5', 'might: 3/5'],
    ['a version of a program', 'Requires version 1.2.3 of it.', 'Requires version 1.2.4 of it.'],
    ['a word', 'feedface of the deep', 'deadbeef of the deep'],
    ['a kebab name', 'character-tracker says', 'character-builder says'],
    ['a chapter', 'See chapter two.', 'See chapter six.'],
    ['a total that fell', 'total 10482830 in all', 'total 10482817 in all'],
    ['a long word', 'Incomprehensibilities', 'Incomprehensiblenesses'],
    ['turn as a verb', 'They turn left.', 'They turn back.'],
    ['text behind a time', 'At 09:59 the bell rings.', 'At 09:59 the horn sounds.'],
    ['text before a time', 'The bell rings at 09:59.', 'A horn sounds at 10:01.'],
    ['a time against none', 'It is 09:59 now.', 'It is late now.'],
    ['nothing', 'The same.', 'The same.'],
  ];
  test.each(CASES)('%s is no volatile value', (_, was, now) => expect(between(was, now)).toBeNull());
});

describe('the place', () => {
  const long = 'x '.repeat(4000);
  test('the shared head belongs to the value', () => {
    const [was, now] = ['at 2026-11-30T12:03:04Z', 'at 2026-11-30T12:03:05Z'];
    expect(commonLead(was, now)).toBe(was.length - 2);
    expect(between(was, now)).toMatchObject({ was: was.slice(3), now: now.slice(3) });
  });
  test('far from both ends', () =>
    expect(between(`${long}turn 12 ${long}`, `${long}turn 13 ${long}`)).toEqual({
      kind: 'counter',
      was: 'turn 12',
      now: 'turn 13',
    }));
  test('a value that only ends at the place grew', () =>
    expect(between('turn 1', 'turn 12')).toEqual({ kind: 'counter', was: 'turn 1', now: 'turn 12' }));
  test('long runs are searched in no time', () => {
    for (const run of ['1'.repeat(100_000), 'a-'.repeat(50_000), '第'.repeat(100_000), '1:'.repeat(50_000)]) {
      const start = performance.now();
      between(`${run}x`, `${run}y`);
      expect(performance.now() - start).toBeLessThan(200);
    }
  });
});
