import { connect, createServer, type Server, type Socket } from 'node:net';
import { createEngine, openPostgres } from '@svc-memory/core';
import { connect as connectClient } from '@svc-memory/core/client';
import type { AgentMemory } from '@svc-memory/core/contract';
import { createTestDatabase, type TestDatabase } from '@svc-memory/core/testing';

/** Makes an empty database on the server that the full suite was given. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env.SVC_TEST_DATABASE_URL;
  if (!serverUrl)
    throw new Error('SVC_TEST_DATABASE_URL is not set; start these tests with npm run test:full');
  return createTestDatabase(serverUrl);
}

/** Makes a tenant in a database and answers an API key of it. */
export async function signUp(databaseUrl: string): Promise<string> {
  const engine = createEngine({ database: await openPostgres({ url: databaseUrl, poolSize: 1 }) });
  try {
    const { id } = await engine.tenants.create({ displayName: 'Full suite', plan: 'local' });
    return (await engine.apiKeys.create(id, { name: 'full suite', scope: 'full' })).secret;
  } finally {
    await engine.close();
  }
}

/** A client that reports the first failure instead of trying again. */
export function impatientClient(url: string, apiKey: string): AgentMemory {
  return connectClient({ url, apiKey, retries: 0 });
}

/** A client that asks again where a busy service says that it cannot take a call now. */
export function patientClient(url: string, apiKey: string): AgentMemory {
  return connectClient({ url, apiKey, retries: 10 });
}

/** A network path to a database server that can be cut, as a crash of the server or a broken network cuts it. */
export interface CuttablePath {
  /** The database's address through this path. */
  readonly url: string;
  /** Ends all connections and refuses new ones. */
  cut(): Promise<void>;
  /** From now on loses all that is sent over the connections that are there, and ends none of them. */
  swallow(): void;
  mend(): Promise<void>;
}

/** Opens a path to the database at `databaseUrl`. */
export async function openPath(databaseUrl: string): Promise<CuttablePath> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const pass = (inbound: Socket) => {
    const outbound = connect(Number(target.port || 5432), target.hostname);
    for (const [socket, other] of [
      [inbound, outbound],
      [outbound, inbound],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  };
  let server = await listen(createServer(pass), 0);
  const { port } = server.address() as { port: number };
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    cut: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.resetAndDestroy();
      await closed;
    },
    swallow: () => {
      for (const socket of sockets) socket.unpipe().resume();
    },
    mend: async () => {
      server = await listen(createServer(pass), port);
    },
  };
}

/** Listens on loopback; 0 is a free port. */
export function listen(server: Server, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
