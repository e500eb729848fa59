import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { rows } from '../../kernel/database/database.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const DAY_MS = 86_400_000;

const kit = useTestEngine();

/** An agent of whose two users one has been forgotten, and whose erasure was cut off behind its first step. */
async function withForgotten(write: (user_id: string) => Promise<unknown>, tenantId: string) {
  for (const user_id of ['gone', 'here']) await write(user_id);
  await kit.engine.database.system((tx) =>
    rows(
      tx,
      sql`UPDATE agent_users SET forgotten_id = user_id, forgotten_at = now(), user_id = chr(1) || user_tenant_id
          WHERE tenant_id = ${tenantId}::uuid AND user_id = 'gone' RETURNING 1`,
    ),
  );
}

it('the reflections of others begin beside a user who is being forgotten', async () => {
  const { tenantId, agent: as } = await kit.tenant();
  const agent = as();
  await withForgotten(
    (user_id) => agent.remember({ type: 'semantic', content: 'Likes plums.', user_id }),
    tenantId,
  );
  await kit.engine.background.run('reflection.schedule');
  expect((await agent.jobs({ user_id: 'here' })).jobs).toMatchObject([{ kind: 'reflect' }]);
});

it('what has expired of others goes beside a user who is being forgotten', async () => {
  const { tenantId, agent: as } = await kit.tenant();
  const agent = as();
  const expires_at = new Date(kit.clock().getTime() + DAY_MS).toISOString();
  await withForgotten(
    (user_id) => agent.remember({ type: 'semantic', content: 'Is away today.', expires_at, user_id }),
    tenantId,
  );
  kit.clock.advance(2 * DAY_MS);
  await kit.engine.background.run('memory.archive-expired');
  expect((await agent.archived({ user_id: 'here' })).memories).toHaveLength(1);
});

it('the jobs of others are done beside that of a user who is being forgotten', async () => {
  const { tenantId, agent: as } = await kit.tenant();
  const agent = as();
  const files = [{ name: 'notes.md', content: '# Fruit\n\nLikes plums.' }];
  await withForgotten((user_id) => agent.import({ files, user_id }), tenantId);
  await kit.engine.background.run('jobs.work');
  expect((await agent.jobs({ user_id: 'here' })).jobs).toMatchObject([{ kind: 'import', status: 'done' }]);
});
