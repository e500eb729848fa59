import { createEngine, type Engine } from '@svc-memory/core';

/** Share of the ten best, as a search that looks at all memories gives them, that the tenant's usual recall finds. */
export async function shareOfExact(
  engine: Engine,
  tenantId: string,
  questions: readonly string[],
): Promise<number> {
  const exact = createEngine({
    database: engine.database,
    settings: { recallExactUpTo: Number.MAX_SAFE_INTEGER, recallHeldBytes: 0 },
  });
  let found = 0;
  let all = 0;
  const best = async (from: Engine, query: string) => {
    const { results } = await from.agent(tenantId).recall({ query, threshold: 0, limit: 10 });
    return results.map(({ id }) => id);
  };
  // By its first answer an engine learns how large the tenant is.
  await best(engine, 'hello');
  for (const question of questions) {
    const wanted = await best(exact, question);
    const had = new Set(await best(engine, question));
    all += wanted.length;
    found += wanted.filter((id) => had.has(id)).length;
  }
  return found / all;
}
