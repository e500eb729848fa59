import type { Socket } from 'node:net';
import pg from 'pg';
import type { Rows } from './database.ts';

/** What one statement answered. */
export interface Answered {
  /** `INSERT`, `COMMIT` and so on. */
  readonly command: string;
  readonly rows: Rows;
}

/** What is said to a server below the level of queries; the driver's types leave most of it out. */
interface Wire {
  readonly stream: Socket;
  /** Statements by name, as they were sent to be prepared. */
  readonly submittedNamedStatements: Record<string, string>;
  readonly parsedStatements: Record<string, string>;
  parse(statement: { name: string; text: string }): void;
  bind(call: { statement: string; values: readonly (string | null)[] }): void;
  describe(what: { type: 'P'; name: string }): void;
  execute(what: object): void;
  close(what: { type: 'S'; name: string }): void;
  /** Makes the server send what it has to answer by now. */
  flush(): void;
  sync(): void;
}

/** What becomes of one query; the driver's types leave it out. */
interface Gathering {
  /** What was answered last. */
  readonly _result: Answered;
  handleCommandComplete(message: unknown, wire: unknown): void;
}

/** One of the statements, whose rows somebody wants before the others are done. */
interface Early {
  readonly at: number;
  tell(rows: Rows): void;
}

/**
 * Sends statements at once and waits for the server once. Outside a transaction they make one: it is committed after the
 * last of them, or nothing of it is when one fails. The driver by itself sends what ends a transaction with each statement,
 * so that each is answered, and waited for, by itself.
 *
 * @param types How values are read from their text.
 * @param early What is told so is not committed, and may come to nothing.
 * @returns what each answered, in order.
 */
export async function sendTogether(
  client: pg.PoolClient,
  statements: readonly pg.QueryConfig[],
  types: pg.CustomTypesConfig,
  early?: Early,
): Promise<readonly Answered[]> {
  const ready = statements.map(({ name = '', text, values = [] }) => ({
    name,
    text,
    values: values.map(toText),
  }));
  return new Promise((resolve, reject) => {
    // Of a simple query with several statements in it the driver gathers the answers likewise.
    const query = new pg.Query({ text: '', types }, (error, answered: unknown) => {
      for (const statement of prepared) {
        if (error) forget(wire, statement);
        else keep(wire, statement);
      }
      if (error) reject(error);
      else resolve((Array.isArray(answered) ? answered : [answered]) as readonly Answered[]);
    });
    let wire: Wire;
    let prepared: readonly Ready[] = [];
    query.submit = (connection) => {
      wire = connection as unknown as Wire;
      wire.stream.cork();
      prepared = ready.filter((statement, place) => {
        const isNew = put(wire, statement);
        if (place === early?.at) wire.flush();
        return isNew;
      });
      wire.sync();
      wire.stream.uncork();
      // The driver takes what is answered here for an error.
      return null;
    };
    if (early) tellEarly(query as unknown as Gathering, early);
    client.query(query);
  });
}

function tellEarly(query: Gathering, { at, tell }: Early): void {
  const complete = query.handleCommandComplete.bind(query);
  let place = 0;
  query.handleCommandComplete = (message, wire) => {
    complete(message, wire);
    if (place === at) tell(query._result.rows);
    place += 1;
  };
}

interface Ready {
  readonly name: string;
  readonly text: string;
  readonly values: readonly (string | null)[];
}

/** Puts one statement on its way; answers whether it had to be prepared under its name first. */
function put(wire: Wire, { name, text, values }: Ready): boolean {
  const known =
    name !== '' && (wire.parsedStatements[name] ?? wire.submittedNamedStatements[name]) !== undefined;
  if (!known) wire.parse({ name, text });
  if (!known && name !== '') wire.submittedNamedStatements[name] = text;
  wire.bind({ statement: name, values });
  wire.describe({ type: 'P', name: '' });
  wire.execute({});
  return !known && name !== '';
}

/** As the driver notes what it prepared itself: what it only submitted it prepares again after a failure. */
function keep(wire: Wire, { name, text }: Ready): void {
  wire.parsedStatements[name] = text;
  delete wire.submittedNamedStatements[name];
}

/** Whether it was prepared before the failure nobody knows; to close what was not is no mistake. */
function forget(wire: Wire, { name }: Ready): void {
  delete wire.submittedNamedStatements[name];
  wire.close({ type: 'S', name });
}

function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'object') throw new TypeError('a statement takes texts, numbers and truth values');
  return String(value);
}
