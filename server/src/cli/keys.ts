import { type ApiKeyRecord, type Engine, FolderInUseError, type KeyScope } from '@svc-memory/core';
import { duration } from '../config-variables.ts';
import { CliError, EXIT } from './cli-error.ts';
import type { CommandContext } from './context.ts';
import { chooseTenant, withEngine } from './direct-engine.ts';
import { columns } from './terminal.ts';

interface TenantOption {
  readonly tenant?: string;
}

/** Prints the API keys of a tenant, newest first. */
export async function listKeys(
  context: CommandContext,
  { tenant: named, json }: TenantOption & { json?: true },
): Promise<number> {
  const keys = await withStoppedService(context, async (engine) => {
    const tenant = await chooseTenant(engine, context, named);
    return engine.apiKeys.list(tenant.id);
  });
  if (json) context.terminal.out(JSON.stringify(keys, null, 2));
  else
    context.terminal.out(
      columns([['ID', 'NAME', 'SCOPE', 'STATE', 'CREATED', 'LAST USED'], ...keys.map(toRow)]),
    );
  return EXIT.ok;
}

function toRow(key: ApiKeyRecord): string[] {
  return [
    key.id,
    key.name,
    key.scope,
    stateOf(key),
    day(key.createdAt),
    key.lastUsedAt ? day(key.lastUsedAt) : 'never',
  ];
}

function stateOf({ revokedAt, expiresAt }: ApiKeyRecord): string {
  if (revokedAt) return `revoked ${day(revokedAt)}`;
  if (!expiresAt) return 'active';
  return expiresAt <= new Date() ? `expired ${day(expiresAt)}` : `active until ${day(expiresAt)}`;
}

function day(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

interface NewKey extends TenantOption {
  readonly name: string;
  readonly scope: KeyScope;
  /** Lifetime such as `90d`. */
  readonly expires?: string;
  /** Display name of a tenant to make for the key. */
  readonly newTenant?: string;
  readonly plan: 'standard' | 'trial' | 'local';
}

/** Makes an API key and prints it, alone on stdout, this once. */
export async function createKey(context: CommandContext, options: NewKey): Promise<number> {
  if (options.tenant !== undefined && options.newTenant !== undefined) {
    throw new CliError('--tenant and --new-tenant exclude each other.', { exitCode: EXIT.usage });
  }
  const expiresAt = options.expires === undefined ? undefined : expiry(options.expires);
  const { tenant, key } = await withStoppedService(context, async (engine) => {
    const { newTenant, plan } = options;
    const owner =
      newTenant === undefined
        ? await chooseTenant(engine, context, options.tenant)
        : await engine.tenants.create({ displayName: newTenant, plan });
    const { name, scope } = options;
    return {
      tenant: owner,
      key: await engine.apiKeys.create(owner.id, { name, scope, ...(expiresAt && { expiresAt }) }),
    };
  });
  context.terminal.err(
    `API key "${key.name}" (${key.scope}) of ${tenant.displayName} (${tenant.id}), shown this once:`,
  );
  context.terminal.out(key.secret);
  return EXIT.ok;
}

function expiry(text: string): Date {
  const lifetime = duration.safeParse(text);
  if (lifetime.success && lifetime.data > 0) return new Date(Date.now() + lifetime.data);
  throw new CliError(`--expires must be a duration such as 24h or 90d, not ${JSON.stringify(text)}.`, {
    exitCode: EXIT.usage,
  });
}

/** Ends an API key at once. */
export async function revokeKey(
  context: CommandContext,
  id: string,
  { tenant: named }: TenantOption,
): Promise<number> {
  await withStoppedService(context, async (engine) => {
    const tenant = await chooseTenant(engine, context, named);
    const key = (await engine.apiKeys.list(tenant.id)).find((known) => known.id === id.toLowerCase());
    if (!key) {
      throw new CliError(`${tenant.displayName} has no API key with the id ${id}.`, {
        fix: '`svc keys list` shows the ids.',
      });
    }
    await engine.apiKeys.revoke(tenant.id, key.id);
    context.terminal.out(`Revoked API key "${key.name}" (${key.id}).`);
  });
  return EXIT.ok;
}

/** Key management has no REST route: keys are made by the operator at the database. */
async function withStoppedService<T>(
  context: CommandContext,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  try {
    return await withEngine(context, work);
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    throw new CliError(`${error.message.split('. ')[0]}: the service runs.`, {
      fix: 'API keys of the embedded database are managed while it is stopped: stop it, run this again, start it.',
      cause: error,
    });
  }
}
