import { type PGlite, parse, protocol, types } from '@electric-sql/pglite';
import type { SQLWrapper } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { CompiledStatement } from '../compiled-statement.ts';
import type { Rows } from '../database.ts';
import type { RowsListener } from '../pipeline.ts';
import { type Bound, bind, nameStatement } from '../statements.ts';
import type { PreparedStatements } from './pglite-prepared.ts';

const { serialize } = protocol;

/** Returns dates and times as text, as drizzle asks for them. */
const TIMES_AS_TEXT = Object.fromEntries(
  [types.TIMESTAMPTZ, types.TIMESTAMP, types.DATE].map((type) => [type, (value: string) => value]),
);

/** Greatest length of the values in one message: a few milliseconds of work, in which the event loop does not turn. */
const MESSAGE_LENGTH = 16_384;

interface BoundStatement {
  /** Empty for what is parsed each time. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly Bound[];
}

/**
 * Runs statements on PGlite by its protocol. PGlite alone sends six messages for a statement, and parses and plans it each
 * time; here small statements share one, and a statement that came before is prepared.
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
   * turns between messages.
   *
   * @param begun Called when it is their turn.
   * @param listener Receives the rows of one statement early.
   */
  async run(
    statements: readonly SQLWrapper[],
    { begun, listener }: { begun?: () => void; listener?: RowsListener | undefined } = {},
  ): Promise<Rows[]> {
    const bound = statements.map((statement) => this.#bind(statement));
    await this.#client._checkReady();
    return this.#client._runExclusiveTransaction(async () => {
      begun?.();
      const results: Rows[] = [];
      for (const group of groupsOf(bound, listener?.at)) {
        const isLast = results.length + group.length === bound.length;
        results.push(...(await this.#send(group, isLast)));
        if (results.length - 1 === listener?.at) listener.onRows(results.at(-1) ?? []);
      }
      return results;
    });
  }

  #bind(statement: SQLWrapper): BoundStatement {
    const { text, params } =
      statement instanceof CompiledStatement
        ? { text: statement.text, params: statement.values() }
        : this.#compile(statement);
    const { name = '' } = nameStatement<{ text: string; name?: string }>({ text });
    return { name, text, values: params.map(bind) };
  }

  #compile(statement: SQLWrapper) {
    const { sql: text, params } = this.#dialect.sqlToQuery(statement.getSQL());
    return { text, params };
  }

  /** Sends statements in one message. Without a sync at its end the transaction goes on with the next one. */
  async #send(statements: readonly BoundStatement[], isLast: boolean): Promise<Rows[]> {
    const fresh: string[] = [];
    const messages: Uint8Array[] = [];
    for (const { name, text, values } of statements) {
      if (!this.#prepared.has(name) && !fresh.includes(name)) {
        messages.push(serialize.parse({ name, text }));
        if (name !== '') fresh.push(name);
      }
      messages.push(
        serialize.bind({ statement: name, values: [...values] }),
        serialize.describe({ type: 'P' }),
        serialize.execute({}),
      );
    }
    if (isLast) messages.push(serialize.sync());
    try {
      const answers = await this.#exchange(messages);
      for (const name of fresh) this.#prepared.set(name, undefined);
      this.#parsers ??= { ...this.#client.parsers, ...TIMES_AS_TEXT };
      return parse.parseResults(answers, this.#parsers).map(({ rows }) => rows);
    } catch (error) {
      // Nobody knows which were prepared, and closing an unknown name is no error.
      const closing = fresh.map((name) => serialize.close({ type: 'S', name }));
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

/**
 * Groups statements by the message that they are sent in. Whose rows are wanted early is the last of its message.
 *
 * @param early Index of that statement.
 */
function groupsOf(statements: readonly BoundStatement[], early: number | undefined): BoundStatement[][] {
  const groups: BoundStatement[][] = [];
  let size = 0;
  for (const [place, statement] of statements.entries()) {
    const own = statement.values.reduce((sum, value) => sum + (value?.length ?? 0), 0);
    size += own;
    if (size > MESSAGE_LENGTH || place === 0 || place - 1 === early) {
      groups.push([]);
      size = own;
    }
    groups.at(-1)?.push(statement);
  }
  return groups;
}
