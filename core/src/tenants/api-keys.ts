import { and, desc, eq, isNull, lt, or } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import type { Dependencies } from '../engine/context.ts';
import { apiKeys, type KeyScope } from './schema.ts';
import { createSecret, hashSecret, isWellFormedSecret } from './secrets.ts';

// `last_used_at` is a hint for its owner: writing it on every call would cost more than the call.
const LAST_USED_STEP_MS = 60_000;

/** An API key without its secret. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly name: string;
  readonly scope: KeyScope;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** The holder of a valid API key. */
export interface KeyHolder {
  readonly tenantId: string;
  readonly keyId: string;
  readonly scope: KeyScope;
}

/** Making, checking and revoking of API keys. */
export interface ApiKeys {
  /** Makes a key; `secret` is shown here and never again. */
  create(
    tenantId: string,
    key: { name: string; scope: KeyScope; expiresAt?: Date },
  ): Promise<ApiKeyRecord & { readonly secret: string }>;
  list(tenantId: string): Promise<ApiKeyRecord[]>;
  /** Ends a key at once. Throws `NOT_FOUND` for an id that is not the tenant's. */
  revoke(tenantId: string, id: string): Promise<void>;
  /** Who holds this key. Throws `UNAUTHORIZED` unless it is known, in force and unexpired. */
  authenticate(secret: string): Promise<KeyHolder>;
}

export function createApiKeys({ database, clock, ids, logger }: Dependencies): ApiKeys {
  return {
    create: async (tenantId, { name, scope, expiresAt }) => {
      const secret = createSecret('svc_');
      const key = {
        id: ids(),
        name,
        scope,
        createdAt: clock(),
        expiresAt: expiresAt ?? null,
        revokedAt: null,
        lastUsedAt: null,
      };
      await database.transaction(tenantId, (tx) =>
        tx.insert(apiKeys).values({ ...key, tenantId, hash: hashSecret(secret) }),
      );
      return { ...key, secret };
    },

    list: (tenantId) =>
      database.read(tenantId, (tx) =>
        tx
          .select({
            id: apiKeys.id,
            name: apiKeys.name,
            scope: apiKeys.scope,
            createdAt: apiKeys.createdAt,
            expiresAt: apiKeys.expiresAt,
            revokedAt: apiKeys.revokedAt,
            lastUsedAt: apiKeys.lastUsedAt,
          })
          .from(apiKeys)
          .where(eq(apiKeys.tenantId, tenantId))
          .orderBy(desc(apiKeys.createdAt)),
      ),

    revoke: async (tenantId, id) => {
      const revoked = await database.transaction(tenantId, (tx) =>
        tx
          .update(apiKeys)
          .set({ revokedAt: clock() })
          .where(and(eq(apiKeys.tenantId, tenantId), eq(apiKeys.id, id)))
          .returning({ id: apiKeys.id }),
      );
      if (revoked.length === 0) throw new SvcError('NOT_FOUND', 'There is no API key with this id.');
    },

    authenticate: async (secret) => {
      const refused = new SvcError('UNAUTHORIZED', 'The API key is missing, unknown, expired or revoked.');
      if (!isWellFormedSecret(secret, 'svc_')) throw refused;
      const hash = hashSecret(secret);
      const [key] = await database.system((tx) => tx.select().from(apiKeys).where(eq(apiKeys.hash, hash)));
      const now = clock();
      if (!key || key.revokedAt || (key.expiresAt && key.expiresAt <= now)) throw refused;
      const holder = { tenantId: key.tenantId, keyId: key.id, scope: key.scope };
      const earlier = new Date(now.getTime() - LAST_USED_STEP_MS);
      if (!key.lastUsedAt || key.lastUsedAt < earlier) {
        database
          .transaction(holder.tenantId, (tx) =>
            tx
              .update(apiKeys)
              .set({ lastUsedAt: now })
              .where(
                and(
                  eq(apiKeys.tenantId, holder.tenantId),
                  eq(apiKeys.id, holder.keyId),
                  or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, earlier)),
                ),
              ),
          )
          .catch((error: unknown) => logger.warn({ err: error }, 'could not note the use of an API key'));
      }
      return holder;
    },
  };
}
