import type { Operation } from '../../kernel/context/context.ts';
import type { compactionLogRoutes } from './contract.ts';
import { forgetOldMoments } from './record.ts';
import { sessionMoments } from './schema.ts';

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
