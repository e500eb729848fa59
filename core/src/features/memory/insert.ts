import { getTableColumns, type SQLWrapper, sql } from 'drizzle-orm';
import type { Actor } from '../../kernel/context/call.ts';
import { type Context, writerOf } from '../../kernel/context/context.ts';
import type { Source } from '../../kernel/contract/fields.ts';
import { compileStatement } from '../../kernel/database/compiled-statement.ts';
import { DEFAULT_IMPORTANCE, type MemoryFields, NO_LINK } from '../records/row.ts';
import { type MemoryRow, memories } from '../records/schema.ts';
import { analysisColumns, type IndexEntry } from '../search-index/index-memories.ts';
import type { FactComparison, RelatedFact } from '../supersession/compare-fact.ts';
import type { HeldMemories } from '../supersession/held-memories.ts';
import type { NewMemory } from './contract.ts';

/** Who wrote a version of a memory; `agentId` in a space only. */
export interface VersionAuthor extends Actor {
  readonly agentId: string | null;
}

/** A memory ready to be stored: plugins have run, its terms and vector are made, and it has been compared with related facts. */
export interface Prepared {
  readonly draft: NewMemory;
  readonly analysis: IndexEntry;
  /** Prefix of the paths of its fields in errors, such as `memories.1.`; default: none. */
  readonly within?: string;
  /** Of a digest, the ids of its episodes, and whether they stay beside it. */
  readonly digest?: { readonly of: readonly string[]; readonly echoes: boolean };
  /** How it relates to stored memories, and to those before it in the same call. */
  readonly comparison?: FactComparison<Related>;
  /** The memories of this process that it was compared with; undefined where the database was asked. */
  readonly held?: HeldMemories;
}

/** A stored memory that a new one is compared with, or the draft of one before it in the same call. */
export type Related = RelatedFact &
  ({ readonly id: string; readonly version: number } | { readonly draft: NewMemory });

// What the database fills in by itself is left out.
const { changedIn: _, ...given } = getTableColumns(memories);
const columns = Object.entries(given);
const names = sql.join(
  columns.map(([, { name }]) => sql.identifier(name)),
  sql`, `,
);

/** The row that a prepared memory becomes, with a new id. */
export function newRow(
  context: Pick<Context, 'tenantId' | 'agentId' | 'space' | 'now' | 'actor' | 'ids'>,
  { draft, analysis, digest, comparison }: Prepared,
  source: Source = context.actor.source,
): MemoryRow {
  const { tenantId, now, actor, ids } = context;
  const author = { source, credentialId: actor.credentialId, agentId: writerOf(context) };
  return {
    ...firstVersion({ tenantId, id: ids(), now }, toFields(draft, now), author, analysis),
    sessionId: draft.session_id ?? null,
    derivedFrom: [...(digest?.of ?? [])],
    echoes: digest?.echoes ?? false,
    conflictsWith: conflictsOf(comparison),
  };
}

/** The ids of the stored memories with which a new one is in conflict. No empty list, so that the index on it stays small. */
export function conflictsOf(comparison: FactComparison<Related> | undefined): string[] | null {
  const ids = (comparison?.undecided ?? []).flatMap(({ other }) => ('id' in other ? other.id : []));
  return ids.length === 0 ? null : ids;
}

/** A new memory that belongs to no session and digests nothing. */
export function firstVersion(
  { tenantId, id, now }: { readonly tenantId: string; readonly id: string; readonly now: Date },
  fields: MemoryFields,
  author: VersionAuthor,
  analysis: IndexEntry,
): MemoryRow {
  return {
    tenantId,
    id,
    ...fields,
    version: 1,
    change: 'created',
    createdAt: now,
    updatedAt: now,
    source: author.source,
    credentialId: author.credentialId,
    contentSource: null,
    agentId: author.agentId,
    archivedAt: null,
    sessionId: null,
    ...NO_LINK,
    mergedInto: null,
    ...analysisColumns(analysis),
    derivedFrom: [],
    echoes: false,
    digestId: null,
    confirmations: 0,
    lastConfirmedAt: null,
    conflictsWith: null,
  };
}

/** The fields of a new memory: what the draft leaves out gets its default. */
export function toFields(draft: NewMemory, now: Date): MemoryFields {
  return {
    type: draft.type,
    content: draft.content,
    category: draft.category ?? null,
    key: draft.key ?? null,
    tags: draft.tags ?? [],
    importance: draft.importance ?? DEFAULT_IMPORTANCE,
    occurredAt: draft.occurred_at ?? now,
    validFrom: draft.valid_from ?? null,
    validTo: draft.valid_to ?? null,
    expiresAt: draft.expires_at ?? null,
    metadata: draft.metadata ?? null,
  };
}

/** A stored memory as one that is to be stored. */
export function toDraft(fields: MemoryFields): NewMemory {
  return {
    type: fields.type,
    content: fields.content,
    category: fields.category ?? undefined,
    key: fields.key ?? undefined,
    tags: fields.tags,
    importance: fields.importance,
    occurred_at: fields.occurredAt,
    valid_from: fields.validFrom ?? undefined,
    valid_to: fields.validTo,
    expires_at: fields.expiresAt,
    metadata: fields.metadata ?? undefined,
  };
}

const inserting = compileStatement<{ rows: string }>(
  (slot) => sql`INSERT INTO ${memories} (${names})
    SELECT ${names} FROM json_populate_recordset(NULL::${memories}, ${slot('rows')}::json)
    ON CONFLICT DO NOTHING RETURNING id`,
);

/**
 * Inserts rows, but for those whose key is taken, and answers the ids of the others. However many there are, its text is
 * the same, so that the server parses it once.
 */
export function insertStatement(rows: readonly MemoryRow[]): SQLWrapper {
  return inserting({ rows: JSON.stringify(rows.map(jsonOf)) });
}

/** The columns that are set: where one is missing, it becomes null. */
function jsonOf(row: MemoryRow): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [field, { name }] of columns) {
    const value = row[field as keyof MemoryRow];
    if (value !== null) found[name] = typeof value === 'bigint' ? value.toString() : value;
  }
  return found;
}
