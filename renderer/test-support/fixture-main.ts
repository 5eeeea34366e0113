/**
 * The window on the fixture engine, for looking at it in a browser without a file: `npx vite`, then
 * `/test-support/fixture.html?turns=24&theme=light&language=zh&open=1`. It is not part of a build.
 */
import { z } from 'zod';
import { createFixture, installFixture } from './fixture-client.ts';
import { fixtureSession } from './fixture-data.ts';

const query = new URLSearchParams(location.search);
const theme = z.enum(['system', 'dark', 'light']).catch('system').parse(query.get('theme'));
const language = z.enum(['system', 'en', 'zh']).catch('system').parse(query.get('language'));
const turns = Number(query.get('turns') ?? 24);

const fixture = createFixture({
  sessions: [
    fixtureSession('fog-52a0cd11', 3, { prefix: 'f' }),
    fixtureSession('harbor-7c1e09aa', turns, { swept: query.has('swept') }),
  ],
  openAtStart: query.has('open') ? '/home/author/harbor-tides/covel.db' : null,
  settings: { theme, language },
  recent: [
    { path: '/home/author/harbor-tides/covel.db', openedAt: '2026-10-12T08:45:00.000Z', exists: true },
    { path: '/home/author/old/covel.db', openedAt: '2026-10-02T08:45:00.000Z', exists: false },
  ],
  problems: query.has('flagged')
    ? Array.from({ length: 30 }, (_, i) => ({
        code: i % 3 === 0 ? 'invalid-json' : 'payload-null',
        message: 'Unexpected end of JSON input',
        row: `trace_events/9f2c-${i}`,
      }))
    : [],
  pending: query.has('pending'),
  delay: ({ method }) => (method === 'cache.get' ? Number(query.get('wait') ?? 0) : 0),
  fail: ({ method }) =>
    query.has('cachefail') && method === 'cache.get'
      ? { code: 'engine-failed', message: '', hint: '', values: { detail: 'out of memory' } }
      : query.has('fail') && method === 'source.open'
        ? {
            code: 'not-a-database',
            message: 'This is a text file.',
            hint: '',
            values: { path: '/home/author/notes.txt' },
          }
        : null,
});
installFixture(fixture);
Object.assign(window, { fixture });
await import('../main.tsx');
