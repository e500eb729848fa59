import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Call } from '../context/call.ts';
import type { Event } from '../context/hooks.ts';
import { SvcError } from '../contract/errors.ts';
import type { Plan } from '../contract/fields.ts';
import { type CompiledStatement, compileStatement, type Param } from '../database/compiled-statement.ts';
import { type Rows, rows, type TenantIds, type Tx } from '../database/database.ts';
import { violatesConstraint } from '../database/errors.ts';
import { floats, timestamptz } from '../database/parameters.ts';
import type { Ids } from '../runtime/runtime.ts';
import { isActiveAt, isActiveKey, unauthorized } from '../tenancy/active-key.ts';
import { OPERATIONS_LIMIT, THRESHOLDS, usageMonthOf } from '../tenancy/plans.ts';
import { apiKeys, tenants, usageCounts, WITHIN_PLAN } from '../tenancy/schema.ts';
import { isMember, isThere, lockedMember, lockedSpace, noSpace } from '../tenancy/space-rights.ts';
import { forgotten, isKnownUser, lockedUser, lockedUsers } from '../tenancy/users.ts';
import { type Counter, type CounterChange, counterPart, sumChanges, valueName } from './counter.ts';
import { eventDeliveries, eventEndpoints, events } from './outbox-schema.ts';

/** What the end of a transaction writes beside the work itself. */
export interface Commit {
  /** Whose counters of stored things change. */
  readonly tenantId: string;
  /** The agent whose plan counts the operations and whose events these are. */
  readonly agentId: string;
  /**
   * What must still exist at the commit, since it may be removed meanwhile: the user in whose tenant the call works; the agent's
   * right to write to the space; or, where a human of the account calls, the space itself.
   */
  readonly needs?: 'user' | 'right' | 'space' | undefined;
  /** Of a right that it needs, the transaction that wrote it. */
  readonly rightWrittenIn?: string | undefined;
  /** The spaces that its query reads, where it reads these alone. */
  readonly readsSpaces?: Call['readsSpaces'];
  readonly now: Date;
  /** Operations to count against the plan; 0 for what is free. */
  readonly units: number;
  /** Whether a use over the limit is refused or only counted. */
  readonly refuse: boolean;
  readonly events: readonly Event[];
  readonly changes: readonly CounterChange[];
  /** Where ids of events come from. */
  readonly ids: Ids;
  /** The id of an API key that the commit verifies: where the key is no longer active, nothing is committed. */
  readonly unverified?: string | undefined;
}

interface Crossed {
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * The last statement of a transaction: counts operations, writes events with a delivery for every endpoint that asked
 * for their kind, and changes the features' counters. It comes last because the tenant's counters stay locked until the
 * transaction ends. A use over the limit breaks a constraint of the usage counter, so that the transaction is rolled back.
 *
 * @returns undefined where there is nothing to write.
 */
export function commitStatement(commit: Commit): SQLWrapper | undefined {
  const { tenantId, agentId, now, units, ids, unverified, needs, rightWrittenIn = '' } = commit;
  const changes = sumChanges(commit.changes);
  const counts = units > 0;
  const emits = counts || commit.events.length > 0;
  if (changes.length === 0 && !emits) return undefined;
  const events = commit.events.map(({ id, type, data, timestamp }) => ({ id, type, data, at: timestamp }));
  const values = changes.flatMap(({ counter, by }) =>
    Object.entries(by).map(([column, value]) => [valueName(counter, column), value] as const),
  );
  const namesUsers = commit.events.some(({ data }) => 'user_id' in data);
  const shape = {
    counts,
    refuses: commit.refuse,
    verifies: unverified !== undefined,
    needs,
    emits,
    namesUsers,
  };
  return compiled(
    shape,
    changes.map(({ counter }) => counter),
  )({
    tenantId,
    agentId,
    at: now.toISOString(),
    month: usageMonthOf(now),
    units,
    unverified: unverified ?? '',
    rightWrittenIn,
    ...Object.fromEntries(values),
    events: JSON.stringify(events),
    // One for each threshold that it may cross.
    spareIds: `{${THRESHOLDS.map(() => ids()).join(',')}}`,
  });
}

/** What a commit does, which its statement depends on. */
interface Shape {
  readonly counts: boolean;
  /** Whether a use over the limit is refused or only counted. */
  readonly refuses: boolean;
  readonly verifies: boolean;
  readonly needs: Commit['needs'];
  readonly emits: boolean;
  /** Whether its events are about users. */
  readonly namesUsers: boolean;
}

type Values = Record<string, string | number>;

const statements = new Map<string, (values: Values) => CompiledStatement<Values>>();

function compiled(shape: Shape, counters: readonly Counter[]): (values: Values) => CompiledStatement<Values> {
  const name = [...Object.values(shape), ...counters.map((counter) => counter.name)].join(' ');
  const statement =
    statements.get(name) ?? compileStatement<Values>((param) => write(shape, counters, param));
  statements.set(name, statement);
  return statement;
}

function write(shape: Shape, counters: readonly Counter[], param: Param<Values>): SQL {
  const { counts } = shape;
  const tenantId = sql`${param('tenantId')}::uuid`;
  const parts = [
    ...(counts ? usageParts(shape, param) : []),
    ...counters.map((counter) => counterPart(counter, tenantId, (name) => sql`${param(name)}`)),
    ...(shape.emits ? outboxParts(shape, param) : []),
  ];
  return sql`WITH ${sql.join(parts, sql`, `)} SELECT ${counts ? sql`id, data FROM crossed` : sql`1`}`;
}

/** Locks what a commit needs until the transaction ends, so that nobody removes it meanwhile. */
const LOCKED = {
  user: (tenantId: SQL, param: Param<Values>) => lockedUser(sql`${param('agentId')}::uuid`, tenantId),
  right: (tenantId: SQL, param: Param<Values>) =>
    lockedMember(tenantId, sql`${param('agentId')}::uuid`, 'write', sql`${param('rightWrittenIn')}`),
  space: (tenantId: SQL) => lockedSpace(tenantId),
} as const;

/**
 * Counts the use, and finds which thresholds of the plan it crossed. Where the API key is not active, or what the commit needs is
 * gone, the limit is -1, so that the count breaks it.
 */
function usageParts({ refuses, verifies, needs }: Shape, param: Param<Values>): SQL[] {
  const most = refuses ? sql`CASE WHEN expired THEN -1 ELSE most END` : sql`9223372036854775807`;
  const key = sql`EXISTS (SELECT FROM ${apiKeys} WHERE tenant_id = ${param('agentId')}::uuid
      AND id = ${param('unverified')}::uuid AND ${isActiveAt(sql`${param('at')}::timestamptz`)})`;
  const conditions = [...(verifies ? [key] : []), ...(needs ? [sql`EXISTS (SELECT FROM needed)`] : [])];
  const unless = conditions.length > 0 ? sql`WHERE ${sql.join(conditions, sql` AND `)}` : sql``;
  return [
    ...(needs ? [sql`needed AS (${LOCKED[needs](sql`${param('tenantId')}::uuid`, param)})`] : []),
    sql`plan AS (
        SELECT (${JSON.stringify(OPERATIONS_LIMIT)}::jsonb ->> plan)::bigint AS most,
          plan = 'trial' AND trial_expires_at <= ${param('at')}::timestamptz AS expired
        FROM ${tenants} WHERE tenant_id = ${param('agentId')}::uuid
      )`,
    sql`counted AS (
        INSERT INTO ${usageCounts} AS count (tenant_id, month, operations, most)
        VALUES (${param('agentId')}::uuid, ${param('month')}, ${param('units')}::bigint,
          coalesce((SELECT ${most} FROM plan ${unless}), -1))
        ON CONFLICT (tenant_id, month) DO UPDATE
          SET operations = count.operations + excluded.operations, most = excluded.most
        RETURNING operations
      )`,
    sql`crossed AS (
        SELECT line.id, jsonb_build_object('share', share, 'operations', operations, 'operations_limit', most,
          'month', ${param('month')}::text) AS data
        FROM counted, plan, unnest(${floats(THRESHOLDS)}, ${param('spareIds')}::uuid[]) AS line(share, id)
        WHERE operations - ${param('units')}::bigint < ceil(most * share) AND operations >= ceil(most * share)
      )`,
  ];
}

/**
 * Writes the events, with a delivery for every endpoint that asked for them. One about a user who was forgotten while the call ran
 * does not name the user, as that of a call that begins later does not: nothing would erase it.
 */
function outboxParts({ counts, namesUsers }: Shape, param: Param<Values>): SQL[] {
  const item = sql`jsonb_to_recordset(${param('events')}::jsonb) AS item(id uuid, type text, data jsonb, at timestamptz)`;
  const isNamed = sql`data ->> 'user_id' IN (SELECT user_id FROM named)`;
  const data = namesUsers ? sql`CASE WHEN ${isNamed} THEN data ELSE data - 'user_id' END` : sql`data`;
  const threshold = sql`UNION ALL
        SELECT ${param('agentId')}::uuid, id, 'billing.threshold', data, ${param('at')}::timestamptz FROM crossed`;
  return [
    ...(namesUsers
      ? [
          sql`named AS (${lockedUsers(sql`${param('agentId')}::uuid`, sql`SELECT data ->> 'user_id' FROM ${item}`)})`,
        ]
      : []),
    sql`event AS (
        INSERT INTO ${events} (tenant_id, id, type, data, created_at)
        SELECT ${param('agentId')}::uuid, id, type, ${data}, at
        FROM ${item}
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
  ];
}

/** The events of a commit, with those of the thresholds that its statement answered. */
export function eventsOf(commit: Commit, answer: Rows = []): readonly Event[] {
  if (commit.units === 0) return commit.events;
  const { agentId, now: timestamp } = commit;
  const crossed = (answer as readonly Crossed[]).map(
    ({ id, data }): Event => ({ id, data, type: 'billing.threshold', tenantId: agentId, timestamp }),
  );
  return [...commit.events, ...crossed];
}

/** The tenants that a call or a commit works in, and those that it only reads. */
export function tenantsOf({
  tenantId,
  agentId,
  readsSpaces = [],
  readsUsers = [],
}: Pick<Commit, 'tenantId' | 'agentId' | 'readsSpaces'> & Pick<Call, 'readsUsers'>): TenantIds {
  const own = tenantId === agentId ? tenantId : ([tenantId, agentId] as const);
  const alsoReads = [...readsSpaces.map(({ id }) => id), ...readsUsers.map((user) => user.tenantId)];
  return alsoReads.length === 0 ? own : { own, alsoReads };
}

/** Merges commits of one tenant into one, which counts the same and writes the same events. */
export function mergeCommits(first: Commit, others: readonly Commit[]): Commit {
  const all = [first, ...others];
  const sum = (of: (one: Commit) => number) => all.reduce((total, one) => total + of(one), 0);
  return {
    ...first,
    // The latest: the month in which all are counted must not have ended before one of the calls came.
    now: (others.at(-1) ?? first).now,
    units: sum(({ units }) => units),
    events: all.flatMap(({ events }) => events),
    changes: all.flatMap(({ changes }) => changes),
  };
}

/** The events of each merged commit. A threshold that they crossed together is an event of the first alone. */
export function eventsOfEach(
  first: Commit,
  others: readonly Commit[],
  answer: Rows | undefined,
): (readonly Event[])[] {
  return [eventsOf(first, answer), ...others.map(({ events }) => events)];
}

/** True where a commit failed because the plan allows no more, or because its API key is not active. */
export function isUsageError(error: unknown): boolean {
  return violatesConstraint(error, '23514', WITHIN_PLAN);
}

/** Whether the space, or the agent's right to write to it, still exists. */
async function hasPlace(
  tx: Tx,
  { tenantId, agentId, needs }: { tenantId: string; agentId: string; needs: 'right' | 'space' },
): Promise<boolean> {
  const spaceId = sql`${tenantId}::uuid`;
  const place = needs === 'space' ? isThere(spaceId) : isMember(spaceId, sql`${agentId}::uuid`, 'write');
  return (await rows(tx, place)).length > 0;
}

/**
 * Finds out why a commit broke the limit of its usage counter.
 *
 * @returns `UNAUTHORIZED` where its API key is no longer active; `CONFLICT` where its user was forgotten; `NOT_FOUND` where its
 *   space or tenant is gone; `FORBIDDEN` where the trial has ended; `QUOTA_EXCEEDED` where the month's limit would be passed.
 */
export async function usageError(
  tx: Tx,
  {
    tenantId,
    agentId,
    now,
    unverified,
    needs,
  }: Omit<Commit, 'units' | 'refuse' | 'events' | 'changes' | 'ids'>,
): Promise<SvcError> {
  if (unverified !== undefined && !(await isActiveKey(tx, agentId, unverified, now))) return unauthorized();
  if (needs === 'user' && !(await isKnownUser(tx, agentId, tenantId))) return forgotten();
  if ((needs === 'right' || needs === 'space') && !(await hasPlace(tx, { tenantId, agentId, needs }))) {
    return noSpace();
  }
  const [tenant] = await rows<{ plan: Plan; expired: boolean | null }>(
    tx,
    sql`SELECT plan, plan = 'trial' AND trial_expires_at <= ${timestamptz(now)} AS expired
        FROM ${tenants} WHERE tenant_id = ${agentId}::uuid`,
  );
  if (!tenant) return new SvcError('NOT_FOUND', 'This tenant does not exist.');
  if (tenant.expired) {
    return new SvcError(
      'FORBIDDEN',
      'The trial of this account has ended. Boot, compaction, sync, reading by id, forgetting and export still work. Whoever runs the service can move the account to another plan.',
    );
  }
  const limit = OPERATIONS_LIMIT[tenant.plan];
  const month = usageMonthOf(now);
  return new SvcError(
    'QUOTA_EXCEEDED',
    `All ${limit} operations of ${month} are used. Whoever runs the service can move the account to another plan.`,
    {
      details: { operations_limit: limit, month },
    },
  );
}
