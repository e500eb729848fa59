import { and, eq, gt } from 'drizzle-orm';
import type { Context, Operation } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { sortedList } from '../../kernel/database/sorted-list.ts';
import { DAY_MS } from '../../kernel/runtime/durations.ts';
import { contentSourceOf, fieldsOf, NO_LINK, RESTORE_DAYS, toMemory } from '../records/row.ts';
import { type MemoryRow, memories } from '../records/schema.ts';
import { type IndexEntry, toIndexEntries } from '../search-index/index-memories.ts';
import { showMemories, showWritten } from '../visibility/show.ts';
import { viewOf } from '../visibility/view.ts';
import { refuseUnseenRevival } from '../visibility/withheld.ts';
import { chainFrom } from './chain.ts';
import { changeMemory } from './change.ts';
import { compareAgain } from './compare-facts.ts';
import type { memoryRoutes } from './contract.ts';
import { findMemory } from './find.ts';
import { type Prepared, toDraft } from './insert.ts';
import { idsOfSuperseded, lockForReplacing } from './plan-replacement.ts';
import { planSupersession } from './plan-supersession.ts';
import { markSuperseded } from './supersede.ts';

/** Archived memories that can still be restored, last archived first. */
export const archived: Operation<typeof memoryRoutes.archived> = (context, { limit, cursor }) =>
  context.read(async (tx) => {
    const oldest = new Date(context.now.getTime() - RESTORE_DAYS * DAY_MS);
    const { archivedAt } = memories;
    const list = sortedList('desc', [archivedAt, memories.id]);
    const { known } = await viewOf(tx, context);
    // Index memories_archived.
    const found = await tx
      .select()
      .from(memories)
      .where(and(eq(memories.tenantId, context.tenantId), gt(archivedAt, oldest), known, list.after(cursor)))
      .orderBy(...list.orderBy)
      .limit(limit + 1);
    const { page, next_cursor } = list.toPage(found, limit, (row) => ({
      at: row.archivedAt ?? row.updatedAt,
      id: row.id,
    }));
    return { memories: await showMemories(tx, context, page.map(toMemory)), next_cursor };
  });

/**
 * Brings an archived memory back; a protected one waits for the human, if it is not the human who asks. States: archived
 * -> active.
 * Throws `CONFLICT` when it is not archived, or when another memory has taken its key meanwhile; `FORBIDDEN` when it is
 * protected and the human archived it, or when its key may belong to a memory that is withheld from the caller.
 */
export const restore: Operation<typeof memoryRoutes.restore> = async (context, { id }) => {
  const prepared = await compare(
    context,
    await context.read((tx) => findMemory(tx, context, id, { archived: true })),
  );
  const restored = await context.write(async (tx) => {
    const others = idsOfSuperseded(prepared.comparison);
    if (others.length > 0) await lockForReplacing(tx, context, [id], others);
    const row = await findMemory(tx, context, id, { lock: true, archived: true });
    if (!row.archivedAt) throw new SvcError('CONFLICT', 'This memory is not archived.');
    const entry = await context.changePolicy.submit(tx, context, row, { fields: fieldsOf(row) });
    if (entry) return { outcome: 'queued' as const, memory: toMemory(row), entry };
    await refuseUnseenRevival(tx, context, row);
    const { link, replacements } = await findPlace(tx, context, row, prepared);
    const restored = await changeMemory(tx, context, row, {
      change: 'restored',
      archivedAt: null,
      link,
      // It would be gone again at once.
      ...(row.expiresAt && row.expiresAt <= context.now ? { fields: { expiresAt: null } } : {}),
      analysis: prepared.analysis,
    });
    const replaced = replacements
      .filter(({ older }) => older.supersededBy !== id)
      .map(({ older, newer, basis }) => ({ older, newer: newer.id === id ? restored : newer, basis }));
    await markSuperseded(tx, context, replaced, context.actor.source);
    return { memory: toMemory(restored) };
  });
  const [shown = restored] = await showWritten(context, [restored]);
  return shown;
};

/**
 * Finds its place again among facts: while it was archived others may have come. What superseded it still does, and what it
 * superseded is so again, whichever begins later: an author may have named it. In a circle none would hold.
 */
async function findPlace(tx: Tx, context: Context, row: MemoryRow, prepared: Prepared) {
  const placed = { ...row };
  const followers = await chainFrom(tx, context, placed.supersededBy);
  const compared = without(prepared, followers);
  const { replacements } = await planSupersession(tx, context, new Map([[placed, compared]]), async () => {
    const current = await compareWith(context, row, prepared.analysis, tx);
    return new Map([[placed, without(current, followers)]]);
  });
  const isCircle = (await chainFrom(tx, context, placed.supersededBy)).has(row.id);
  return { link: isCircle ? NO_LINK : placed, replacements };
}

/** The comparison without some memories among those that are to be superseded. */
function without({ comparison, ...prepared }: Prepared, ids: ReadonlySet<string>): Prepared {
  if (!comparison) return prepared;
  const supersedes = comparison.supersedes.filter(({ other }) => !('id' in other && ids.has(other.id)));
  return { ...prepared, comparison: { ...comparison, supersedes } };
}

/** Compares it with the facts that are there now. */
async function compare(context: Context, row: MemoryRow): Promise<Prepared> {
  const [analysis] = (await toIndexEntries(context, [row.content])) as [IndexEntry];
  return compareWith(context, row, analysis);
}

async function compareWith(
  context: Context,
  row: MemoryRow,
  analysis: IndexEntry,
  tx?: Tx,
): Promise<Prepared> {
  const draft = toDraft(row);
  const compared = await compareAgain(context, [{ draft, analysis }], contentSourceOf(row), tx);
  const comparison = compared.comparisons.get(draft);
  // It comes back although the same has been said meanwhile.
  return comparison
    ? { draft, analysis, comparison: { ...comparison, same: undefined } }
    : { draft, analysis };
}
