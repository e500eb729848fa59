import { and, eq, lt } from 'drizzle-orm';
import { idOfCall } from '../../kernel/commit/idempotency.ts';
import type { Context, Operation } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { DAY_MS } from '../../kernel/runtime/durations.ts';
import type { compactionLogRoutes } from './contract.ts';
import { type NewMoment, sessionMoments } from './schema.ts';

const KEPT_MS = 90 * DAY_MS;

/** Notes a flush or delivery, once for a call and its repetitions. The agent gets its answer even where this fails. */
export async function recordMoment(
  context: Context,
  moment: Omit<NewMoment, 'at' | 'outcome'>,
): Promise<void> {
  const { tenantId, now } = context;
  try {
    await context.write(
      async (tx) => {
        await forgetOldMoments(tx, context);
        await tx
          .insert(sessionMoments)
          .values({ tenantId, id: idOfCall(context, 'moment'), at: now, outcome: 'ok', ...moment })
          .onConflictDoNothing();
      },
      { units: 0 },
    );
  } catch (error) {
    context.logger.warn({ err: error, kind: moment.kind }, 'a flush or delivery was not recorded');
  }
}

/** Removes what is older than 90 days; index session_moments_time. */
async function forgetOldMoments(tx: Tx, { tenantId, now }: Context): Promise<void> {
  const old = new Date(now.getTime() - KEPT_MS);
  await tx
    .delete(sessionMoments)
    .where(and(eq(sessionMoments.tenantId, tenantId), lt(sessionMoments.at, old)));
}

/** Keeps what an agent's machine reports of the time the service was away. */
export const reportMoments: Operation<typeof compactionLogRoutes.reportMoments> = (context, { moments }) =>
  context.write(async (tx) => {
    const { tenantId, now } = context;
    await forgetOldMoments(tx, context);
    const recorded = await tx
      .insert(sessionMoments)
      .values(
        moments.map(({ id, at, kind, outcome, framework, session_id, characters, detail }) => ({
          tenantId,
          id,
          // A clock that goes ahead must not hide what comes after.
          at: new Date(Math.min(at.getTime(), now.getTime())),
          kind,
          outcome,
          framework: framework ?? null,
          sessionId: session_id ?? null,
          characters: characters ?? null,
          detail: detail ?? null,
        })),
      )
      .onConflictDoNothing()
      .returning({ id: sessionMoments.id });
    return { recorded: recorded.length };
  });
