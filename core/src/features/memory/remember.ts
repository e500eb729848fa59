import { sql } from 'drizzle-orm';
import type { Context, Operation } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import { rows } from '../../kernel/database/database.ts';
import { awaitInOrder } from '../../kernel/runtime/waiting.ts';
import type { Stored } from '../records/contract.ts';
import type { IndexedRow } from '../supersession/held-memories.ts';
import { showWritten } from '../visibility/show.ts';
import type { memoryRoutes, NewMemory } from './contract.ts';
import type { Prepared, Related } from './insert.ts';
import { insertBatched, notifyStored, prepareAgain, prepareMemories, storePrepared } from './store.ts';

/** Stores one memory, or updates the one with the same key. */
export const remember: Operation<typeof memoryRoutes.remember> = async (context, draft) => {
  const [result] = await storeAll(context, [draft]);
  if (!result) throw new SvcError('INTERNAL', 'The memory was not stored.');
  return result;
};

/** Stores many memories in one transaction. */
export const rememberBatch: Operation<typeof memoryRoutes.rememberBatch> = async (
  context,
  { memories: drafts },
) => {
  refuseRepeatedKeys(drafts);
  const results = await storeAll(context, drafts);
  return {
    memories: results.map(({ memory }) => memory),
    results: results.map(({ memory: _, ...rest }) => rest),
  };
};

/**
 * Stores memories by the first way that can: one that changes no other together with those of other calls; several on condition
 * that the memories of this process, which they were compared with, are current; anything else in a transaction of its own. Where
 * those memories turned out to be outdated, the new ones are compared with the database first.
 */
async function storeAll(context: Context, drafts: readonly NewMemory[]): Promise<Stored[]> {
  const results = await context.factsBeingStored.hold(context.tenantId, async (announce) => {
    const prepared = await prepareMemories(context, drafts, { announce });
    const stored = (await insertOnly(context, prepared)) ?? (await storeGuarded(context, prepared));
    if (stored) return stored;
    const wasHeld = prepared[0]?.held !== undefined;
    if (!wasHeld) return storeInTransaction(context, prepared);
    const compared = await prepareAgain(context, prepared);
    return (await insertOnly(context, compared)) ?? storeInTransaction(context, compared);
  });
  await notifyStored(context, results);
  return showWritten(context, results);
}

/** Stores a single memory by the batch of all calls; undefined where there are several, or it cannot go that way. */
async function insertOnly(context: Context, [only, ...others]: readonly Prepared[]) {
  return only && others.length === 0 ? insertBatched(context, only) : undefined;
}

/** Thrown where memories that new ones were compared with have changed since. */
class OutdatedError extends Error {}

/**
 * Stores several memories that were compared with those that this process holds, where these are current.
 *
 * @returns undefined where nothing was done: they were not compared so, or those are outdated.
 */
async function storeGuarded(context: Context, prepared: readonly Prepared[]): Promise<Stored[] | undefined> {
  const held = prepared[0]?.held;
  if (!held || prepared.length === 1) return undefined;
  const { tenantId, heldMemories, embedder } = context;
  let done = () => {};
  try {
    const stored = await context.write(
      async (tx) => {
        if (!held.isCurrent) throw new OutdatedError();
        const guard = held.guard();
        const inserted: IndexedRow[] = [];
        const guarding = rows<{ own: string }>(tx, guard.statement).catch((cause: unknown) => {
          guard.failed();
          throw new OutdatedError('memories changed meanwhile', { cause });
        });
        const storing = storePrepared(tx, context, prepared, { inserted });
        const [seen, results] = await awaitInOrder([guarding, storing]);
        const changesOthers = prepared.some(({ comparison }) => comparison && changesStored(comparison));
        if (changesOthers || inserted.length < prepared.length) {
          heldMemories.outdate(tenantId, seen[0]?.own);
          done = () => heldMemories.outdate(tenantId, undefined);
        } else done = () => guard.committed(seen, inserted, embedder.model);
        return results;
      },
      { units: prepared.length },
    );
    done();
    return stored;
  } catch (error) {
    if (error instanceof OutdatedError) return undefined;
    throw error;
  }
}

/** Whether storing a fact changes the rows of stored memories, rather than only those of this call. */
function changesStored({ same, supersedes, released }: NonNullable<Prepared['comparison']>): boolean {
  const isThere = (other: Related) => 'id' in other;
  return Boolean(same) || supersedes.some(({ other }) => isThere(other)) || released.some(isThere);
}

async function storeInTransaction(context: Context, prepared: readonly Prepared[]): Promise<Stored[]> {
  const { tenantId, heldMemories } = context;
  const stored = await context.write(
    async (tx) => {
      const identifying = rows<{ id: string }>(tx, sql`SELECT pg_current_xact_id()::text AS id`);
      const [[identified], results] = await awaitInOrder([identifying, storePrepared(tx, context, prepared)]);
      heldMemories.outdate(tenantId, identified?.id);
      return results;
    },
    { units: prepared.length },
  );
  // Whoever loaded the memories between the call above and the commit did not see these.
  heldMemories.outdate(tenantId, undefined);
  return stored;
}

function refuseRepeatedKeys(drafts: readonly NewMemory[]): void {
  const first = new Map<string, number>();
  const details = drafts.flatMap(({ key }, index) => {
    if (key === undefined) return [];
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, index);
      return [];
    }
    return [{ path: `memories.${index}.key`, message: `is the same as memories.${earlier}.key` }];
  });
  if (details.length > 0) {
    throw new SvcError('VALIDATION_ERROR', 'A key may occur only once in a batch.', { details });
  }
}
