import { and, eq, type SQL } from 'drizzle-orm';
import { systemContext, unlessErased } from '../../kernel/commit/system-context.ts';
import type { Context, Services } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { memories } from '../records/schema.ts';

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
