import { and, asc, eq, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import { systemContext, unlessErased } from '../../kernel/commit/system-context.ts';
import type { Actor } from '../../kernel/context/call.ts';
import type { Context, Services } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { timestamptz, uuids } from '../../kernel/database/parameters.ts';
import type { Task } from '../../kernel/queue/task.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/runtime/durations.ts';
import { ModelAwayError } from '../../language-model/language-model.ts';
import { markSuperseded } from '../memory/supersede.ts';
import { isDatedAhead, startOf } from '../records/row.ts';
import { type MemoryRow, memories } from '../records/schema.ts';
import { type ConflictRow, factConflicts } from '../supersession/schema.ts';
import type { ConflictStatus } from '../supersession/statuses.ts';
import { loadRules } from '../visibility/rules.ts';
import { humanView, levelsOf } from '../visibility/view.ts';
import { comparable } from './compared-vectors.ts';
import { askedToday, countAsked } from './conflicts.ts';
import { findSettled, type Pair } from './knowledge.ts';
import { decideConflict } from './model-answers.ts';

const REFLECTION: Actor = { source: 'reflection', credentialId: null };
/** Agents, and pairs of each, that one run asks about: a run ends before long, and no agent waits for another's hundreds. */
const MOST_TENANTS = 50;
const MOST_PAIRS = 10;
/** Times that the model is asked about one pair: within 21 hours, so that no pair goes undecided where it was away for some. */
const MOST_ATTEMPTS = 8;
/** How long after the first time it is asked again; after each further time twice as long. */
const RETRY_MS = 10 * MINUTE_MS;
/** Times in a row without an answer after which the model is left alone for a while. */
const MOST_FAILURES = 3;
/** That while, unless the model says how long, and the shortest and the longest. */
const REST_MS = 10 * MINUTE_MS;
const SHORTEST_REST_MS = MINUTE_MS;
const LONGEST_REST_MS = HOUR_MS;
const KEPT_MS = 30 * DAY_MS;

/**
 * Lets the language model decide the pairs that the rules left open, each by a question of its own. What it says can do no more
 * than mark the older one of the pair as superseded, as `reflection`, whose changes an undo takes back.
 */
export function decideConflicts(): Pick<Task, 'run' | 'nextDue'> {
  const rest = new Rest();
  return {
    run: (services, signal) => askAbout(services, rest, signal),
    nextDue: async (services) => rest.delay(await nextQuestion(services)),
  };
}

/** The time for which a model that takes no questions, or answers none, is left alone. */
class Rest {
  #from = 0;
  #until = 0;

  begin({ clock }: Services, askedMs = REST_MS): void {
    this.#from = clock().getTime();
    this.#until = this.#from + Math.min(Math.max(askedMs, SHORTEST_REST_MS), LONGEST_REST_MS);
  }

  /** A clock that was set back ends it. */
  isOn({ clock }: Services): boolean {
    const now = clock().getTime();
    return this.#from <= now && now < this.#until;
  }

  delay(due: Date | undefined): Date | undefined {
    return due && new Date(Math.max(due.getTime(), this.#until));
  }
}

/** @returns how many pairs the model was asked about. */
async function askAbout(services: Services, rest: Rest, signal: AbortSignal): Promise<number> {
  if (!services.languageModel || services.settings.conflictsPerDay === 0 || rest.isOn(services)) return 0;
  let asked = 0;
  let failures = 0;
  for (const tenantId of await findTenants(services)) {
    for (let pair = 0; pair < MOST_PAIRS; pair += 1) {
      if (signal.aborted) return asked;
      const outcome = await askAboutNext(services, tenantId, signal);
      if (outcome === 'none') break;
      asked += 1;
      failures = outcome === 'answered' ? 0 : failures + 1;
      if (outcome instanceof ModelAwayError) rest.begin(services, outcome.retryAfterMs);
      else if (failures >= MOST_FAILURES) rest.begin(services);
      if (rest.isOn(services)) return asked;
    }
  }
  return asked;
}

/** Asks about the next pair of an agent. One that the process stops at waits for the next process. */
async function askAboutNext(
  services: Services,
  tenantId: string,
  signal: AbortSignal,
): Promise<'none' | 'answered' | 'failed' | ModelAwayError> {
  const context = await systemContext(services, tenantId, REFLECTION);
  const claimed = await unlessErased(context.write((tx) => claimNext(tx, context)));
  if (!claimed) return 'none';
  const { conflict, statements } = claimed;
  try {
    const replaces = await decideConflict(context, statements, signal);
    await unlessErased(context.write((tx) => conclude(tx, context, { conflict, replaces })));
    return replaces === undefined ? 'failed' : 'answered';
  } catch (error) {
    if (signal.aborted) {
      await unlessErased(
        context.write((tx) => giveBack(tx, context, conflict, { askedAt: conflict.askedAt })),
      );
      return 'none';
    }
    if (!(error instanceof ModelAwayError)) throw error;
    const { model } = services.languageModel ?? {};
    services.logger.warn({ model, err: error }, 'the language model takes no questions; they wait');
    await unlessErased(context.write((tx) => giveBack(tx, context, conflict)));
    return error;
  }
}

/** When the model is to be asked about the next pair: at once about one that it was not asked about. */
async function nextQuestion({ database, languageModel, settings }: Services): Promise<Date | undefined> {
  if (!languageModel || settings.conflictsPerDay === 0) return undefined;
  const [next] = await database.system((tx) =>
    tx
      .select({ due: sql<Date | null>`min(${dueAt})`.mapWith(factConflicts.foundAt) })
      .from(factConflicts)
      .where(isWaiting),
  );
  return next?.due ?? undefined;
}

/** Removes what was found long ago, decided or not. */
export async function forgetConflicts({ database, clock }: Services): Promise<number> {
  const oldest = new Date(clock().getTime() - KEPT_MS);
  const removed = await database.system((tx) =>
    tx.delete(factConflicts).where(lt(factConflicts.foundAt, oldest)).returning({ id: factConflicts.id }),
  );
  return removed.length;
}

const isWaiting = and(eq(factConflicts.status, 'waiting'), lt(factConflicts.attempts, MOST_ATTEMPTS));

/** When the model is to be asked about a pair. */
const dueAt = sql`coalesce(${factConflicts.askedAt}
  + ${RETRY_MS}::float8 * 2 ^ (${factConflicts.attempts} - 1) * interval '1 millisecond', ${factConflicts.foundAt})`;

/**
 * Agents with a pair to ask about, the longest due first. Those that were asked about often enough today leave room for others.
 */
async function findTenants({ database, clock, settings }: Services): Promise<string[]> {
  const now = clock();
  const { tenantId } = factConflicts;
  const found = await database.system((tx) =>
    tx
      .select({ tenantId })
      .from(factConflicts)
      .where(and(isWaiting, sql`${dueAt} <= ${timestamptz(now)}`))
      .groupBy(tenantId)
      .having(sql`(${askedToday(sql`${tenantId}`, now)}) < ${settings.conflictsPerDay}::int`)
      .orderBy(sql`min(${dueAt})`)
      .limit(MOST_TENANTS),
  );
  return found.map((tenant) => tenant.tenantId);
}

/**
 * The next pair to ask about, counted as asked: a process that is killed meanwhile, or another one, does not ask for nothing again
 * and again. Pairs that are not what they were are passed over.
 */
async function claimNext(tx: Tx, context: Context) {
  const { now, settings } = context;
  if ((await countAsked(tx, context)) >= settings.conflictsPerDay) return undefined;
  for (const conflict of await loadWaiting(tx, context)) {
    const pair = await loadPair(tx, context, conflict);
    if (!pair) {
      await settleAs(tx, context, conflict, 'outdated');
      continue;
    }
    const attempts = conflict.attempts + 1;
    await tx
      .update(factConflicts)
      .set({ attempts, askedAt: now })
      .where(and(eq(factConflicts.tenantId, context.tenantId), eq(factConflicts.id, conflict.id)));
    const statement = (row: MemoryRow) => ({ content: row.content, start: startOf(row) });
    const statements = { older: statement(pair.older), newer: statement(pair.newer) };
    return { conflict: { ...conflict, attempts }, statements };
  }
  return undefined;
}

/** The longest due first: one that the model took no question about lets the others go before. Index fact_conflicts_waiting. */
function loadWaiting(tx: Tx, { tenantId, now }: Context): Promise<ConflictRow[]> {
  return tx
    .select()
    .from(factConflicts)
    .where(and(eq(factConflicts.tenantId, tenantId), isWaiting, sql`${dueAt} <= ${timestamptz(now)}`))
    .orderBy(dueAt, asc(factConflicts.id))
    .limit(MOST_PAIRS)
    .for('update', { skipLocked: true });
}

/**
 * Both memories, held until the transaction ends; undefined where one is not any more what was compared, where either is
 * superseded, or where the human sees one of them and not the other.
 */
async function loadPair(
  tx: Tx,
  context: Context,
  { olderId, olderVersion, newerId, newerVersion }: ConflictRow,
): Promise<Pair | undefined> {
  const rows = await tx
    .select()
    .from(memories)
    .where(and(comparable(context), sql`${memories.id} = ANY(${uuids([olderId, newerId])})`))
    .orderBy(memories.id)
    .for('update');
  const find = (id: string, version: number) =>
    rows.find((row) => row.id === id && row.version === version && row.supersededBy === null);
  const [older, newer] = [find(olderId, olderVersion), find(newerId, newerVersion)];
  if (!older || !newer || older.type !== newer.type || startOf(older) > startOf(newer)) return undefined;
  if (isDatedAhead(newer, context.now) && !isDatedAhead(older, context.now)) return undefined;
  const view = humanView(await loadRules(tx, context));
  const level = await levelsOf(tx, { tenantId: context.tenantId, view }, [olderId, newerId]);
  return level(olderId) === level(newerId) ? { older, newer } : undefined;
}

/**
 * Counts a claimed pair as not asked about.
 *
 * @param before When it was asked about before, where it is to be the next one; default: the others go before.
 */
async function giveBack(
  tx: Tx,
  { tenantId }: Context,
  { id, attempts }: ConflictRow,
  before: Partial<Pick<ConflictRow, 'askedAt'>> = {},
): Promise<void> {
  const isClaimed = eq(factConflicts.attempts, attempts);
  await tx
    .update(factConflicts)
    .set({ attempts: attempts - 1, ...before })
    .where(
      and(
        eq(factConflicts.tenantId, tenantId),
        eq(factConflicts.id, id),
        eq(factConflicts.status, 'waiting'),
        isClaimed,
      ),
    );
}

async function conclude(
  tx: Tx,
  context: Context,
  { conflict, replaces }: { readonly conflict: ConflictRow; readonly replaces: boolean | undefined },
): Promise<void> {
  if (replaces === undefined && conflict.attempts < MOST_ATTEMPTS) return;
  if (replaces === undefined) return settleAs(tx, context, conflict, 'unanswered');
  if (!replaces) {
    await clearConflict(tx, context, conflict);
    return settleAs(tx, context, conflict, 'kept');
  }
  const pair = await loadPair(tx, context, conflict);
  // What was taken back is not done again.
  const isSettled = pair && (await findSettled(tx, context, [pair]))(pair);
  if (!pair || isSettled) return settleAs(tx, context, conflict, 'outdated');
  await markSuperseded(tx, context, [{ ...pair, basis: 'model' }], 'reflection');
  await settleAs(tx, context, conflict, 'replaced');
}

/** Takes the mark off the memory that was stored later: both hold. */
async function clearConflict(
  tx: Tx,
  { tenantId }: Context,
  { olderId, newerId }: ConflictRow,
): Promise<void> {
  const { id, conflictsWith } = memories;
  const others = sql`array_remove(array_remove(${conflictsWith}, ${olderId}::uuid), ${newerId}::uuid)`;
  await tx
    .update(memories)
    .set({ conflictsWith: sql`nullif(${others}, '{}'::uuid[])` })
    .where(and(eq(memories.tenantId, tenantId), inArray(id, [olderId, newerId]), isNotNull(conflictsWith)));
}

async function settleAs(
  tx: Tx,
  { tenantId }: Context,
  { id }: ConflictRow,
  status: ConflictStatus,
): Promise<void> {
  await tx
    .update(factConflicts)
    .set({ status })
    .where(
      and(
        eq(factConflicts.tenantId, tenantId),
        eq(factConflicts.id, id),
        eq(factConflicts.status, 'waiting'),
      ),
    );
}
