import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { texts } from '../../kernel/database/parameters.ts';
import type { Eraser } from '../memory/erase.ts';
import { memories } from '../records/schema.ts';
import { viewOf } from '../visibility/view.ts';
import type { Origins } from './draft.ts';
import { importOrigins } from './schema.ts';

export interface Known {
  readonly memoryId: string;
  readonly lastText: string | null;
  /** The import that noted it; none did of a memory that is here by its id. */
  readonly jobId: string | undefined;
  readonly archived: boolean;
  /** An undo gave the memory back the text it had before an import changed it. */
  readonly undone: boolean;
}
export type KnownOrigins = ReadonlyMap<string, Known>;

/** What is to be done with something that was found. */
export type Verdict =
  | { readonly kind: 'new' | 'known' }
  /** The source says something else than it did: the memory is to change. */
  | { readonly kind: 'changed'; readonly memoryId: string };

/**
 * Those imported before whose memory is there, or was archived by somebody; what an undo took back may come again, and
 * so may what the caller cannot read: that it is there would tell.
 */
export async function loadOrigins(tx: Tx, context: Context, all: readonly Origins[]): Promise<KnownOrigins> {
  if (all.length === 0) return new Map();
  const { tenantId } = context;
  const { readable } = await viewOf(tx, context);
  const wanted = all.flatMap(({ text, place }) => (place === undefined ? [text] : [text, place]));
  const found = await rows<Known & { origin: string }>(
    tx,
    // One by one by the primary keys, whatever the planner believes of tables that grow while it is asked.
    sql`SELECT origin, memory_id AS "memoryId", last_text AS "lastText", job_id AS "jobId",
          memory.archived, memory.undone
        FROM unnest(${texts(wanted)}) AS wanted CROSS JOIN LATERAL (
          SELECT * FROM ${importOrigins} WHERE tenant_id = ${tenantId}::uuid AND origin = wanted LIMIT 1) found
        CROSS JOIN LATERAL (
          SELECT archived_at IS NOT NULL AS archived, change = 'undone' AS undone FROM ${memories}
          WHERE tenant_id = ${tenantId}::uuid AND id = found.memory_id ${readable ? sql`AND ${readable}` : sql``} LIMIT 1) memory`,
  );
  return new Map(
    found.filter(({ archived, undone }) => !(archived && undone)).map((row) => [row.origin, row]),
  );
}

/** Judges what was found, in its order. The result has a verdict for each. */
export function judge<Found extends { readonly origins: Origins }>(
  all: readonly Found[],
  known: KnownOrigins,
  jobId: string,
): ReadonlyMap<Found, Verdict> {
  const seen = new Set<string>();
  const places = new Set<string>();
  const verdicts = new Map<Found, Verdict>();
  for (const found of all) {
    const { text, place } = found.origins;
    const isRepeated = seen.has(text) || (place !== undefined && places.has(place));
    verdicts.set(
      found,
      seen.has(text) ? { kind: 'known' } : verdictOf(found.origins, known, jobId, isRepeated),
    );
    seen.add(text);
    if (place !== undefined) places.add(place);
  }
  return verdicts;
}

function verdictOf(
  { text, place }: Origins,
  known: KnownOrigins,
  jobId: string,
  isRepeated: boolean,
): Verdict {
  const last = place === undefined ? undefined : known.get(place);
  if (last?.lastText === text) {
    return last.undone ? { kind: 'changed', memoryId: last.memoryId } : { kind: 'known' };
  }
  if (known.has(text)) return { kind: 'known' };
  // A name that one import finds on several texts names none of them.
  if (!last || last.lastText === '' || last.jobId === jobId || isRepeated) return { kind: 'new' };
  // What was forgotten stays so, whatever the source says now.
  return last.archived ? { kind: 'known' } : { kind: 'changed', memoryId: last.memoryId };
}

/** Something that was found, with the memory that it is now. */
export interface ImportedItem {
  readonly origins: Origins;
  readonly memoryId: string;
  readonly verdict: Verdict['kind'];
  /** Another name of it, by which links find it. */
  readonly alias?: string | undefined;
}

/** Notes what was found where. */
export async function keepOrigins(
  tx: Tx,
  { tenantId }: Context,
  settled: readonly ImportedItem[],
  known: KnownOrigins,
  jobId: string,
): Promise<void> {
  const changed = settled.filter(({ verdict }) => verdict === 'changed').map(({ memoryId }) => memoryId);
  if (changed.length > 0) {
    // The texts they had may come back.
    const { tenantId: tenant, memoryId, lastText } = importOrigins;
    await tx
      .delete(importOrigins)
      .where(and(eq(tenant, tenantId), inArray(memoryId, changed), isNull(lastText)));
  }
  const lines = new Map<string, typeof importOrigins.$inferInsert>();
  for (const { origins, memoryId, verdict, alias } of settled) {
    const { text, place } = origins;
    if (alias !== undefined) lines.set(alias, { tenantId, origin: alias, memoryId, lastText: null, jobId });
    if (verdict !== 'known') lines.set(text, { tenantId, origin: text, memoryId, lastText: null, jobId });
    if (place === undefined) continue;
    const before = lines.get(place) ?? known.get(place);
    // The memory came from elsewhere, and is not this place's to change.
    if (verdict === 'known' && !before) continue;
    const holdsSeveral = before?.jobId === jobId && before.lastText !== text && verdict !== 'changed';
    const lastText = before?.lastText === '' || holdsSeveral ? '' : text;
    if (before?.lastText === lastText && before.jobId === jobId) continue;
    const owner = verdict === 'known' && before ? before.memoryId : memoryId;
    lines.set(place, { tenantId, origin: place, memoryId: owner, lastText, jobId });
  }
  if (lines.size === 0) return;
  await tx
    .insert(importOrigins)
    .values([...lines.values()])
    .onConflictDoUpdate({
      target: [importOrigins.tenantId, importOrigins.origin],
      set: {
        memoryId: sql`excluded.memory_id`,
        lastText: sql`excluded.last_text`,
        jobId: sql`excluded.job_id`,
      },
    });
}

/** Erased memories may be imported again. */
export const eraseOrigins: Eraser = async (tx, { tenantId }, memoryIds) => {
  await tx
    .delete(importOrigins)
    .where(and(eq(importOrigins.tenantId, tenantId), inArray(importOrigins.memoryId, [...memoryIds])));
};
