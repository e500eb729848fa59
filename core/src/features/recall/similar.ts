import type { Operation } from '../../kernel/context/context.ts';
import { findMemory } from '../memory/find.ts';
import { mayRead } from '../visibility/withheld.ts';
import { recallRoutes } from './contract.ts';
import { searchMemories } from './search.ts';

/** Characters of the memory that are searched by: the beginning of a long one says what it is about. */
const QUERY_CHARACTERS = 1_000;

/**
 * Finds memories like one, best first. It is not logged as a recall. Of a memory that the caller may not read nothing is
 * answered, since what is like it would tell what it says.
 */
export const similar: Operation<typeof recallRoutes.similar> = async (context, { id, limit, threshold }) => {
  const content = await context.read(async (tx) => {
    const row = await findMemory(tx, context, id, { archived: true });
    return (await mayRead(tx, context, id)) ? row.content : undefined;
  });
  if (content === undefined) return { results: [] };
  const query = content.slice(0, QUERY_CHARACTERS).toWellFormed();
  const asked = recallRoutes.recall.request.parse({ query, threshold, limit: limit + 1 });
  const { results } = await searchMemories(context, asked);
  return { results: results.filter((result) => result.id !== id).slice(0, limit) };
};
