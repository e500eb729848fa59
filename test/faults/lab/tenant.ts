import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createEngine, createSecretBox, type Engine, openPostgres, type Plan } from '@svc-memory/core';

/** `SVC_SECRET` of all processes of the harness. */
export const SECRET = 'the-processes-of-the-harness-share-this';

/** A tenant of a fault's own. */
export interface Tenant {
  readonly id: string;
  readonly apiKey: string;
}

/** Makes a tenant and a key of it. */
export function newTenant(databaseUrl: string, plan: Plan = 'local'): Promise<Tenant> {
  return withEngine(databaseUrl, async (engine) => {
    const { id } = await engine.tenants.create({ displayName: 'Faults', plan });
    const { secret } = await engine.apiKeys.create(id, { name: 'faults', scope: 'full' });
    return { id, apiKey: secret };
  });
}

/** The tenant that the embedded service made in its data folder at its first start. Its id is not known there, and not needed. */
export async function tenantOf(folder: string): Promise<Tenant> {
  const { api_key } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8'));
  return { id: '', apiKey: String(api_key) };
}

/** Registers a webhook for every memory that a tenant stores. */
export function subscribe(databaseUrl: string, { id }: Tenant, url: string): Promise<void> {
  return withEngine(databaseUrl, async (engine) => {
    const human = engine.agent(id, { source: 'human', credentialId: null });
    await human.createEventEndpoint({ url, events: ['memory.stored'] });
  });
}

async function withEngine<T>(url: string, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = createEngine({
    database: await openPostgres({ url, poolSize: 1 }),
    webhooks: { secrets: createSecretBox(SECRET), allowPrivate: true },
  });
  return work(engine).finally(() => engine.close());
}
