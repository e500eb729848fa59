import { createEngine, type Engine, type TenantRecord } from '@svc-memory/core';
import { loadConfig } from '../config.ts';
import { readCredentialsFile } from '../credentials.ts';
import { embeddingOf } from '../embedding.ts';
import { languageModelOf } from '../language-model.ts';
import { CliError, EXIT } from './cli-error.ts';
import type { CommandContext } from './context.ts';
import { openDatabase } from './database.ts';

/**
 * Works on the database itself: any time on Postgres; with the embedded database only while the service is stopped,
 * since two processes on one folder would destroy each other's writes.
 *
 * @throws FolderInUseError while the embedded service runs.
 */
export async function withEngine<T>(
  { env }: CommandContext,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const config = loadConfig(env);
  const embedding = embeddingOf(config);
  const engine = createEngine({
    ...embedding,
    ...languageModelOf(config),
    database: await openDatabase(config),
    settings: { guardianCoolingMs: config.guardianCoolingMs },
  });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

/**
 * The tenant a command is about: the one named, else the one whose key is in use here, else the only one.
 *
 * @throws CliError that lists the tenants where none of these decides.
 */
export async function chooseTenant(
  engine: Engine,
  { env }: CommandContext,
  named?: string,
): Promise<TenantRecord> {
  const tenants = await engine.tenants.list();
  if (named !== undefined) {
    const tenant = tenants.find(({ id }) => id === named.toLowerCase());
    if (tenant) return tenant;
    throw new CliError(`There is no tenant ${named}.`, { fix: listed(tenants), exitCode: EXIT.usage });
  }
  const { apiKey, dataDir } = loadConfig(env);
  const secret = apiKey ?? (await readCredentialsFile(dataDir).catch(() => undefined))?.apiKey;
  const holder = secret && (await engine.apiKeys.authenticate(secret).catch(() => undefined));
  const own = holder && tenants.find(({ id }) => id === holder.tenantId);
  const [only, ...others] = tenants;
  if (own) return own;
  if (only && others.length === 0) return only;
  throw new CliError(only ? 'There are several tenants.' : 'There is no tenant yet.', {
    fix: only
      ? `Name one with --tenant. ${listed(tenants)}`
      : 'Make one: svc keys create --new-tenant "My agent"',
    exitCode: EXIT.usage,
  });
}

function listed(tenants: readonly TenantRecord[]): string {
  return `Tenants: ${tenants.map(({ id, displayName }) => `${id} (${displayName})`).join(', ') || 'none'}.`;
}
