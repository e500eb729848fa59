import pg from 'pg';
import { SvcError } from '../../contract/errors.ts';
import { sendPipelined } from '../pipeline.ts';
import { addressesOf, verifiedAddress } from './addresses.ts';

const ASK_TIMEOUT_MS = 3_000;
// SQLSTATE: the client could not establish the connection.
const NOT_ESTABLISHED = '08001';

/** How the driver reaches a database. */
export interface PostgresConnection {
  readonly connectionString: string | undefined;
  readonly Client: typeof pg.Client;
}

/** @param url May name several hosts: each connection goes to the first that accepts writes. */
export function connectionTo(url: string): PostgresConnection {
  const addresses = addressesOf(url).map(verifiedAddress);
  return { connectionString: addresses[0], Client: clientOf(addresses) };
}

/**
 * A client that connects to the first of several hosts that accepts writes, as libpq does with
 * `target_session_attrs=read-write`: after a failover that is another one than before.
 */
function clientOf(addresses: readonly string[]): typeof pg.Client {
  return class extends pg.Client {
    override connect(): Promise<this>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<this> | undefined {
      const connected = this.#connectToPrimary();
      if (!callback) return connected;
      connected.then(() => callback(undefined as unknown as Error), callback);
      return undefined;
    }

    async #connectToPrimary(): Promise<this> {
      // Without a listener, the loss of the connection would end the process, also before a pool hears that there is one. What is
      // asked of it is rejected anyway.
      this.on('error', () => {});
      if (addresses.length > 1) Object.assign(this, await findPrimary(addresses));
      await super.connect();
      try {
        await requireOneServer(this);
      } catch (error) {
        await this.end();
        throw error;
      }
      return this;
    }
  };
}

/**
 * A load balancer that knows reads from writes, such as Pgpool-II, may set the tenant on one server and read on another: where
 * row-level security binds the user nothing is found there, and where it does not, it is off.
 *
 * @throws SvcError `UNAVAILABLE`
 */
async function requireOneServer(client: pg.Client): Promise<void> {
  const [, seen] = await sendPipelined(client, [
    { text: `SELECT set_config('svc.one_server', 'on', true)` },
    { text: `SELECT current_setting('svc.one_server', true) AS setting` },
  ]);
  const [row] = (seen?.rows ?? []) as readonly { setting: string | null }[];
  if (row?.setting === 'on') return;
  throw new SvcError(
    'UNAVAILABLE',
    'a load balancer sends the statements of one transaction to several servers (SPLIT_TRANSACTION)',
  );
}

/** Asks all hosts at once, and takes the first in their order that accepts writes. */
async function findPrimary(
  addresses: readonly string[],
): Promise<{ readonly host: string; readonly port: number }> {
  const asked = addresses.map((address) =>
    askHost(address).catch((error: unknown) => ({ acceptsWrites: false as const, error })),
  );
  const failures: unknown[] = [];
  for (const asking of asked) {
    const answer = await asking;
    if (answer.acceptsWrites) return { host: answer.host, port: answer.port };
    if ('error' in answer) failures.push(answer.error);
  }
  if (failures.length === addresses.length) throw failures[0];
  throw Object.assign(new Error('no host accepts writes', { cause: failures[0] }), { code: NOT_ESTABLISHED });
}

async function askHost(address: string) {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: ASK_TIMEOUT_MS,
    query_timeout: ASK_TIMEOUT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
    const { host, port } = client;
    return { host, port, acceptsWrites: rows[0]?.transaction_read_only === 'off' };
  } finally {
    await client.end().catch(() => {});
  }
}
