import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Services } from '../context/context.ts';
import type { KeyScope } from '../contract/fields.ts';
import { compileStatement } from '../database/compiled-statement.ts';
import { createBatcher } from '../runtime/batcher.ts';
import { createLruCache } from '../runtime/lru-cache.ts';
import { isActiveAt, unauthorized } from './active-key.ts';
import { hashSecret, isWellFormedSecret, lastFourOf } from './key-format.ts';
import { apiKeys } from './schema.ts';

// `last_used_at` is a hint for the human: writing it on every call would cost more than the call.
const LAST_USED_STEP_MS = 60_000;
// Shorter than that step, so that a key in use is looked up often enough to record its use.
const CACHED_MS = 30_000;
const CACHED_KEYS = 10_000;

/** The holder of a valid API key. */
export interface KeyHolder {
  readonly tenantId: string;
  readonly keyId: string;
  readonly scope: KeyScope;
  /** The user that the key is bound to. */
  readonly userId?: string | undefined;
}

/** An active key, as the look-up returns it. */
interface ActiveKey {
  readonly tenant_id: string;
  readonly id: string;
  readonly scope: KeyScope;
  readonly user_id: string | null;
  /** Whether its last use was recorded more than a minute ago, or never. */
  readonly stale: boolean;
}

const keyStatement = compileStatement<Record<'hash' | 'now' | 'before', string>>(
  (
    param,
  ) => sql`SELECT tenant_id, id, scope, user_id, coalesce(last_used_at < ${param('before')}::timestamptz, true) AS stale
    FROM ${apiKeys} WHERE hash = ${param('hash')}
      AND ${isActiveAt(sql`${param('now')}::timestamptz`)}`,
);

/** Verifies API keys against the database, and remembers their holders for half a minute. */
export class KeyAuthenticator {
  readonly #services: Services;
  readonly #holders = createLruCache<KeyHolder>(CACHED_KEYS, CACHED_MS);
  readonly #lookUp: (hash: string, at: Date) => Promise<ActiveKey | undefined>;

  constructor(services: Services) {
    this.#services = services;
    // Concurrent calls with one key share a look-up. It begins after the last of them came, so that it sees every
    // revocation made before.
    this.#lookUp = createBatcher(async (hash, calls) => {
      const now = calls.at(-1) ?? services.clock();
      const [found = []] = await services.database.systemBatch([
        keyStatement({ hash, now: now.toISOString(), before: oneStepBefore(now).toISOString() }),
      ]);
      const [key] = found as readonly ActiveKey[];
      return calls.map(() => key);
    });
  }

  /** Looks the key up. Throws `UNAUTHORIZED` unless it is known and active. */
  async authenticate(secret: string, address: string | undefined): Promise<KeyHolder> {
    if (!isWellFormedSecret(secret, 'svc_')) throw unauthorized();
    const now = this.#services.clock();
    const hash = hashSecret(secret);
    const key = await this.#lookUp(hash, now);
    if (!key) {
      this.#holders.delete(hash);
      throw unauthorized();
    }
    const holder = {
      tenantId: key.tenant_id,
      keyId: key.id,
      scope: key.scope,
      userId: key.user_id ?? undefined,
    };
    this.#holders.set(hash, holder);
    if (key.stale) this.#recordUse(holder, { now, address, lastFour: lastFourOf(secret) });
    return holder;
  }

  /** The holder as looked up less than half a minute ago; the key may have ended since. */
  fromCache(secret: string): KeyHolder | undefined {
    return this.#holders.get(hashSecret(secret));
  }

  #recordUse({ tenantId, keyId }: KeyHolder, { now, address, lastFour }: Use): void {
    const { database, logger } = this.#services;
    database
      .transaction(tenantId, (tx) =>
        tx
          .update(apiKeys)
          .set({ lastUsedAt: now, lastUsedAddress: address ?? null, lastFour })
          .where(
            and(
              eq(apiKeys.tenantId, tenantId),
              eq(apiKeys.id, keyId),
              or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, oneStepBefore(now))),
            ),
          ),
      )
      .catch((error: unknown) => logger.warn({ err: error }, 'could not note the use of an API key'));
  }
}

interface Use {
  readonly now: Date;
  readonly address: string | undefined;
  readonly lastFour: string;
}

function oneStepBefore(now: Date): Date {
  return new Date(now.getTime() - LAST_USED_STEP_MS);
}
