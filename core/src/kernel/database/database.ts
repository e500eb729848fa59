import type { SQLWrapper } from 'drizzle-orm';
import type { KeptReceipt } from './erasure-log.ts';

/** What a backup is at: statements wait while it copies, and only then. */
export type BackupStep = 'copying' | 'packing' | 'checking';

export interface BackupOptions {
  /** Is told when a step begins. */
  readonly onStep?: ((step: BackupStep) => void) | undefined;
  /** Ends it before its end: nothing is left of it. */
  readonly signal?: AbortSignal | undefined;
}

declare const TRANSACTION: unique symbol;

/** A transaction, the same type for both drivers. `transaction.ts` declares what runs statements. */
export interface Tx {
  readonly [TRANSACTION]?: never;
}

/** What a transaction works in: one tenant, or two, such as an agent and one of its users. */
type OwnTenantIds = string | readonly [string, string];

/** What a transaction is confined to. In those of `alsoReads`, such as spaces, it changes nothing. */
export type TenantIds = OwnTenantIds | { readonly own: OwnTenantIds; readonly alsoReads: readonly string[] };

/**
 * The database: the same tables, migrations and queries on PGlite and Postgres.
 *
 * Every transaction belongs to one tenant, or to an agent and one of its users, and row-level security confines it to these
 * even if a query lacks the filter. Only `system` sees all tenants: for authentication by key, and for background tasks.
 *
 * The published types leave out what runs statements, here and of a transaction: its types are those of the SQL builder,
 * which a project could check only with the drivers of every database that the builder knows.
 */
export interface Database {
  readonly kind: 'pglite' | 'postgres';
  /** Number of transactions that wait for the database or for a connection. */
  queued(): number;
  /**
   * How often a tenant's data may have been written. Only the embedded database knows, which no other process writes to:
   * background work rests while the number stays the same.
   */
  writes?(): number;
  /**
   * Runs `work` on a consistent snapshot of its tenants. Writes fail.
   *
   * @internal
   */
  read<T>(tenants: TenantIds, work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Runs `work` and commits; rolls back when it throws. May run `work` again after a serialization failure.
   *
   * @param ending Statements sent together with the commit. When one fails, the transaction rolls back.
   * @internal
   */
  transaction<T>(tenants: TenantIds, work: (tx: Tx) => Promise<T>, ending?: Ending<T>): Promise<T>;
  /**
   * Runs independent statements in one transaction and one round trip.
   *
   * @param onFirstRows Receives the rows of the first statement as soon as they arrive. The transaction may still roll back.
   * @returns the rows of each; times are text.
   * @internal
   */
  batch(
    tenants: TenantIds,
    statements: readonly SQLWrapper[],
    onFirstRows?: (rows: Rows) => void,
  ): Promise<Rows[]>;
  /** @internal */
  system<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * `batch` over all tenants.
   *
   * @internal
   */
  systemBatch(statements: readonly SQLWrapper[]): Promise<Rows[]>;
  /**
   * Outside any transaction and tenant. For the sign-in library's own tables, which hold no tenant's data.
   *
   * @internal
   */
  readonly accounts: Tx;
  /**
   * Builds or drops an index outside any transaction, however long it takes, with at least this much maintenance memory. Behind a
   * pooler the server's own setting applies.
   *
   * @internal
   */
  build(statement: SQLWrapper, mebibytes: number): Promise<void>;
  /**
   * Writes all tables, indexes and statistics anew, so that nothing of what was deleted is left in their files. Calls wait for the
   * table that is being written.
   *
   * @returns whether the write-ahead log was emptied of it, too. On Postgres that takes its administrator.
   */
  vacuum(): Promise<{ readonly logEmptied: boolean }>;
  /**
   * Writes a backup of the data folder to a new file while the service runs. Only the embedded database in a folder has it.
   *
   * @throws BackupError; the reason of `signal`, or an error that it caused, where that ends it.
   */
  backUp?(file: string, options?: BackupOptions): Promise<void>;
  /**
   * Notes on the disk, outside of the database, the ids of what is erased for good, so that no restored backup brings it back, and
   * receipts, so that none loses them. Only the embedded database in a folder has it.
   *
   * @throws UnwritableError
   * @internal
   */
  noteErased?(ids: readonly string[], receipts?: readonly KeptReceipt[]): Promise<void>;
  /** Resolves when a trivial query answers; otherwise throws `UNAVAILABLE`. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Statements that are sent together with the commit of a transaction.
 *
 * @internal
 */
export interface Ending<T> {
  /** Builds the statements from the result of the transaction's work. */
  statements(answer: T): readonly SQLWrapper[];
  /** Called with the rows of each after the commit. */
  done?(results: readonly Rows[]): void;
}

/** Rows of a raw statement. The author of the statement knows their type. */
export type Rows = readonly unknown[];

/**
 * Runs raw SQL and returns its rows, which the two drivers wrap differently. Times are text.
 *
 * @internal
 */
export async function rows<Row>(tx: Tx, query: SQLWrapper): Promise<Row[]> {
  const result: unknown = await tx.execute(query);
  const list = Array.isArray(result) ? result : (result as { rows: unknown[] }).rows;
  return list as Row[];
}
