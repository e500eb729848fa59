import { and, eq, type SQL, sql } from 'drizzle-orm';
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import { auditStatement, operatorEntry } from '../../kernel/audit/append.ts';
import { eventDeliveries, events } from '../../kernel/commit/outbox-schema.ts';
import type { CallUser } from '../../kernel/context/call.ts';
import type { Context, Operation, Services } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import { type Database, rows, type Tx } from '../../kernel/database/database.ts';
import type { KeptReceipt } from '../../kernel/database/erasure-log.ts';
import { uuids } from '../../kernel/database/parameters.ts';
import { systemClock, uuidV7 } from '../../kernel/runtime/runtime.ts';
import { receiptHash, sortedCounts } from '../../kernel/tenancy/receipts.ts';
import { agentUsers, apiKeys, erasures, tenants } from '../../kernel/tenancy/schema.ts';
import {
  type ForgottenUser,
  forgottenUsers,
  forgottenWithId,
  markForgotten,
  removeForgotten,
} from '../../kernel/tenancy/users.ts';
import { forgetRecent } from '../../text/recent.ts';
import type { Receipt, userRoutes } from './contract.ts';

/** Rows that one statement deletes: some ten milliseconds' work for the embedded database. */
const CHUNK = 500;

declare module '../../kernel/context/context.ts' {
  interface Services {
    /** Every table of the database. */
    readonly tables: readonly PgTable[];
  }
}

/** Rows by the name of their table. */
type Erased = Record<string, number>;

/**
 * Erases all that is stored about a user. From the first step on nothing more is written for the user, and the rest of an
 * erasure that is cut off is done in the background, or by a repeated call.
 */
export const forgetUser: Operation<typeof userRoutes.forgetUser> = async (context, { user_id: id }) => {
  const { agentId, users } = context;
  // Another process may have forgotten the user and begun anew with it since this one learnt where it is.
  users.drop(agentId, id);
  const known = await users.find(agentId, id);
  const begun = await context.write(async (tx) => {
    const begun = await begin(tx, context, { id, known });
    // The audit log is kept: it names the erasure and not the user.
    await context.audit(tx, 'user.forgotten', { erasure_id: begun.receipt.id });
    return begun;
  });
  users.drop(agentId, id);
  await noteBegun(context, agentId, begun);
  let { receipt } = begun;
  for (const user of begun.users) {
    await erase(context, { agentId, user }, async (tx, erased) => {
      receipt = await addTo(tx, context, { agentId, receipt }, erased);
    });
  }
  return { receipt };
};

interface Begun {
  /** The user, with those of the same id whose erasure was cut off. */
  readonly users: readonly CallUser[];
  readonly keys: readonly string[];
  /** Of what is erased by now. */
  readonly receipt: Receipt;
}

/** Marks the user as forgotten and ends its keys, of which one that still opened could begin anew with the user. */
async function begin(
  tx: Tx,
  { agentId, now, ids }: Pick<Context, 'agentId' | 'now' | 'ids'>,
  { id, known }: { readonly id: string; readonly known?: CallUser | undefined },
): Promise<Begun> {
  if (known) await markForgotten(tx, { agentId, now }, known);
  const users = await forgottenWithId(tx, agentId, id);
  const keys = await tx
    .delete(apiKeys)
    .where(and(eq(apiKeys.tenantId, agentId), eq(apiKeys.userId, id)))
    .returning({ id: apiKeys.id });
  if (users.length === 0 && keys.length === 0) {
    throw new SvcError('NOT_FOUND', 'Nothing is stored about this user.');
  }
  const erased: Erased = keys.length > 0 ? { api_keys: keys.length } : {};
  const receipt = signed({ id: ids(), user_id: id, erased_at: now.toISOString(), erased });
  await tx.insert(erasures).values({ ...receipt, tenantId: agentId, erasedAt: now });
  return { users, keys: keys.map((key) => key.id), receipt };
}

/** Notes outside of the database that keys are erased; where nothing else is, their receipt is final. */
async function noteBegun(
  { database }: Pick<Services, 'database'>,
  agentId: string,
  { users, keys, receipt }: Begun,
): Promise<void> {
  if (keys.length === 0) return;
  await database.noteErased?.(keys, users.length === 0 ? [keptOf(agentId, receipt)] : []);
}

/** What is kept of a receipt. */
function keptOf(agentId: string, { user_id: _, ...kept }: Receipt): KeptReceipt {
  return { tenant_id: agentId, ...kept };
}

/**
 * Begins to erase again the users that a restored backup has brought back, of whom no call sees anything from then on; the
 * background finishes it.
 *
 * @param erased Ids of the tenants of users, and of keys bound to users, that were erased.
 * @returns how many users came back.
 */
export async function forgetUsersAgain(database: Database, erased: readonly string[]): Promise<number> {
  const isErased = sql`user_tenant_id = ANY(${uuids(erased)})`;
  const back = await database.system((tx) =>
    rows<{ agent: string; id: string; tenant: string | null }>(
      tx,
      sql`SELECT back.tenant_id AS agent, back.user_id AS id, user_tenant_id AS tenant FROM (
            SELECT tenant_id, user_id FROM ${agentUsers} WHERE ${isErased} AND forgotten_at IS NULL
            UNION SELECT tenant_id, user_id FROM ${apiKeys} WHERE id = ANY(${uuids(erased)}) AND user_id IS NOT NULL
          ) back LEFT JOIN ${agentUsers} holder
            ON holder.tenant_id = back.tenant_id AND holder.user_id = back.user_id AND ${isErased}`,
    ),
  );
  for (const { agent: agentId, id, tenant } of back) {
    const now = systemClock();
    const begun = await database.system(async (tx) => {
      const known = tenant === null ? undefined : { id, tenantId: tenant };
      // The background has jobs of the user until then: in a tenant without a row it does nothing.
      if (known) await tx.delete(tenants).where(eq(tenants.tenantId, known.tenantId));
      const begun = await begin(tx, { agentId, now, ids: uuidV7 }, { id, known });
      const entry = operatorEntry('user.forgotten', { erasure_id: begun.receipt.id }, now);
      await tx.execute(auditStatement([agentId], entry));
      return begun;
    });
    await noteBegun({ database }, agentId, begun);
  }
  return back.length;
}

/** What is kept of a receipt. */
export const readErasure: Operation<typeof userRoutes.erasure> = (context, { id }) =>
  context.read(async (tx) => {
    const [row] = await tx
      .select()
      .from(erasures)
      .where(and(eq(erasures.tenantId, context.agentId), eq(erasures.id, id)));
    if (!row) throw new SvcError('NOT_FOUND', 'There is no erasure with this id.');
    const { erasedAt, erased, hash } = row;
    return { erasure: { id, erased_at: erasedAt.toISOString(), erased: sortedCounts(erased), hash } };
  });

/**
 * Finishes erasures that were cut off.
 *
 * @returns how many users were erased.
 */
export async function finishErasures(services: Services): Promise<number> {
  const left = await forgottenUsers(services.database);
  for (const one of left) {
    const receipt = await findUnfinished(services, one);
    await erase(services, one, async (tx, erased, isFirst) => {
      // Where the call that asked for it has ended it meanwhile, that has answered the receipt.
      if (receipt && isFirst) await addTo(tx, services, { agentId: one.agentId, receipt }, erased);
    });
  }
  return left.length;
}

/**
 * The receipt of an erasure that was cut off: the one of its time whose hash is of this user, as nothing else in it tells whose it
 * is. Other receipts of the user are final, such as those of its keys alone.
 */
async function findUnfinished(
  { database }: Services,
  { agentId, user, forgottenAt }: ForgottenUser,
): Promise<Receipt | undefined> {
  if (!forgottenAt) return undefined;
  const begun = await database.read(agentId, (tx) =>
    tx
      .select()
      .from(erasures)
      .where(
        and(
          eq(erasures.tenantId, agentId),
          eq(erasures.erasedAt, forgottenAt),
          sql`${erasures.erased} - 'api_keys' = '{}'`,
        ),
      ),
  );
  return begun
    .map(({ id, erasedAt, erased, hash }) => ({
      ...{ id, erased, hash },
      ...{ user_id: user.id, erased_at: erasedAt.toISOString() },
    }))
    .find((receipt) => receipt.hash === receiptHash(receipt));
}

type ErasingServices = Pick<
  Services,
  'database' | 'tables' | 'recallLog' | 'indexCache' | 'corpusStats' | 'embeddingModels'
>;

interface OfAgent {
  readonly agentId: string;
  readonly user: CallUser;
}

/**
 * Deletes a user's tenant from all tables, a few rows at a time, and what names the user in the agent's.
 *
 * @param ending Keeps what was erased, in the transaction behind which nothing tells that the user was there; `isFirst` where no
 *   other process had erased the user meanwhile.
 */
async function erase(
  services: ErasingServices,
  { agentId, user }: OfAgent,
  ending: (tx: Tx, erased: Erased, isFirst: boolean) => Promise<void>,
): Promise<void> {
  const { database } = services;
  const erased = await eraseTenant(services, user.tenantId);
  const ofAgent = sql`tenant_id = ${agentId}::uuid`;
  // The id may be a new user's again, whose events are yet to be delivered.
  const told = sql`${ofAgent} AND data ->> 'user_id' = ${user.id} AND created_at < coalesce(
    (SELECT created_at FROM ${agentUsers} WHERE ${ofAgent} AND user_id = ${user.id}), 'infinity')`;
  const named: [string, PgTable, SQL][] = [
    [
      'event_deliveries',
      eventDeliveries,
      sql`${ofAgent} AND event_id IN (SELECT id FROM ${events} WHERE ${told})`,
    ],
    ['events', events, told],
  ];
  for (const [name, table, condition] of named) {
    const count = await deleteAll(services, table, condition);
    if (count > 0) erased[name] = count + (erased[name] ?? 0);
  }
  await database.system(async (tx) => {
    const isFirst = await removeForgotten(tx, user.tenantId);
    await ending(tx, erased, isFirst);
  });
}

/**
 * Deletes a tenant that is no agent's from all tables, a few rows at a time. That it is erased is noted first, while what marks it
 * so in the database is still there: where that was cut off, it is noted when the erasure is finished.
 *
 * @param last The table that names it, which goes last: an erasure that is cut off is found by it.
 */
export async function eraseTenant(
  services: ErasingServices,
  tenantId: string,
  last?: PgTable,
): Promise<Erased> {
  await services.database.noteErased?.([tenantId]);
  const isIts = sql`tenant_id = ${tenantId}::uuid`;
  // First the tenant itself: what waits to be logged is logged of tenants only that are there.
  await deleteAll(services, tenants, isIts);
  await services.recallLog.flush();
  const erased: Erased = {};
  for (const table of services.tables) {
    const { name, columns } = getTableConfig(table);
    if (table === tenants || table === last) continue;
    if (!columns.some((column) => column.name === 'tenant_id')) continue;
    const count = await deleteAll(services, table, isIts);
    if (count > 0) erased[name] = count;
  }
  if (last) await deleteAll(services, last, isIts);
  await dropFromMemory(services, tenantId);
  return erased;
}

/** Drops what this process keeps of a tenant's texts and words to be fast. */
async function dropFromMemory(services: ErasingServices, tenantId: string): Promise<void> {
  const { indexCache, corpusStats, embeddingModels } = services;
  await indexCache.drop(tenantId);
  corpusStats.drop(tenantId);
  embeddingModels.forgetTexts();
  forgetRecent();
}

/** Deletes rows until none is seen: one that another transaction changes meanwhile is passed over, and there in its new version. */
async function deleteAll(
  { database }: Pick<Services, 'database'>,
  table: PgTable,
  condition: SQL,
): Promise<number> {
  let count = 0;
  for (;;) {
    const [{ seen, deleted } = { seen: 0, deleted: 0 }] = await database.system((tx) =>
      rows<{ seen: number; deleted: number }>(
        tx,
        sql`WITH found AS MATERIALIZED (SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${CHUNK}),
              deleted AS (DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM found) RETURNING 1)
            SELECT (SELECT count(*)::int FROM found) AS seen, (SELECT count(*)::int FROM deleted) AS deleted`,
      ),
    );
    if (seen === 0) return count;
    count += deleted;
  }
}

/**
 * Counts in a receipt what was erased, beside what another process may have counted in it meanwhile. It is noted outside of the
 * database before the commit, behind which nothing would tell that it was not.
 */
async function addTo(
  tx: Tx,
  { database }: Pick<Services, 'database'>,
  { agentId, receipt }: { readonly agentId: string; readonly receipt: Receipt },
  more: Erased,
): Promise<Receipt> {
  const isIts = and(eq(erasures.tenantId, agentId), eq(erasures.id, receipt.id));
  const [kept] = await tx.select({ erased: erasures.erased }).from(erasures).where(isIts).for('update');
  const added = signed({ ...receipt, erased: sum(kept?.erased ?? {}, more) });
  await tx.update(erasures).set({ erased: added.erased, hash: added.hash }).where(isIts);
  await database.noteErased?.([], [keptOf(agentId, added)]);
  return added;
}

function signed(facts: Omit<Receipt, 'hash'>): Receipt {
  return { ...facts, hash: receiptHash(facts) };
}

function sum(erased: Erased, more: Erased): Erased {
  const added = Object.entries(more).map(([name, count]) => [name, count + (erased[name] ?? 0)]);
  return sortedCounts({ ...erased, ...Object.fromEntries(added) });
}
