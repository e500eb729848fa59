import type { AgentMemory } from '../contract/index.ts';
import type { Database } from '../database/database.ts';
import type { Actor } from '../engine/context.ts';
import { createEngine, type Engine, type EngineOptions } from '../engine/engine.ts';
import type { Plan } from '../tenants/schema.ts';
import { openTestPostgres } from './postgres.ts';
import { openTemplate } from './template.ts';

export { createTestDatabase, queryPostgres, type TestDatabase } from './postgres.ts';

/** A clock that stands still until it is moved. */
export interface MovableClock {
  (): Date;
  /** Moves forward by milliseconds. */
  advance(milliseconds: number): void;
  set(moment: Date): void;
}

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
 * database there. Takes about a second, so once per file.
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
  const serverUrl = process.env.SVC_TEST_DATABASE_URL;
  return serverUrl ? openTestPostgres(serverUrl) : openTemplate();
}
