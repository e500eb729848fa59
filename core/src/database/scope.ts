import { validate } from 'uuid';

/** What binds the current transaction, as SQL without parameters, to be sent together with what starts it. */
export interface Scope {
  readonly text: string;
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
  const calls = Object.entries({ ...values, ...ALWAYS }).map(
    ([name, value]) => `set_config('${name}', '${value}', true)`,
  );
  return { text: `SELECT ${calls.join(', ')}` };
}
