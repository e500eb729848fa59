import { createHash } from 'node:crypto';
import { and, eq, lt, sql } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import type { Tx } from '../database/database.ts';
import { recordEvents } from '../events/record.ts';
import { countOperations } from '../usage/count.ts';
import type { Context, WriteOptions } from './context.ts';
import type { Event } from './plugins.ts';
import { IDEMPOTENCY_MS, idempotencyKeys } from './schema.ts';

const table = idempotencyKeys;

/**
 * Makes the `write` and `emit` of one call: the transaction, the idempotent replay, the count against the plan and
 * the outbox are handled here once for all operations.
 *
 * @param request What identifies the request for a replay: operation name and parsed input.
 */
export function createWriter(context: Omit<Context, 'write' | 'emit' | 'read'>, request: unknown) {
  const { route, options } = context;
  const replayable = route.method !== 'GET' && route.idempotent !== false;
  let claimed = options.idempotencyKey === undefined || !replayable;
  let emitted: Event[] = [];

  const emit = async (_tx: Tx, type: string, data: Record<string, unknown>): Promise<void> => {
    emitted.push({ id: context.ids(), type, tenantId: context.tenantId, timestamp: context.now, data });
  };

  const write = async <T>(work: (tx: Tx) => Promise<T>, { units = 1 }: WriteOptions = {}): Promise<T> => {
    // The first write of a call carries its key; a call that writes again does so only for what may be redone.
    const key = claimed ? undefined : context.options.idempotencyKey;
    claimed = true;
    const result = await context.database.transaction(context.tenantId, async (tx) => {
      emitted = [];
      if (key !== undefined) {
        const replay = await claim(tx, key);
        if (replay) return replay.response as T;
      }
      const answer = await work(tx);
      if (context.route.metering !== 'free') {
        await countOperations(
          tx,
          { tenantId: context.tenantId, now: context.now, units },
          {
            refuse: context.route.metering === 'limited',
            emit,
          },
        );
      }
      await recordEvents(tx, emitted);
      if (key !== undefined) await keep(tx, key, answer);
      return answer;
    });
    for (const event of emitted) await context.plugins.notify('event', event, context);
    emitted = [];
    return result;
  };

  /** Takes the key for this transaction, or answers what the first call with it answered. */
  async function claim(tx: Tx, key: string): Promise<{ response: unknown } | undefined> {
    const requestHash = createHash('sha256').update(JSON.stringify(request)).digest('hex');
    const expired = new Date(context.now.getTime() - IDEMPOTENCY_MS);
    const own = and(eq(table.tenantId, context.tenantId), eq(table.key, key));
    await tx.delete(table).where(and(own, lt(table.createdAt, expired)));
    // A concurrent call with the same key waits here until this transaction ends.
    const taken = await tx
      .insert(table)
      .values({ tenantId: context.tenantId, key, requestHash, createdAt: context.now })
      .onConflictDoNothing()
      .returning({ key: table.key });
    if (taken.length > 0) return undefined;
    const [first] = await tx.select().from(table).where(own);
    if (first?.requestHash !== requestHash) {
      throw new SvcError('CONFLICT', 'This Idempotency-Key was used for a different request. Use a new key.');
    }
    return { response: first.response };
  }

  async function keep(tx: Tx, key: string, response: unknown): Promise<void> {
    await tx
      .update(table)
      .set({ response: sql`${JSON.stringify(response ?? null)}::json` })
      .where(and(eq(table.tenantId, context.tenantId), eq(table.key, key)));
  }

  return { write, emit };
}
