import type { Operation } from '../../kernel/context/context.ts';
import { toMemory } from '../records/row.ts';
import { showMemories } from '../visibility/show.ts';
import { chainOf } from './chain.ts';
import type { memoryRoutes } from './contract.ts';
import { findMemory, noMemory } from './find.ts';

/** Reads one active memory. */
export const get: Operation<typeof memoryRoutes.get> = (context, { id }) =>
  context.read(async (tx) => {
    const [memory] = await showMemories(tx, context, [toMemory(await findMemory(tx, context, id))]);
    if (!memory) throw noMemory();
    const chain = await chainOf(tx, context, id);
    return { memory, ...(chain ? { chain } : {}) };
  });
