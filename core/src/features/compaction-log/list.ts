import { and, desc, eq, gt, lte, sql } from 'drizzle-orm';
import type { Context, Operation } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { DAY_MS, MINUTE_MS } from '../../kernel/runtime/durations.ts';
import { viewOf } from '../visibility/view.ts';
import type { compactionLogRoutes, Moment } from './contract.ts';
import { sessionMoments } from './schema.ts';

const RECOVERY_MS = 15 * MINUTE_MS;
const PERIOD_MS = 30 * DAY_MS;

/** The latest flushes and deliveries. */
export const compactions: Operation<typeof compactionLogRoutes.compactions> = (
  context,
  { limit, kind, session_id },
) =>
  context.read(async (tx) => {
    // Index session_moments_time.
    const found = await tx
      .select({ moment: sessionMoments, recovered: isRecovered() })
      .from(sessionMoments)
      .where(
        and(
          eq(sessionMoments.tenantId, context.tenantId),
          kind === undefined ? undefined : eq(sessionMoments.kind, kind),
          session_id === undefined ? undefined : eq(sessionMoments.sessionId, session_id),
        ),
      )
      .orderBy(desc(sessionMoments.at), desc(sessionMoments.id))
      .limit(limit);
    const { isFull } = await viewOf(tx, context);
    const shown = (moment: Moment) => (isFull ? moment : withoutSizes(moment));
    return {
      moments: found.map(({ moment, recovered }) => shown(toMoment(moment, recovered, context.now))),
      missing_recoveries: await countMissing(tx, context),
    };
  });

/** How much was kept and delivered counts what the agent withholds. */
function withoutSizes(moment: Moment): Moment {
  return { ...moment, stored_turns: null, characters: null, estimated_tokens: null };
}

async function countMissing(tx: Tx, { tenantId, now }: Context): Promise<number> {
  const [found] = await tx
    .select({ missing: sql<number>`count(*)::int` })
    .from(sessionMoments)
    .where(
      and(
        eq(sessionMoments.tenantId, tenantId),
        eq(sessionMoments.kind, 'compaction'),
        gt(sessionMoments.at, new Date(now.getTime() - PERIOD_MS)),
        lte(sessionMoments.at, new Date(now.getTime() - RECOVERY_MS)),
        sql`NOT ${isRecovered()}`,
      ),
    );
  return found?.missing ?? 0;
}

/**
 * Whether a recovery of the same session followed in time. Asked of each by index session_moments_time: `OFFSET 0` keeps Postgres
 * from joining all moments with all others.
 */
function isRecovered() {
  // Names are written out: in a field list drizzle leaves the table away, and `later` would be meant.
  return sql<boolean>`EXISTS (
    SELECT 1 FROM session_moments later
    WHERE later.tenant_id = session_moments.tenant_id AND later.kind = 'recovery' AND later.outcome <> 'nothing'
      AND later.session_id IS NOT DISTINCT FROM session_moments.session_id
      AND later.at >= session_moments.at
      AND later.at <= session_moments.at + ${RECOVERY_MS / 1_000} * interval '1 second' OFFSET 0)`;
}

function toMoment(row: typeof sessionMoments.$inferSelect, recovered: boolean, now: Date): Moment {
  const isOver = row.at.getTime() + RECOVERY_MS <= now.getTime();
  const recovery = recovered ? 'delivered' : isOver ? 'missing' : 'awaited';
  return {
    id: row.id,
    at: row.at.toISOString(),
    kind: row.kind,
    outcome: row.outcome,
    framework: row.framework,
    session_id: row.sessionId,
    stored_turns: row.storedTurns,
    characters: row.characters,
    estimated_tokens: row.estimatedTokens,
    detail: row.detail,
    recovery: row.kind === 'compaction' ? recovery : null,
  };
}
