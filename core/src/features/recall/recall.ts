import { finish, meteredQuery } from '../../kernel/commit/call-context.ts';
import type { Context, Operation } from '../../kernel/context/context.ts';
import type { Recalled, recallRoutes } from './contract.ts';
import { searchMemories } from './search.ts';

/** Finds memories by meaning, best first. */
export const recall: Operation<typeof recallRoutes.recall> = async (context, input) => {
  const started = performance.now();
  const asked = await context.hooks.run('recall:before', input, context);
  const {
    results: found,
    degraded,
    explained,
  } = await searchMemories(context, asked, (query) =>
    meteredQuery(context, query, { type: 'memory.recalled', data: { kind: 'recall' } }),
  );
  const results = [...(await context.hooks.run('recall:after', found, context))];
  const tookMs = Math.round((performance.now() - started) * 10) / 10;
  // The answer is there before its use is recorded, and a recall that the plan refuses answers nothing: it is not logged.
  await finish(context);
  const { tenantId, user, readsUsers, actor, now, ids, recallLog } = context;
  recallLog.add({
    // What is asked about a user of whom nothing is stored yet is no one else's, and logged nowhere.
    tenantId: user?.tenantId ?? tenantId,
    ...{ id: ids(), at: now, degraded },
    // What is asked over all users may be the words of one, and the agent's log outlives them.
    query: readsUsers ? '' : input.query,
    source: actor.source,
    credentialId: actor.credentialId,
    results: results
      .filter((one) => isToldTo(context, one))
      .map(({ id, similarity }) => ({ id, similarity })),
    tookMs,
  });
  return { results, ...(degraded ? { degraded } : {}), ...(explained ? { explained } : {}) };
};

/**
 * Whether a result stands in the log. A user's is read by keys that are bound to the user, which have no spaces; and in the agent's
 * own, which outlives its users, stands nothing of theirs.
 */
function isToldTo({ user }: Context, { user_id, space_id }: Recalled): boolean {
  return user ? space_id === undefined : user_id === undefined;
}
