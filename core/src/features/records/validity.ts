import { type SQL, sql } from 'drizzle-orm';
import type { Metadata } from '../../kernel/contract/fields.ts';
import { timestamptz } from '../../kernel/database/parameters.ts';
import { firstOfChain } from './first-of-chain.ts';
import { memories } from './schema.ts';

/** Condition on `memories`: not expired by then. */
export function isUnexpired(at: Date | SQL): SQL {
  const moment = at instanceof Date ? timestamptz(at) : at;
  return sql`(${memories.expiresAt} IS NULL OR ${memories.expiresAt} > ${moment})`;
}

/** Condition on `memories`: what it says holds from that moment or earlier. */
export function beginsBy(at: Date): SQL {
  return sql`coalesce(${memories.validFrom}, ${memories.occurredAt}) <= ${timestamptz(at)}`;
}

/** Condition on `memories`: its author did not say that it holds only after that moment. */
export function hasBegun(at: Date): SQL {
  return sql`(${memories.validFrom} IS NULL OR ${memories.validFrom} <= ${timestamptz(at)})`;
}

/** Condition on `memories`: what it says does not end by itself at that moment or earlier. */
export function endsAfter(at: Date): SQL {
  return sql`(${memories.validTo} IS NULL OR ${memories.validTo} > ${timestamptz(at)})`;
}

/**
 * Condition on `memories`: nothing in force at that moment supersedes it, nor what supersedes it, and so on. What is archived or
 * expired, or begins to hold only later, is not in force.
 *
 * @param readable Condition on `memories`, applied to what supersedes it: others do not count.
 */
export function isNotSuperseded(tenantId: string, at: Date, readable: SQL | undefined): SQL {
  const tenant = sql`${tenantId}::uuid`;
  const visible =
    readable &&
    sql`AND newer.id IN (SELECT ${memories.id} FROM ${memories} WHERE ${memories.tenantId} = ${tenant} AND ${readable})`;
  const counts = sql`newer.id <> ${memories.id} AND newer.archived_at IS NULL
    AND (newer.expires_at IS NULL OR newer.expires_at > ${timestamptz(at)})
    AND coalesce(newer.valid_from, newer.occurred_at) <= ${timestamptz(at)} ${visible ?? sql``}`;
  const follower = firstOfChain({ tenant, first: sql`${memories.supersededBy}`, counts });
  return sql`(${memories.supersededBy} IS NULL OR NOT EXISTS (${follower}))`;
}

/** Condition on `memories`: these of the author's own fields have these values. */
export function hasMetadata(wanted: Metadata): SQL {
  const all = Object.entries(wanted).map(
    ([name, value]) => sql`${memories.metadata} -> ${name}::text = ${JSON.stringify(value)}::jsonb`,
  );
  return sql`(${sql.join([sql`true`, ...all], sql` AND `)})`;
}
