import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { compileStatement, type Param } from '../../../kernel/database/compiled-statement.ts';
import type { Rows } from '../../../kernel/database/database.ts';
import { tenants } from '../../../kernel/tenancy/schema.ts';
import { memories } from '../../records/schema.ts';
import { memoryTerms, memoryVectors } from '../../search-index/schema.ts';
import { readSketch } from '../../search-index/sketch.ts';
import { type MemoryColumns, memoryColumns, toMemoryView, writerColumn } from '../memory-columns.ts';
import type { IndexedMemory, Indexing } from './tenant-index.ts';

/** Memories in a page, and changes from which on an index is rebuilt. */
export const PAGE_SIZE = 200;
export const MAX_CHANGES = 500;

/** The changes of a tenant's memories that its index needs. */
export interface ChangedMemories {
  /** The snapshot that the changes follow; null for a page. */
  readonly since: string | null;
  /** The snapshot that the statement saw, as Postgres writes it. */
  readonly until: string;
  /**
   * An index of another generation is useless. Consists of the active model, the count of deletions, and the start of the
   * server, because snapshots are valid for one run of it.
   */
  readonly generation: string;
  readonly model: string;
  readonly rows: readonly ChangedRow[];
}

type ChangedRow = readonly [
  memory: MemoryColumns,
  archived: boolean,
  fingerprint: string,
  sketch: string | null,
  source: string,
  length: number,
  echoes: boolean,
  terms: readonly string[] | null,
  frequencies: readonly number[] | null,
  passages: readonly (readonly number[])[] | null,
  vector: readonly number[] | null,
  version: number,
  /** Id of the transaction that changed it last. */
  changedIn: string,
];

/** A snapshot of which an index knows all changes, with the ids of later transactions whose changes it knows, as `{1,2}`. */
type Known = Record<'tenantId' | 'snapshot' | 'own', string>;

/** The memories of a tenant that changed since a snapshot, archived ones included. Index memories_changed. */
export const changesSince = compileStatement<Known>((param) => {
  const since = sql`${param('snapshot')}::pg_snapshot`;
  return statement(param('tenantId'), since, sql`${hasChanged(param)} LIMIT ${MAX_CHANGES}`);
});

const seenNow = sql`pg_current_snapshot()::text AS until, pg_current_xact_id()::text AS own`;

/** Answers the snapshot that it sees, and the id of its transaction. */
const seeing = compileStatement<Record<never, never>>(() => sql`SELECT ${seenNow}`);
export const seeNow = () => seeing({});

/** Answers the same; fails where memories changed since another snapshot. */
export const requireUnchanged = compileStatement<Known & Record<'generation', string>>((param) => {
  const own = sql`tenant_id = ${param('tenantId')}::uuid`;
  return sql`SELECT ${seenNow}, 1 / (CASE WHEN ${GENERATION} = ${param('generation')}::text
        AND NOT EXISTS (SELECT FROM ${memories} WHERE ${own} AND ${hasChanged(param)}) THEN 1 ELSE 0 END) AS unchanged
    FROM ${tenants} WHERE ${own}`;
});

/** Condition on memories: they changed since a snapshot, and not by a transaction that is known. */
function hasChanged(param: Param<Known>): SQL {
  const since = sql`${param('snapshot')}::pg_snapshot`;
  // Rows of a restored dump may carry numbers that this server has not reached: nobody here can have changed them. The
  // bounds stand in sub-selects: estimated from their values, each call would be planned anew.
  return sql`changed_in >= (SELECT pg_snapshot_xmin(${since}))
      AND changed_in < (SELECT pg_snapshot_xmax(pg_current_snapshot()))
      AND NOT pg_visible_in_snapshot(changed_in, ${since}) AND changed_in <> ALL (${param('own')}::xid8[])`;
}

/** Active memories of a tenant in the order of their ids, from behind one on. Index: the primary key. */
export const pageAfter = compileStatement<Record<'tenantId' | 'after', string>>((param) =>
  statement(
    param('tenantId'),
    sql`NULL::pg_snapshot`,
    sql`archived_at IS NULL AND id > ${param('after')}::uuid ORDER BY id LIMIT ${PAGE_SIZE}`,
  ),
);

const GENERATION = sql`concat_ws(' ', embedding_model, deletions, pg_postmaster_start_time())`;

/** Answers nothing on a standby, whose snapshots tell nothing of what is running at the primary: its changes would be missed later. */
function statement(tenantId: SQL | Placeholder, since: SQL, condition: SQL): SQL {
  const own = sql`tenant_id = ${tenantId}::uuid`;
  return sql`SELECT json_build_object('since', ${since}::text, 'until', pg_current_snapshot()::text,
      'generation', ${GENERATION}, 'model', embedding_model,
      'rows', coalesce((SELECT json_agg(json_build_array(${memoryColumns}, archived_at IS NOT NULL, fingerprint::text,
          sketch, ${writerColumn}, length, echoes, terms, frequencies, passages, (SELECT embedding::text::json FROM ${memoryVectors} v
            WHERE v.tenant_id = ${tenantId}::uuid AND v.model = embedding_model AND v.memory_id = changed.id), version, changed_in::text))
        FROM (SELECT * FROM ${memories} WHERE ${own} AND ${condition}) AS changed
        CROSS JOIN LATERAL (SELECT json_agg(term) AS terms, json_agg(frequency) AS frequencies,
            json_agg(passages) FILTER (WHERE passages IS NOT NULL) AS passages FROM ${memoryTerms} t
          WHERE t.tenant_id = ${tenantId}::uuid AND t.memory_id = changed.id) AS held), '[]'::json)) AS changes
    FROM ${tenants} WHERE ${own} AND NOT pg_is_in_recovery()`;
}

/** Reads the result of such a statement; undefined when the tenant no longer exists, and on a standby. */
export function readChanges(rows: Rows): ChangedMemories | undefined {
  const [row] = rows as readonly { changes: ChangedMemories }[];
  return row?.changes;
}

/** A changed memory's id and present state, which is undefined when it is archived. */
export function readChange([columns, archived, ...more]: ChangedRow): {
  id: string;
  active: { memory: IndexedMemory; indexing: Indexing } | undefined;
  changedIn: string;
} {
  const [
    fingerprint,
    sketch,
    source,
    length,
    echoes,
    terms,
    frequencies,
    passages,
    vector,
    version,
    changedIn,
  ] = more;
  const view = toMemoryView(columns);
  const { id } = view;
  if (archived) return { id, active: undefined, changedIn };
  const memory = { ...view, fingerprint: BigInt(fingerprint), version, length, echoes };
  const indexing = {
    sketch: readSketch(sketch, id),
    source,
    terms: terms ?? [],
    frequencies: frequencies ?? [],
    passages,
    vector,
  };
  return { id, active: { memory, indexing }, changedIn };
}

/** Whether a transaction had ended when a snapshot was taken. @param snapshot as Postgres writes it: `10:20:10,14,15` */
export function isVisibleIn(snapshot: string, transaction: string): boolean {
  const [from = '0', to = '0', running = ''] = snapshot.split(':');
  const id = BigInt(transaction);
  return id < BigInt(from) || (id < BigInt(to) && !running.split(',').includes(transaction));
}
