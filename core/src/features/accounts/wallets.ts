import { and, desc, eq, gt, inArray, isNull, lte } from 'drizzle-orm';
import type { AuditedBy } from '../../kernel/audit/act.ts';
import { appendToAuditLog } from '../../kernel/audit/append.ts';
import type { Services } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import { violatesUnique } from '../../kernel/database/errors.ts';
import { MINUTE_MS } from '../../kernel/runtime/durations.ts';
import { createApiKeys } from '../../kernel/tenancy/api-keys.ts';
import { apiKeys, tenants } from '../../kernel/tenancy/schema.ts';
import { createTenants, type TenantRecord, toTenant } from '../../kernel/tenancy/tenants.ts';
import { walletChallenges, wallets } from './schema.ts';

const CHALLENGE_MS = 10 * MINUTE_MS;
const KEY_NAME = 'wallet sign-in';
const KEYS_PER_WALLET = 10;
/** A wallet is an agent's, which has no other credential yet. */
const BY_WALLET: AuditedBy = { kind: 'agent', credentialId: null };

/** One sign-in of one wallet, as its message states it. The address is in lower case. */
export interface WalletChallenge {
  readonly address: string;
  readonly nonce: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** Agents that sign in with an Ethereum wallet. The caller verifies the message and its signature. */
export interface Wallets {
  /** Creates a challenge for a wallet, valid for 10 minutes. */
  challenge(address: string, nonce: string): Promise<WalletChallenge>;
  /** Uses a challenge up. Throws `UNAUTHORIZED` when it is not one of ours, was changed or used before, or has expired. */
  redeem(challenge: WalletChallenge): Promise<void>;
  /**
   * Returns the tenant of a wallet, with a new API key. Of the keys made this way, the 10 newest stay active.
   *
   * @param mayOpen Whether an unknown wallet gets a tenant; otherwise it throws `FORBIDDEN`.
   */
  signIn(address: string, mayOpen: boolean): Promise<{ tenant: TenantRecord; apiKey: string }>;
}

export function createWallets(services: Services): Wallets {
  return new StoredWallets(services);
}

class StoredWallets implements Wallets {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  challenge(address: string, nonce: string): Promise<WalletChallenge> {
    const { database, clock } = this.#services;
    return database.system(async (tx) => {
      const issuedAt = clock();
      const expiresAt = new Date(issuedAt.getTime() + CHALLENGE_MS);
      await tx.delete(walletChallenges).where(lte(walletChallenges.expiresAt, issuedAt));
      await tx.insert(walletChallenges).values({ address, nonce, issuedAt, expiresAt });
      return { address, nonce, issuedAt, expiresAt };
    });
  }

  async redeem({ address, nonce, issuedAt, expiresAt }: WalletChallenge): Promise<void> {
    const { database, clock } = this.#services;
    // One statement: of concurrent replays exactly one deletes the row.
    const used = await database.system((tx) =>
      tx
        .delete(walletChallenges)
        .where(
          and(
            eq(walletChallenges.nonce, nonce),
            eq(walletChallenges.address, address),
            eq(walletChallenges.issuedAt, issuedAt),
            eq(walletChallenges.expiresAt, expiresAt),
            gt(walletChallenges.expiresAt, clock()),
          ),
        )
        .returning({ nonce: walletChallenges.nonce }),
    );
    if (used.length === 0) {
      throw new SvcError('UNAUTHORIZED', 'This message is not ours, was used before, or has expired.');
    }
  }

  async signIn(address: string, mayOpen: boolean): Promise<{ tenant: TenantRecord; apiKey: string }> {
    const known = await this.#find(address);
    if (!known && !mayOpen) throw new SvcError('FORBIDDEN', 'Sign-up is closed on this service.');
    const tenant = known ?? (await this.#open(address));
    const keys = createApiKeys(this.#services, BY_WALLET);
    const { secret } = await keys.create(tenant.id, { name: KEY_NAME, scope: 'full' });
    await this.#trimKeys(tenant.id);
    return { tenant, apiKey: secret };
  }

  #find(address: string): Promise<TenantRecord | undefined> {
    return this.#services.database.system(async (tx) => {
      const [row] = await tx
        .select({ tenant: tenants })
        .from(wallets)
        .innerJoin(tenants, eq(tenants.tenantId, wallets.tenantId))
        .where(eq(wallets.address, address));
      return row && toTenant(row.tenant);
    });
  }

  /** Creates the tenant of a new wallet. */
  async #open(address: string): Promise<TenantRecord> {
    const displayName = `${address.slice(0, 6)}…${address.slice(-4)}`;
    const tenant = { displayName, plan: this.#services.settings.signUpPlan };
    try {
      return await createTenants(this.#services).create(
        tenant,
        async (tx, tenantId) => {
          await tx.insert(wallets).values({ tenantId, address, createdAt: this.#services.clock() });
        },
        BY_WALLET,
      );
    } catch (error) {
      // A concurrent first sign-in of the same wallet has created the tenant.
      const other = violatesUnique(error, 'wallets_address') && (await this.#find(address));
      if (other) return other;
      throw error;
    }
  }

  /** Revokes all but the newest keys of former sign-ins. */
  async #trimKeys(tenantId: string): Promise<void> {
    const { database, clock } = this.#services;
    await database.transaction(tenantId, async (tx) => {
      const active = and(
        eq(apiKeys.tenantId, tenantId),
        eq(apiKeys.name, KEY_NAME),
        isNull(apiKeys.revokedAt),
      );
      const surplus = tx
        .select({ id: apiKeys.id })
        .from(apiKeys)
        .where(active)
        .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
        .offset(KEYS_PER_WALLET);
      const revoked = await tx
        .update(apiKeys)
        .set({ revokedAt: clock() })
        .where(and(eq(apiKeys.tenantId, tenantId), inArray(apiKeys.id, surplus)))
        .returning({ id: apiKeys.id });
      for (const { id } of revoked) {
        const act = { act: 'api_key.revoked', by: BY_WALLET, touched: { key_id: id } };
        await appendToAuditLog(tx, this.#services, [tenantId], act);
      }
    });
  }
}
