import { SvcError } from '../contract/errors.ts';
import type { Operation } from '../engine/context.ts';
import { recordAdditions, refuseRevival } from '../guardian/gate.ts';
import { analyzeContents } from '../recall/index-memories.ts';
import { changeMemory } from './change.ts';
import { findMemory } from './find.ts';
import { toMemory } from './row.ts';

/**
 * Brings an archived memory back. States: archived -> active.
 * Throws `CONFLICT` when it is not archived, or when another memory has taken its key meanwhile; `FORBIDDEN` when it is
 * protected and the human archived it.
 */
export const restore: Operation<'restore'> = async (context, { id }) => {
  const { content } = await context.read((tx) => findMemory(tx, context, id, { archived: true }));
  const [analysis] = await analyzeContents(context, [content]);
  return context.write(async (tx) => {
    const row = await findMemory(tx, context, id, { lock: true, archived: true });
    if (!row.archivedAt) throw new SvcError('CONFLICT', 'This memory is not archived.');
    await refuseRevival(tx, context, row);
    const restored = await changeMemory(tx, context, row, {
      change: 'restored',
      archivedAt: null,
      ...(analysis ? { analysis } : {}),
    });
    await recordAdditions(tx, context, [restored], context.actor.source);
    return { memory: toMemory(restored) };
  });
};
