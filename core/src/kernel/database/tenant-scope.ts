import { type SQLWrapper, sql } from 'drizzle-orm';
import { validate } from 'uuid';
import { compileStatement } from './compiled-statement.ts';
import { rows, type TenantIds, type Tx } from './database.ts';

/** Statements that confine the current transaction to its tenants, or open it to all. */
interface Scopes {
  /** Its text is the same for every tenant, so that the server parses it once. */
  confine(tenants: TenantIds): SQLWrapper;
  /** Opens the transaction to all tenants. */
  readonly system: SQLWrapper;
}

/** What the transactions of one database need besides. */
interface Needs {
  /** The role to switch to; undefined when row-level security binds the connecting user. */
  readonly role: string | undefined;
  /** Whether a commit is answered before it is on the disk unless a transaction asks for it; default false. */
  readonly commitsEarly?: boolean;
}

export function createScopes({ role, commitsEarly = false }: Needs): Scopes {
  const always = {
    ...(role ? { role } : {}),
    ...(commitsEarly ? { synchronous_commit: 'on' } : {}),
    ...ALWAYS,
  };
  const bind = settings(['svc.tenant_id', ...Object.keys(always)]);
  const bindBoth = settings(['svc.tenant_id', 'svc.second_tenant_id', ...Object.keys(always)]);
  const bindReading = settings([
    'svc.tenant_id',
    'svc.second_tenant_id',
    'svc.read_tenant_ids',
    ...Object.keys(always),
  ]);
  const open = { ...always, 'svc.system': 'on' };
  return {
    confine: (tenants) => {
      const { own, alsoReads } = isReading(tenants) ? tenants : { own: tenants, alsoReads: [] };
      const [first, second] = typeof own === 'string' ? [own] : own;
      // They become part of an array's text, so they must be ids.
      if (![first, second ?? first, ...alsoReads].every((id) => validate(id))) {
        throw new TypeError('a tenant id is a UUID');
      }
      if (alsoReads.length > 0) {
        return bindReading({
          ...always,
          'svc.tenant_id': first,
          'svc.second_tenant_id': second ?? first,
          'svc.read_tenant_ids': `{${alsoReads.join(',')}}`,
        });
      }
      if (second === undefined) return bind({ ...always, 'svc.tenant_id': first });
      return bindBoth({ ...always, 'svc.tenant_id': first, 'svc.second_tenant_id': second });
    },
    system: settings(Object.keys(open))(open),
  };
}

type Reading = Extract<TenantIds, { readonly own: unknown }>;

function isReading(tenants: TenantIds): tenants is Reading {
  return typeof tenants === 'object' && 'own' in tenants;
}

/** Lets a transaction of one tenant work in another one as well, which it is about to make. */
export async function openNewTenant(tx: Tx, tenantId: string): Promise<void> {
  await rows(tx, sql`SELECT set_config('svc.second_tenant_id', ${tenantId}, true)`);
}

/** The readings of all tenants that go on in a transaction, and what is to be restored behind the last of them. */
interface Opened {
  readings: number;
  readonly opening: Promise<string>;
}
const opened = new WeakMap<Tx, Opened>();

/**
 * Lets a transaction of some tenants read all others too while `read` runs. What else runs in the transaction meanwhile is as open,
 * so each statement still names its tenant.
 */
export async function readingAllTenants<T>(tx: Tx, read: () => Promise<T>): Promise<T> {
  const own = opened.get(tx) ?? { readings: 0, opening: open(tx) };
  opened.set(tx, own);
  own.readings += 1;
  const close = async () => {
    own.readings -= 1;
    // Closed between two of them, the later one would read too little, and leave all open.
    if (own.readings > 0) return;
    opened.delete(tx);
    await rows(tx, sql`SELECT set_config('svc.system', ${await own.opening}, true)`);
  };
  let found: T;
  try {
    await own.opening;
    found = await read();
  } catch (error) {
    // Where a statement failed, the transaction takes no other one, and its end closes all.
    await close().catch(() => undefined);
    throw error;
  }
  await close();
  return found;
}

/** Opens the transaction to all tenants; answers what its setting was. */
async function open(tx: Tx): Promise<string> {
  const [before] = await rows<{ system: string }>(
    tx,
    sql`SELECT coalesce(current_setting('svc.system', true), '') AS system`,
  );
  await rows(tx, sql`SELECT set_config('svc.system', 'on', true)`);
  return before?.system ?? '';
}

/**
 * Settings of every transaction. JIT compilation would take longer than such short queries. The vector index of a large
 * tenant must visit more candidates than by default to find what an exact search finds.
 */
const ALWAYS = { jit: 'off', 'hnsw.ef_search': '200' };

/** Sets settings until the end of the transaction. */
function settings(names: readonly string[]): (values: Record<string, string>) => SQLWrapper {
  return compileStatement<Record<string, string>>((param) => {
    const calls = names.map((name) => sql`set_config(${sql.raw(`'${name}'`)}, ${param(name)}, true)`);
    return sql`SELECT ${sql.join(calls, sql`, `)}`;
  });
}
