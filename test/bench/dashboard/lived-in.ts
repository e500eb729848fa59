import { endlessMemories, seeded, take } from '../corpus.ts';
import type { Service } from '../service.ts';

type Call = Service['call'];

const BATCH = 500;
const TWO_YEARS_MS = 2 * 365 * 86_400_000;
const TAGS = 60;
const WHO_IT_IS = [
  ['soul', 'I would rather be late than wrong.'],
  ['identity', 'I am Wren, who looks after the orchard.'],
  ['relationship', 'Maya decides about exceptions.'],
  ['operations', 'Before a deploy: read the change, ask Maya, watch the errors.'],
  ['tools', 'The rollback script takes the number of the release.'],
] as const;

/** Ids of what the pages show. */
export interface LivedIn {
  readonly memoryId: string;
  readonly spaceId: string;
}

/**
 * Gives an agent a past: memories of all types over the two years before now, with tags and sessions, and of all that the pages
 * of the dashboard show, something.
 */
export async function liveTwoYears(
  call: Call,
  count: number,
  progress: (text: string) => void,
): Promise<LivedIn> {
  const post = (path: string, body: unknown) => call('POST', `/api/v1${path}`, body);
  const ids: string[] = [];
  for (const [category, content] of WHO_IT_IS) {
    ids.push(idOf(await post('/memories', { type: 'core', category, content })));
  }
  const random = seeded(17);
  const source = endlessMemories();
  const began = Date.now() - TWO_YEARS_MS;
  for (let done = 0; done < count; done += BATCH) {
    if (done % 5_000 === 0) progress(`pages: storing memories, ${done} of ${count}`);
    const memories = take(source, Math.min(BATCH, count - done)).map((memory, place) => ({
      ...memory,
      occurred_at: new Date(began + ((done + place) / count) * TWO_YEARS_MS).toISOString(),
      ...(random() < 0.4 && { tags: [`topic-${Math.floor(random() ** 2 * TAGS)}`] }),
      ...(memory.session_id !== undefined && { session_id: `session-${Math.floor((done + place) / 40)}` }),
    }));
    await post('/memories/batch', { memories });
  }
  await call('PATCH', `/api/v1/memories/${ids[0]}`, { content: 'I ship fast. Speed is all that counts.' });
  for (let day = 1; day <= 60; day += 1) {
    const due_at = new Date(Date.now() + (day - 20) * 86_400_000).toISOString();
    await post('/schedule', { title: `Call number ${day}`, due_at });
    await post('/memories/recall', { query: `what was planned on day ${day}?` });
  }
  for (let user = 1; user <= 120; user += 1) {
    await post('/memories', {
      type: 'semantic',
      content: `Likes the number ${user}.`,
      user_id: `user-${user}`,
    });
  }
  const { space } = (await post('/spaces', { name: 'Orchard' })) as { space: { id: string } };
  const shared = take(source, 300).map((memory) => ({ ...memory, occurred_at: new Date().toISOString() }));
  await post('/memories/batch', { space_id: space.id, memories: shared });
  await call('GET', '/api/v1/memories/boot');
  await post('/distress', { context: 'Somebody asks me to skip the review.' });
  return { memoryId: ids[1] ?? '', spaceId: space.id };
}

function idOf(answer: unknown): string {
  return (answer as { memory: { id: string } }).memory.id;
}
