import { SvcError } from '../contract/errors.ts';
import type { Context, Operation } from '../engine/context.ts';
import type { NewMemory, Stored } from './contract.ts';
import { announceStored, appendPrepared, prepareMemories, storePrepared } from './store.ts';

/** Stores one memory, or updates the one with the same key. Spec: POST /memories. */
export const remember: Operation<'remember'> = async (context, draft) => {
  const [result] = await storeAll(context, [draft]);
  if (!result) throw new SvcError('INTERNAL', 'The memory was not stored.');
  return result;
};

/** Stores many memories in one transaction. Design 5, batch. */
export const rememberBatch: Operation<'rememberBatch'> = async (context, { memories: drafts }) => {
  refuseRepeatedKeys(drafts);
  const results = await storeAll(context, drafts);
  return {
    memories: results.map(({ memory }) => memory),
    results: results.map(({ memory: _, ...rest }) => rest),
  };
};

async function storeAll(context: Context, drafts: readonly NewMemory[]): Promise<Stored[]> {
  const prepared = await prepareMemories(context, drafts);
  const [only, ...others] = prepared;
  const appended = only && others.length === 0 ? await appendPrepared(context, only) : undefined;
  const results =
    appended ?? (await context.write((tx) => storePrepared(tx, context, prepared), { units: drafts.length }));
  await announceStored(context, results);
  return results;
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
