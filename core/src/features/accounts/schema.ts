import { boolean, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant, tenantId } from '../../kernel/database/columns.ts';

// The first four tables belong to no tenant. The server's sign-in library reads and writes them under these field names.

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    emailVerified: boolean('email_verified').notNull(),
    image: text('image'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [uniqueIndex('users_email').on(table.email)],
);

/** Signed-in browsers. A token alone opens nothing: the cookie carries it signed with the service's secret. */
export const userSessions = pgTable(
  'user_sessions',
  {
    id: uuid('id').primaryKey(),
    userId: userId(),
    token: text('token').notNull(),
    expiresAt: instant('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('user_sessions_token').on(table.token),
    index('user_sessions_user').on(table.userId),
  ],
);

/** Ways a human signs in: a password (as a hash), or an OAuth provider. */
export const userLogins = pgTable(
  'user_logins',
  {
    id: uuid('id').primaryKey(),
    userId: userId(),
    providerId: text('provider_id').notNull(),
    accountId: text('account_id').notNull(),
    password: text('password'),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: instant('access_token_expires_at'),
    refreshTokenExpiresAt: instant('refresh_token_expires_at'),
    scope: text('scope'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('user_logins_account').on(table.providerId, table.accountId),
    index('user_logins_user').on(table.userId),
  ],
);

/** Password resets and OAuth sign-ins under way, found by the hash of what their link or cookie carries. */
export const userVerifications = pgTable(
  'user_verifications',
  {
    id: uuid('id').primaryKey(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: instant('expires_at').notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [index('user_verifications_identifier').on(table.identifier)],
);

/** Which humans an agent has. */
export const memberships = pgTable(
  'memberships',
  { tenantId: tenantId(), userId: userId(), createdAt: instant('created_at').notNull() },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.userId] }),
    index('memberships_user').on(table.userId),
  ],
);

/** The Ethereum wallet an agent signs in with, as a lower-case address. */
export const wallets = pgTable(
  'wallets',
  { tenantId: tenantId(), address: text('address').notNull(), createdAt: instant('created_at').notNull() },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.address] }),
    uniqueIndex('wallets_address').on(table.address),
  ],
);

/** Wallet sign-ins under way; a row is deleted by the one sign-in that uses it. */
export const walletChallenges = pgTable(
  'wallet_challenges',
  {
    nonce: text('nonce').primaryKey(),
    address: text('address').notNull(),
    issuedAt: instant('issued_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('wallet_challenges_age').on(table.expiresAt)],
);

function userId() {
  return uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });
}
