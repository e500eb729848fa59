import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { texts } from '../../kernel/database/parameters.ts';
import { memories } from '../records/schema.ts';
import { currentView, type Reader, viewOf } from './view.ts';

/**
 * Refuses keys of which a caller cannot see the memory. While anything is withheld from a human, a key without a memory
 * they can read may be free or taken: both are answered alike, so that trying keys tells nothing and overwrites nothing.
 *
 * @throws SvcError `FORBIDDEN` naming the keys.
 */
export async function refuseUnseenKeys(
  tx: Tx,
  context: Reader,
  keys: readonly { readonly path: string; readonly key: string }[],
): Promise<void> {
  if (keys.length === 0) return;
  const view = await viewOf(tx, context);
  if (view.isFull) return;
  // Index memories_key.
  const found = await tx
    .select({ key: memories.key })
    .from(memories)
    .where(
      and(
        eq(memories.tenantId, context.tenantId),
        sql`${memories.key} = ANY(${texts(keys.map(({ key }) => key))})`,
        isNull(memories.archivedAt),
        view.readable,
      ),
    );
  const seen = new Set(found.map(({ key }) => key));
  const unseen = keys.filter(({ key }) => !seen.has(key));
  const [first] = unseen;
  if (!first) return;
  throw new SvcError(
    'FORBIDDEN',
    `${first.path}: ${JSON.stringify(first.key)} may be the key of a memory that the agent withholds from you. Leave the key out, or let the agent store it.`,
    { details: unseen.map(({ path }) => ({ path, message: 'may be the key of a memory that is withheld' })) },
  );
}

/**
 * Refuses a call that would touch memories by keys that the caller does not name, such as a sync of a document.
 *
 * @throws SvcError `FORBIDDEN` where anything is withheld from the caller.
 */
export async function requireFullView(context: Reader & Pick<Context, 'read'>, path: string): Promise<void> {
  const view = await currentView(context);
  if (view.isFull) return;
  throw new SvcError(
    'FORBIDDEN',
    `${path}: while the agent withholds memories from you, only the agent may send this.`,
    { details: [{ path, message: 'may only come from the agent while it withholds memories' }] },
  );
}
