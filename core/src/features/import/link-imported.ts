import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { circlesOf, circlesWith, lastOfCircles } from '../memory/chain.ts';
import { linkMemories, type NewLink } from '../memory/change.ts';
import { emitSuperseded, lockActive } from '../memory/supersede.ts';
import { isFoundLink, NO_LINK } from '../records/row.ts';
import { type MemoryRow, memories, memoryVersions } from '../records/schema.ts';
import { mayContradict } from '../supersession/compare-fact.ts';
import { viewOf } from '../visibility/view.ts';
import { aliasOfExported, type ImportEntry, placeOfExported } from './draft.ts';
import { loadOrigins } from './origins.ts';

type Link = Extract<ImportEntry, { readonly kind: 'link' }>;

/**
 * Lets memories that came in out of an export be superseded by what supersedes them there: their author may have said so, and no
 * rule would find it. What somebody here has written or decided since stays. `lockChains` must be called before.
 */
export async function linkImported(tx: Tx, context: Context, links: readonly Link[]): Promise<void> {
  if (links.length === 0) return;
  const ids = [...new Set(links.flatMap(({ older, newer }) => [older, newer]))];
  const names = ids.map((id) => ({ text: aliasOfExported(id), place: placeOfExported(id) }));
  const known = await loadOrigins(tx, context, names);
  const imported = (id: string) => known.get(placeOfExported(id))?.memoryId;
  const here = (id: string) => imported(id) ?? known.get(aliasOfExported(id))?.memoryId ?? id;
  const older = await lockActive(
    tx,
    context,
    links.flatMap((link) => imported(link.older) ?? []),
  );
  const decided = await findDecided(tx, context, [...older.keys()]);
  const newer = await findReadable(
    tx,
    context,
    links.map((link) => here(link.newer)),
  );
  const wanted: NewLink[] = [];
  for (const { basis = 'stated', ...one } of links) {
    const [row, to] = [older.get(imported(one.older) ?? ''), newer.get(here(one.newer))];
    if (!row || !to || row.id === to.id || decided.has(row.id)) continue;
    const link = { supersededBy: to.id, supersededBasis: basis };
    if (saysMore(row, link) && (await mayLink(tx, context, row))) wanted.push({ row, link });
  }
  const planned = new Map(wanted.map(({ row, link }) => [row.id, link.supersededBy]));
  const last = lastOfCircles(await circlesWith(tx, context, planned), older);
  const made = wanted.filter(({ row }) => !last.has(row.id));
  await linkMemories(tx, context, made);
  for (const { row, link } of made) {
    if (link.supersededBy !== null && row.supersededBy === null)
      await emitSuperseded(tx, context, row.id, link.supersededBy);
  }
}

/** Whether a memory is superseded by nothing so far, or by the same and only because a rule found it. */
function saysMore(row: MemoryRow, link: NewLink['link']): boolean {
  if (row.supersededBy === null) return true;
  return row.supersededBy === link.supersededBy && link.supersededBasis === 'stated' && isFoundLink(row);
}

/** Whether an import may say of a memory that another supersedes it. */
async function mayLink(tx: Tx, context: Context, older: MemoryRow): Promise<boolean> {
  if (!mayContradict(context.actor.source, older.source)) return false;
  try {
    await context.changePolicy.assertApproved(tx, context, older, null);
    return true;
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return false;
  }
}

/** Those of some memories that another superseded once: whoever took that back has decided. */
async function findDecided(
  tx: Tx,
  { tenantId }: Context,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { memoryId, supersededBy } = memoryVersions;
  const found = await tx
    .selectDistinct({ id: memoryId })
    .from(memoryVersions)
    .where(and(eq(memoryVersions.tenantId, tenantId), inArray(memoryId, [...ids]), isNotNull(supersededBy)));
  return new Set(found.map(({ id }) => id));
}

async function findReadable(
  tx: Tx,
  context: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MemoryRow>> {
  const { readable } = await viewOf(tx, context);
  const { tenantId, id } = memories;
  const found = await tx
    .select()
    .from(memories)
    .where(and(eq(tenantId, context.tenantId), inArray(id, [...new Set(ids)]), readable));
  return new Map(found.map((row) => [row.id, row]));
}

/**
 * Takes a link out of each circle of memories that supersede each other, of which none would hold: that of the one which begins
 * last. The service writes no such circle, but a document may. Index memories_superseded.
 */
export async function breakStoredCircles(tx: Tx, { tenantId }: Context): Promise<void> {
  const { id, supersededBy, validFrom, occurredAt } = memories;
  const own = eq(memories.tenantId, tenantId);
  const links = await tx
    .select({ id, supersededBy, validFrom, occurredAt })
    .from(memories)
    .where(and(own, isNotNull(supersededBy)));
  const byId = new Map(links.map((link) => [link.id, link]));
  const circles = circlesOf(new Map(links.map((link) => [link.id, link.supersededBy])));
  if (circles.length === 0) return;
  await tx
    .update(memories)
    .set(NO_LINK)
    .where(and(own, inArray(id, [...lastOfCircles(circles, byId)])));
}
