import { createHash } from 'node:crypto';
import { queryPostgres } from '@svc-memory/core/testing';
import { acknowledgedIn, type Entry } from './journal.ts';
import type { Tenant } from './tenant.ts';

/** What the service has, compared with what it acknowledged. */
export interface Checked {
  readonly acknowledged: number;
  readonly lost: number;
  readonly duplicates: number;
  /** What must never be: memories without index, event or owner, and the like. */
  readonly problems: readonly string[];
}

interface Stored {
  /** Processes to read through. */
  readonly urls: readonly string[];
  /** Looked into for halves of writes; not possible in the embedded database. */
  readonly databaseUrl?: string;
  readonly tenant: Tenant;
  readonly journal: readonly Entry[];
}

/** Reads everything of a tenant back, and compares it with what a client noted. */
export async function checkStored({ urls, databaseUrl, tenant, journal }: Stored): Promise<Checked> {
  const expected = acknowledgedIn(journal);
  const sent = new Set(journal.flatMap((entry) => (entry.kind === 'failed' ? [] : entry.hashes)));
  const problems: string[] = [];
  let [lost, duplicates] = [0, 0];
  for (const url of urls) {
    const stored = await readAll(url, tenant);
    const missing = [...expected].filter(([id, hash]) => stored.get(id) !== hash);
    lost = Math.max(lost, missing.length);
    duplicates = Math.max(duplicates, stored.size - new Set(stored.values()).size);
    const foreign = [...stored.values()].filter((hash) => !sent.has(hash)).length;
    if (foreign > 0) problems.push(`${foreign} memories that nobody sent`);
  }
  if (databaseUrl !== undefined) problems.push(...(await halfWritten(databaseUrl, tenant)));
  return { acknowledged: expected.size, lost, duplicates, problems };
}

/** Hashes of all of a tenant's memories by id, as one process answers them. */
export async function readAll(url: string, { apiKey }: Tenant): Promise<Map<string, string>> {
  const answer = await fetch(`${url}/api/v1/export`, { headers: { Authorization: `Bearer ${apiKey}` } });
  if (answer.status !== 200) throw new Error(`the export was answered ${answer.status}`);
  const { export: document } = (await answer.json()) as {
    export: { memories: Record<string, { id: string; content: string }[]> };
  };
  return new Map(
    Object.values(document.memories)
      .flat()
      .map(({ id, content }) => [id, createHash('sha256').update(content).digest('hex')]),
  );
}

async function halfWritten(databaseUrl: string, { id }: Tenant): Promise<string[]> {
  const [counts = {}] = await queryPostgres(databaseUrl, halvesQuery(id));
  return halvesIn(counts);
}

/** Counts halves of writes: a memory, its index and its event are one transaction, and none is there without the others. */
export function halvesQuery(tenantId: string): string {
  return `SELECT
    (SELECT count(*)::int FROM memories m WHERE m.tenant_id = '${tenantId}' AND NOT EXISTS
       (SELECT FROM memory_terms t WHERE t.tenant_id = m.tenant_id AND t.memory_id = m.id)) AS "memories without index",
    (SELECT count(*)::int FROM memories m WHERE m.tenant_id = '${tenantId}' AND NOT EXISTS
       (SELECT FROM events e WHERE e.tenant_id = m.tenant_id AND e.type = 'memory.stored'
          AND e.data->>'memory_id' = m.id::text)) AS "memories without event",
    (SELECT count(*)::int FROM events e WHERE e.tenant_id = '${tenantId}' AND e.type = 'memory.stored' AND NOT EXISTS
       (SELECT FROM memories m WHERE m.tenant_id = e.tenant_id AND m.id::text = e.data->>'memory_id')) AS "events without memory"`;
}

/** What such a query found, in words. */
export function halvesIn(counts: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(counts)
    .filter(([, count]) => count !== 0)
    .map(([what, count]) => `${count} ${what}`);
}
