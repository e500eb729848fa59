import { and, eq, isNotNull, isNull, lte, min, type SQL } from 'drizzle-orm';
import { systemContext, unlessErased } from '../../kernel/commit/system-context.ts';
import type { Context, Services } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { memories } from '../records/schema.ts';
import { changeMemory } from './change.ts';

/** How the background deals with memories whose time has come. */
interface Sweep {
  /** Condition on `memories`: their time has come. */
  readonly due: SQL | undefined;
  /** Memories of one transaction. */
  readonly chunk: number;
  /**
   * Deals with some of one tenant.
   *
   * @param which Condition on `memories`: the tenant's that are due.
   * @returns how many these were; fewer than a chunk are the last.
   */
  readonly deal: (tx: Tx, context: Context, which: SQL | undefined) => Promise<number>;
}

/**
 * Deals with what is due in every tenant, a chunk in a transaction. Where that fails in one, it is logged, and the others are dealt
 * with.
 *
 * @returns how many memories that were.
 */
export async function sweep(services: Services, { due, chunk, deal }: Sweep): Promise<number> {
  const tenants = await services.database.system((tx) =>
    tx.selectDistinct({ tenantId: memories.tenantId }).from(memories).where(due),
  );
  let dealt = 0;
  for (const { tenantId } of tenants) {
    const which = and(eq(memories.tenantId, tenantId), due);
    try {
      const context = await systemContext(services, tenantId);
      for (;;) {
        const count = (await unlessErased(context.write((tx) => deal(tx, context, which)))) ?? 0;
        dealt += count;
        if (count < chunk) break;
      }
    } catch (error) {
      services.logger.error({ err: error, tenant: tenantId }, 'memories whose time has come were left');
    }
  }
  return dealt;
}

const CHUNK = 100;

/**
 * Archives memories that have expired. No answer has shown them since that moment; from here on they count as archived, and can
 * be restored as any other. Safe to run in many processes at once.
 *
 * @returns how many were archived.
 */
export function archiveExpired(services: Services): Promise<number> {
  // Index memories_expiring, which holds only what expires.
  const due = and(lte(memories.expiresAt, services.clock()), isNull(memories.archivedAt));
  return sweep(services, { due, chunk: CHUNK, deal: archiveSome });
}

/** When the next memory expires. Index memories_expiring. */
export async function nextExpiry({ database }: Services): Promise<Date | undefined> {
  const [next] = await database.system((tx) =>
    tx
      .select({ at: min(memories.expiresAt) })
      .from(memories)
      .where(and(isNotNull(memories.expiresAt), isNull(memories.archivedAt))),
  );
  return next?.at ?? undefined;
}

async function archiveSome(tx: Tx, context: Context, which: SQL | undefined): Promise<number> {
  const { now, actor } = context;
  const expired = await tx
    .select()
    .from(memories)
    .where(which)
    .orderBy(memories.id)
    .limit(CHUNK)
    .for('update', { skipLocked: true });
  for (const row of expired) {
    // Whoever set the time, and the Guardian where it is protected, have decided.
    await changeMemory(tx, context, row, { change: 'archived', archivedAt: now, decided: { author: actor } });
  }
  return expired.length;
}
