import type { Context, Operation } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Stored } from '../records/contract.ts';
import { showWritten } from '../visibility/show.ts';
import type { memoryRoutes, NewMemory } from './contract.ts';
import { insertBatched, notifyStored, prepareMemories, storePrepared } from './store.ts';

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
    const [only, ...others] = prepared;
    const appended = only && others.length === 0 ? await insertBatched(context, only) : undefined;
    return appended ?? context.write((tx) => storePrepared(tx, context, prepared), { units: drafts.length });
  });
  await notifyStored(context, results);
  return showWritten(context, results);
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
