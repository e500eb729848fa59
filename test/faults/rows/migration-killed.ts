import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createTestDatabase, queryPostgres } from '@svc-memory/core/testing';
import { type Fault, figuresOf } from '../fault.ts';
import { checkStored } from '../lab/check.ts';
import { eventually } from '../lab/events.ts';
import { startLoad } from '../lab/load.ts';
import { makeNextRelease } from '../lab/next-release.ts';
import { prepareService } from '../lab/service.ts';
import { newTenant, SECRET } from '../lab/tenant.ts';

/** A migration with a moment in its middle that can be hit. */
const STATEMENTS = [
  'CREATE TABLE next_release (tenant_id uuid NOT NULL, id uuid NOT NULL, PRIMARY KEY (tenant_id, id))',
  'SELECT pg_sleep(0.5)',
  'INSERT INTO next_release SELECT tenant_id, id FROM memories',
  'ALTER TABLE memories ADD COLUMN next_release text',
];

/** kill -9 of a process that migrates, under load, again and again; then two that migrate at once. */
export const migrationKilled: Fault = {
  name: 'kill -9 in the middle of a migration',
  holds: 'all of it or nothing is there; the next start does it, also when two start at once',
  run: async ({ cluster, random, rounds }) => {
    const { postgres } = await cluster();
    const release = await makeNextRelease(STATEMENTS);
    const { url: databaseUrl, drop } = await createTestDatabase(postgres.url);
    const env = { SVC_DATABASE_URL: databaseUrl, SVC_SECRET: SECRET };
    const api = await prepareService({ args: ['--role', 'api'], env });
    await api.start();
    const tenant = await newTenant(databaseUrl);
    const client = startLoad({
      targets: [api.url],
      apiKey: tenant.apiKey,
      writers: 2,
      pauseMs: 20,
      seed: random.between(1, 1_000_000_000),
    });
    const problems: string[] = [];
    const earlier = await migrationsOf(databaseUrl);
    const times = 3 * rounds;
    await client.more(50);
    for (let kill = 0; kill < times; kill += 1) {
      const migration = migrate(release, env);
      await eventually(() => isAsleep(databaseUrl), 60_000);
      await setTimeout(random.between(0, 600));
      migration.kill('SIGKILL');
      await once(migration, 'close');
      await eventually(async () => !(await isAsleep(databaseUrl)), 60_000);
      const parts = await partsOf(databaseUrl, earlier);
      if (new Set(parts).size > 1) problems.push(`half a migration: ${parts}`);
      if (parts[0]) break;
    }
    const codes = await Promise.all(
      [migrate(release, env), migrate(release, env)].map(async (one) => (await once(one, 'close'))[0]),
    );
    if (codes.some((code) => code !== 0)) problems.push(`migrations ended with ${codes}`);
    const parts = await partsOf(databaseUrl, earlier);
    if (!parts.every(Boolean)) problems.push(`what the migration left: ${parts}`);
    const [applied] = await queryPostgres(
      databaseUrl,
      'SELECT count(*)::int AS all, count(DISTINCT hash)::int AS different FROM drizzle.__drizzle_migrations',
    );
    if (applied?.all !== applied?.different) problems.push('a migration was applied twice');
    await client.more(50);
    const journal = await client.stop();
    const checked = await checkStored({ urls: [api.url], databaseUrl, tenant, journal });
    api.kill('SIGKILL');
    await api.ended();
    await drop();
    await rm(release, { recursive: true });
    return figuresOf({ times, journal, checked, moments: [], allowed: [], problems });
  },
};

function migrate(release: string, env: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, [join(release, 'server/bin/svc.js'), 'migrate'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: 'ignore',
  });
}

async function isAsleep(databaseUrl: string): Promise<boolean> {
  const found = await queryPostgres(
    databaseUrl,
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
       AND query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()`,
  );
  return found.length > 0;
}

async function migrationsOf(databaseUrl: string): Promise<number> {
  const [found] = await queryPostgres(
    databaseUrl,
    'SELECT count(*)::int AS applied FROM drizzle.__drizzle_migrations',
  );
  return Number(found?.applied);
}

/** Which parts of the migration are there: its table, its column, and the note that it was applied. */
async function partsOf(databaseUrl: string, earlier: number): Promise<boolean[]> {
  const [found] = await queryPostgres(
    databaseUrl,
    `SELECT to_regclass('next_release') IS NOT NULL AS a,
       EXISTS (SELECT FROM information_schema.columns
               WHERE table_name = 'memories' AND column_name = 'next_release') AS b,
       (SELECT count(*)::int FROM drizzle.__drizzle_migrations) > ${earlier} AS c`,
  );
  return Object.values(found ?? {}).map(Boolean);
}
