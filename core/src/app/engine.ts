import { type Accounts, createAccounts } from '../features/accounts/accounts.ts';
import { createWallets, type Wallets } from '../features/accounts/wallets.ts';
import { type AuditLog, createAuditLog } from '../features/audit-log/audit-log.ts';
import { type Connections, createConnections } from '../features/connections/tokens.ts';
import { holdExport } from '../features/export/export.ts';
import { createReembedding, type Reembedding } from '../features/reembedding/reembedding.ts';
import { createScrubbing, type Scrubbing } from '../features/scrub/scrub.ts';
import { requireSessionKey } from '../features/tenant/session-key-operation.ts';
import { createEventLog, type EventLog } from '../features/webhooks/log.ts';
import { createContext, finish } from '../kernel/commit/call-context.ts';
import { forgetIdempotencyKeys } from '../kernel/commit/idempotency.ts';
import { AGENT } from '../kernel/commit/system-context.ts';
import type { Actor, CallUser } from '../kernel/context/call.ts';
import { type Context, type Operation, originOf, type Services } from '../kernel/context/context.ts';
import type { Plugin } from '../kernel/context/hooks.ts';
import { requireAccess } from '../kernel/context/require-access.ts';
import { invalid, SvcError } from '../kernel/contract/errors.ts';
import { ALL_USERS, OWN_SPACE } from '../kernel/contract/fields.ts';
import { mergeAll } from '../kernel/contract/merge.ts';
import { parseInput } from '../kernel/contract/parse.ts';
import { createMethods } from '../kernel/contract/route.ts';
import { isClosed } from '../kernel/database/closing.ts';
import type { Database } from '../kernel/database/database.ts';
import { createScheduler, type Scheduler } from '../kernel/queue/scheduler.ts';
import { untilDone } from '../kernel/queue/task.ts';
import { HOUR_MS } from '../kernel/runtime/durations.ts';
import { InProgress } from '../kernel/runtime/in-progress.ts';
import { type ApiKeys, createApiKeys } from '../kernel/tenancy/api-keys.ts';
import { isRightChanged } from '../kernel/tenancy/space-rights.ts';
import { createTenants, type Tenants } from '../kernel/tenancy/tenants.ts';
import { isForgotten } from '../kernel/tenancy/users.ts';
import { type Redaction, redact } from '../secrets/redact.ts';
import { type Address, addressOf, requireAllUsers, takeTarget, withOrigin } from './address.ts';
import type { AgentMemory, CallOptions, OperationName, Output, Parsed, Route, Routes } from './contract.ts';
import { routes } from './contract.ts';
import { createServices, type EngineOptions } from './create-services.ts';
import { featureParts, features } from './features.ts';
import { tables } from './tables.ts';
import { createStreams, type Streams } from './transfer-streams.ts';
import { undoForAll } from './undo-for-all.ts';

/** The core of the service: agents' memory, tenants and keys over one database. */
export interface Engine {
  /** The memory of one tenant's agent; `actor` is who its writes are recorded under (default: the agent itself). */
  agent(tenantId: string, actor?: Actor): AgentMemory;
  /** One operation by its name, as the method of an agent's memory does it. */
  call(
    name: OperationName,
    caller: { readonly tenantId: string; readonly actor: Actor },
    input?: unknown,
    options?: CallOptions,
  ): Promise<object>;
  /** What is too long for one answer: imports and exports of one tenant, as streams. */
  streams(tenantId: string, actor?: Actor, options?: CallOptions): Streams;
  /** Adds a plugin; plugins run in the order they were added. */
  use(plugin: Plugin): Engine;
  readonly tenants: Tenants;
  readonly apiKeys: ApiKeys;
  readonly accounts: Accounts;
  readonly wallets: Wallets;
  /** Apps that humans let in by OAuth. */
  readonly connections: Connections;
  readonly auditLog: AuditLog;
  readonly database: Database;
  /** What happened, in order; for live streams. */
  readonly events: EventLog;
  /** Background work; it rests until `startBackground`, or until it is run. */
  readonly background: Scheduler;
  /** Takes secrets out of what is stored. */
  readonly scrubbing: Scrubbing;
  /** The change to another embedder. */
  readonly reembedding: Reembedding;
  /** Does the background work from now on until `close`; `tickMs` is the time between two looks, default 1,000. */
  startBackground(tickMs?: number): void;
  /**
   * Ends the background work, then closes the database. Calls in progress end first, for up to 5 seconds; later ones throw
   * `UNAVAILABLE`. Safe to call twice.
   */
  close(): Promise<void>;
}

const MAX_IDEMPOTENCY_KEY = 255;
const CLOSE_GRACE_MS = 5_000;

type AnyOperation = (context: Context, input: unknown) => Promise<object>;

/** The implementation of each route of the contract. A route without one does not compile. */
const operations: { readonly [Name in OperationName]: Operation<Routes[Name]> } = mergeAll(
  features.map((feature) => feature.operations),
);

/** Puts the engine together. */
export function createEngine(options: EngineOptions): Engine {
  const services = createServices(options);
  const { database, hooks, indexCache, recallLog, users } = services;
  const background = createScheduler(services, [
    ...featureParts.flatMap((feature) => feature.tasks?.() ?? []),
    {
      name: 'idempotency.forget-old',
      everyMs: HOUR_MS,
      deletesByAge: true,
      run: untilDone(forgetIdempotencyKeys),
    },
  ]);

  const calls = new InProgress(isClosed);
  let closing: Promise<void> | undefined;

  const engine: Engine = {
    agent: (tenantId, actor = AGENT) =>
      createMethods(routes, (name, input, callOptions) =>
        engine.call(name, { tenantId, actor }, input, callOptions),
      ),
    call: (name, caller, input = {}, callOptions = {}) =>
      calls.run(() => callOperation(services, { name, ...caller, options: callOptions }, input)),
    streams: (tenantId, actor = AGENT, callOptions = {}) => {
      checkOptions(callOptions, {});
      return streamsOf(services, { tenantId, actor, options: callOptions });
    },
    use: (plugin) => {
      hooks.add(plugin);
      return engine;
    },
    tenants: createTenants(services),
    apiKeys: createApiKeys(services),
    accounts: createAccounts(services),
    wallets: createWallets(services),
    connections: createConnections(services),
    auditLog: createAuditLog(services),
    database,
    events: createEventLog(services),
    background,
    reembedding: createReembedding(services),
    scrubbing: createScrubbing(services, tables),
    startBackground: (tickMs) => background.start(tickMs),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
  const close = async () => {
    await Promise.all([calls.end(CLOSE_GRACE_MS), background.stop()]);
    await recallLog.flush();
    await users.flush();
    await indexCache.close();
    await database.close();
  };
  return engine;
}

/** One call of an operation, before it is known whose memories it works on. */
interface OperationCall {
  readonly name: OperationName;
  /** The agent. */
  readonly tenantId: string;
  readonly actor: Actor;
  readonly options: CallOptions;
  /** The space that the call names, or `own`. */
  readonly spaceId?: string | undefined;
}

/** Runs one call: checks access, parses the input, takes secrets out of it, finds its tenant, runs the operation. */
async function callOperation(services: Services, call: OperationCall, input: unknown): Promise<object> {
  const { name, tenantId: agentId, actor, options } = call;
  services.foreground.called();
  const route: Route = routes[name];
  requireAccess(route, actor);
  const { userId, spaceId, fields } = takeTarget(route, services.settings, parseInput(route.request, input));
  checkOptions(options, route);
  // Before hooks, the embedder, the hash of the request or the database see it.
  const { verbatim = [] } = route;
  const { value: parsed, redactions } = await redact(fields, {
    formats: services.settings.redactSecrets,
    verbatim,
  });
  refuseSecretKeys(redactions);
  let first: Address | undefined;
  const run = async () => {
    if (userId === ALL_USERS && route.users === 'own') return runForAll(services, call, parsed, spaceId);
    const snapshot = first?.user?.snapshot;
    const address = await addressOf(services, { route, agentId, actor, userId, spaceId, snapshot });
    first ??= address;
    return runOperation(services, { ...call, spaceId }, address, parsed);
  };
  const answer = await run().catch(async (error: unknown) => {
    // The call runs once more: with the user that is there now, unless it writes and began before an erasure, or with the right that
    // the agent has now.
    if (isRightChanged(error)) services.spaces.drop([agentId]);
    else if (!isForgotten(error)) throw error;
    else if (first?.user) services.users.drop(agentId, first.user.id);
    return run();
  });
  const writes = route.method !== 'GET' && route.access !== 'read';
  return writes && redactions.length > 0 ? { ...answer, redacted: redactions } : answer;
}

/**
 * Without what is secret in them, the keys of several memories would be one, and the last take the place of the others.
 *
 * @throws SvcError `VALIDATION_ERROR` where the key of a memory holds a secret.
 */
function refuseSecretKeys(redactions: readonly Redaction[]): void {
  const found = redactions.find(({ path }) => /^(?:memories\.\d+\.)?key$/.test(path));
  if (found) {
    throw invalid(
      found.path,
      `holds a secret (${found.kind}), which would be kept; name the memory otherwise`,
    );
  }
}

/**
 * Runs an operation in the tenant of its address. Where a route reads one thing (`users: 'first'`) and that is not there, it looks
 * in the agent's own tenant next, then in the spaces that the caller may read.
 */
async function runOperation(
  services: Services,
  call: OperationCall,
  address: Address,
  parsed: unknown,
): Promise<object> {
  const { users, spaces }: Route = routes[call.name];
  if (users === 'both') return runIn(services, call, address, parsed);
  try {
    return withOrigin(await runIn(services, call, address, parsed), originOf(address));
  } catch (error) {
    const more = isMissing(error) && users === 'first' && !address.space;
    if (!more) throw error;
    for (const next of await nextPlaces(services, call, address, spaces !== undefined)) {
      const found = await runIn(services, call, next, parsed).catch(unlessMissing);
      if (found) return withOrigin(found, originOf(next));
    }
    throw error;
  }
}

function streamsOf(services: Services, caller: Omit<OperationCall, 'name'>): Streams {
  const { tenantId: agentId, actor, options } = caller;
  return createStreams(
    async (name, parsed, { userId, spaceId, makesUser } = {}) => {
      requireAccess(routes[name], actor);
      const named = { route: routes[name], agentId, actor, userId, spaceId };
      let address = await addressOf(services, named);
      if (makesUser && address.user?.isNew) {
        const { snapshot } = address.user;
        await services.users.ensure(agentId, address.user, actor);
        address = await addressOf(services, { ...named, snapshot });
      }
      return contextOf(services, { name, actor, options }, address, parsed);
    },
    (name, parsed) => contextsOfUsers(services, { ...caller, name }, parsed),
  );
}

/** Runs an operation with `user_id: "*"`: for the agent itself, then for each of its users. */
async function runForAll(
  services: Services,
  call: OperationCall,
  parsed: unknown,
  spaceId: string | undefined,
): Promise<object> {
  const { name, tenantId: agentId, options } = call;
  if (spaceId !== undefined) throw invalid('space_id', 'a space has no users: leave out one of them');
  if (name === 'export') {
    const users = await contextsOfUsers(services, call, parsed);
    const context = contextOf(services, call, { tenantId: agentId, agentId }, parsed);
    return holdExport(context, parsed as Parsed<'export'>, users);
  }
  const asked = parsed as Parsed<'undo'>;
  return undoForAll(
    [undefined, ...(await usersOf(services, call))],
    async (user, dry_run) => {
      options.signal?.throwIfAborted();
      const address = user ? { tenantId: user.tenantId, agentId, user } : { tenantId: agentId, agentId };
      return (await runIn(services, call, address, { ...asked, dry_run })) as Output<'undo'>;
    },
    { dryRun: asked.dry_run },
  );
}

/** All users of the agent. Throws where the caller may not work for all of them. */
function usersOf(
  { users }: Services,
  { tenantId, actor }: Pick<OperationCall, 'tenantId' | 'actor'>,
): Promise<readonly CallUser[]> {
  requireAllUsers(actor);
  return users.all(tenantId, Number.MAX_SAFE_INTEGER);
}

async function contextsOfUsers(
  services: Services,
  call: OperationCall,
  parsed: unknown,
): Promise<readonly Context[]> {
  const agentId = call.tenantId;
  const users = await usersOf(services, call);
  return users.map((user) => contextOf(services, call, { tenantId: user.tenantId, agentId, user }, parsed));
}

function isMissing(error: unknown): boolean {
  return error instanceof SvcError && error.code === 'NOT_FOUND';
}

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

/** Where to look for a thing that is not in the tenant where the call looked first. */
async function nextPlaces(
  services: Services,
  { actor, spaceId }: OperationCall,
  { tenantId, agentId }: Address,
  inSpaces: boolean,
): Promise<readonly Address[]> {
  const own = tenantId === agentId ? [] : [{ tenantId: agentId, agentId }];
  if (!inSpaces || spaceId === OWN_SPACE || actor.boundTo !== undefined) return own;
  const shared = await services.spaces.of(agentId);
  return [...own, ...shared.map((space) => ({ tenantId: space.id, agentId, space }))];
}

/** Runs an operation in one tenant, and waits until its use of the plan is recorded. */
async function runIn(
  services: Services,
  call: OperationCall,
  address: Address,
  parsed: unknown,
): Promise<object> {
  const { name } = call;
  const context = contextOf(services, call, address, parsed);
  if (context.route.access === 'session') await requireSessionKey(context);
  // The table pairs every operation with its own input, which an indexed access cannot express.
  const operation = operations[name] as AnyOperation;
  const [done] = await Promise.allSettled([operation(context, parsed)]);
  const isVerified = await finish(context);
  if (done.status === 'rejected') throw done.reason;
  if (!isVerified) throw new TypeError(`${name} counts nothing, and so verifies no API key`);
  return done.value;
}

function contextOf(
  services: Services,
  { name, actor, options }: Omit<OperationCall, 'tenantId'>,
  address: Address,
  parsed: unknown,
): Context {
  const call = { ...address, actor, options, route: routes[name], now: services.clock() };
  return createContext(services, call, [name, parsed]);
}

function checkOptions(
  { idempotencyKey, ifMatch, signal }: CallOptions,
  { conditional }: Pick<Route, 'conditional'>,
): void {
  signal?.throwIfAborted();
  if (idempotencyKey !== undefined && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
    throw invalid(
      'Idempotency-Key',
      `must be 1 to ${MAX_IDEMPOTENCY_KEY} printable ASCII characters without spaces`,
    );
  }
  if (ifMatch !== undefined && (!Number.isInteger(ifMatch) || ifMatch < 1)) {
    throw invalid('If-Match', 'must be the version number of the memory, such as "3"');
  }
  // Whoever names a version relies on it: without a look at it the change would overwrite that of another.
  if (ifMatch !== undefined && !conditional) {
    throw invalid('If-Match', 'is for the change of one memory or file by its id or path; leave it out here');
  }
}
