import { sql } from 'drizzle-orm';
import { bigint, check, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant, tenantId } from '../database/columns.ts';

export type Plan = 'trial' | 'standard' | 'local';
export type KeyScope = 'full' | 'read';

/** One agent's account. */
export const tenants = pgTable(
  'tenants',
  {
    tenantId: tenantId(),
    displayName: text('display_name').notNull(),
    plan: text('plan').$type<Plan>().notNull(),
    trialExpiresAt: instant('trial_expires_at'),
    createdAt: instant('created_at').notNull(),
    /** Whose vectors answer this tenant's recalls; changed at once, when all memories have vectors of another model. */
    embeddingModel: text('embedding_model').notNull(),
    /** Since when. */
    embeddingSince: instant('embedding_since').notNull(),
    /** How often active memories were deleted outright, which leaves no row to tell of it. Kept by a trigger: see `trackChanges`. */
    deletions: bigint('deletions', { mode: 'number' }).notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId] }),
    index('tenants_embedding_model').on(table.embeddingModel),
  ],
);

/** API keys, as SHA-256 only. */
export const apiKeys = pgTable(
  'api_keys',
  {
    tenantId: tenantId(),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    hash: text('hash').notNull(),
    scope: text('scope').$type<KeyScope>().notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at'),
    revokedAt: instant('revoked_at'),
    lastUsedAt: instant('last_used_at'),
    lastUsedAddress: text('last_used_address'),
    replacedBy: uuid('replaced_by'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex('api_keys_hash').on(table.hash),
  ],
);

/** The newest session key of each agent, as SHA-256 only, and when it first booted. */
export const sessionKeys = pgTable(
  'session_keys',
  {
    tenantId: tenantId(),
    hash: text('hash').notNull(),
    expiresAt: instant('expires_at').notNull(),
    firstBootAt: instant('first_boot_at'),
  },
  (table) => [primaryKey({ columns: [table.tenantId] })],
);

/** The constraint that a use over the plan's limit breaks. */
export const WITHIN_PLAN = 'usage_counts_within_plan';

/** Operations of each tenant per calendar month (UTC, `2026-02`). */
export const usageCounts = pgTable(
  'usage_counts',
  {
    tenantId: tenantId(),
    month: text('month').notNull(),
    operations: bigint('operations', { mode: 'number' }).notNull(),
    /** What `operations` may reach by the call that counted last; none while not refused. */
    most: bigint('most', { mode: 'bigint' }).notNull().default(sql`9223372036854775807`),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.month] }),
    check(WITHIN_PLAN, sql`operations <= most`),
  ],
);
