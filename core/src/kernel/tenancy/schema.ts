import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { KeyScope, Plan, SpaceRight } from '../contract/fields.ts';
import { instant, tenantId } from '../database/columns.ts';

/** One agent's account. */
export const tenants = pgTable(
  'tenants',
  {
    tenantId: tenantId(),
    displayName: text('display_name').notNull(),
    plan: text('plan').$type<Plan>().notNull(),
    trialExpiresAt: instant('trial_expires_at'),
    createdAt: instant('created_at').notNull(),
    /** The embedding model whose vectors recall compares. It changes when all memories have vectors of another model. */
    embeddingModel: text('embedding_model').notNull(),
    /** When that model became active. */
    embeddingSince: instant('embedding_since').notNull(),
    /** How many active memories were deleted. A trigger counts, as a deletion leaves no row: migration `track_changes`. */
    deletions: bigint('deletions', { mode: 'number' }).notNull().default(0),
    /** Of the tenant of a user, the agent whose user it is; of a space, the agent that made it. */
    agentId: uuid('agent_id'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId] }),
    index('tenants_embedding_model').on(table.embeddingModel),
  ],
);

/** The users of agents, each with the tenant that holds what concerns it. `tenant_id` is the agent. */
export const agentUsers = pgTable(
  'agent_users',
  {
    tenantId: tenantId(),
    /** The user's id by the app that the agent works for, compared byte by byte. */
    userId: text('user_id').notNull(),
    userTenantId: uuid('user_tenant_id').notNull(),
    createdAt: instant('created_at').notNull(),
    /** When a call last wrote for the user, to the minute. */
    lastSeenAt: instant('last_seen_at').notNull(),
    /** When its erasure began; until that is done, \u0001 and the tenant stand for its id. */
    forgottenAt: instant('forgotten_at'),
    /** The id while its erasure runs, for what names it elsewhere. */
    forgottenId: text('forgotten_id'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.userId] }),
    uniqueIndex('agent_users_tenant').on(table.userTenantId),
    index('agent_users_seen').on(table.tenantId, table.lastSeenAt, table.userTenantId),
    index('agent_users_forgotten').on(table.userTenantId).where(sql`forgotten_at IS NOT NULL`),
  ],
);

/** What is kept of the receipts of erasures: nothing that names a user. */
export const erasures = pgTable(
  'erasures',
  {
    tenantId: tenantId(),
    id: uuid('id').notNull(),
    erasedAt: instant('erased_at').notNull(),
    /** Rows by table. */
    erased: jsonb('erased').$type<Readonly<Record<string, number>>>().notNull(),
    hash: text('hash').notNull(),
    /** The transaction that forgot the user: by it a call is told to have begun before or behind, as clocks differ. */
    transaction: bigint('transaction', { mode: 'bigint' })
      .notNull()
      .default(sql`pg_current_xact_id()::text::bigint`),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index('erasures_order').on(table.tenantId, table.transaction),
  ],
);

/** Spaces, which agents of one account share. `tenant_id` is the space: what is in it forms a tenant of its own. */
export const spaces = pgTable('spaces', {
  tenantId: tenantId().primaryKey(),
  name: text('name').notNull(),
  /** The agent that made it, or for which its human did. Whose human that is, may manage it. */
  createdBy: uuid('created_by').notNull(),
  createdAt: instant('created_at').notNull(),
  deletedAt: instant('deleted_at'),
});

/** Which agents share a space, and what they may do. `tenant_id` is the space. */
export const spaceMembers = pgTable(
  'space_members',
  {
    tenantId: tenantId(),
    agentId: uuid('agent_id').notNull(),
    right: text('space_right').$type<SpaceRight>().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.agentId] }),
    index('space_members_agent').on(table.agentId),
  ],
);

/** API keys. Only the SHA-256 of each is stored. */
export const apiKeys = pgTable(
  'api_keys',
  {
    tenantId: tenantId(),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    hash: text('hash').notNull(),
    /** The end of the key, so that its holder can tell which it is; null until a key from before this column is used. */
    lastFour: text('last_four'),
    scope: text('scope').$type<KeyScope>().notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at'),
    revokedAt: instant('revoked_at'),
    lastUsedAt: instant('last_used_at'),
    lastUsedAddress: text('last_used_address'),
    replacedBy: uuid('replaced_by'),
    /** The user that the key is bound to; null for every key of the agent's own. */
    userId: text('user_id'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex('api_keys_hash').on(table.hash),
  ],
);

/** The newest session key of each agent, and when it first booted. Only the SHA-256 of the key is stored. */
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

/** The check constraint that an operation beyond the plan's limit violates. */
export const WITHIN_PLAN = 'usage_counts_within_plan';

/** Operations of each tenant per calendar month (UTC, `2026-02`). */
export const usageCounts = pgTable(
  'usage_counts',
  {
    tenantId: tenantId(),
    month: text('month').notNull(),
    operations: bigint('operations', { mode: 'number' }).notNull(),
    /** The limit on `operations` at the last call; the largest bigint while calls are not refused. */
    most: bigint('most', { mode: 'bigint' }).notNull().default(sql`9223372036854775807`),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.month] }),
    check(WITHIN_PLAN, sql`operations <= most`),
  ],
);
