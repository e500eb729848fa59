import type { Operation } from '../engine/context.ts';
import { analyzeContents } from '../recall/index-memories.ts';
import { changeMemory } from './change.ts';
import { findMemory } from './find.ts';
import { toMemory } from './row.ts';

/**
 * Brings an archived memory back; an active one is answered as it is. States: archived -> active.
 * Throws `CONFLICT` when its key has been taken by another memory meanwhile.
 */
export const restore: Operation<'restore'> = async (context, { id }) => {
  const { content } = await context.read((tx) => findMemory(tx, context, id));
  const [analysis] = await analyzeContents(context, [content]);
  return context.write(async (tx) => {
    const row = await findMemory(tx, context, id, { lock: true });
    if (!row.archivedAt) return { memory: toMemory(row) };
    const restored = await changeMemory(tx, context, row, {
      change: 'restored',
      archivedAt: null,
      ...(analysis ? { analysis } : {}),
    });
    return { memory: toMemory(restored) };
  });
};
