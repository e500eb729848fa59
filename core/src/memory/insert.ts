import { getTableColumns, type SQLWrapper, sql } from 'drizzle-orm';
import type { Source } from '../contract/fields.ts';
import { fixed } from '../database/fixed.ts';
import type { Context } from '../engine/context.ts';
import type { NewMemory } from './contract.ts';
import type { MemoryFields } from './row.ts';
import { type MemoryRow, memories } from './schema.ts';
import type { Prepared } from './store.ts';

// What the database fills in by itself is left out.
const { changedIn: _, ...given } = getTableColumns(memories);
const columns = Object.entries(given);
const names = sql.join(
  columns.map(([, { name }]) => sql.identifier(name)),
  sql`, `,
);

/** The row that a prepared memory becomes, with a new id. */
export function newRow(
  { tenantId, now, actor, ids }: Pick<Context, 'tenantId' | 'now' | 'actor' | 'ids'>,
  { draft, analysis, digest }: Prepared,
  source: Source = actor.source,
): MemoryRow {
  return {
    tenantId,
    id: ids(),
    ...toFields(draft, now),
    version: 1,
    change: 'created',
    createdAt: now,
    updatedAt: now,
    source,
    credentialId: actor.credentialId,
    archivedAt: null,
    sessionId: draft.session_id ?? null,
    supersededBy: null,
    mergedInto: null,
    length: analysis.terms.length,
    fingerprint: analysis.fingerprint,
    derivedFrom: [...(digest?.of ?? [])],
    echoes: digest?.echoes ?? false,
    digestId: null,
  };
}

/** What its author decides of a memory not yet stored. */
export function toFields(draft: NewMemory, now: Date): MemoryFields {
  return {
    type: draft.type,
    content: draft.content,
    category: draft.category ?? null,
    key: draft.key ?? null,
    tags: draft.tags,
    importance: draft.importance,
    occurredAt: draft.occurred_at ?? now,
  };
}

const inserting = fixed<{ rows: string }>(
  (slot) => sql`INSERT INTO ${memories} (${names})
    SELECT ${names} FROM json_populate_recordset(NULL::${memories}, ${slot('rows')}::json)
    ON CONFLICT DO NOTHING RETURNING id`,
);

/**
 * Inserts rows, but for those whose key is taken, and answers the ids of the others. However many there are, its text is
 * the same, so that the server parses it once.
 */
export function insertStatement(rows: readonly MemoryRow[]): SQLWrapper {
  const list = rows.map((row) =>
    Object.fromEntries(columns.map(([field, { name }]) => [name, jsonOf(row[field as keyof MemoryRow])])),
  );
  return inserting({ rows: JSON.stringify(list) });
}

function jsonOf(value: MemoryRow[keyof MemoryRow]): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
