import type { SQLWrapper } from 'drizzle-orm';
import { auditedBy } from '../audit/act.ts';
import { auditStatement, toUnchained } from '../audit/append.ts';
import type { UnchainedEntry } from '../audit/canonical-form.ts';
import type { Call, CallUser } from '../context/call.ts';
import type { Services, Touched, WriteOptions } from '../context/context.ts';
import type { Event } from '../context/hooks.ts';
import { type CallOptions, type Metering, meteringOf, type Route } from '../contract/route.ts';
import type { Rows, Tx } from '../database/database.ts';
import { isActiveKey, unauthorized } from '../tenancy/active-key.ts';
import { requireRight } from '../tenancy/space-rights.ts';
import { requireTenant } from '../tenancy/tenants.ts';
import { requireUser } from '../tenancy/users.ts';
import {
  type Commit,
  commitStatement,
  eventsOf,
  isUsageError,
  tenantsOf,
  usageError,
} from './commit-statement.ts';
import type { CounterChange } from './counter.ts';
import {
  claimKey,
  hashRequest,
  type KeptAnswer,
  keepAnswer,
  type RequestKey,
  storedKeyOf,
} from './idempotency.ts';

/** An event as an operation emits it; the unit of work adds its id and time. */
export interface EmittedEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Query {
  /** Makes the statement when it is sent. */
  readonly statement: () => SQLWrapper;
  /** True where calls of the tenant that come together may share one answer. */
  readonly shareable: boolean;
}

/** Commits what one call adds together with what other calls add. */
export type CommitBatched = (
  commit: Commit,
  kept: KeptAnswer | undefined,
) => Promise<readonly Event[] | undefined>;

type CallFacts = Services & Call & { readonly route: Route; readonly options: CallOptions };

/**
 * What one call does with the database. Here alone stands what the contract promises of every call:
 * - the work, its events, its entries in the audit log and its use of the plan are one transaction;
 * - a call that is repeated with its `Idempotency-Key` gets the first answer again;
 * - a use over the limit of the plan is refused;
 * - an API key that was only found in a cache is verified by the commit.
 */
export class UnitOfWork {
  readonly #call: CallFacts;
  readonly #request: unknown;
  readonly #idempotencyKey: string | undefined;
  /** The id of the API key that a commit has yet to verify. */
  readonly #unverified: string | undefined;
  #verified: boolean;
  #claimed: boolean;
  #events: Event[] = [];
  #audited: UnchainedEntry[] = [];
  #changes: CounterChange[] = [];
  #extraUnits = 0;
  /** The user that a write of this call has made: where it is forgotten since, the next write must not make it anew. */
  #madeUser: CallUser | undefined;
  readonly #recording: Promise<void>[] = [];
  /** Ends when the plugins have heard of all that was committed. */
  #notified: Promise<void> = Promise.resolve();

  /** @param request What identifies the request for a replay: operation name and parsed input. */
  constructor(call: CallFacts, request: unknown) {
    const { route, options, actor } = call;
    this.#call = call;
    this.#request = request;
    this.#idempotencyKey = storedKeyOf(actor, options.idempotencyKey);
    const replayable = route.method !== 'GET' && route.idempotent !== false;
    this.#claimed = this.#idempotencyKey === undefined || !replayable;
    if (actor.unverified && actor.credentialId === null) {
      throw new TypeError('an unverified actor has a credential');
    }
    this.#unverified = actor.unverified ? (actor.credentialId ?? undefined) : undefined;
    this.#verified = !actor.unverified;
  }

  /** Whether the API key of the call was verified by a commit, or before the call began. */
  get isVerified(): boolean {
    return this.#verified;
  }

  emit(event: EmittedEvent): void {
    this.#events.push(this.#toEvent(event));
  }

  /** Adds an act of the caller to the audit log with the current transaction. */
  audit(act: string, touched?: Touched): void {
    const { auditActs, actor, now, space } = this.#call;
    const named = space ? { space_id: space.id, ...touched } : touched;
    this.#audited.push(
      toUnchained(auditActs, { act, by: auditedBy(actor), ...(named && { touched: named }) }, now),
    );
  }

  /** Counts operations of the current transaction beside those of the route. Over the limit they are refused. */
  addUsage(units: number): void {
    this.#extraUnits += units;
  }

  addToCounter(change: CounterChange): void {
    this.#changes.push(change);
  }

  /** See `Context.write`. */
  async write<T>(
    work: (tx: Tx) => Promise<T>,
    { units = 1, metering = this.#metering, changesMembers = false, identifiedBy }: WriteOptions = {},
  ): Promise<T> {
    this.#requireVerification(units, metering);
    const { database, tenantId, agentId, now, space, isBackground, route, users } = this.#call;
    const user = this.#usersTenant;
    const key = this.#takeKey(identifiedBy);
    let commit: Commit | undefined;
    let committed: readonly Event[] = [];
    const writing = this.#explained(
      database.transaction(
        tenantsOf(this.#call),
        async (tx): Promise<{ answer: T; replayed: boolean }> => {
          // A transaction may run again after a serialization failure.
          this.#events = [];
          this.#audited = [];
          this.#changes = [];
          this.#extraUnits = 0;
          if (user) await requireUser(tx, this.#call, user);
          else if (isBackground) await requireTenant(tx, tenantId);
          if (space) await requireRight(tx, this.#call, { needed: route.spaces ?? 'write', changesMembers });
          const first = key && (await claimKey(tx, key, now));
          if (!first) return { answer: await work(tx), replayed: false };
          await this.#verifyIn(tx);
          return { answer: first.response as T, replayed: true };
        },
        {
          statements: ({ answer, replayed }) => {
            if (replayed) return [];
            const used = typeof units === 'number' ? units : units();
            commit = this.#commitOf({ units: used, metering, events: this.#events, changes: this.#changes });
            const kept = key && keepAnswer(key, answer);
            const audited = this.#audited.map((entry) => auditStatement([agentId], entry));
            return [commitStatement(commit), kept, ...audited].filter((statement) => statement !== undefined);
          },
          done: ([answered]) => {
            committed = commit ? eventsOf(commit, answered) : [];
          },
        },
      ),
    );
    const { answer } = await writing.catch((error: unknown) => {
      // The answer was not stored, so the next write of this call carries the key again.
      if (key) this.#claimed = false;
      throw error;
    });
    this.#events = [];
    this.#verified = true;
    if (user?.isNew) this.#madeUser = users.remember(agentId, user);
    this.#notify(committed);
    return answer;
  }

  /**
   * Commits one addition that needs no transaction of its own, by a batcher that commits those of several calls at once.
   *
   * @param answer What a replay with the same `Idempotency-Key` is to answer.
   * @returns false on any conflict, and where the user has to be made first: nothing was done then, and the caller falls back to
   *   `write`.
   */
  async writeBatched(
    { answer, event, changes }: { answer: unknown; event: EmittedEvent; changes: readonly CounterChange[] },
    commitBatched: CommitBatched,
  ): Promise<boolean> {
    this.#requireVerification(1, this.#metering);
    if (this.#usersTenant?.isNew) return false;
    const key = this.#claimed ? undefined : this.#requestKey();
    const committed = await commitBatched(
      {
        ...this.#commitOf({ events: [this.#toEvent(event)], changes }),
        needs: this.#needs,
        rightWrittenIn: this.#call.space?.writtenIn,
      },
      key && { key: key.key, requestHash: key.requestHash, response: answer },
    );
    if (!committed) return false;
    this.#claimed = true;
    this.#verified = true;
    this.#notify(committed);
    return true;
  }

  /**
   * Runs one query on the agent's own tenant, records the use behind it and writes its event. Resolves as soon as the rows are
   * there; the use may still be refused, for which `finish` waits. Where the query fails, its use may have been recorded.
   */
  meteredQuery(query: Query, event: EmittedEvent): Promise<Rows> {
    const { usageMeter, agentId } = this.#call;
    // Counted for the agent whichever of its users calls, so that these counts can go together.
    const commit = { ...this.#commitOf({ events: [this.#toEvent(event)] }), tenantId: agentId };
    return new Promise<Rows>((resolve, reject) => {
      const recorded = query.shareable
        ? usageMeter.record(commit, query.statement, resolve)
        : usageMeter.recordWithQuery(commit, query.statement(), resolve);
      const recording = this.#explained(recorded).then(async ({ happened, found }) => {
        resolve(found);
        this.#verified ||= this.#unverified !== undefined && commit.units > 0;
        this.#notify(happened);
      });
      recording.catch(reject);
      this.#recording.push(recording);
    });
  }

  /**
   * Waits until all uses are recorded, and plugins have heard of the events; no call answers before. Throws the error by which a
   * use was refused.
   */
  async finish(): Promise<void> {
    await Promise.all(this.#recording);
    await this.#notified;
  }

  #toEvent({ type, data }: EmittedEvent): Event {
    const { ids, agentId, space, now: timestamp, eventTypes } = this.#call;
    const user = this.#usersTenant;
    if (!eventTypes.has(type)) throw new TypeError(`no feature names ${type} in its events`);
    const concerning = { ...data, ...(user && { user_id: user.id }), ...(space && { space_id: space.id }) };
    return { id: ids(), type, tenantId: agentId, timestamp, data: concerning };
  }

  get #metering(): Metering {
    const { route, actor } = this.#call;
    return meteringOf(route, { isHuman: actor.source === 'human' });
  }

  #commitOf({
    units = 1,
    metering = this.#metering,
    events,
    changes = [],
  }: Pick<Commit, 'events'> & Partial<Pick<Commit, 'units' | 'changes'>> & { metering?: Metering }): Commit {
    const { tenantId, agentId, now, ids, readsSpaces, readsOnlySpaces } = this.#call;
    return {
      tenantId,
      agentId,
      ...(readsOnlySpaces && { readsSpaces }),
      now,
      units: (metering === 'free' ? 0 : units) + this.#extraUnits,
      refuse: metering === 'limited' || this.#extraUnits > 0,
      events,
      changes,
      ids,
      unverified: this.#unverified,
    };
  }

  get #usersTenant(): CallUser | undefined {
    const { user, tenantId } = this.#call;
    return user?.tenantId === tenantId ? (this.#madeUser ?? user) : undefined;
  }

  get #needs(): Commit['needs'] {
    const { space, actor, route } = this.#call;
    // A call that only reads in the space writes its use to the agent's tenant, and nothing to the space.
    if (space && route.spaces === 'read') return undefined;
    if (space) return actor.source === 'human' || actor.forHuman ? 'space' : 'right';
    const user = this.#usersTenant;
    return user && !user.isNew ? 'user' : undefined;
  }

  #requestKey(identifiedBy?: string): RequestKey | undefined {
    const key = this.#idempotencyKey;
    if (key === undefined) return undefined;
    const { tenantId, agentId, space } = this.#call;
    // Agents that share a space may send the same key: each has its own.
    const own = space ? `${agentId} ${key}` : key;
    const request = identifiedBy === undefined ? this.#request : [this.#request, identifiedBy];
    return { tenantId, key: own, requestHash: hashRequest(request) };
  }

  /** The first write of a call carries its key; what a call writes later must be safe to repeat without one. */
  #takeKey(identifiedBy: string | undefined): RequestKey | undefined {
    const key = this.#claimed ? undefined : this.#requestKey(identifiedBy);
    this.#claimed = true;
    return key;
  }

  /** Only a commit that counts a use verifies the key. */
  #requireVerification(units: number | (() => number), metering: Metering): void {
    const counts = metering !== 'free' && units !== 0;
    if (!this.#verified && !counts) {
      throw new TypeError('with an unverified API key nothing is written uncounted');
    }
  }

  /** A replay counts no use, so its API key is verified here. */
  async #verifyIn(tx: Tx): Promise<void> {
    const { agentId, now } = this.#call;
    const key = this.#unverified;
    if (key !== undefined && !(await isActiveKey(tx, agentId, key, now))) throw unauthorized();
  }

  /**
   * Tells plugins of what was committed, in its order. What the operation does next does not wait for them: it may hold what others
   * wait for, such as the call that a plugin makes when it hears of an event.
   */
  #notify(events: readonly Event[]): void {
    const { hooks } = this.#call;
    for (const event of events) {
      this.#notified = this.#notified.then(() => hooks.notify('event', event, this.#call));
    }
  }

  async #explained<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (!isUsageError(error)) throw error;
      const { database, tenantId, agentId, now } = this.#call;
      const facts = {
        tenantId,
        agentId,
        now,
        unverified: this.#unverified,
        needs: this.#needs,
      };
      throw await database.read(tenantsOf(facts), (tx) => usageError(tx, facts));
    }
  }
}
