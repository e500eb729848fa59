import { sql } from 'drizzle-orm';
import type { Context, Operation } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import { awaitInOrder } from '../../kernel/database/await-in-order.ts';
import { rows } from '../../kernel/database/database.ts';
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

async function storeAll(context: Context, drafts: readonly NewMemory[]): Promise<Stored[]> {
  const results = await context.factsBeingStored.hold(context.tenantId, async (tell) => {
    const prepared = await prepareMemories(context, drafts, { tell });
    const stored = (await insertOnly(context, prepared)) ?? (await storeGuarded(context, prepared));
    if (stored || !prepared[0]?.held) return stored ?? storeInTransaction(context, prepared);
    const compared = await prepareAgain(context, prepared);
    return (await insertOnly(context, compared)) ?? storeInTransaction(context, compared);
  });
  await notifyStored(context, results);
  return showWritten(context, results);
}

async function insertOnly(context: Context, [only, ...others]: readonly Prepared[]) {
  return only && others.length === 0 ? insertBatched(context, only) : undefined;
}

/** Memories that facts were compared with have changed meanwhile. */
class OutdatedError extends Error {}

/**
 * Stores several that were compared with what this process holds, if that is still so.
 *
 * @returns undefined where nothing was done: they are then compared with what is stored.
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
        const changesOthers = prepared.some(({ settled }) => settled && changesStored(settled));
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

/** Whether storing a fact changes memories that are there, by the row or by what marks it. */
function changesStored({ same, supersedes, released }: NonNullable<Prepared['settled']>): boolean {
  const isThere = (kin: Related) => 'id' in kin;
  return Boolean(same) || supersedes.some(({ kin }) => isThere(kin)) || released.some(isThere);
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
  // What was read between these two lacked it.
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
