import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { Category, MemoryType, Metadata, Source } from '../../kernel/contract/fields.ts';
import { changedIn, instant, noTexts, tenantId } from '../../kernel/database/columns.ts';
import { ANALYSIS_VERSION } from '../../text/analyze-document.ts';
import type { LinkBasis } from './contract.ts';

export type Change = 'created' | 'updated' | 'archived' | 'restored' | 'undone';

// The same columns make a memory and each of its superseded versions.
const versioned = {
  type: text('type').$type<MemoryType>().notNull(),
  category: text('category').$type<Category>(),
  content: text('content').notNull(),
  key: text('key'),
  tags: text('tags').array().notNull().default(noTexts),
  importance: doublePrecision('importance').notNull(),
  occurredAt: instant('occurred_at').notNull(),
  /** When what it says begins to hold; null: when it occurred. */
  validFrom: instant('valid_from'),
  /** When it ends to hold by itself; null: never. A memory that supersedes it may end it earlier. */
  validTo: instant('valid_to'),
  /** From then on it is in no answer, and the background archives it; null: never. */
  expiresAt: instant('expires_at'),
  /** The author's own fields. */
  metadata: jsonb('metadata').$type<Metadata>(),
  version: integer('version').notNull(),
  change: text('change').$type<Change>().notNull(),
  updatedAt: instant('updated_at').notNull(),
  source: text('source').$type<Source>().notNull(),
  credentialId: uuid('credential_id'),
  /**
   * Who said the content, where that is not the source of this version: who changes other fields, restores or undoes does not make
   * the words theirs. See `contentSourceOf`.
   */
  contentSource: text('content_source').$type<Source>(),
  /** Of what is in a space, the agent that wrote it; elsewhere null. */
  agentId: uuid('agent_id'),
  archivedAt: instant('archived_at'),
  sessionId: text('session_id'),
  /** The newer memory that contradicts this one. */
  supersededBy: uuid('superseded_by'),
  /** Why that is so, or why nothing supersedes it any more; null: stated, or nothing ever superseded it. See `isFoundLink`. */
  supersededBasis: text('superseded_basis').$type<LinkBasis>(),
  /** The older memory that says the same, for which this one was archived. */
  mergedInto: uuid('merged_into'),
};

/** Sources that speak for the agent; the others may quote anybody. */
export const OWN_SOURCES: readonly Source[] = ['agent', 'human'];

/** Condition that one of them said what a memory says. Its values stand in it: an index on it knows no parameters. */
export const isOwn = sql.raw(
  `(coalesce(content_source, source) IN (${OWN_SOURCES.map((source) => `'${source}'`).join(', ')}))`,
);

/** The opposite. Postgres would turn `NOT` of it into a condition that the index on it does not serve. */
export const isForeign = sql`${isOwn} IS FALSE`;

/** Memories in their current version. Ids are UUIDv7, so `id` also orders by creation. */
export const memories = pgTable(
  'memories',
  {
    tenantId: tenantId(),
    id: uuid('id').notNull(),
    ...versioned,
    createdAt: instant('created_at').notNull(),
    /** Length of the content in terms, for BM25. */
    length: integer('length').notNull(),
    /** The same for memories that say the same but for letter case and spacing. */
    fingerprint: bigint('fingerprint', { mode: 'bigint' }).notNull(),
    /** Nearly the same for memories that say nearly the same; null until the background computes it. See `Sketch`. */
    sketch: text('sketch'),
    /** Version of the analysis that made the memory's terms; the background analyses those of earlier versions anew. */
    analysis: smallint('analysis').notNull().default(0),
    /** Of a digest, the episodes it was made of. */
    derivedFrom: uuid('derived_from').array().notNull().default(sql`'{}'::uuid[]`),
    /** True of a digest whose episodes stay beside it: where recall finds those, it says nothing new. */
    echoes: boolean('echoes').notNull().default(false),
    /** Of an episode, the digest it went into, also where that is archived: no episode goes into two. */
    digestId: uuid('digest_id'),
    /** How often the same was said again, and when last; null: never. */
    confirmations: integer('confirmations').notNull().default(0),
    lastConfirmedAt: instant('last_confirmed_at'),
    /**
     * Facts that were there before this one and of which it was not sure whether both hold; null: none. Counts as long as neither
     * of them has been changed since: a change decides it.
     */
    conflictsWith: uuid('conflicts_with').array(),
    /** Kept by a trigger: see the migration `track_changes`. */
    changedIn: changedIn(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex('memories_key')
      .on(table.tenantId, table.key)
      .where(sql`key IS NOT NULL AND archived_at IS NULL`),
    index('memories_time').on(table.tenantId, table.occurredAt, table.id).where(sql`archived_at IS NULL`),
    index('memories_type_time')
      .on(table.tenantId, table.type, table.occurredAt, table.id)
      .where(sql`archived_at IS NULL`),
    index('memories_session')
      .on(table.tenantId, table.sessionId, table.occurredAt, table.id)
      .where(sql`session_id IS NOT NULL AND archived_at IS NULL`),
    index('memories_undigested')
      .on(table.tenantId, table.occurredAt)
      .where(sql`type = 'episodic' AND digest_id IS NULL AND archived_at IS NULL`),
    index('memories_echoes').on(table.tenantId, table.id).where(sql`echoes AND archived_at IS NULL`),
    index('memories_digest').on(table.tenantId, table.digestId).where(sql`digest_id IS NOT NULL`),
    index('memories_archived').on(table.tenantId, table.archivedAt).where(sql`archived_at IS NOT NULL`),
    index('memories_expiring')
      .on(table.tenantId, table.expiresAt)
      .where(sql`expires_at IS NOT NULL AND archived_at IS NULL`),
    index('memories_superseded').on(table.tenantId, table.supersededBy).where(sql`superseded_by IS NOT NULL`),
    index('memories_conflicts')
      .on(table.tenantId, table.id)
      .where(sql`conflicts_with IS NOT NULL AND archived_at IS NULL`),
    index('memories_importance')
      .on(
        table.tenantId,
        table.type,
        isOwn,
        table.importance.desc().nullsFirst(),
        table.occurredAt.desc().nullsFirst(),
      )
      .where(sql`archived_at IS NULL`),
    index('memories_confirmed')
      .on(table.tenantId, table.type, table.lastConfirmedAt.desc().nullsFirst())
      .where(sql`confirmations > 1 AND archived_at IS NULL`),
    index('memories_updated').on(table.tenantId, table.updatedAt, table.id),
    index('memories_outdated')
      .on(table.tenantId, table.id)
      .where(sql`analysis < ${sql.raw(String(ANALYSIS_VERSION))} AND archived_at IS NULL`),
    index('memories_changed').on(table.tenantId, table.changedIn),
  ],
);
export type MemoryRow = Omit<typeof memories.$inferSelect, 'changedIn'>;

/** Versions a memory had before its current one. */
export const memoryVersions = pgTable(
  'memory_versions',
  {
    tenantId: tenantId(),
    memoryId: uuid('memory_id').notNull(),
    ...versioned,
    /** Taken back by an undo: what it changed counts no more. */
    undone: boolean('undone').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.memoryId, table.version] }),
    index('memory_versions_source').on(table.tenantId, table.source, table.updatedAt),
    index('memory_versions_superseded')
      .on(table.tenantId, table.supersededBy)
      .where(sql`superseded_by IS NOT NULL`),
  ],
);
