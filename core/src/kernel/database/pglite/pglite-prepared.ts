import {
  type PGlite,
  parse,
  protocol,
  type QueryOptions,
  type Results,
  type Transaction,
} from '@electric-sql/pglite';
import { type Bound, nameStatement } from '../statements.ts';

const { serialize } = protocol;

/** The statements that a PGlite has prepared, by their names, with the types of their parameters as far as they are known. */
export type PreparedStatements = Map<string, readonly number[] | undefined>;

/**
 * Prepares the statements of transactions, so that PGlite parses each once and may keep its plan. By itself PGlite parses
 * and plans a statement each time, and exchanges six messages with the database one by one: that takes longer than most
 * statements.
 *
 * @param prepared Shared with whatever else prepares statements of this PGlite.
 */
export function prepareInTransactions(client: PGlite, prepared: PreparedStatements): void {
  const transaction = client.transaction.bind(client);
  client.transaction = (work) => transaction((tx) => work(preparing(client, tx, prepared)));
}

function preparing(client: PGlite, tx: Transaction, prepared: PreparedStatements): Transaction {
  const query = async <T>(text: string, params: unknown[] = [], options: QueryOptions = {}) => {
    const { name = '' } = nameStatement<{ text: string; name?: string }>({ text });
    if (tx.closed) return tx.query<T>(text, params, options);
    return client._runExclusiveQuery(() =>
      queryPrepared<T>(client, prepared, { name, text, params, options }),
    );
  };
  return Object.assign(Object.create(tx), { query });
}

interface Query {
  /** Empty for what is parsed each time. */
  readonly name: string;
  readonly text: string;
  readonly params: readonly unknown[];
  readonly options: QueryOptions;
}

async function queryPrepared<T>(
  client: PGlite,
  prepared: PreparedStatements,
  { name, text, params, options }: Query,
): Promise<Results<T>> {
  const exchange = (...messages: Uint8Array[]) =>
    client.execProtocolStream(Buffer.concat([...messages, serialize.sync()]), { syncToFs: false });
  const isNew = !prepared.has(name);
  try {
    let types = prepared.get(name);
    if (types === undefined) {
      const parsing = isNew ? [serialize.parse({ name, text })] : [];
      types = parse.parseDescribeStatementResults(
        await exchange(...parsing, serialize.describe({ type: 'S', name })),
      );
      if (name !== '') prepared.set(name, types);
    }
    const values = params.map((value, place) => toBound(client, value, types[place]));
    const answers = await exchange(
      serialize.bind({ statement: name, values }),
      serialize.describe({ type: 'P' }),
      serialize.execute({}),
    );
    return parse.parseResults(answers, client.parsers, options)[0] as Results<T>;
  } catch (error) {
    // Nobody knows whether it was prepared, and closing an unknown name is no error.
    if (isNew) {
      prepared.delete(name);
      await exchange(serialize.close({ type: 'S', name }));
    }
    throw error;
  }
}

function toBound(client: PGlite, value: unknown, type: number | undefined): Bound {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return value;
  const serializer = type === undefined ? undefined : client.serializers[type];
  return serializer ? serializer(value) : String(value);
}
