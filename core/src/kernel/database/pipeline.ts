import type { Socket } from 'node:net';
import pg from 'pg';
import type { Rows } from './database.ts';
import { type Bound, bind } from './statement-values.ts';

/** The result of one statement. */
export interface StatementResult {
  /** `INSERT`, `COMMIT` and so on. */
  readonly command: string;
  readonly rows: Rows;
}

/** The driver's connection below the level of queries. Its published types omit most of it. */
interface Connection {
  readonly stream: Socket;
  /** Texts of named statements that were sent to be prepared, by name. */
  readonly submittedNamedStatements: Record<string, string>;
  readonly parsedStatements: Record<string, string>;
  parse(statement: { name: string; text: string }): void;
  bind(call: { statement: string; values: readonly Bound[] }): void;
  describe(what: { type: 'P'; name: string }): void;
  execute(what: object): void;
  close(what: { type: 'S'; name: string }): void;
  /** Makes the server send the results it has so far. */
  flush(): void;
  sync(): void;
}

/** The internals of one query that collect its results. The driver's published types omit them. */
interface QueryInternals {
  /** The result that was received last. */
  readonly _result: StatementResult;
  handleCommandComplete(message: unknown, connection: unknown): void;
}

/** A statement whose rows are wanted before the other statements are done. */
export interface RowsListener {
  /** Index of the statement. */
  readonly at: number;
  /** Called before the commit: the transaction may still roll back. */
  onRows(rows: Rows): void;
}

/**
 * Sends statements together and waits for the server once. Outside a transaction they form one: it commits after the last
 * of them, or rolls back when one fails. The driver alone would send a sync message after each statement, which ends the
 * transaction and costs a round trip each time.
 *
 * @param types How values are parsed from their text.
 * @param listener Receives the rows of one statement early.
 * @returns the result of each, in order.
 */
export async function sendPipelined(
  client: pg.PoolClient,
  statements: readonly pg.QueryConfig[],
  types: pg.CustomTypesConfig,
  listener?: RowsListener,
): Promise<readonly StatementResult[]> {
  const ready = statements.map(({ name = '', text, values = [] }) => ({
    name,
    text,
    values: values.map(bind),
  }));
  return new Promise((resolve, reject) => {
    // As for a simple query with several statements, the driver collects one result for each.
    const query = new pg.Query({ text: '', types }, (error, results: unknown) => {
      for (const statement of prepared) {
        if (error) unprepare(connection, statement);
        else markPrepared(connection, statement);
      }
      if (error) reject(error);
      else resolve((Array.isArray(results) ? results : [results]) as readonly StatementResult[]);
    });
    let connection: Connection;
    let prepared: readonly BoundStatement[] = [];
    query.submit = (own) => {
      connection = own as unknown as Connection;
      connection.stream.cork();
      prepared = ready.filter((statement, place) => {
        const isNew = writeStatement(connection, statement);
        if (place === listener?.at) connection.flush();
        return isNew;
      });
      connection.sync();
      connection.stream.uncork();
      // The driver treats a returned value as an error.
      return null;
    };
    if (listener) listenForRows(query as unknown as QueryInternals, listener);
    client.query(query);
  });
}

function listenForRows(query: QueryInternals, { at, onRows }: RowsListener): void {
  const complete = query.handleCommandComplete.bind(query);
  let place = 0;
  query.handleCommandComplete = (message, connection) => {
    complete(message, connection);
    if (place === at) onRows(query._result.rows);
    place += 1;
  };
}

interface BoundStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly Bound[];
}

/** Writes one statement to the connection. Returns whether it was prepared under its name first. */
function writeStatement(connection: Connection, { name, text, values }: BoundStatement): boolean {
  const known =
    name !== '' &&
    (connection.parsedStatements[name] ?? connection.submittedNamedStatements[name]) !== undefined;
  if (!known) connection.parse({ name, text });
  if (!known && name !== '') connection.submittedNamedStatements[name] = text;
  connection.bind({ statement: name, values });
  connection.describe({ type: 'P', name: '' });
  connection.execute({});
  return !known && name !== '';
}

/** Records a statement as prepared, as the driver does itself. A statement that was only submitted is prepared again after a failure. */
function markPrepared(connection: Connection, { name, text }: BoundStatement): void {
  connection.parsedStatements[name] = text;
  delete connection.submittedNamedStatements[name];
}

/** Closes a statement after a failure: nobody knows whether it was prepared, and closing an unknown name is no error. */
function unprepare(connection: Connection, { name }: BoundStatement): void {
  delete connection.submittedNamedStatements[name];
  connection.close({ type: 'S', name });
}

/** Holds back everything that is sent in this turn of the event loop, and writes it in one system call. */
export function corked(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** The client as drizzle uses it: only `query`, with the statement's name added. */
export function withNamedQueries(
  client: pg.PoolClient,
  named: (config: pg.QueryConfig) => pg.QueryConfig,
): pg.PoolClient {
  const query = (config: pg.QueryConfig, values: unknown[]) => client.query(named({ ...config, values }));
  return { query } as unknown as pg.PoolClient;
}
