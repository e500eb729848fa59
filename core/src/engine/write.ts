import { createHash } from 'node:crypto';
import { and, eq, lt, type SQL, sql } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import type { Rows, Tx } from '../database/database.ts';
import { sizeOf } from '../memory/size.ts';
import { isInForce, unauthorized } from '../tenants/key-in-force.ts';
import type { Context, Lookup, WriteOptions } from './context.ts';
import type { Event } from './plugins.ts';
import { IDEMPOTENCY_MS, idempotencyKeys } from './schema.ts';
import { type Growth, happenedIn, isRefusal, refusal, type Settlement, settle } from './settle.ts';

const table = idempotencyKeys;

const NO_GROWTH: Growth = { documents: 0, words: 0 };

/**
 * Makes what one call does with the database: the transaction, the idempotent replay, the count against the
 * plan and the outbox are handled here once for all operations.
 *
 * @param request What identifies the request for a replay: operation name and parsed input.
 */
export function createWriter(
  context: Omit<
    Context,
    'write' | 'append' | 'ask' | 'look' | 'conclude' | 'isProven' | 'emit' | 'charge' | 'grow' | 'read'
  >,
  request: unknown,
) {
  const { route, options, database, tenantId, now, actor } = context;
  const replayable = route.method !== 'GET' && route.idempotent !== false;
  let claimed = options.idempotencyKey === undefined || !replayable;
  let emitted: Event[] = [];
  let growth = NO_GROWTH;
  let charged = 0;
  const counted: Promise<void>[] = [];
  const unproven = actor.unproven ? actor.credentialId : undefined;
  if (unproven === null) throw new TypeError('an unproven actor has a credential');
  let proven = !actor.unproven;

  const toEvent = (type: string, data: Record<string, unknown>): Event => ({
    id: context.ids(),
    type,
    tenantId,
    timestamp: now,
    data,
  });
  const settlementOf = (units: number, events: readonly Event[], grown: Growth): Settlement => ({
    tenantId,
    now,
    units: (route.metering === 'free' ? 0 : units) + charged,
    refuse: route.metering === 'limited' || charged > 0,
    events,
    growth: grown,
    ids: context.ids,
    unproven,
  });
  const notify = async (events: readonly Event[]) => {
    for (const event of events) await context.plugins.notify('event', event, context);
  };
  const explained = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (isRefusal(error))
        throw await database.read(tenantId, (tx) => refusal(tx, { tenantId, now, unproven }));
      throw error;
    }
  };

  const emit = async (_tx: Tx, type: string, data: Record<string, unknown>): Promise<void> => {
    emitted.push(toEvent(type, data));
  };
  const charge = (units: number): void => {
    charged += units;
  };
  const grow = (by: Growth): void => {
    growth = { documents: growth.documents + by.documents, words: growth.words + by.words };
  };

  const noteProof = ({ units }: Settlement) => {
    proven ||= unproven !== undefined && units > 0;
  };
  /** What counts a use proves the credential by that. */
  const requireProof = (units: number) => {
    const counts = route.metering !== 'free' && units > 0;
    if (!proven && !counts) throw new TypeError('with an unproven credential nothing is written uncounted');
  };

  const write = async <T>(work: (tx: Tx) => Promise<T>, { units = 1 }: WriteOptions = {}): Promise<T> => {
    requireProof(units);
    // The first write of a call carries its key; a call that writes again does so only for what may be redone.
    const key = claimed ? undefined : context.options.idempotencyKey;
    claimed = true;
    let settlement: Settlement | undefined;
    let happened: readonly Event[] = [];
    const { answer } = await explained(
      database.transaction(
        tenantId,
        async (tx): Promise<{ answer: T; replayed: boolean }> => {
          emitted = [];
          growth = NO_GROWTH;
          charged = 0;
          const replay = key === undefined ? undefined : await claim(tx, key);
          if (replay) {
            // A replay is not counted, which would prove the credential.
            if (unproven !== undefined && !(await isInForce(tx, tenantId, unproven, now)))
              throw unauthorized();
            return { answer: replay.response as T, replayed: true };
          }
          return { answer: await work(tx), replayed: false };
        },
        {
          statements: ({ answer, replayed }) => {
            settlement = replayed ? undefined : settlementOf(units, emitted, growth);
            const settled = settlement && settle(settlement);
            const kept = key === undefined || replayed ? undefined : keep(key, answer);
            return [settled, kept].filter((statement) => statement !== undefined);
          },
          done: ([answered]) => {
            happened = settlement ? happenedIn(settlement, answered) : [];
          },
        },
      ),
    );
    emitted = [];
    proven = true;
    await notify(happened);
    return answer;
  };

  const append: Context['append'] = async (added, answer, { type, data }) => {
    requireProof(1);
    const key = claimed ? undefined : options.idempotencyKey;
    const happened = await context.additions.add({
      settlement: settlementOf(1, [toEvent(type, data)], sizeOf([added.row])),
      added,
      ...(key === undefined ? {} : { kept: { key, requestHash: requestHash(), response: answer } }),
    });
    if (!happened) return false;
    claimed = true;
    proven = true;
    await notify(happened);
    return true;
  };

  const ask = async (lookup: Lookup, { type, data }: { type: string; data: Record<string, unknown> }) => {
    const use = settlementOf(1, [toEvent(type, data)], NO_GROWTH);
    const { uses } = context;
    return new Promise<Rows>((resolve, reject) => {
      const counting = explained(
        typeof lookup === 'function' ? uses.add(use, lookup, resolve) : uses.addBehind(use, lookup, resolve),
      ).then(async ({ happened, found }) => {
        resolve(found);
        noteProof(use);
        await notify(happened);
      });
      // Where the answer was early, only `conclude` tells what became of the count.
      counting.catch(reject);
      counted.push(counting);
    });
  };

  const conclude = async (): Promise<void> => {
    await Promise.all(counted);
  };

  const look = async (lookup: Lookup): Promise<Rows> => {
    const statement = typeof lookup === 'function' ? lookup() : lookup;
    const [found = []] = await database.batch(tenantId, [statement]);
    return found;
  };

  const requestHash = () => createHash('sha256').update(JSON.stringify(request)).digest('hex');

  /** Takes the key for this transaction, or answers what the first call with it answered. */
  async function claim(tx: Tx, key: string): Promise<{ response: unknown } | undefined> {
    const hash = requestHash();
    const expired = new Date(context.now.getTime() - IDEMPOTENCY_MS);
    const own = and(eq(table.tenantId, context.tenantId), eq(table.key, key));
    await tx.delete(table).where(and(own, lt(table.createdAt, expired)));
    // A concurrent call with the same key waits here until this transaction ends.
    const taken = await tx
      .insert(table)
      .values({ tenantId: context.tenantId, key, requestHash: hash, createdAt: context.now })
      .onConflictDoNothing()
      .returning({ key: table.key });
    if (taken.length > 0) return undefined;
    const [first] = await tx.select().from(table).where(own);
    if (first?.requestHash !== hash) {
      throw new SvcError('CONFLICT', 'This Idempotency-Key was used for a different request. Use a new key.');
    }
    return { response: first.response };
  }

  function keep(key: string, response: unknown): SQL {
    return sql`UPDATE ${table} SET response = ${JSON.stringify(response ?? null)}::json
      WHERE tenant_id = ${tenantId}::uuid AND key = ${key}`;
  }

  return { write, append, ask, look, conclude, isProven: () => proven, emit, charge, grow };
}
