import { and, count, desc, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import { type AuditedBy, OPERATOR } from '../audit/act.ts';
import { appendToAuditLog } from '../audit/append.ts';
import type { Services, Touched } from '../context/context.ts';
import { SvcError } from '../contract/errors.ts';
import type { KeyScope } from '../contract/fields.ts';
import type { Tx } from '../database/database.ts';
import { timestamptz } from '../database/parameters.ts';
import { HOUR_MS } from '../runtime/durations.ts';
import { isActiveAt } from './active-key.ts';
import { KeyAuthenticator, type KeyHolder } from './key-authenticator.ts';
import { createSecret, hashSecret, lastFourOf } from './key-format.ts';
import { apiKeys } from './schema.ts';

export type { KeyHolder } from './key-authenticator.ts';

/** An API key without its secret. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly name: string;
  readonly scope: KeyScope;
  /** The last four characters; null for a key that was made before they were kept, and was not used since. */
  readonly lastFour: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  /** Network address of the last use; null when unknown. */
  readonly lastUsedAddress: string | null;
  /** Id of the key that replaces this one. */
  readonly replacedBy: string | null;
  /** The user that the key is bound to; null for a key of the agent's own. */
  readonly userId: string | null;
}

/** A key just made. Its secret is shown only here. */
export interface NewApiKey extends ApiKeyRecord {
  readonly secret: string;
}

/** Creates, verifies, rotates and revokes API keys. */
export interface ApiKeys {
  /**
   * Creates a key. Its `secret` is shown only in this answer.
   *
   * @param mostActive How many active keys there may be with it; default: any number. Throws `CONFLICT` where there are as many.
   */
  create(tenantId: string, key: KeyDraft, mostActive?: number): Promise<NewApiKey>;
  list(tenantId: string): Promise<ApiKeyRecord[]>;
  /**
   * Creates a key of the same name, scope, user and lifetime. The old key ends after `overlapHours`; 0 revokes it now. Throws
   * `NOT_FOUND` when the tenant has no key with this id, `CONFLICT` when the key is inactive or was rotated before.
   *
   * @param mostActive As of `create`. A key that ends now gives its place to the new one.
   */
  rotate(
    tenantId: string,
    id: string,
    overlapHours: number,
    mostActive?: number,
  ): Promise<{ old: ApiKeyRecord; key: NewApiKey }>;
  /** Revokes a key now. Throws `NOT_FOUND` when the tenant has no key with this id. */
  revoke(tenantId: string, id: string): Promise<ApiKeyRecord>;
  /**
   * Returns the holder of this key. Throws `UNAUTHORIZED` when the key is unknown, expired or revoked.
   *
   * @param address Network address of the caller, shown to the human as the address of the last use.
   */
  authenticate(secret: string, address?: string): Promise<KeyHolder>;
  /**
   * Returns the holder of this key if it was looked up less than half a minute ago. The key may have ended since, so the
   * call must be made by an actor that is `unverified`.
   */
  authenticateFromCache(secret: string): KeyHolder | undefined;
}

interface KeyDraft {
  readonly name: string;
  readonly scope: KeyScope;
  readonly expiresAt?: Date | null;
  /** The user to bind it to; default: none. */
  readonly userId?: string | null;
}

const { tenantId: _tenant, hash: _hash, ...shown } = getTableColumns(apiKeys);

/** @param by Who makes and ends keys, for the audit log; default: the operator. */
export function createApiKeys(services: Services, by: AuditedBy = OPERATOR): ApiKeys {
  return new StoredApiKeys(services, by);
}

class StoredApiKeys implements ApiKeys {
  readonly #services: Services;
  readonly #by: AuditedBy;
  readonly #authenticator: KeyAuthenticator;

  constructor(services: Services, by: AuditedBy) {
    this.#services = services;
    this.#by = by;
    this.#authenticator = new KeyAuthenticator(services);
  }

  create(tenantId: string, draft: KeyDraft, mostActive = Number.POSITIVE_INFINITY): Promise<NewApiKey> {
    return this.#services.database.transaction(tenantId, async (tx) => {
      const key = await this.#insert(tx, tenantId, draft);
      await this.#audit(tx, tenantId, 'api_key.created', { key_id: key.id, scope: key.scope });
      await this.#requireAtMost(tx, tenantId, mostActive, 'Revoke one.');
      return key;
    });
  }

  list(tenantId: string): Promise<ApiKeyRecord[]> {
    return this.#services.database.read(tenantId, (tx) =>
      tx
        .select(shown)
        .from(apiKeys)
        .where(eq(apiKeys.tenantId, tenantId))
        .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id)),
    );
  }

  rotate(
    tenantId: string,
    id: string,
    overlapHours: number,
    mostActive = Number.POSITIVE_INFINITY,
  ): Promise<{ old: ApiKeyRecord; key: NewApiKey }> {
    return this.#services.database.transaction(tenantId, async (tx) => {
      const now = this.#services.clock();
      const [old] = await tx.select(shown).from(apiKeys).where(hasId(tenantId, id));
      if (!old) throw unknownKey();
      const { name, scope, userId } = old;
      const lifetime = old.expiresAt && old.expiresAt.getTime() - old.createdAt.getTime();
      const expiresAt = lifetime === null ? null : new Date(now.getTime() + lifetime);
      const key = await this.#insert(tx, tenantId, { name, scope, expiresAt, userId });
      const end = new Date(now.getTime() + overlapHours * HOUR_MS);
      // Of two concurrent rotations, the second finds the key replaced.
      const [ended] = await tx
        .update(apiKeys)
        .set({
          replacedBy: key.id,
          ...(overlapHours === 0 ? { revokedAt: now } : {}),
          expiresAt: sql`least(${apiKeys.expiresAt}, ${timestamptz(end)})`,
        })
        .where(and(hasId(tenantId, id), isNull(apiKeys.replacedBy), isActiveAt(timestamptz(now))))
        .returning(shown);
      if (!ended) {
        throw new SvcError('CONFLICT', 'This API key has ended or was rotated before. Make a new one.');
      }
      await this.#audit(tx, tenantId, 'api_key.rotated', { key_id: id, new_key_id: key.id });
      const fix = 'Revoke one, or rotate with overlap_hours 0.';
      if (overlapHours > 0) await this.#requireAtMost(tx, tenantId, mostActive, fix);
      return { old: ended, key };
    });
  }

  revoke(tenantId: string, id: string): Promise<ApiKeyRecord> {
    return this.#services.database.transaction(tenantId, async (tx) => {
      const [revoked] = await tx
        .update(apiKeys)
        .set({ revokedAt: this.#services.clock() })
        .where(and(hasId(tenantId, id), isNull(apiKeys.revokedAt)))
        .returning(shown);
      if (revoked) {
        await this.#audit(tx, tenantId, 'api_key.revoked', { key_id: id });
        return revoked;
      }
      const [known] = await tx.select(shown).from(apiKeys).where(hasId(tenantId, id));
      if (!known) throw unknownKey();
      return known;
    });
  }

  authenticate(secret: string, address?: string): Promise<KeyHolder> {
    return this.#authenticator.authenticate(secret, address);
  }

  authenticateFromCache(secret: string): KeyHolder | undefined {
    return this.#authenticator.fromCache(secret);
  }

  /**
   * Counts the active keys at the end of a transaction: the audit log lets one call after the other go on, and each sees the keys
   * of those before.
   */
  async #requireAtMost(tx: Tx, tenantId: string, most: number, fix: string): Promise<void> {
    const now = timestamptz(this.#services.clock());
    const [counted] = await tx
      .select({ active: count() })
      .from(apiKeys)
      .where(and(eq(apiKeys.tenantId, tenantId), isActiveAt(now)));
    if ((counted?.active ?? 0) <= most) return;
    throw new SvcError('CONFLICT', `There are ${most} active API keys, the most there can be. ${fix}`);
  }

  #audit(tx: Tx, tenantId: string, act: string, touched: Touched): Promise<void> {
    return appendToAuditLog(tx, this.#services, [tenantId], { act, by: this.#by, touched });
  }

  async #insert(tx: Tx, tenantId: string, draft: KeyDraft): Promise<NewApiKey> {
    const { name, scope, expiresAt = null, userId = null } = draft;
    const { clock, ids } = this.#services;
    const secret = createSecret('svc_');
    const [made] = await tx
      .insert(apiKeys)
      .values({
        ...{ tenantId, name, scope, expiresAt, userId },
        id: ids(),
        createdAt: clock(),
        hash: hashSecret(secret),
        lastFour: lastFourOf(secret),
      })
      .returning(shown);
    if (!made) throw new TypeError('the insert answers its row');
    return { ...made, secret };
  }
}

function hasId(tenantId: string, id: string) {
  return and(eq(apiKeys.tenantId, tenantId), eq(apiKeys.id, id));
}

function unknownKey(): SvcError {
  return new SvcError('NOT_FOUND', 'There is no API key with this id.');
}
