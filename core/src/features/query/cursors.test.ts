import { beforeAll, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const kit = useTestEngine();
let agent: AgentMemory;
beforeAll(async () => {
  agent = (await kit.tenant()).agent();
  for (const content of ['Rex is a dog.', 'Tom is a cat.']) {
    const { memory } = await agent.remember({ type: 'semantic', content: `${content} He sleeps.` });
    await agent.forget({ id: memory.id });
    await agent.remember({ type: 'episodic', content });
    await agent.createWipItem({ title: content });
    await agent.createScheduleItem({ title: content, due_at: '2026-05-01T00:00:00Z' });
    await agent.recall({ query: content });
    await agent.remember({ type: 'semantic', content, user_id: content });
  }
});

const limit = 1;
/** Lists by their names, each read from a cursor on. */
const lists: Readonly<
  Record<string, (cursor?: string) => Promise<{ next_cursor: string | null } & Record<string, unknown>>>
> = {
  newest: (cursor) => agent.query({ limit, cursor }),
  oldest: (cursor) => agent.query({ limit, cursor, order: 'asc' }),
  changed: (cursor) => agent.query({ limit, cursor, sort: 'updated_at' }),
  important: (cursor) => agent.query({ limit, cursor, sort: 'importance' }),
  archived: (cursor) => agent.archived({ limit, cursor }),
  wip: (cursor) => agent.wipItems({ limit, cursor }),
  schedule: (cursor) => agent.scheduleItems({ limit, cursor }),
  recalls: (cursor) => agent.recalls({ limit, cursor }),
  users: (cursor) => agent.users({ limit, cursor }),
};

it.each(Object.keys(lists))('the cursor of the list "%s" goes on in it, and in no other', async (name) => {
  const { next_cursor: cursor, ...first } = (await lists[name]?.()) ?? {};
  const { next_cursor: _, ...second } = (await lists[name]?.(cursor ?? undefined)) ?? {};
  expect(cursor).toEqual(expect.any(String));
  expect(second).not.toEqual(first);
  for (const [other, read] of Object.entries(lists)) {
    if (other === name) continue;
    await expect(read(cursor ?? undefined), other).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'cursor', message: 'is not a cursor of this list; start without one' }],
    });
  }
});
