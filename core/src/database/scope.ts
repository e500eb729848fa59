import { type SQLWrapper, sql } from 'drizzle-orm';
import { validate } from 'uuid';
import { fixed } from './fixed.ts';

/** What binds the current transaction. */
export interface Scope {
  /** Without parameters, to be sent together with what starts the transaction. */
  readonly text: string;
  /** The same for every tenant but for its parameters, so that the server parses it once. */
  readonly statement: SQLWrapper;
}

/** What transactions of one database are bound by. */
export interface Scopes {
  /** Binds the current transaction to one tenant. */
  tenant(tenantId: string): Scope;
  /** Opens the current transaction to all tenants. */
  readonly system: Scope;
}

/** @param role Who row-level security holds for, where the database's own user stands above it. */
export function createScopes(role: string | undefined): Scopes {
  const always = { ...(role ? { role } : {}), ...ALWAYS };
  const bind = settings(['svc.tenant_id', ...Object.keys(always)]);
  const open = { ...always, 'svc.system': 'on' };
  return {
    tenant: (tenantId) => {
      // It becomes part of a statement: nothing but an id may.
      if (!validate(tenantId)) throw new TypeError('a tenant id is a UUID');
      return bind({ ...always, 'svc.tenant_id': tenantId });
    },
    system: settings(Object.keys(open))(open),
  };
}

/**
 * In force everywhere: compiling queries this short would take longer than running them, and the index of a large tenant
 * has to look at more than its default to find what comparing with every vector would.
 */
const ALWAYS = { jit: 'off', 'hnsw.ef_search': '200' };

/** Settings that end with the transaction. */
function settings(names: readonly string[]): (values: Record<string, string>) => Scope {
  const statement = fixed<Record<string, string>>((slot) => {
    const calls = names.map((name) => sql`set_config(${sql.raw(`'${name}'`)}, ${slot(name)}, true)`);
    return sql`SELECT ${sql.join(calls, sql`, `)}`;
  });
  return (values) => ({
    get text() {
      return `SELECT ${names.map((name) => `set_config('${name}', '${values[name]}', true)`).join(', ')}`;
    },
    statement: statement(values),
  });
}
