import type { AgentMemory } from '../app/contract.ts';
import type { EngineOptions } from '../app/create-services.ts';
import { createEngine, type Engine } from '../app/engine.ts';
import type { Actor } from '../kernel/context/call.ts';
import type { Plan } from '../kernel/contract/fields.ts';
import type { Database } from '../kernel/database/database.ts';
import { openPglite } from '../kernel/database/open-database.ts';
import { openTestPostgres } from './postgres.ts';
import { openReusable } from './reuse.ts';

export { makeDataFolder } from './data-folder.ts';
export { createTestDatabase, queryPostgres, type TestDatabase } from './postgres.ts';

/** A clock that stands still until it is moved. */
export interface MovableClock {
  (): Date;
  /** Moves forward by milliseconds. */
  advance(milliseconds: number): void;
  set(moment: Date): void;
}

/** Makes a clock that stands at `start`, by default noon (UTC) of 1 March 2026. */
export function createClock(start = new Date('2026-03-01T12:00:00.000Z')): MovableClock {
  let now = start.getTime();
  return Object.assign(() => new Date(now), {
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
    set: (moment: Date) => {
      now = moment.getTime();
    },
  });
}

/**
 * How many cases a test tries: `few`, or `many` in the long form, which the full suite runs (`SVC_TEST_FULL`);
 * `SVC_TEST_TIMES` times as many where somebody has the time, or by a fraction fewer, but never less than `few`.
 */
export function cases(few: number, many: number): number {
  // biome-ignore lint/style/noProcessEnv: as below.
  const times = Number(process.env.SVC_TEST_TIMES ?? 1);
  return Math.max(few, Math.ceil((isLong() ? many : few) * times));
}

/** Whether tests run in their long form. */
export function isLong(): boolean {
  // biome-ignore lint/style/noProcessEnv: the one place where tests learn in which form they run.
  return Boolean(process.env.SVC_TEST_FULL);
}

/** Whether tests run on the embedded database, whose one connection all calls share. */
export function isEmbedded(): boolean {
  // biome-ignore lint/style/noProcessEnv: as below.
  return !process.env.SVC_TEST_DATABASE_URL;
}

/** An engine on a database of its own, and a clock to move. Share it between the tests of a file. */
export interface TestEngine {
  readonly engine: Engine;
  readonly clock: MovableClock;
  /** A new tenant, so that tests of one engine do not see each other. */
  tenant(plan?: Plan): Promise<{ readonly tenantId: string; agent(actor?: Actor): AgentMemory }>;
  close(): Promise<void>;
}

/**
 * Starts a test engine, on an in-memory PGlite, or where `SVC_TEST_DATABASE_URL` names a Postgres server on a new
 * database there. The first of a process takes a second.
 */
export async function startTestEngine(options: Partial<EngineOptions> = {}): Promise<TestEngine> {
  const clock = createClock();
  const database = options.database ?? (await openTestDatabase());
  const engine = createEngine({ clock, ...options, database });
  return {
    engine,
    clock,
    tenant: async (plan = 'local') => {
      const { id } = await engine.tenants.create({ displayName: 'Test agent', plan });
      return { tenantId: id, agent: (actor) => engine.agent(id, actor) };
    },
    close: () => engine.close(),
  };
}

function openTestDatabase(): Promise<Database> {
  // biome-ignore lint/style/noProcessEnv: the one place where tests learn which database to run on.
  const { SVC_TEST_DATABASE_URL: serverUrl, VITEST } = process.env;
  if (serverUrl) return openTestPostgres(serverUrl);
  // Its timers keep a process alive. Vitest ends its workers; a program or another runner would wait forever.
  return VITEST ? openReusable() : openPglite();
}
