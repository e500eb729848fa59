import { and, desc, eq } from 'drizzle-orm';
import type { Output } from '../contract/index.ts';
import type { Operation } from '../engine/context.ts';
import { findMemory } from './find.ts';
import { memoryVersions } from './schema.ts';

type Version = Output<'history'>['versions'][number];
type VersionRow = Omit<typeof memoryVersions.$inferSelect, 'memoryId' | 'undone'>;

/** Every version of one memory, archived or not, with its author, newest first. Design 5, history. */
export const history: Operation<'history'> = (context, { id }) =>
  context.read(async (tx) => {
    const current = await findMemory(tx, context, id, { archived: true });
    const earlier = await tx
      .select()
      .from(memoryVersions)
      .where(and(eq(memoryVersions.tenantId, context.tenantId), eq(memoryVersions.memoryId, id)))
      .orderBy(desc(memoryVersions.version));
    const { derivedFrom } = current;
    const shared = derivedFrom.length === 0 ? {} : { derived_from: derivedFrom };
    return { versions: [current, ...earlier].map((row) => ({ ...toVersion(row), ...shared })) };
  });

function toVersion(row: VersionRow): Version {
  const { version, change, type, content, category, key, tags, importance } = row;
  return {
    version,
    change,
    at: row.updatedAt.toISOString(),
    source: { kind: row.source, credential_id: row.credentialId },
    type,
    content,
    category,
    key,
    tags,
    importance,
    occurred_at: row.occurredAt.toISOString(),
  };
}
