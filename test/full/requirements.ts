import { queryPostgres } from '@svc-memory/core/testing';
import { hasRedisServer } from '../../server/src/redis/redis-server.fixture.ts';
import { CHROMIUM_FIX, findChromium } from './chromium.ts';
import { hasPgBouncer } from './pgbouncer.ts';

/** Environment variables as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What a part of the full suite may need. */
export type Need = 'postgres' | 'pgbouncer' | 'redis' | 'chromium';

/** Something that the full suite needs and does not find. */
export interface Missing {
  readonly need: Need;
  /** What it is, and what is wrong with it. */
  readonly name: string;
  /** What to do about it. */
  readonly fix: string;
}

const POSTGRES_FIX = `It takes Postgres 15 or newer with pgvector and a user who may create databases:
  .ci/install                           installs both on Debian
  eval "$(.ci/services start FOLDER)"   starts a server of its own and sets SVC_TEST_DATABASE_URL
  .ci/services stop FOLDER              ends it
or set SVC_TEST_DATABASE_URL to a server you have; tests make databases svc_test_... there and drop all but one, of which they are copies.`;

const PROGRAM_FIX = '.ci/install installs it on Debian; tests start one of their own.';

/** Looks for everything that only the full suite needs. */
export async function findMissing(env: Environment): Promise<Missing[]> {
  const missing: Missing[] = [];
  const problem = await postgresProblem(env.SVC_TEST_DATABASE_URL);
  if (problem) {
    missing.push({ need: 'postgres', name: `Postgres with pgvector (${problem})`, fix: POSTGRES_FIX });
  }
  if (!hasPgBouncer()) missing.push({ need: 'pgbouncer', name: 'PgBouncer', fix: PROGRAM_FIX });
  if (!hasRedisServer) missing.push({ need: 'redis', name: 'redis-server', fix: PROGRAM_FIX });
  if (!findChromium(env)) missing.push({ need: 'chromium', name: 'Chromium', fix: CHROMIUM_FIX });
  return missing;
}

async function postgresProblem(url: string | undefined): Promise<string | undefined> {
  if (!url) return 'SVC_TEST_DATABASE_URL is not set';
  try {
    const [found] = await queryPostgres(
      url,
      `SELECT current_setting('server_version_num')::int >= 150000 AS recent,
              EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector') AS vector,
              (SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user) AS may_create`,
    );
    if (!found?.recent) return 'the server at SVC_TEST_DATABASE_URL is older than 15';
    if (!found.vector) return 'pgvector is not installed on the server at SVC_TEST_DATABASE_URL';
    return found.may_create ? undefined : 'the user of SVC_TEST_DATABASE_URL may not create databases';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    return `the server at SVC_TEST_DATABASE_URL cannot be reached: ${String(code)}`;
  }
}
