import type { Operation } from '../engine/context.ts';
import { searchMemories } from './search.ts';

/** Finds memories by meaning, best first. Spec: POST /memories/recall. */
export const recall: Operation<'recall'> = async (context, input) => {
  const asked = await context.plugins.change('recall:before', input, context);
  const { results: found, degraded } = await searchMemories(context, asked);
  const results = [...(await context.plugins.change('recall:after', found, context))];
  await context.write((tx) =>
    context.emit(tx, 'memory.recalled', { kind: 'recall', results: results.length }),
  );
  return { results, ...(degraded ? { degraded } : {}) };
};
