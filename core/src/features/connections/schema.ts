import { index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { KeyScope } from '../../kernel/contract/fields.ts';
import { instant, tenantId } from '../../kernel/database/columns.ts';

/** Apps that speak OAuth 2.1. They belong to no tenant: an app is known before any human has let it in. */
export const oauthClients = pgTable(
  'oauth_clients',
  {
    /** A UUID, or the URL of the app's metadata document. */
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    redirectUris: text('redirect_uris').array().notNull(),
    /** When it registered, or when its metadata document was read last. */
    readAt: instant('read_at').notNull(),
  },
  (table) => [index('oauth_clients_age').on(table.readAt)],
);

/** Apps that a human let in, each with the code it was let in by. Only the SHA-256 of the code is stored. */
export const connections = pgTable(
  'connections',
  {
    tenantId: tenantId(),
    id: uuid('id').notNull(),
    userId: uuid('user_id').notNull(),
    clientId: text('client_id').notNull(),
    clientName: text('client_name').notNull(),
    scope: text('scope').$type<KeyScope>().notNull(),
    /** The address of this service that the tokens are for. */
    resource: text('resource').notNull(),
    redirectUri: text('redirect_uri').notNull(),
    codeHash: text('code_hash').notNull(),
    codeChallenge: text('code_challenge').notNull(),
    codeUsedAt: instant('code_used_at'),
    createdAt: instant('created_at').notNull(),
    /** The end of the code, once it is used that of the newest refresh token. */
    expiresAt: instant('expires_at').notNull(),
    revokedAt: instant('revoked_at'),
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex('connections_code').on(table.codeHash),
    index('connections_client').on(table.clientId),
  ],
);
export type ConnectionRow = typeof connections.$inferSelect;

/**
 * Access and refresh tokens; only the SHA-256 of each is stored. A used refresh token stays until it would have ended:
 * whoever shows it again later has stolen it, or was stolen from.
 */
export const connectionTokens = pgTable(
  'connection_tokens',
  {
    tenantId: tenantId(),
    hash: text('hash').notNull(),
    connectionId: uuid('connection_id').notNull(),
    kind: text('kind').$type<'access' | 'refresh'>().notNull(),
    scope: text('scope').$type<KeyScope>().notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
    /** Of the refresh token used last: the key by which the next pair is derived from the token, which is not stored. */
    nextKey: text('next_key'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.hash] }),
    uniqueIndex('connection_tokens_hash').on(table.hash),
    index('connection_tokens_connection').on(table.tenantId, table.connectionId),
  ],
);
export type TokenRow = typeof connectionTokens.$inferSelect;
