import { type SQL, sql } from 'drizzle-orm';

/** Binds the current transaction to one tenant; one round trip. */
export function tenantScope(tenantId: string, role: string | undefined): SQL {
  return role
    ? sql`SELECT set_config('role', ${role}, true), set_config('svc.tenant_id', ${tenantId}, true)`
    : sql`SELECT set_config('svc.tenant_id', ${tenantId}, true)`;
}

/** Opens the current transaction to all tenants. */
export function systemScope(role: string | undefined): SQL {
  return role
    ? sql`SELECT set_config('role', ${role}, true), set_config('svc.system', 'on', true)`
    : sql`SELECT set_config('svc.system', 'on', true)`;
}
