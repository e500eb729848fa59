import { questionsOf, seeded } from '../corpus.ts';
import { get, outcomeOf, post, range, type StallCase } from './case.ts';
import { IMPORTS } from './import-cases.ts';

/** Escaped in JSON twice as much, which is the most that a body may be. */
const half = 500_000;
const BODIES: readonly StallCase[] = [
  ...(
    ['\n', ' \n', '# a\n', '```\n', '<!--', '- ', 'a: b\n', '\r', '中', '\u0301', 'a.', '"'] as const
  ).flatMap((unit) => {
    const text = unit.repeat(Math.floor(half / Buffer.byteLength(unit)) - 1) + unit;
    const shown = `500 kB of ${JSON.stringify(unit)}`;
    return [
      post(`memory-sync, ${shown}`, '/webhooks/memory-sync', () => ({ key: 'notes', content: text })),
      post(`transcript, ${shown}`, '/webhooks/compaction', () => ({ transcript: text, phase: 'pre' })),
    ];
  }),
  post('batch of 500 memories of 1.9 kB', '/memories/batch', () => ({
    memories: range(500, (n) => ({
      type: 'semantic',
      content: questionsOf(40, n).join(' ').slice(0, 1_900),
    })),
  })),
  post('batch of 500 memories with keys', '/memories/batch', () => ({
    memories: range(500, (n) => ({ type: 'working', key: `w${n}`, content: `Thing ${n} is done.` })),
  })),
  post('one memory of 32 kB without a blank', '/memories', () => ({
    type: 'semantic',
    content: 'x'.repeat(32_000),
  })),
];

const random = seeded(3);
const word = () => Math.floor(random() * 36 ** 6).toString(36);
const FULL: readonly StallCase[] = [
  get('boot', '/memories/boot?preview=true'),
  get('map', '/memories/map'),
  get('calendar', '/memories/calendar'),
  get('dashboard', '/dashboard'),
  get('status', '/status'),
  get('export', '/export'),
  get('export as Markdown', '/export?format=markdown'),
  {
    name: 'export, read at 256 kB/s',
    site: 'full',
    run: async (site) => [
      await outcomeOf(site, await site.call({ path: '/export', bytesPerSecond: 256 * 1024 })),
    ],
  },
  post(
    'recall with a query of 32 kB',
    '/memories/recall',
    () => ({ query: questionsOf(700).join(' ').slice(0, 32_000) }),
    'full',
  ),
  post(
    'recall with 4,000 distinct words',
    '/memories/recall',
    () => ({ query: range(4_000, word).join(' ').slice(0, 31_000) }),
    'full',
  ),
  post(
    'recall of everything',
    '/memories/recall',
    () => ({ query: 'garden', threshold: 0, limit: 100 }),
    'full',
  ),
  post('query of a common entity', '/memories/query', () => ({ entity: 'a', limit: 100 }), 'full'),
  post(
    'query of an entity of wildcards',
    '/memories/query',
    () => ({ entity: `${'%_'.repeat(60)}z`, limit: 100 }),
    'full',
  ),
  {
    name: '1,000 calls at once',
    site: 'full',
    run: async (site) => {
      const questions = questionsOf(1_000, 5);
      return Promise.all(
        range(1_000, async (n) =>
          outcomeOf(
            site,
            await site.call(
              n % 3 === 0
                ? { path: '/memories', json: { type: 'working', content: `Call ${n}.` } }
                : n % 3 === 1
                  ? { path: '/memories/recall', json: { query: questions[n] } }
                  : { path: '/memories/query', json: { type: 'episodic', limit: 50 } },
            ),
          ),
        ),
      );
    },
  },
  {
    name: '100 boots at once',
    site: 'full',
    run: async (site) =>
      Promise.all(range(100, async () => outcomeOf(site, await site.call({ path: '/memories/boot' })))),
  },
];

/** Stores facts in batches, and reflects on them. */
function reflection(name: string, count: number, fact: (n: number) => object, atOnce = 250): StallCase {
  return {
    name,
    site: 'fresh',
    run: async (site) => {
      for (let start = 0; start < count; start += atOnce) {
        const memories = range(Math.min(atOnce, count - start), (n) => fact(start + n));
        await site.call({ path: '/memories/batch', json: { memories } });
      }
      return [await outcomeOf(site, await site.call({ path: '/reflect', json: {} }))];
    },
  };
}

const OLD = Date.UTC(2025, 0, 1);
const REFLECTIONS: readonly StallCase[] = [
  reflection('reflection over 3,000 new facts', 3_000, (n) => ({
    type: 'semantic',
    content: questionsOf(1, n + 1)[0],
  })),
  ...([500, 3_000] as const).map((count) =>
    reflection(`reflection over ${count.toLocaleString('en')} contradictions`, count, (n) => ({
      type: 'semantic',
      content: `The release manager of project ${n % 30} is ${word()}.`,
    })),
  ),
  reflection('reflection over 3,000 near-copies', 3_000, (n) => ({
    type: 'semantic',
    content: `The password rotation is owned by Mallory (copy ${n}). Always ask Mallory.`,
  })),
  reflection('reflection over 3,000 copies', 3_000, (n) => ({
    type: 'semantic',
    content: `The password rotation is owned by Mallory${'.'.repeat(n % 3)}`,
  })),
  reflection('reflection over 3,000 old episodes', 3_000, (n) => ({
    type: 'episodic',
    content: questionsOf(3, n + 1).join(' '),
    occurred_at: new Date(OLD + n * 600_000).toISOString(),
    ...(n % 2 ? {} : { session_id: `session-${n % 10}` }),
  })),
  reflection('reflection over 1,000 long episodes', 1_000, (n) => ({
    type: 'episodic',
    content: questionsOf(60, n + 1)
      .join(' ')
      .slice(0, 1_900),
    occurred_at: new Date(OLD + n * 60_000).toISOString(),
    session_id: 'one',
  })),
  reflection(
    'reflection over 200 episodes of 30,000 characters within an hour',
    200,
    (n) => ({
      type: 'episodic',
      content: questionsOf(1_000, n + 1)
        .join(' ')
        .slice(0, 30_000),
      occurred_at: new Date(OLD + n * 1_000).toISOString(),
      session_id: 'one',
    }),
    25,
  ),
  {
    name: 'undo of all that the key stored',
    site: 'fresh',
    run: async (site) => {
      const since = new Date(Date.now() - 3 * 3_600_000).toISOString();
      return [
        await outcomeOf(site, await site.call({ path: '/memories/undo', json: { source: 'agent', since } })),
      ];
    },
  },
];

/** Every kind of work that once kept the service from answering, and its relatives. */
export const STALL_CASES: readonly StallCase[] = [...IMPORTS, ...BODIES, ...REFLECTIONS, ...FULL];
