import { and, desc, eq, getTableColumns, isNull, lt, or, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { SvcError } from '../contract/errors.ts';
import type { Tx } from '../database/database.ts';
import { fixed } from '../database/fixed.ts';
import type { Dependencies } from '../engine/context.ts';
import { inTurns } from '../engine/in-turns.ts';
import { inForce, unauthorized } from './key-in-force.ts';
import { apiKeys, type KeyScope } from './schema.ts';
import { createSecret, hashSecret, isWellFormedSecret } from './secrets.ts';

// `last_used_at` is a hint for its owner: writing it on every call would cost more than the call.
const LAST_USED_STEP_MS = 60_000;
const HOUR_MS = 3_600_000;
// Shorter than that step, so that a key in use is looked up often enough to note it.
const RECOGNISED_MS = 30_000;
const RECOGNISED = 10_000;

/** An API key without its secret. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly name: string;
  readonly scope: KeyScope;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  /** Network address of the last use, where the caller told it. */
  readonly lastUsedAddress: string | null;
  /** The key that takes the place of this one. */
  readonly replacedBy: string | null;
}

/** A key just made: the only time its secret is seen. */
export interface NewApiKey extends ApiKeyRecord {
  readonly secret: string;
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
  create(tenantId: string, key: { name: string; scope: KeyScope; expiresAt?: Date }): Promise<NewApiKey>;
  list(tenantId: string): Promise<ApiKeyRecord[]>;
  /**
   * Makes a key of the same name, scope and lifetime; the old one ends after `overlapHours`, 0 for now. Throws
   * `NOT_FOUND` for an id that is not the tenant's, `CONFLICT` for a key no longer in force or rotated before.
   */
  rotate(tenantId: string, id: string, overlapHours: number): Promise<{ old: ApiKeyRecord; key: NewApiKey }>;
  /** Ends a key at once. Throws `NOT_FOUND` for an id that is not the tenant's. */
  revoke(tenantId: string, id: string): Promise<ApiKeyRecord>;
  /**
   * Who holds this key. Throws `UNAUTHORIZED` unless it is known, in force and unexpired.
   *
   * @param address Network address of the caller, shown to the human as that of the last use.
   */
  authenticate(secret: string, address?: string): Promise<KeyHolder>;
  /**
   * Who held this key when it was looked up less than half a minute ago; undefined where it was not. It may have ended
   * since: a call on its behalf is made by an actor that is `unproven`.
   */
  recognise(secret: string): KeyHolder | undefined;
}

/** A key in force, as its look-up answers it. */
interface Found {
  readonly tenant_id: string;
  readonly id: string;
  readonly scope: KeyScope;
  readonly stale: boolean;
}

const { tenantId: _tenant, hash: _hash, ...shown } = getTableColumns(apiKeys);

const keyStatement = fixed<Record<'hash' | 'now' | 'before', string>>(
  (
    slot,
  ) => sql`SELECT tenant_id, id, scope, coalesce(last_used_at < ${slot('before')}::timestamptz, true) AS stale
    FROM ${apiKeys} WHERE hash = ${slot('hash')}
      AND ${inForce(sql`${slot('now')}::timestamptz`)}`,
);

export function createApiKeys({ database, clock, ids, logger }: Dependencies): ApiKeys {
  const insert = async (
    tx: Tx,
    tenantId: string,
    key: { name: string; scope: KeyScope; expiresAt: Date | null },
  ): Promise<NewApiKey> => {
    const secret = createSecret('svc_');
    const [made] = await tx
      .insert(apiKeys)
      .values({ ...key, id: ids(), createdAt: clock(), tenantId, hash: hashSecret(secret) })
      .returning(shown);
    if (!made) throw new TypeError('the insert answers its row');
    return { ...made, secret };
  };

  const holders = new LRUCache<string, KeyHolder>({ max: RECOGNISED, ttl: RECOGNISED_MS });

  // Calls by one key at once share a look-up that begins after each of them came: what was revoked before is refused.
  const lookUp = inTurns<Date, Found | undefined>(async (hash, calls) => {
    const now = calls.at(-1) ?? clock();
    const [found = []] = await database.systemBatch([
      keyStatement({ hash, now: now.toISOString(), before: before(now).toISOString() }),
    ]);
    const [key] = found as readonly Found[];
    return calls.map(() => key);
  });

  return {
    create: (tenantId, { name, scope, expiresAt = null }) =>
      database.transaction(tenantId, (tx) => insert(tx, tenantId, { name, scope, expiresAt })),

    list: (tenantId) =>
      database.read(tenantId, (tx) =>
        tx
          .select(shown)
          .from(apiKeys)
          .where(eq(apiKeys.tenantId, tenantId))
          .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id)),
      ),

    rotate: (tenantId, id, overlapHours) =>
      database.transaction(tenantId, async (tx) => {
        const now = clock();
        const own = and(eq(apiKeys.tenantId, tenantId), eq(apiKeys.id, id));
        const [old] = await tx.select(shown).from(apiKeys).where(own);
        if (!old) throw unknownKey();
        const lifetime = old.expiresAt && old.expiresAt.getTime() - old.createdAt.getTime();
        const key = await insert(tx, tenantId, {
          name: old.name,
          scope: old.scope,
          expiresAt: lifetime === null ? null : new Date(now.getTime() + lifetime),
        });
        const end = new Date(now.getTime() + overlapHours * HOUR_MS);
        // Of two rotations at once, the second finds the key replaced.
        const [ended] = await tx
          .update(apiKeys)
          .set({
            replacedBy: key.id,
            ...(overlapHours === 0 ? { revokedAt: now } : {}),
            expiresAt: sql`least(${apiKeys.expiresAt}, ${end.toISOString()}::timestamptz)`,
          })
          .where(and(own, isNull(apiKeys.replacedBy), inForce(sql`${now.toISOString()}::timestamptz`)))
          .returning(shown);
        if (!ended) {
          throw new SvcError('CONFLICT', 'This API key has ended or was rotated before. Make a new one.');
        }
        return { old: ended, key };
      }),

    revoke: async (tenantId, id) => {
      const now = clock().toISOString();
      const [revoked] = await database.transaction(tenantId, (tx) =>
        tx
          .update(apiKeys)
          .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${now}::timestamptz)` })
          .where(and(eq(apiKeys.tenantId, tenantId), eq(apiKeys.id, id)))
          .returning(shown),
      );
      if (!revoked) throw unknownKey();
      return revoked;
    },

    authenticate: async (secret, address) => {
      if (!isWellFormedSecret(secret, 'svc_')) throw unauthorized();
      const now = clock();
      const hash = hashSecret(secret);
      const key = await lookUp(hash, now);
      if (!key) {
        holders.delete(hash);
        throw unauthorized();
      }
      const holder = { tenantId: key.tenant_id, keyId: key.id, scope: key.scope };
      holders.set(hash, holder);
      if (key.stale) {
        database
          .transaction(holder.tenantId, (tx) =>
            tx
              .update(apiKeys)
              .set({ lastUsedAt: now, lastUsedAddress: address ?? null })
              .where(
                and(
                  eq(apiKeys.tenantId, holder.tenantId),
                  eq(apiKeys.id, holder.keyId),
                  or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, before(now))),
                ),
              ),
          )
          .catch((error: unknown) => logger.warn({ err: error }, 'could not note the use of an API key'));
      }
      return holder;
    },

    recognise: (secret) => holders.get(hashSecret(secret)),
  };
}

function before(now: Date): Date {
  return new Date(now.getTime() - LAST_USED_STEP_MS);
}

function unknownKey(): SvcError {
  return new SvcError('NOT_FOUND', 'There is no API key with this id.');
}
