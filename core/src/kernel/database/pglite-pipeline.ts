import { type PGlite, parse, protocol, types } from '@electric-sql/pglite';
import type { SQLWrapper } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { CompiledStatement } from './compiled-statement.ts';
import type { Rows } from './database.ts';
import type { PreparedStatements } from './pglite-prepared.ts';
import { nameStatement } from './statement-names.ts';
import { bind } from './statement-values.ts';

const { serialize } = protocol;

/** Returns dates and times as text, as drizzle asks for them. */
const TIMES_AS_TEXT = Object.fromEntries(
  [types.TIMESTAMPTZ, types.TIMESTAMP, types.DATE].map((type) => [type, (value: string) => value]),
);

interface BoundStatement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/**
 * Runs statements on PGlite by its protocol. PGlite alone sends six messages for a statement, and parses and plans it each
 * time; here one does, and a statement that came before is prepared.
 */
export class PglitePipeline {
  readonly #client: PGlite;
  readonly #dialect = new PgDialect();
  readonly #prepared: PreparedStatements;
  /** Merged once: PGlite would copy them for each result. */
  #parsers: PGlite['parsers'] | undefined;

  /** @param prepared Shared with whatever else prepares statements of this PGlite. */
  constructor(client: PGlite, prepared: PreparedStatements) {
    this.#client = client;
    this.#prepared = prepared;
  }

  /**
   * Runs statements as one transaction: it commits after the last of them, or rolls back when one fails. The event loop
   * turns between them.
   *
   * @param begun Called when it is their turn.
   * @param onRows Told the rows of each as soon as they are there: the transaction may still roll back.
   */
  async run(
    statements: readonly SQLWrapper[],
    { begun, onRows }: { begun?: () => void; onRows?: (rows: Rows, place: number) => void } = {},
  ): Promise<Rows[]> {
    const bound = statements.map((statement) => this.#bind(statement));
    await this.#client._checkReady();
    return this.#client._runExclusiveTransaction(async () => {
      begun?.();
      const results: Rows[] = [];
      for (const [place, statement] of bound.entries()) {
        const rows = await this.#send(statement, place === bound.length - 1);
        results.push(rows);
        onRows?.(rows, place);
      }
      return results;
    });
  }

  #bind(statement: SQLWrapper): BoundStatement {
    if (statement instanceof CompiledStatement)
      return nameStatement({ text: statement.text, values: statement.values() });
    const { sql: text, params: values } = this.#dialect.sqlToQuery(statement.getSQL());
    return nameStatement({ text, values });
  }

  /** Without a sync message the transaction goes on with the next statement. */
  async #send({ name = '', text, values = [] }: BoundStatement, isLast: boolean): Promise<Rows> {
    const isNew = !this.#prepared.has(name);
    const messages = [
      ...(isNew ? [serialize.parse({ name, text })] : []),
      serialize.bind({ statement: name, values: values.map(bind) }),
      serialize.describe({ type: 'P' }),
      serialize.execute({}),
      ...(isLast ? [serialize.sync()] : []),
    ];
    try {
      const answers = await this.#exchange(messages);
      if (isNew && name !== '') this.#prepared.set(name, undefined);
      this.#parsers ??= { ...this.#client.parsers, ...TIMES_AS_TEXT };
      return parse.parseResults(answers, this.#parsers)[0]?.rows ?? [];
    } catch (error) {
      // Nobody knows whether it was prepared, and closing an unknown name is no error.
      const closing = isNew && name !== '' ? [serialize.close({ type: 'S', name })] : [];
      await this.#exchange([serialize.sync(), ...closing, serialize.sync()]);
      throw error;
    }
  }

  #exchange(messages: readonly Uint8Array[]) {
    return this.#client._runExclusiveQuery(() =>
      this.#client.execProtocolStream(Buffer.concat(messages), { syncToFs: false }),
    );
  }
}
