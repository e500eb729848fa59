import { type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';

/**
 * A table with one row a tenant, in which a feature counts what it stores. A commit changes the row last, since it stays
 * locked until the transaction ends.
 */
export interface Counter<Column extends string = string> {
  /** Unique among the counters, and a name that SQL takes without quotes. */
  readonly name: string;
  readonly table: PgTable;
  /** The columns that count, of type bigint. */
  readonly columns: readonly Column[];
}

/** By how much a commit changes the columns of a counter. */
export interface CounterChange<Column extends string = string> {
  readonly counter: Counter<Column>;
  readonly by: Readonly<Record<Column, number>>;
}

/** The changes with those of the same counter added up, in the order of the counters' names; those of nothing are left out. */
export function sumChanges(changes: readonly CounterChange[]): CounterChange[] {
  const sums = new Map<Counter, Record<string, number>>();
  for (const { counter, by } of changes) {
    const before = sums.get(counter);
    const after = counter.columns.map((column) => [column, (before?.[column] ?? 0) + (by[column] ?? 0)]);
    sums.set(counter, Object.fromEntries(after));
  }
  return [...sums]
    .map(([counter, by]) => ({ counter, by }))
    .filter(({ by }) => Object.values(by).some((value) => value !== 0))
    .sort((a, b) => (a.counter.name < b.counter.name ? -1 : 1));
}

export function valueName({ name }: Counter, column: string): string {
  return `${name}_${column}`;
}

/** The part of a commit's statement that changes a counter. */
export function counterPart(counter: Counter, tenantId: SQL, value: (name: string) => SQL): SQL {
  const columns = counter.columns.map((column) => sql.identifier(column));
  const values = counter.columns.map((column) => sql`${value(valueName(counter, column))}::bigint`);
  const sums = columns.map((column) => sql`${column} = counter.${column} + excluded.${column}`);
  return sql`${sql.identifier(counter.name)} AS (
        INSERT INTO ${counter.table} AS counter (tenant_id, ${sql.join(columns, sql`, `)})
        VALUES (${tenantId}, ${sql.join(values, sql`, `)})
        ON CONFLICT (tenant_id) DO UPDATE SET ${sql.join(sums, sql`, `)}
      )`;
}
