import { and, desc, eq, gt, inArray, isNull, lte } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import { violates } from '../database/errors.ts';
import type { Dependencies } from '../engine/context.ts';
import { createApiKeys } from '../tenants/api-keys.ts';
import { apiKeys, tenants } from '../tenants/schema.ts';
import { createTenants, type TenantRecord, toTenant } from '../tenants/tenants.ts';
import { signUpPlan } from './accounts.ts';
import { walletChallenges, wallets } from './schema.ts';

const CHALLENGE_MS = 10 * 60_000;
const KEY_NAME = 'wallet sign-in';
const KEYS_PER_WALLET = 10;

/** One sign-in of one wallet: what its message says. The address in lower case. */
export interface WalletChallenge {
  readonly address: string;
  readonly nonce: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** Agents that sign in with an Ethereum wallet. The message and its signature are checked by the caller. */
export interface Wallets {
  /** Opens a sign-in of a wallet, for 10 minutes. */
  challenge(address: string, nonce: string): Promise<WalletChallenge>;
  /** Uses a challenge up. Throws `UNAUTHORIZED` unless it is one of ours as it was, unexpired and not used before. */
  redeem(challenge: WalletChallenge): Promise<void>;
  /**
   * The tenant of a wallet with a new API key; of the keys made this way, the 10 newest stay in force.
   *
   * @param mayOpen Whether an unknown wallet gets a tenant. Otherwise it throws `FORBIDDEN`.
   */
  signIn(address: string, mayOpen: boolean): Promise<{ tenant: TenantRecord; apiKey: string }>;
}

export function createWallets(dependencies: Dependencies): Wallets {
  const { database, clock } = dependencies;

  const find = (address: string) =>
    database.system(async (tx) => {
      const [row] = await tx
        .select({ tenant: tenants })
        .from(wallets)
        .innerJoin(tenants, eq(tenants.tenantId, wallets.tenantId))
        .where(eq(wallets.address, address));
      return row && toTenant(row.tenant);
    });

  const open = async (address: string): Promise<TenantRecord> => {
    const displayName = `${address.slice(0, 6)}…${address.slice(-4)}`;
    try {
      return await createTenants(dependencies).create(
        { displayName, plan: signUpPlan(database) },
        async (tx, tenantId) => {
          await tx.insert(wallets).values({ tenantId, address, createdAt: clock() });
        },
      );
    } catch (error) {
      // Two first sign-ins of one wallet at once: the other one has opened the account.
      const other = violates(error, 'wallets_address') && (await find(address));
      if (other) return other;
      throw error;
    }
  };

  /** Ends all but the newest keys of former sign-ins. */
  const trimKeys = (tenantId: string) =>
    database.transaction(tenantId, async (tx) => {
      const own = and(eq(apiKeys.tenantId, tenantId), eq(apiKeys.name, KEY_NAME), isNull(apiKeys.revokedAt));
      const surplus = tx
        .select({ id: apiKeys.id })
        .from(apiKeys)
        .where(own)
        .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
        .offset(KEYS_PER_WALLET);
      await tx
        .update(apiKeys)
        .set({ revokedAt: clock() })
        .where(and(eq(apiKeys.tenantId, tenantId), inArray(apiKeys.id, surplus)));
    });

  return {
    challenge: (address, nonce) =>
      database.system(async (tx) => {
        const issuedAt = clock();
        const expiresAt = new Date(issuedAt.getTime() + CHALLENGE_MS);
        await tx.delete(walletChallenges).where(lte(walletChallenges.expiresAt, issuedAt));
        await tx.insert(walletChallenges).values({ address, nonce, issuedAt, expiresAt });
        return { address, nonce, issuedAt, expiresAt };
      }),

    redeem: async ({ address, nonce, issuedAt, expiresAt }) => {
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
    },

    signIn: async (address, mayOpen) => {
      const known = await find(address);
      if (!known && !mayOpen) throw new SvcError('FORBIDDEN', 'Sign-up is closed on this service.');
      const tenant = known ?? (await open(address));
      const { secret } = await createApiKeys(dependencies).create(tenant.id, {
        name: KEY_NAME,
        scope: 'full',
      });
      await trimKeys(tenant.id);
      return { tenant, apiKey: secret };
    },
  };
}
