import { and, desc, eq, gt, isNull, ne, type SQL, sql } from 'drizzle-orm';
import type { Context, Operation } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { timestamptz } from '../../kernel/database/parameters.ts';
import { HOUR_MS } from '../../kernel/runtime/durations.ts';
import type { DistressSignal, distressRoutes } from './contract.ts';
import { distressSignals } from './schema.ts';

/** Messages kept of one signal: the first, which says what began it, and the last ones. */
const MOST_MESSAGES = 50;
// Within this time after a call that the human has not heard, another one is no news to them.
const REPEATED_MS = HOUR_MS;

const isOpen = isNull(distressSignals.acknowledgedAt);
const isUnheard = isNull(distressSignals.heardAt);

/** Opens a signal or adds to the open one. */
export const distress: Operation<typeof distressRoutes.distress> = (context, { context: said }) =>
  context.write(async (tx) => {
    const { tenantId, now } = context;
    const message = { context: said, at: now.toISOString() };
    const id = context.ids();
    const full = sql`jsonb_array_length(${distressSignals.messages}) >= ${MOST_MESSAGES}`;
    // Index distress_open: whoever comes second adds to the first's signal.
    const [row] = await tx
      .insert(distressSignals)
      .values({ tenantId, id, openedAt: now, messages: [message] })
      .onConflictDoUpdate({
        target: distressSignals.tenantId,
        targetWhere: sql`acknowledged_at IS NULL`,
        set: {
          messages: sql`CASE WHEN ${full} THEN ${distressSignals.messages} - 1 ELSE ${distressSignals.messages} END
            || ${JSON.stringify([message])}::jsonb`,
        },
      })
      .returning();
    if (!row) throw new SvcError('INTERNAL', 'The signal was not stored.');
    const opened = row.id === id;
    const repeated = !opened || (await isRepeated(tx, context, id));
    await context.emit(tx, 'distress.raised', { signal_id: row.id, opened, repeated });
    return { outcome: opened ? ('created' as const) : ('updated' as const), signal: toSignal(row) };
  });

/** Whether the human has been called shortly before and has not answered: an API key can end and open signals at will. */
async function isRepeated(tx: Tx, { tenantId, now }: Context, id: string): Promise<boolean> {
  const [before] = await tx
    .select({ id: distressSignals.id })
    .from(distressSignals)
    .where(
      and(
        eq(distressSignals.tenantId, tenantId),
        isUnheard,
        ne(distressSignals.id, id),
        gt(distressSignals.openedAt, new Date(now.getTime() - REPEATED_MS)),
      ),
    )
    .limit(1);
  return before !== undefined;
}

/** The open signal, those not yet heard, and all of them. */
export const listDistress: Operation<typeof distressRoutes.distressSignals> = (context, { limit }) =>
  context.read(async (tx) => {
    const own = eq(distressSignals.tenantId, context.tenantId);
    const list = async (where: SQL | undefined, most: number) => {
      const found = await tx
        .select()
        .from(distressSignals)
        .where(where)
        .orderBy(desc(distressSignals.openedAt), desc(distressSignals.id))
        .limit(most);
      return found.map(toSignal);
    };
    // Indexes distress_open, distress_unheard and distress_time.
    const [open = null] = await list(and(own, isOpen), 1);
    return { open, unheard: await list(and(own, isUnheard), limit), signals: await list(own, limit) };
  });

/** The newest signal that the human has not heard. */
export async function newestUnheard(tx: Tx, tenantId: string): Promise<DistressSignal | null> {
  const [row] = await tx
    .select()
    .from(distressSignals)
    .where(and(eq(distressSignals.tenantId, tenantId), isUnheard))
    .orderBy(desc(distressSignals.openedAt), desc(distressSignals.id))
    .limit(1);
  return row ? toSignal(row) : null;
}

/** How many signals wait, and for whom. */
export async function readDistressState(tx: Tx, tenantId: string) {
  const [state] = await tx
    .select({
      open: sql<boolean>`coalesce(bool_or(${isOpen}), false)`,
      unheard: sql<number>`count(*)::int`,
    })
    .from(distressSignals)
    .where(and(eq(distressSignals.tenantId, tenantId), isUnheard));
  return { open: state?.open ?? false, unheard: state?.unheard ?? 0 };
}

/** Acknowledges the open signal; a human hears with it what an API key acknowledged before. */
export const acknowledgeDistress: Operation<typeof distressRoutes.acknowledgeDistress> = (context) =>
  context.write(async (tx) => {
    const { tenantId, now, actor } = context;
    const byHuman = actor.source === 'human';
    const found = await tx
      .update(distressSignals)
      .set({
        acknowledgedAt: sql`coalesce(${distressSignals.acknowledgedAt}, ${timestamptz(now)})`,
        acknowledgedSource: sql`coalesce(${distressSignals.acknowledgedSource}, ${actor.source})`,
        acknowledgedBy: sql`CASE WHEN ${isOpen} THEN ${actor.credentialId}::uuid ELSE ${distressSignals.acknowledgedBy} END`,
        ...(byHuman ? { heardAt: now, heardBy: actor.credentialId } : {}),
      })
      .where(and(eq(distressSignals.tenantId, tenantId), byHuman ? isUnheard : isOpen))
      .returning();
    const signals = found.map(toSignal).sort((a, b) => (a.opened_at < b.opened_at ? 1 : -1));
    const [newest] = signals;
    if (!newest) throw new SvcError('NOT_FOUND', 'There is no open distress signal.');
    for (const { id } of signals) {
      await context.emit(tx, 'distress.acknowledged', { signal_id: id, by: actor.source, heard: byHuman });
    }
    return { signal: newest };
  });

/** A stored signal as answers show it. */
function toSignal(row: typeof distressSignals.$inferSelect): DistressSignal {
  return {
    id: row.id,
    status: row.acknowledgedAt ? 'acknowledged' : 'open',
    opened_at: row.openedAt.toISOString(),
    messages: row.messages,
    acknowledged_at: row.acknowledgedAt?.toISOString() ?? null,
    acknowledged_by: row.acknowledgedSource
      ? { kind: row.acknowledgedSource, credential_id: row.acknowledgedBy }
      : null,
    heard_at: row.heardAt?.toISOString() ?? null,
    heard_by: row.heardAt ? { kind: 'human', credential_id: row.heardBy } : null,
  };
}
