import type { Engine, TenantRecord } from '@svc-memory/core';
import { z } from 'zod';
import { CliError, EXIT } from './cli-error.ts';

/** What says of which tenant a command speaks. */
export const tenantHint = z.object({
  /** Id of the tenant. */
  tenant: z.string().optional(),
  /** API key in use where the command runs: where no tenant is named, its tenant is meant. */
  apiKey: z.string().optional(),
});
export type TenantHint = z.output<typeof tenantHint>;

/**
 * Chooses the tenant of a command: the named one, else the one of the API key in use, else the only one.
 *
 * @throws CliError that lists the tenants where none of these decides.
 */
export async function chooseTenant(
  engine: Engine,
  { tenant: named, apiKey }: TenantHint,
): Promise<TenantRecord> {
  const tenants = await engine.tenants.list();
  if (named !== undefined) return findTenant(tenants, named);
  const holder = apiKey && (await engine.apiKeys.authenticate(apiKey).catch(() => undefined));
  const own = holder && tenants.find(({ id }) => id === holder.tenantId);
  const [only, ...others] = tenants;
  if (own) return own;
  if (only && others.length === 0) return only;
  throw new CliError(only ? 'There are several tenants.' : 'There is no tenant yet.', {
    fix: only
      ? `Name one with --tenant. ${listed(tenants)}`
      : 'Make one: npx svc-memory keys create --new-tenant "My agent"',
    exitCode: EXIT.usage,
  });
}

/**
 * All tenants, or the named one alone.
 *
 * @throws CliError that lists the tenants where there is none of that id.
 */
export async function chooseTenants(engine: Engine, named: string | undefined): Promise<TenantRecord[]> {
  const tenants = await engine.tenants.list();
  return named === undefined ? tenants : [findTenant(tenants, named)];
}

function findTenant(tenants: readonly TenantRecord[], named: string): TenantRecord {
  const tenant = tenants.find(({ id }) => id === named.toLowerCase());
  if (tenant) return tenant;
  throw new CliError(`There is no tenant ${named}.`, { fix: listed(tenants), exitCode: EXIT.usage });
}

/**
 * Finds a tenant by its id, or by its name where only one has it. A name says less than an id, as everybody chooses their own: for
 * what hands out a key, only `chooseTenant` will do.
 *
 * @throws CliError that lists the tenants where none has it, or several have.
 */
export async function findByIdOrName(engine: Engine, named: string): Promise<TenantRecord> {
  const tenants = await engine.tenants.list();
  const found = tenants.filter(({ id, displayName }) => id === named.toLowerCase() || displayName === named);
  const [only, ...others] = found;
  // Nobody gets at the tenant of an id by taking the id as a name.
  if (!only || others.length === 0) return only ?? findTenant(tenants, named);
  const isId = found.find(({ id }) => id === named.toLowerCase());
  if (isId) return isId;
  throw new CliError(`${found.length} tenants have the name ${named}.`, {
    fix: `Name one by its id. ${listed(found)}`,
    exitCode: EXIT.usage,
  });
}

const SHOWN_TENANTS = 10;

function listed(tenants: readonly TenantRecord[]): string {
  const shown = tenants.slice(0, SHOWN_TENANTS).map(({ id, displayName }) => `${id} (${displayName})`);
  const more = tenants.length - shown.length;
  const rest = more > 0 ? ` and ${more} more, which \`npx svc-memory tenants list\` shows` : '';
  return `Tenants: ${shown.join(', ') || 'none'}${rest}.`;
}
