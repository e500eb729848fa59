import type { Socket } from 'node:net';
import pg from 'pg';
import type { Rows } from './database.ts';
import { type Bound, bind } from './statements.ts';

interface StatementResult {
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
  bind(call: { portal: string; statement: string; values: readonly Bound[] }): void;
  describe(what: { type: 'P'; name: string }): void;
  execute(what: { portal: string }): void;
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

interface PipelinedQuery extends pg.QueryConfig {
  /** Names what was bound, so that it outlasts the next statement; default none. */
  readonly portal?: string;
}

/** A statement whose rows are wanted before the other statements are done. */
export interface RowsListener {
  /** Index of the statement. */
  readonly at: number;
  /** Called before the commit: the transaction may still roll back. */
  onRows(rows: Rows): void;
}

/** The portal of the statement that begins a transaction. It is there until that transaction ends. */
const BEGINNING = 'svc_begin';

const TIME_TYPES = new Set<number>([
  pg.types.builtins.TIMESTAMPTZ,
  pg.types.builtins.TIMESTAMP,
  pg.types.builtins.DATE,
]);

/** Returns dates and times as text, as drizzle asks for them and PGlite returns them. */
const TIMES_AS_TEXT = {
  getTypeParser: (type: number, format: 'text' | 'binary' = 'text') =>
    TIME_TYPES.has(type) ? (value: string) => value : pg.types.getTypeParser(type, format),
};

/** A transaction whose start was sent. */
interface Begun {
  /** Fails where it could not be started. */
  readonly begun: Promise<unknown>;
  /** Sends a statement, also before the start is answered. */
  query(config: pg.QueryConfig): Promise<pg.QueryResult>;
  /** Refuses further statements: they would run in the transaction that has the client next. */
  close(): void;
}

/**
 * Sends the start of a transaction without waiting for its result, so that the first statements follow in the same packet. They
 * run only where it was started: a pooler that is out of connections may refuse the start and take what follows, which would be
 * kept whatever becomes of the rest, and be confined to no tenant.
 *
 * @param statements The first begins the transaction.
 */
export function beginPipelined(
  client: pg.PoolClient,
  [beginning, ...others]: readonly [pg.QueryConfig, ...pg.QueryConfig[]],
): Begun {
  let isBegun = false;
  let isOpen = true;
  corkUntilNextTick(client);
  const begun = sendPipelined(client, [{ ...beginning, portal: BEGINNING }, ...others]);
  begun.then(
    () => {
      isBegun = true;
    },
    () => {},
  );
  const query = (config: pg.QueryConfig) =>
    new Promise<pg.QueryResult>((resolve, reject) => {
      if (!isOpen) throw new TypeError('the transaction has ended');
      // What the server skips ends with a sync, which the simple protocol does not send.
      const extended = { ...config, queryMode: 'extended' } as pg.QueryConfig;
      const query = new pg.Query(extended, undefined, (error, result) => {
        if (error) reject(error);
        else resolve(result);
      });
      if (!isBegun) requireTransaction(query);
      client.query(query);
    });
  const close = () => {
    isOpen = false;
  };
  return { begun, query, close };
}

/** Makes the server skip a statement where no transaction was started: what it is asked to describe is not there. */
function requireTransaction(query: pg.Query): void {
  const submit = query.submit.bind(query);
  query.submit = (connection) => {
    (connection as unknown as Connection).describe({ type: 'P', name: BEGINNING });
    return submit(connection);
  };
}

/**
 * Sends statements together and waits for the server once. Outside a transaction they form one: it commits after the last
 * of them, or rolls back when one fails. The driver alone would send a sync message after each statement, which ends the
 * transaction and costs a round trip each time.
 *
 * @param listener Receives the rows of one statement early.
 * @returns the result of each, in order.
 */
export async function sendPipelined(
  client: pg.ClientBase,
  statements: readonly PipelinedQuery[],
  listener?: RowsListener,
): Promise<readonly StatementResult[]> {
  const ready = statements.map(({ name = '', text, values = [], portal = '' }) => ({
    name,
    text,
    portal,
    values: values.map(bind),
  }));
  return new Promise((resolve, reject) => {
    // As for a simple query with several statements, the driver collects one result for each.
    const query = new pg.Query({ text: '', types: TIMES_AS_TEXT }, (error, results: unknown) => {
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
  readonly portal: string;
}

/** Writes one statement to the connection. Returns whether it was prepared under its name first. */
function writeStatement(connection: Connection, { name, text, values, portal }: BoundStatement): boolean {
  const known =
    name !== '' &&
    (connection.parsedStatements[name] ?? connection.submittedNamedStatements[name]) !== undefined;
  if (!known) connection.parse({ name, text });
  if (!known && name !== '') connection.submittedNamedStatements[name] = text;
  connection.bind({ portal, statement: name, values });
  connection.describe({ type: 'P', name: portal });
  connection.execute({ portal });
  return !known && name !== '';
}

/** Records a statement as prepared, as the driver does. One that was only submitted is prepared again after a failure. */
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
function corkUntilNextTick(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}
