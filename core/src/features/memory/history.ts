import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { Operation } from '../../kernel/context/context.ts';
import type { OutputOf } from '../../kernel/contract/route.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { optionalFields, provenanceOf, startOf, toMemory } from '../records/row.ts';
import { memories, memoryVersions } from '../records/schema.ts';
import { redactMemory, showMemories, UNTOLD } from '../visibility/show.ts';
import { historyLevelsOf, levelsOf, type View, viewOf } from '../visibility/view.ts';
import { replacedBy } from './chain.ts';
import type { memoryRoutes } from './contract.ts';
import { findMemory } from './find.ts';

/** A memory states at most so many that it replaces. */
const MOST_SUPERSEDED = 20;

type Version = OutputOf<typeof memoryRoutes.history>['versions'][number];
type VersionRow = Omit<typeof memoryVersions.$inferSelect, 'memoryId' | 'undone'>;

/**
 * One memory, archived or not, and every version of it with its author, newest first. All former versions are as visible as the
 * least visible of them, because one that was never withheld may quote another that is.
 */
export const history: Operation<typeof memoryRoutes.history> = (context, { id }) =>
  context.read(async (tx) => {
    const current = await findMemory(tx, context, id, { archived: true });
    const earlier = await tx
      .select()
      .from(memoryVersions)
      .where(and(eq(memoryVersions.tenantId, context.tenantId), eq(memoryVersions.memoryId, id)))
      .orderBy(desc(memoryVersions.version));
    const { derivedFrom } = current;
    const shared = derivedFrom.length === 0 ? {} : { derived_from: derivedFrom };
    const reader = { tenantId: context.tenantId, view: await viewOf(tx, context) };
    const level = (await levelsOf(tx, reader, [id]))(id);
    const former = (await historyLevelsOf(tx, reader, [id]))(id);
    const [memory = redactMemory(toMemory(current))] = await showMemories(tx, context, [toMemory(current)]);
    const whole = (row: VersionRow) => ({ ...toVersion(row), ...shared });
    const isShown = ({ version }: VersionRow) => level !== 'full' || version <= memory.version;
    const [last = current, ...others] = [current, ...earlier].filter(isShown);
    return {
      memory,
      superseded: level === 'full' ? await supersededBy(tx, context.tenantId, reader.view, id) : [],
      versions: [
        level === 'full' ? whole(last) : redacted(last),
        ...(former === 'hidden' ? [] : others.map(former === 'full' ? whole : redacted)),
      ],
    };
  });

/** The memories whose place one took, as far as the caller may read them. */
async function supersededBy(tx: Tx, tenantId: string, view: View, id: string): Promise<string[]> {
  const found = await tx
    .select({ id: memories.id })
    .from(memories)
    .where(
      and(
        eq(memories.tenantId, tenantId),
        sql`${memories.id} IN (SELECT id FROM (${replacedBy(tenantId, [id])}) AS replaced)`,
        isNull(memories.archivedAt),
        view.readable,
      ),
    )
    .orderBy(desc(memories.occurredAt), desc(memories.id))
    .limit(MOST_SUPERSEDED);
  return found.map((row) => row.id);
}

/** A version of which only type and dates are told. */
function redacted({ version, type, updatedAt, occurredAt }: VersionRow): Version {
  return {
    version,
    change: version === 1 ? 'created' : 'updated',
    at: updatedAt.toISOString(),
    source: { kind: 'agent', credential_id: null },
    type,
    occurred_at: occurredAt.toISOString(),
    ...UNTOLD,
  };
}

function toVersion(row: VersionRow): Version {
  const { version, change, type, content, category, key, tags, importance } = row;
  return {
    version,
    change,
    at: row.updatedAt.toISOString(),
    source: provenanceOf(row),
    type,
    content,
    category,
    key,
    tags,
    importance,
    occurred_at: row.occurredAt.toISOString(),
    valid_from: startOf(row).toISOString(),
    ...optionalFields(row),
  };
}
