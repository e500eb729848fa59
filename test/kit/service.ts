import type { KeyScope, Plan, Tx } from '@svc-memory/core';
import type { TestEngine } from '@svc-memory/core/testing';
import {
  type AppOptions,
  createApp,
  createLogger,
  type RunningServer,
  type ServerSettings,
  startServer,
} from 'svc-memory';
import { afterAll, beforeAll } from 'vitest';
import { useTestEngine } from '../../core/src/testing/engine.fixture.ts';
import { type Api, createApi } from './api.ts';

/** The service as a client meets it: HTTP on a free port, an engine on an in-memory database, a clock to move. */
export interface TestService {
  readonly kit: TestEngine;
  readonly url: string;
  readonly port: number;
  /** A new tenant and its key, so that tests of one file do not see each other. */
  signUp(options?: { plan?: Plan; scope?: KeyScope; expiresAt?: Date }): Promise<Api>;
  /** A caller with any text as its key; an empty one sends no header. */
  withKey(key: string): Api;
  /** Counts operations against this month's plan of a tenant, as if they had been made. */
  spend(tenantId: string, operations: number): Promise<void>;
}

export interface ServiceOptions {
  readonly settings?: Partial<ServerSettings>;
  readonly now?: AppOptions['now'];
}

/** Starts one service for all tests of a file; rate limits are off unless asked for. */
export function useService({ settings, now }: ServiceOptions = {}): TestService {
  const kit = useTestEngine();
  let server: RunningServer | undefined;
  beforeAll(async () => {
    const app = createApp({
      engine: kit.engine,
      logger: createLogger({ level: 'silent' }),
      settings: { rateLimitPerMinute: 0, failedSignInsPerMinute: 0, ...settings },
      serviceUrl: () => server?.url ?? '',
      ...(now ? { now } : {}),
    });
    server = await startServer({ app, host: '127.0.0.1', port: 0, lingerMs: 0 });
  });
  afterAll(() => server?.close());
  const url = () => present(server).url;
  return {
    kit,
    get url() {
      return url();
    },
    get port() {
      return Number(new URL(url()).port);
    },
    signUp: async ({ plan = 'local', scope = 'full', expiresAt } = {}) => {
      const { tenantId } = await kit.tenant(plan);
      const key = await kit.engine.apiKeys.create(tenantId, {
        name: 'test',
        scope,
        ...(expiresAt ? { expiresAt } : {}),
      });
      return createApi({
        url: url(),
        tenantId,
        keyId: key.id,
        key: key.secret,
        digest: () => digestOf(kit, tenantId),
      });
    },
    withKey: (key) => createApi({ url: url(), tenantId: '', keyId: '', key, digest: () => digestOf(kit) }),
    spend: async (tenantId, operations) => {
      const { engine } = kit;
      const month = kit.clock().toISOString().slice(0, 7);
      await engine.database.transaction(tenantId, (tx) =>
        tx.execute(
          `INSERT INTO usage_counts (tenant_id, month, operations) VALUES ('${tenantId}', '${month}', ${operations})
           ON CONFLICT (tenant_id, month) DO UPDATE SET operations = usage_counts.operations + ${operations}`,
        ),
      );
    },
  };
}

/**
 * Digests of all rows of all tables of tenants, but for the keys', whose use is noted whatever a call comes to, and for the
 * log of recalls, which follows the calls by a second.
 */
export async function digestOf({ engine }: TestEngine, tenantId?: string): Promise<string> {
  digestStatement ??= engine.database.system(async (tx) => {
    const [row] = rowsOf<{ statement: string }>(await tx.execute(DIGEST_STATEMENT));
    return row?.statement ?? '';
  });
  const statement = await digestStatement;
  const known = digests.get(engine) ?? new Map<string | undefined, Digest>();
  digests.set(engine, known);
  const digest = async (tx: Tx) => {
    // What two equal snapshots show is equal: between two refused calls nothing need be read again.
    const [row] = rowsOf<{ snapshot: string }>(await tx.execute(SNAPSHOT_STATEMENT));
    const snapshot = row?.snapshot ?? '';
    const last = known.get(tenantId);
    if (last?.snapshot === snapshot) return last.text;
    const text = JSON.stringify(await tx.execute(statement));
    known.set(tenantId, { snapshot, text });
    return text;
  };
  // Row-level security shows the tenant's own rows only.
  return tenantId === undefined ? engine.database.system(digest) : engine.database.read(tenantId, digest);
}

interface Digest {
  readonly snapshot: string;
  readonly text: string;
}

const digests = new WeakMap<TestEngine['engine'], Map<string | undefined, Digest>>();

/** Names the transactions that are seen: one that has written has an id. */
const SNAPSHOT_STATEMENT = 'SELECT pg_current_snapshot()::text AS snapshot';

/** The drivers wrap rows differently. */
function rowsOf<Row>(found: unknown): readonly Row[] {
  return Array.isArray(found) ? found : (found as { rows: Row[] }).rows;
}

let digestStatement: Promise<string> | undefined;

/** Writes the statement that digests whatever tables there are: the same in every test's database. */
const DIGEST_STATEMENT = `
  SELECT 'SELECT ' || string_agg(format(
    '(SELECT count(*) || coalesce(md5(string_agg(t::text, chr(10) ORDER BY t::text)), '''') FROM %I t) AS %I',
    table_name, table_name), ', ' ORDER BY table_name) AS statement
  FROM information_schema.columns
  WHERE table_schema = 'public' AND column_name = 'tenant_id' AND table_name NOT IN ('api_keys', 'recalls')`;

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('only inside tests');
  return value;
}
