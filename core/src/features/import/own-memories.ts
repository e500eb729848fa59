import { and, eq, inArray } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';
import type { ExactMemory } from '../export/exact.ts';
import { memories } from '../records/schema.ts';
import { viewOf } from '../visibility/view.ts';
import type { Origins } from './draft.ts';
import { type Known, type KnownOrigins, loadOrigins } from './origins.ts';

/** Something that was found, and the memory that it is where it comes from an export of this service. */
interface Found {
  readonly origins: Origins;
  readonly exported?: ExactMemory | undefined;
}

/**
 * What is known of where findings are from. An export names memories by their ids: those that are here, since they came back
 * as they were or never left, came from there, though no import noted it.
 */
export async function loadKnown(tx: Tx, context: Context, all: readonly Found[]): Promise<KnownOrigins> {
  const noted = await loadOrigins(
    tx,
    context,
    all.map(({ origins }) => origins),
  );
  return new Map([...noted, ...(await loadOwn(tx, context, all, noted))]);
}

async function loadOwn(
  tx: Tx,
  context: Context,
  all: readonly Found[],
  noted: KnownOrigins,
): Promise<KnownOrigins> {
  const named = new Map<string, { readonly text: string; readonly place: string; readonly at: Date }>();
  for (const { origins, exported } of all) {
    const { text, place } = origins;
    if (exported && place) named.set(exported.id, { text, place, at: exported.updated_at });
  }
  if (named.size === 0) return new Map();
  const { readable } = await viewOf(tx, context);
  const { id, content, change, updatedAt, archivedAt } = memories;
  const here = await tx
    .select({ id, content, change, updatedAt, archivedAt })
    .from(memories)
    .where(and(eq(memories.tenantId, context.tenantId), inArray(id, [...named.keys()]), readable));
  const own = new Map<string, Known>();
  for (const row of here) {
    const source = named.get(row.id);
    const [archived, undone] = [row.archivedAt !== null, row.change === 'undone'];
    // What an undo took back may come again, as from any source.
    if (!source || (undone && (archived || noted.has(source.place)))) continue;
    const { text, place, at } = source;
    // Only what changed there after it changed here is news; an older export is no reason to go back.
    const lastText = at > row.updatedAt ? null : text;
    own.set(place, { memoryId: row.id, lastText, jobId: undefined, archived, undone: false });
  }
  return own;
}
