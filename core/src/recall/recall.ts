import type { Operation } from '../engine/context.ts';
import { searchMemories } from './search.ts';

/** Finds memories by meaning, best first. Spec: POST /memories/recall. */
export const recall: Operation<'recall'> = async (context, input) => {
  const asked = await context.plugins.change('recall:before', input, context);
  const { results: found, degraded } = await searchMemories(context, asked, (statement) =>
    context.ask(statement, { type: 'memory.recalled', data: { kind: 'recall' } }),
  );
  const results = [...(await context.plugins.change('recall:after', found, context))];
  return { results, ...(degraded ? { degraded } : {}) };
};
