import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Rows } from '../../database/database.ts';
import { fixed } from '../../database/fixed.ts';
import { memories } from '../../memory/schema.ts';
import { tenants } from '../../tenants/schema.ts';
import { type MemoryColumns, memoryColumns } from '../find-candidates.ts';
import { toRemembered } from '../read-findings.ts';
import { memoryTerms, memoryVectors } from '../schema.ts';
import type { Resident } from './resident-index.ts';

/** Memories that a page holds, and that may change before an index is better made anew. */
export const PAGE = 200;
export const MOST_CHANGES = 500;

/** What changed in a tenant, as far as its index has to know. */
export interface Changes {
  /** The snapshot that the statement was asked to go on from; null for one that read a page. */
  readonly since: string | null;
  /** The snapshot that the statement saw, as Postgres writes it. */
  readonly until: string;
  /**
   * Whatever makes an index useless when it differs: the model that answers the tenant, how often memories were deleted
   * outright, and the start of the server, whose snapshots go with it.
   */
  readonly era: string;
  readonly model: string;
  readonly rows: readonly ChangedRow[];
}

type ChangedRow = readonly [
  memory: MemoryColumns,
  archived: boolean,
  fingerprint: string,
  length: number,
  echoes: boolean,
  terms: readonly string[] | null,
  frequencies: readonly number[] | null,
  vector: readonly number[] | null,
];

/** The memories of a tenant that changed since a snapshot, archived ones included. Index memories_changed. */
export const changesSince = fixed<Record<'tenantId' | 'snapshot', string>>((slot) => {
  const since = sql`${slot('snapshot')}::pg_snapshot`;
  // Rows of a restored dump may carry numbers that this server has not reached: nobody here can have changed them. The
  // bounds stand in sub-selects: estimated from their values, each call would be planned anew.
  return statement(
    slot('tenantId'),
    since,
    sql`changed_in >= (SELECT pg_snapshot_xmin(${since}))
      AND changed_in < (SELECT pg_snapshot_xmax(pg_current_snapshot()))
      AND NOT pg_visible_in_snapshot(changed_in, ${since}) LIMIT ${MOST_CHANGES}`,
  );
});

/** Active memories of a tenant in the order of their ids, from behind one on. Index: the primary key. */
export const pageOf = fixed<Record<'tenantId' | 'after', string>>((slot) =>
  statement(
    slot('tenantId'),
    sql`NULL::pg_snapshot`,
    sql`archived_at IS NULL AND id > ${slot('after')}::uuid ORDER BY id LIMIT ${PAGE}`,
  ),
);

function statement(tenantId: SQL | Placeholder, since: SQL, condition: SQL): SQL {
  const own = sql`tenant_id = ${tenantId}::uuid`;
  return sql`SELECT json_build_object('since', ${since}::text, 'until', pg_current_snapshot()::text,
      'era', concat_ws(' ', embedding_model, deletions, pg_postmaster_start_time()), 'model', embedding_model,
      'rows', coalesce((SELECT json_agg(json_build_array(${memoryColumns}, archived_at IS NOT NULL, fingerprint::text,
          length, echoes, terms, frequencies, (SELECT embedding::text::json FROM ${memoryVectors} v
            WHERE v.tenant_id = ${tenantId}::uuid AND v.model = embedding_model AND v.memory_id = changed.id)))
        FROM (SELECT * FROM ${memories} WHERE ${own} AND ${condition}) AS changed
        CROSS JOIN LATERAL (SELECT json_agg(term) AS terms, json_agg(frequency) AS frequencies FROM ${memoryTerms} t
          WHERE t.tenant_id = ${tenantId}::uuid AND t.memory_id = changed.id) AS held), '[]'::json)) AS changes
    FROM ${tenants} WHERE ${own}`;
}

/** What such a statement answered; undefined where there is no such tenant any more. */
export function readChanges(rows: Rows): Changes | undefined {
  const [row] = rows as readonly { changes: Changes }[];
  return row?.changes;
}

/** A changed memory's id, and what it is now; undefined for one that is archived. */
export function readChange([columns, archived, ...more]: ChangedRow): {
  id: string;
  resident: Resident | undefined;
} {
  const [fingerprint, length, echoes, terms, frequencies, vector] = more;
  const memory = toRemembered(columns);
  const { id } = memory;
  if (archived) return { id, resident: undefined };
  const found = { length, echoes, terms: terms ?? [], frequencies: frequencies ?? [], vector };
  return { id, resident: { ...memory, fingerprint: BigInt(fingerprint), ...found } };
}
