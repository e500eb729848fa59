import { type SQL, sql } from 'drizzle-orm';
import { validate } from 'uuid';

/** What binds the current transaction. */
export interface Scope {
  /** Without parameters, to be sent together with what starts the transaction. */
  readonly text: string;
  /** The same for every tenant but for its parameters, so that the server parses it once. */
  readonly statement: SQL;
}

/** Binds the current transaction to one tenant. */
export function tenantScope(tenantId: string, role: string | undefined): Scope {
  // It becomes part of a statement: nothing but an id may.
  if (!validate(tenantId)) throw new TypeError('a tenant id is a UUID');
  return settings({ ...(role ? { role } : {}), 'svc.tenant_id': tenantId });
}

/** Opens the current transaction to all tenants. */
export function systemScope(role: string | undefined): Scope {
  return settings({ ...(role ? { role } : {}), 'svc.system': 'on' });
}

/**
 * In force everywhere: compiling queries this short would take longer than running them, and the index of a large tenant
 * has to look at more than its default to find what comparing with every vector would.
 */
const ALWAYS = { jit: 'off', 'hnsw.ef_search': '200' };

/** Settings that end with the transaction. */
function settings(values: Readonly<Record<string, string>>): Scope {
  const all = Object.entries({ ...values, ...ALWAYS });
  const calls = all.map(([name, value]) => `set_config('${name}', '${value}', true)`);
  const bound = all.map(([name, value]) => sql`set_config(${sql.raw(`'${name}'`)}, ${value}, true)`);
  return { text: `SELECT ${calls.join(', ')}`, statement: sql`SELECT ${sql.join(bound, sql`, `)}` };
}
