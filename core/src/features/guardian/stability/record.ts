import { idOfCall } from '../../../kernel/commit/idempotency.ts';
import type { Context } from '../../../kernel/context/context.ts';
import { openDriftCheck } from './drift-check.ts';
import { injections, type Phase } from './schema.ts';

/**
 * Notes that an agent was given an injection, once for a call and its repetitions; after so many compactions, opens a
 * drift check. An agent gets its injection even where this fails.
 *
 * @param coverage Share of its core memories the injection showed, 0..1; null where it has none.
 */
export async function recordInjection(
  context: Context,
  phase: Phase,
  coverage: number | null,
): Promise<void> {
  const { tenantId, now } = context;
  try {
    await context.write(
      async (tx) => {
        const id = idOfCall(context, 'injection');
        await tx.insert(injections).values({ tenantId, id, phase, coverage, at: now }).onConflictDoNothing();
        if (phase !== 'boot') await openDriftCheck(tx, context, { cause: 'compactions' });
      },
      { units: 0 },
    );
  } catch (error) {
    context.logger.warn({ err: error, phase }, 'an injection was not recorded');
  }
}
