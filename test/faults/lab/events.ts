import { setTimeout } from 'node:timers/promises';
import type { Tenant } from './tenant.ts';

/** Whose database is asked. */
interface Server {
  sql(statement: string): Promise<Record<string, unknown>[]>;
}

/** Ids of all events of memories that a tenant stored. */
export async function storedEvents({ sql }: Server, { id }: Tenant): Promise<string[]> {
  const found = await sql(`SELECT id FROM events WHERE tenant_id = '${id}' AND type = 'memory.stored'`);
  return found.map((row) => String(row.id));
}

/** Waits for what other processes do; throws when it takes longer. */
export async function eventually(condition: () => boolean | Promise<boolean>, ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`waited ${ms} ms in vain`);
    await setTimeout(20);
  }
}

/** Lets the minute pass for which a dead process still holds what it took of a tenant's. */
export async function endLeases(
  { sql }: Server,
  { id }: Tenant,
  table: 'event_deliveries' | 'jobs',
): Promise<void> {
  await sql(`UPDATE ${table} SET due_at = due_at - interval '60 seconds'
             WHERE tenant_id = '${id}' AND claim IS NOT NULL`);
}
