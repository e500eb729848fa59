import type { Database, TenantIds, Tx } from '@svc-memory/core';

/** One SQL statement with its parameters. */
interface Statement {
  readonly sql: string;
  readonly params: unknown[];
}

/** The statements of one transaction, in order. */
export interface RecordedTransaction {
  readonly tenants: TenantIds;
  readonly kind: 'read' | 'transaction';
  readonly statements: readonly Statement[];
}

/** The part of drizzle's session that every statement of either driver passes through. */
interface Session {
  prepareQuery(statement: Statement, ...rest: unknown[]): { execute(): Promise<unknown> };
}

class Undo extends Error {}

/** A database that notes the statements of its transactions. */
export interface Recorder {
  readonly database: Database;
  /** Takes what was noted since the last time. */
  take(): RecordedTransaction[];
}

/** Notes statements; writes are undone afterwards, so that the very same ones can be run again for real. */
export function recordStatements(base: Database): Recorder {
  let noted: RecordedTransaction[] = [];
  const noting =
    <T>(tenants: TenantIds, kind: RecordedTransaction['kind'], work: (tx: Tx) => Promise<T>) =>
    async (tx: Tx): Promise<T> => {
      const statements: Statement[] = [];
      const session = sessionOf(tx);
      const prepare = session.prepareQuery.bind(session);
      session.prepareQuery = (statement, ...rest) => {
        statements.push({ sql: statement.sql, params: statement.params });
        return prepare(statement, ...rest);
      };
      noted.push({ tenants, kind, statements });
      const answer = await work(tx);
      // What ends the transaction passes here too.
      session.prepareQuery = prepare;
      return answer;
    };
  /** Runs a transaction for what it answers, and undoes it. */
  const undone = async <T>(tenants: TenantIds, work: (tx: Tx) => Promise<T>): Promise<T> => {
    let answer: { value: T } | undefined;
    const running = base.transaction(tenants, async (tx) => {
      answer = { value: await noting(tenants, 'transaction', work)(tx) };
      throw new Undo();
    });
    await running.catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
    if (!answer) throw new Error('the transaction did not run');
    return answer.value;
  };
  return {
    database: {
      ...base,
      batch: (tenants, batch) =>
        undone(tenants, async (tx) => {
          const results: unknown[][] = [];
          for (const statement of batch) {
            const { rows } = (await tx.execute(statement)) as unknown as { rows: unknown[] };
            results.push(rows);
          }
          return results;
        }),
      read: (tenants, work) => base.read(tenants, noting(tenants, 'read', work)),
      transaction: undone,
    },
    take: () => {
      const taken = noted;
      noted = [];
      return taken;
    },
  };
}

/** What a transaction reads before, or without, writing anything; undefined where it only writes. */
export function readingOf(recorded: RecordedTransaction): RecordedTransaction | undefined {
  const statements = recorded.statements.filter((statement) => !/\bINSERT INTO\b/.test(statement.sql));
  return statements.length > 0 ? { ...recorded, statements } : undefined;
}

/** Runs noted statements again: one transaction of the same driver, the rows decoded but not looked at. */
export async function replay(database: Database, recorded: RecordedTransaction): Promise<void> {
  await database[recorded.kind](recorded.tenants, async (tx) => {
    const session = sessionOf(tx);
    for (const statement of recorded.statements) {
      await session.prepareQuery(statement, undefined, undefined, false).execute();
    }
  });
}

/** Drizzle shows the session in its type but not what is in it. */
function sessionOf(tx: Tx): Session {
  return tx._.session as unknown as Session;
}
