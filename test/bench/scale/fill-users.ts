import { createStaticEmbedder, type Database, type Engine } from '@svc-memory/core';
import { queryPostgres } from '@svc-memory/core/testing';
import { uuidV7 } from '../../../core/src/kernel/runtime/runtime.ts';
import { Users } from '../../../core/src/kernel/tenancy/users.ts';
import { endlessMemories, take } from '../corpus.ts';
import type { Progress } from '../report.ts';
import { type Load, openLoader } from './loader.ts';

/** A database of the benchmark. */
export interface Place {
  readonly url: string;
  readonly database: Database;
  readonly engine: Engine;
}

/** Users of one agent, tenants beside it, and the memories of each of both. The agent has none of its own. */
export interface Size {
  readonly users: number;
  readonly tenants: number;
  readonly memories: number;
}

/** What was filled: tenants in the order of their numbers. */
export interface Filled {
  readonly agentId: string;
  readonly tenantIds: readonly string[];
}

const AGENT = 'of many users';
const LOADED_AT_ONCE = 20_000;

/** The name of a user of the agent, by its number. */
export const userId = (number: number): string => `user-${number}`;

/** Fills users and tenants, but for those that an earlier run has filled in the same database. */
export async function fillUsersAndTenants(place: Place, size: Size, progress: Progress): Promise<Filled> {
  const { url, database, engine } = place;
  const known = new Map((await engine.tenants.list()).map(({ displayName, id }) => [displayName, id]));
  const tenantOf = async (displayName: string) =>
    known.get(displayName) ?? (await engine.tenants.create({ displayName, plan: 'local' })).id;
  const agentId = await tenantOf(AGENT);
  const users = new Users({ database, clock: () => new Date() });
  const agent = { source: 'agent', credentialId: null } as const;
  const filled = await filledTenants(url);
  const loader = openLoader({ url, database, embedder: createStaticEmbedder() });
  let waiting: Load[] = [];
  const load = async () => {
    await loader.load(waiting);
    waiting = [];
  };
  const fill = async (tenantId: string, seed: number) => {
    if (filled.has(tenantId)) return;
    waiting.push({ tenantId, memories: take(endlessMemories(seed), size.memories) });
    if (waiting.length * size.memories < LOADED_AT_ONCE) return;
    await load();
    progress(`users: ${seed} of ${size.users} users and ${size.tenants} tenants filled`);
  };
  for (let number = 0; number < size.users; number += 1) {
    const id = userId(number);
    const user = (await users.find(agentId, id)) ?? { id, tenantId: uuidV7(), isNew: true };
    if (user.isNew) await users.ensure(agentId, user, agent);
    await fill(user.tenantId, 1 + number);
  }
  const tenantIds: string[] = [];
  for (let number = 0; number < size.tenants; number += 1) {
    const tenantId = await tenantOf(`alone ${number}`);
    await fill(tenantId, 1 + size.users + number);
    tenantIds.push(tenantId);
  }
  await load();
  await loader.close();
  await queryPostgres(url, 'VACUUM ANALYZE');
  await queryPostgres(url, 'CHECKPOINT');
  return { agentId, tenantIds };
}

async function filledTenants(url: string): Promise<ReadonlySet<unknown>> {
  const found = await queryPostgres(url, 'SELECT DISTINCT tenant_id FROM corpus_sizes');
  return new Set(found.map(({ tenant_id }) => tenant_id));
}
