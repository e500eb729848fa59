import { createEngine, type Engine } from '@svc-memory/core';

/** What a tenant's usual recall finds of the ten best, as a search that looks at all memories gives them. */
interface Shares {
  /** The very same memories. */
  readonly same: number;
  /** These, or others that are as similar as the tenth of them: of many alike memories any will do. */
  readonly asSimilar: number;
}

export async function shareOfExact(
  engine: Engine,
  tenantId: string,
  questions: readonly string[],
): Promise<Shares> {
  const exact = createEngine({
    database: engine.database,
    settings: { recallExactUpTo: Number.MAX_SAFE_INTEGER, recallHeldBytes: 0 },
  });
  const found = { same: 0, asSimilar: 0, all: 0 };
  const best = async (from: Engine, query: string) =>
    (await from.agent(tenantId).recall({ query, threshold: 0, limit: 10 })).results;
  // By its first answer an engine learns how large the tenant is.
  await best(engine, 'hello');
  for (const question of questions) {
    const wanted = await best(exact, question);
    const had = await best(engine, question);
    const ids = new Set(had.map(({ id }) => id));
    const least = wanted.at(-1)?.similarity ?? 0;
    found.all += wanted.length;
    found.same += wanted.filter(({ id }) => ids.has(id)).length;
    found.asSimilar += had.filter(({ similarity }) => similarity >= least).length;
  }
  return { same: found.same / found.all, asSimilar: found.asSimilar / found.all };
}
