import type { AgentMemory } from '@svc-memory/core';

const HOUR_MS = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

/** Gives an agent the memories of Ada, who looks after the releases of an orchard's software. */
export async function tellAda(agent: AgentMemory): Promise<void> {
  await agent.rememberBatch({
    memories: [
      {
        type: 'core',
        category: 'soul',
        content: 'I would rather ship late than ship something I would not want to be woken up for.',
        importance: 1,
      },
      {
        type: 'core',
        category: 'identity',
        content:
          'I am Ada, release engineer of the Orchard team. I keep deploys boring, and I say no when it matters.',
        importance: 1,
      },
      {
        type: 'core',
        category: 'relationship',
        content: 'Maya decides about exceptions. She likes short messages with the risk first.',
      },
      {
        type: 'core',
        category: 'operations',
        content: 'Before a deploy: read the diff, check the error budget, tell #releases.',
      },
      {
        type: 'core',
        category: 'tools',
        content: 'The rollback script is ops/rollback.sh; it takes the release number.',
      },
      ...EPISODES.map(([hours, content, tags]) => ({
        type: 'episodic' as const,
        content,
        tags: [...tags],
        occurred_at: ago(hours),
      })),
      ...KNOWLEDGE.map((content) => ({ type: 'semantic' as const, content, tags: ['orchard'] })),
      ...WORKING.map((content, index) => ({ type: 'working' as const, content, key: `now-${index}` })),
    ],
  });
  await agent.boot();
  await agent.compaction({ phase: 'pre', session_id: 'release' });
  await agent.compaction({ phase: 'post', session_id: 'release' });
}

const EPISODES: readonly (readonly [number, string, readonly string[]])[] = [
  [
    0.4,
    'Maya approved the hotfix for the payment webhook; deployed as 2.14.1 without a rollback.',
    ['deploy', 'maya'],
  ],
  [
    3,
    'The staging database ran out of connections during the load test. Raised the pool from 20 to 50.',
    ['staging'],
  ],
  [
    9,
    'Paired with Jonas on the flaky harvest test. It compared times across midnight; fixed with a fixed clock.',
    ['tests'],
  ],
  [26, 'Released 2.14 to all regions. Error rate stayed at 0.02 %.', ['deploy']],
  [31, 'Declined to deploy on Friday afternoon. Jonas was not amused, Maya was.', ['deploy', 'maya']],
  [
    52,
    'Context was compacted in the middle of the release notes. Found the draft in working memory and went on.',
    [],
  ],
  [76, 'The nightly import of weather data failed again: the provider changed the date format.', ['weather']],
  [101, 'Wrote down the rollback drill after we needed eleven minutes for it. Next time: four.', ['deploy']],
  [170, 'Introduced myself to Priya, who takes over the weather integration in October.', ['priya']],
  [340, 'First deploy with the new pipeline. Two false alarms, no real ones.', ['deploy']],
];

const KNOWLEDGE = [
  'Deploys are frozen on Fridays; Maya approves exceptions.',
  'The error budget of checkout is 0.1 % a month.',
  'The weather provider answers dates as DD.MM.YYYY since version 3.',
  'Customers in Chile see prices without tax.',
  'The search index is rebuilt every night at 02:30 UTC and takes 40 minutes.',
  'Jonas prefers pull requests under 300 lines.',
] as const;

const WORKING = [
  'Release 2.15: waiting for the translation of the harvest calendar, then tag and announce.',
  'Ask Priya whether the weather fallback may be switched off.',
  'Watch checkout latency until Thursday: p95 was 410 ms after 2.14.',
] as const;

const DAY_MS = 86_400_000;
const DAYS = 30;

/** Lets an agent boot and be compacted day by day over the last month, and change a little. */
export async function liveThrough(
  agent: AgentMemory,
  shiftClock: (milliseconds: number) => void,
): Promise<void> {
  await agent.remember({
    type: 'core',
    category: 'routine',
    content: 'Every morning: the overnight errors first.',
  });
  for (let day = DAYS; day > 0; day -= 1) {
    // The number of sessions differs by day, but is the same in every run.
    const sessions = (day * 7) % 4;
    shiftClock(-day * DAY_MS);
    for (let session = 0; session < sessions; session += 1) {
      const session_id = `${day}-${session}`;
      await agent.boot();
      if ((day + session) % 3 === 0) continue;
      await agent.compaction({ phase: 'pre', session_id });
      await agent.compaction({ phase: 'post', session_id });
    }
  }
  shiftClock(0);
}
