import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import type { Operation } from '../engine/context.ts';
import { distressSignals } from './schema.ts';
import { toSignal } from './signal.ts';

/** Messages kept of one signal: the first, which says what began it, and the last ones. */
const MOST_MESSAGES = 50;

/** Opens a signal or adds to the open one. Spec: POST /distress; design 5, distress. */
export const distress: Operation<'distress'> = (context, { context: said }) =>
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
    await context.emit(tx, 'distress.raised', { signal_id: row.id, opened });
    return { outcome: opened ? ('created' as const) : ('updated' as const), signal: toSignal(row) };
  });

/** The open signal and those before it. Design 5, GET /distress. */
export const listDistress: Operation<'distressSignals'> = (context, { limit }) =>
  context.read(async (tx) => {
    const found = await tx
      .select()
      .from(distressSignals)
      .where(eq(distressSignals.tenantId, context.tenantId))
      .orderBy(desc(distressSignals.openedAt), desc(distressSignals.id))
      .limit(limit);
    const signals = found.map(toSignal);
    return { open: signals.find(({ status }) => status === 'open') ?? null, signals };
  });

/** Acknowledges the open signal. Spec: DELETE /distress. */
export const acknowledgeDistress: Operation<'acknowledgeDistress'> = (context) =>
  context.write(async (tx) => {
    const [row] = await tx
      .update(distressSignals)
      .set({
        acknowledgedAt: context.now,
        acknowledgedSource: context.actor.source,
        acknowledgedBy: context.actor.credentialId,
      })
      .where(and(eq(distressSignals.tenantId, context.tenantId), isNull(distressSignals.acknowledgedAt)))
      .returning();
    if (!row) throw new SvcError('NOT_FOUND', 'There is no open distress signal.');
    await context.emit(tx, 'distress.acknowledged', { signal_id: row.id, by: context.actor.source });
    return { signal: toSignal(row) };
  });
