import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { createEngine, type Database, openPglite, openPostgres } from '@svc-memory/core';
import { createTestDatabase } from '@svc-memory/core/testing';
import { removedAtEnd, temporaryFolder } from './clean-up.ts';
import { memoriesOf } from './corpus.ts';
import type { Progress } from './report.ts';
import { type Service, type ServiceOptions, startService } from './service.ts';

const BATCH = 250;
const PROGRESS_STEP = 1_000;

/** A tenant full of synthetic memories, once for the service and once for the floor. */
export interface World {
  readonly tenantId: string;
  /** A key of it, scope full. */
  readonly apiKey: string;
  /** Starts the service on the data; one at a time. */
  start(limits?: Pick<ServiceOptions, 'heapMiB'>): Promise<Service>;
  /** The same rows, opened in this process without a service; closed by the caller. */
  openFloor(): Promise<Database>;
  remove(): Promise<unknown>;
}

/** Where a world lives, and how much is in it. */
export interface WorldOptions {
  readonly memories: number;
  /** Server for a new Postgres database; the embedded database without it. */
  readonly postgresUrl?: string | undefined;
  readonly profileFolder?: string | undefined;
}

/** Makes a world; with thousands of memories this takes a while. */
export async function makeWorld(options: WorldOptions, progress: Progress): Promise<World> {
  const place = options.postgresUrl ? await onPostgres(options.postgresUrl) : await onPglite();
  const engine = createEngine({ database: await place.open() });
  const { id: tenantId } = await engine.tenants.create({ displayName: 'Benchmark', plan: 'local' });
  const { secret } = await engine.apiKeys.create(tenantId, { name: 'benchmark', scope: 'full' });
  const agent = engine.agent(tenantId);
  // It would reflect on all of them in the first minute, beside what is measured.
  await agent.setReflectConfig({ enabled: false });
  const memories = memoriesOf(options.memories);
  for (let done = 0; done < memories.length; done += BATCH) {
    if (done % PROGRESS_STEP === 0) progress(`storing memories: ${done} of ${memories.length}`);
    await agent.rememberBatch({ memories: memories.slice(done, done + BATCH) });
  }
  await analyze(engine.database);
  await engine.close();
  await place.afterFilling();
  return {
    tenantId,
    apiKey: secret,
    start: (limits) =>
      startService({
        settings: place.settings,
        apiKey: secret,
        profileFolder: options.profileFolder,
        ...limits,
      }),
    openFloor: place.openFloor,
    remove: place.remove,
  };
}

/** Gathers statistics at once, as autovacuum or the embedded database's upkeep does within a minute. */
async function analyze(database: Database): Promise<void> {
  await database.system(async (tx) => {
    await tx.execute('SET LOCAL ROLE NONE');
    await tx.execute('ANALYZE');
  });
}

interface Place {
  readonly settings: Readonly<Record<string, string>>;
  open(): Promise<Database>;
  openFloor(): Promise<Database>;
  afterFilling(): Promise<void>;
  remove(): Promise<unknown>;
}

/** The embedded database serves one process: the floor gets a copy of its folder. */
async function onPglite(): Promise<Place> {
  const { path, remove } = await temporaryFolder('world');
  const [own, copy] = [join(path, 'service'), join(path, 'floor')];
  return {
    settings: { SVC_DATA_DIR: own, SVC_DATABASE_URL: '' },
    open: () => openPglite(own),
    openFloor: () => openPglite(copy),
    afterFilling: () => cp(own, copy, { recursive: true }),
    remove,
  };
}

async function onPostgres(serverUrl: string): Promise<Place> {
  const { url, drop } = await createTestDatabase(serverUrl);
  return {
    settings: { SVC_DATABASE_URL: url },
    open: () => openPostgres({ url }),
    openFloor: () => openPostgres({ url }),
    afterFilling: async () => {},
    remove: removedAtEnd(drop),
  };
}
