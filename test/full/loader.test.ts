import { createEngine, createStaticEmbedder, openPostgres } from '@svc-memory/core';
import { createTestDatabase, queryPostgres } from '@svc-memory/core/testing';
import { expect, it } from 'vitest';
import { memoriesOf, questionsOf } from '../bench/corpus.ts';
import { openLoader } from '../bench/scale/loader.ts';

const MEMORIES = 300;
const NOW = new Date('2026-03-01T12:00:00.000Z');
/** New with each row, or of the tenant. */
const OWN = ['tenant_id', 'id', 'memory_id', 'transaction', 'changed_in', 'hash', 'display_name'];

/** All rows of a tenant by table, but for what no two tenants have alike. */
async function rowsOf(url: string, tenantId: string): Promise<Record<string, unknown[]>> {
  const tables = await queryPostgres(
    url,
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'tenant_id' ORDER BY 1`,
  );
  const found: Record<string, unknown[]> = {};
  for (const { name } of tables) {
    const rows = await queryPostgres(
      url,
      `SELECT row FROM (SELECT to_jsonb(t) ${OWN.map((column) => `- '${column}'`).join(' ')} #- '{data,memory_id}' AS row
         FROM "${name}" t WHERE tenant_id = '${tenantId}') AS rows ORDER BY row::text`,
    );
    found[String(name)] = rows.map(({ row }) => row);
  }
  return found;
}

it('what the benchmark loads is what the service itself stores', async () => {
  const { url, drop } = await createTestDatabase(process.env.SVC_TEST_DATABASE_URL ?? '');
  const embedder = createStaticEmbedder();
  const clock = () => NOW;
  const database = await openPostgres({ url });
  // The process and the database round differently: both are to be asked in the same place.
  const settings = { recallHeldBytes: 0 };
  const engine = createEngine({ database, embedder, clock, settings });
  try {
    const [stored, loaded] = [
      await engine.tenants.create({ displayName: 'Stored', plan: 'local' }),
      await engine.tenants.create({ displayName: 'Loaded', plan: 'local' }),
    ];
    const memories = memoriesOf(MEMORIES).map((memory, place) => ({
      ...memory,
      content: place % 50 === 0 ? `${memory.content}\n\tC:\\new \\. "two"` : memory.content,
    }));
    await engine.agent(stored.id).rememberBatch({ memories });
    const loader = openLoader({ url, database, embedder, clock });
    await loader.load([
      { tenantId: loaded.id, memories: memories.slice(0, 100) },
      { tenantId: loaded.id, memories: memories.slice(100) },
    ]);
    await loader.close();
    const rows = await rowsOf(url, loaded.id);
    expect(rows.memories).toHaveLength(MEMORIES);
    expect(rows.events).toHaveLength(MEMORIES);
    expect(rows).toEqual(await rowsOf(url, stored.id));

    const answer = async (tenantId: string, query: string) => {
      const { results } = await engine.agent(tenantId).recall({ query, threshold: 0, limit: 50 });
      const contentOf = new Map(results.map(({ id, content }) => [id, content]));
      return results.map(({ id: _, conflicts_with = [], ...rest }) => ({
        ...rest,
        conflicts_with: conflicts_with.map((id) => contentOf.get(id)),
      }));
    };
    for (const question of questionsOf(40)) {
      expect(await answer(loaded.id, question)).toEqual(await answer(stored.id, question));
    }
  } finally {
    await engine.close();
    await drop();
  }
});
