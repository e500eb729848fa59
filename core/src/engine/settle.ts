import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import { floats } from '../database/arrays.ts';
import { type Rows, rows, type Tx } from '../database/database.ts';
import { violatesCheck } from '../database/errors.ts';
import { type FixedStatement, fixed, type Slot } from '../database/fixed.ts';
import { eventDeliveries, eventEndpoints, events } from '../events/schema.ts';
import { corpusSizes } from '../recall/schema.ts';
import { inForce, isInForce, unauthorized } from '../tenants/key-in-force.ts';
import { apiKeys, type Plan, tenants, usageCounts, WITHIN_PLAN } from '../tenants/schema.ts';
import { monthOf, OPERATIONS_LIMIT, THRESHOLDS } from '../usage/plans.ts';
import type { Event } from './plugins.ts';
import type { Ids } from './ports.ts';

/** By how much the memories that recall can find grow or shrink. */
export interface Growth {
  readonly documents: number;
  /** Sum of the memories' lengths in words. */
  readonly words: number;
}

/** What ends a transaction. */
export interface Settlement {
  readonly tenantId: string;
  readonly now: Date;
  /** Operations to count against the plan; 0 for what is free. */
  readonly units: number;
  /** Whether a use over the limit is refused or only counted. */
  readonly refuse: boolean;
  readonly events: readonly Event[];
  readonly growth: Growth;
  /** Where ids of events come from. */
  readonly ids: Ids;
  /** An API key without which nothing is counted; none where it was looked up before. */
  readonly unproven?: string | undefined;
}

interface Crossed {
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * The last statement of a transaction: counts operations, writes events with a delivery for every endpoint that asked
 * for their kind, and keeps the sizes that recall's statistics need. It comes last because the tenant's counters stay
 * locked until the transaction ends; and a use over the limit breaks a constraint of the counter, so that the commit sent
 * along with it undoes everything.
 */
export function settle(settlement: Settlement): SQLWrapper | undefined {
  const { tenantId, now, units, growth, ids, unproven } = settlement;
  const counts = units > 0;
  const grows = growth.documents !== 0 || growth.words !== 0;
  const tells = counts || settlement.events.length > 0;
  if (!grows && !tells) return undefined;
  const told = settlement.events.map(({ id, type, data, timestamp }) => ({ id, type, data, at: timestamp }));
  return settling({ counts, refuses: settlement.refuse, proves: unproven !== undefined, grows, tells })({
    tenantId,
    at: now.toISOString(),
    month: monthOf(now),
    units,
    unproven: unproven ?? '',
    documents: growth.documents,
    words: growth.words,
    events: JSON.stringify(told),
    // One for each threshold that it may cross.
    spareIds: `{${THRESHOLDS.map(() => ids()).join(',')}}`,
  });
}

/** What a settlement does, which its statement depends on. */
interface Shape {
  readonly counts: boolean;
  /** Whether a use over the limit is refused or only counted. */
  readonly refuses: boolean;
  readonly proves: boolean;
  readonly grows: boolean;
  readonly tells: boolean;
}

type Values = Record<
  'tenantId' | 'at' | 'month' | 'units' | 'unproven' | 'documents' | 'words' | 'events' | 'spareIds',
  string | number
>;

const known = new Map<string, (values: Values) => FixedStatement<Values>>();

function settling(shape: Shape): (values: Values) => FixedStatement<Values> {
  const name = Object.values(shape).join(' ');
  const statement = known.get(name) ?? fixed<Values>((slot) => write(shape, slot));
  known.set(name, statement);
  return statement;
}

function write({ counts, refuses, proves, grows, tells }: Shape, slot: Slot<Values>): SQL {
  const parts: SQL[] = [];
  if (counts) {
    const most = refuses ? sql`CASE WHEN expired THEN -1 ELSE most END` : sql`9223372036854775807`;
    const key = sql`WHERE EXISTS (SELECT FROM ${apiKeys} WHERE tenant_id = ${slot('tenantId')}::uuid
      AND id = ${slot('unproven')}::uuid AND ${inForce(sql`${slot('at')}::timestamptz`)})`;
    parts.push(
      sql`plan AS (
        SELECT (${JSON.stringify(OPERATIONS_LIMIT)}::jsonb ->> plan)::bigint AS most,
          plan = 'trial' AND trial_expires_at <= ${slot('at')}::timestamptz AS expired
        FROM ${tenants} WHERE tenant_id = ${slot('tenantId')}::uuid
      )`,
      sql`counted AS (
        INSERT INTO ${usageCounts} AS count (tenant_id, month, operations, most)
        VALUES (${slot('tenantId')}::uuid, ${slot('month')}, ${slot('units')}::bigint,
          coalesce((SELECT ${most} FROM plan ${proves ? key : sql``}), -1))
        ON CONFLICT (tenant_id, month) DO UPDATE
          SET operations = count.operations + excluded.operations, most = excluded.most
        RETURNING operations
      )`,
      sql`crossed AS (
        SELECT line.id, jsonb_build_object('share', share, 'operations', operations, 'operations_limit', most,
          'month', ${slot('month')}::text) AS data
        FROM counted, plan, unnest(${floats(THRESHOLDS)}, ${slot('spareIds')}::uuid[]) AS line(share, id)
        WHERE operations - ${slot('units')}::bigint < ceil(most * share) AND operations >= ceil(most * share)
      )`,
    );
  }
  if (grows) {
    parts.push(sql`corpus AS (
        INSERT INTO ${corpusSizes} AS size (tenant_id, documents, words)
        VALUES (${slot('tenantId')}::uuid, ${slot('documents')}::bigint, ${slot('words')}::bigint)
        ON CONFLICT (tenant_id) DO UPDATE
          SET documents = size.documents + excluded.documents, words = size.words + excluded.words
      )`);
  }
  if (tells) {
    const threshold = sql`UNION ALL
        SELECT ${slot('tenantId')}::uuid, id, 'billing.threshold', data, ${slot('at')}::timestamptz FROM crossed`;
    parts.push(
      sql`event AS (
        INSERT INTO ${events} (tenant_id, id, type, data, created_at)
        SELECT ${slot('tenantId')}::uuid, id, type, data, at
        FROM jsonb_to_recordset(${slot('events')}::jsonb) AS item(id uuid, type text, data jsonb, at timestamptz)
        ${counts ? threshold : sql``}
        RETURNING tenant_id, id, type, created_at
      )`,
      sql`delivery AS (
        INSERT INTO ${eventDeliveries} (tenant_id, id, endpoint_id, event_id, type, status, due_at, created_at)
        SELECT event.tenant_id, gen_random_uuid(), endpoint.id, event.id, event.type, 'pending',
               event.created_at, event.created_at
        FROM event JOIN ${eventEndpoints} endpoint ON endpoint.tenant_id = event.tenant_id
        WHERE endpoint.disabled_at IS NULL
          AND endpoint.events && ARRAY['*', split_part(event.type, '.', 1) || '.*', event.type]
      )`,
    );
  }
  return sql`WITH ${sql.join(parts, sql`, `)} SELECT ${counts ? sql`id, data FROM crossed` : sql`1`}`;
}

/** The events of a settlement with those of the thresholds it crossed, as its statement answered. */
export function happenedIn(settlement: Settlement, answer: Rows = []): readonly Event[] {
  if (settlement.units === 0) return settlement.events;
  const { tenantId, now: timestamp } = settlement;
  const crossed = (answer as readonly Crossed[]).map(
    ({ id, data }): Event => ({ id, data, type: 'billing.threshold', tenantId, timestamp }),
  );
  return [...settlement.events, ...crossed];
}

/** Settlements of one tenant as one, which counts the same and writes the same events. */
export function settlementOfAll(first: Settlement, others: readonly Settlement[]): Settlement {
  const all = [first, ...others];
  const sum = (of: (one: Settlement) => number) => all.reduce((total, one) => total + of(one), 0);
  return {
    ...first,
    // The latest of them: what all of them are counted in must not lie before one of them came.
    now: (others.at(-1) ?? first).now,
    units: sum(({ units }) => units),
    events: all.flatMap(({ events }) => events),
    growth: {
      documents: sum(({ growth }) => growth.documents),
      words: sum(({ growth }) => growth.words),
    },
  };
}

/** What happened in each of the settlements that were settled as one: a threshold that they crossed together is told once. */
export function happenedInEach(
  first: Settlement,
  others: readonly Settlement[],
  answer: Rows | undefined,
): (readonly Event[])[] {
  return [happenedIn(first, answer), ...others.map(({ events }) => events)];
}

/** True where a settlement failed because the tenant may not use more, or with this key nothing. */
export function isRefusal(error: unknown): boolean {
  return violatesCheck(error, WITHIN_PLAN);
}

/**
 * Says why a tenant may not use more.
 *
 * @param unproven The key that the settlement was to prove.
 * @returns `UNAUTHORIZED` for a key that is not in force any more, `FORBIDDEN` once a trial has ended, `QUOTA_EXCEEDED` where the month's limit would be passed, `NOT_FOUND` for
 *   an unknown tenant.
 */
export async function refusal(
  tx: Tx,
  { tenantId, now, unproven }: Pick<Settlement, 'tenantId' | 'now' | 'unproven'>,
): Promise<SvcError> {
  if (unproven !== undefined && !(await isInForce(tx, tenantId, unproven, now))) return unauthorized();
  const [tenant] = await rows<{ plan: Plan; expired: boolean | null }>(
    tx,
    sql`SELECT plan, plan = 'trial' AND trial_expires_at <= ${now.toISOString()}::timestamptz AS expired
        FROM ${tenants} WHERE tenant_id = ${tenantId}::uuid`,
  );
  if (!tenant) return new SvcError('NOT_FOUND', 'This tenant does not exist.');
  if (tenant.expired) {
    return new SvcError(
      'FORBIDDEN',
      'The trial of this account has ended. Boot, compaction, sync, reading by id, forgetting and export still work.',
    );
  }
  const limit = OPERATIONS_LIMIT[tenant.plan];
  const month = monthOf(now);
  return new SvcError('QUOTA_EXCEEDED', `All ${limit} operations of ${month} are used.`, {
    details: { operations_limit: limit, month },
  });
}
