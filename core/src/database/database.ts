import type { SQLWrapper } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';

/** A transaction of either driver, as operations see it. */
export type Tx = PgDatabase<PgQueryResultHKT, Record<string, never>>;

/**
 * The database port: the same tables, migrations and queries over PGlite and Postgres.
 *
 * Every transaction belongs to one tenant, and row-level security keeps it there even if a query forgets its filter.
 * Only `system` sees all tenants: sign-in by key, and background sweeps.
 */
export interface Database {
  readonly kind: 'pglite' | 'postgres';
  /** A consistent snapshot of one tenant; writes in it fail. */
  read<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Commits what `work` did, or nothing of it when it throws. May run `work` again after a serialization failure.
   *
   * @param ending Statements that end the transaction; where one fails nothing is committed.
   */
  transaction<T>(tenantId: string, work: (tx: Tx) => Promise<T>, ending?: Ending<T>): Promise<T>;
  /**
   * Statements that do not need each other's answers, in one transaction and one round trip.
   *
   * @param early Told the rows of the first as soon as they are there: before the others are done, and also where these fail.
   * @returns the rows of each; times come as text.
   */
  batch(tenantId: string, statements: readonly SQLWrapper[], early?: (rows: Rows) => void): Promise<Rows[]>;
  system<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** `batch` over all tenants. */
  systemBatch(statements: readonly SQLWrapper[]): Promise<Rows[]>;
  /** Outside any transaction and tenant, for the sign-in library's own tables, which hold no tenant's data. */
  readonly accounts: Tx;
  /**
   * Runs a statement that builds an index, outside any transaction, with at least so much memory where the server can be
   * told so: behind a pooler it cannot.
   */
  build(statement: SQLWrapper, mebibytes: number): Promise<void>;
  /** Resolves when a trivial query answers; otherwise throws `UNAVAILABLE`. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** How a transaction ends: with statements that go out together with the commit. */
export interface Ending<T> {
  /** Made of what the transaction's work answered. */
  statements(answer: T): readonly SQLWrapper[];
  /** Called with the rows of each once they are committed. */
  done?(results: readonly Rows[]): void;
}

/** Rows of a raw statement; who wrote it says what they hold. */
export type Rows = readonly unknown[];

/** Runs raw SQL and answers its rows; the two drivers wrap them differently. Times come as text. */
export async function rows<Row>(tx: Tx, query: SQLWrapper): Promise<Row[]> {
  const result: unknown = await tx.execute(query);
  const list = Array.isArray(result) ? result : (result as { rows: unknown[] }).rows;
  return list as Row[];
}
