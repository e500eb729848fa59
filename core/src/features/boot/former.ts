import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { Tx } from '../../kernel/database/database.ts';
import { DAY_MS } from '../../kernel/runtime/durations.ts';
import { replacedBy } from '../memory/chain.ts';
import { memories } from '../records/schema.ts';
import type { TenantView } from '../visibility/view.ts';
import type { Loaded } from './load.ts';
import type { Entry } from './section.ts';

/** For so long it matters that a fact is new, and what it was before. */
const NEWS_MS = 30 * DAY_MS;
/** Code points of a former fact: a reminder, not the memory. */
const LONGEST_FORMER = 120;

/** Adds to facts that superseded others lately since when they hold, and what held before, as far as the caller may read it. */
export async function withFormer(
  tx: Tx,
  reader: TenantView & { readonly now: Date },
  loaded: Loaded,
): Promise<Loaded> {
  const ids = loaded.entries
    .filter((entry) => isNews(entry, reader.now))
    .flatMap(({ memory }) => memory?.id ?? []);
  const former = await formerFacts(tx, reader, ids);
  if (former.size === 0) return loaded;
  const entries = loaded.entries.map((entry) => {
    const content = former.get(entry.memory?.id ?? '');
    return content === undefined ? entry : { ...entry, former: content };
  });
  return { ...loaded, entries };
}

/** Whether a fact began lately, and the caller may read it: of others only type and dates are loaded. */
function isNews({ memory, fullLength }: Entry, now: Date): boolean {
  if (memory?.valid_from === undefined || fullLength === undefined) return false;
  return now.getTime() - Date.parse(memory.valid_from) < NEWS_MS;
}

/** By the id of a fact, the beginning of the newest one whose place it took. */
async function formerFacts(
  tx: Tx,
  { tenantId, view }: TenantView,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { content, validFrom, occurredAt, id } = memories;
  const by = sql<string>`replaced.by`;
  const found = await tx
    .selectDistinctOn([by], {
      by,
      content: sql<string>`left(${content}, ${LONGEST_FORMER}::int)`,
    })
    .from(memories)
    .innerJoin(sql`(${replacedBy(tenantId, ids)}) AS replaced`, sql`replaced.id = ${id}`)
    .where(and(eq(memories.tenantId, tenantId), isNull(memories.archivedAt), view.known, view.readable))
    .orderBy(by, desc(sql`coalesce(${validFrom}, ${occurredAt})`), desc(id));
  return new Map(found.map((former) => [former.by, former.content]));
}
