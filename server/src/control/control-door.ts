import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { writeFileAtomically } from '@svc-memory/hooks';
import { isSameSecret } from '../access/bearer.ts';
import { CliError, describeError, EXIT } from './cli-error.ts';

/** Name of the file in the data folder that says where the door is, and holds what opens it. */
export const DOOR_FILE = 'control.json';

/** Path at which the door proves that it is the one the file speaks of. */
export const PROOF_PATH = '/proof';
/** Header of a number that was never used before, which the proof is about. */
export const NONCE_HEADER = 'svc-nonce';

/** What the service does for commands beside it, by name. What they are given is as the command sent it. */
export type ControlActions = Readonly<Record<string, (input: unknown) => Promise<unknown>>>;

/**
 * Opens a door for the commands of this machine while the service has the data folder: they cannot open the folder beside
 * it. It listens on a port of its own that no network reaches, and asks for a token that only the owner of the folder can
 * read.
 *
 * @returns a function that closes it.
 */
export async function openControlDoor(
  dataDir: string,
  actions: ControlActions,
): Promise<() => Promise<void>> {
  const token = randomBytes(32).toString('base64url');
  /** Connections that have asked nothing yet. */
  const silent = new Set<Socket>();
  const server = createServer((request, response) => {
    silent.delete(request.socket);
    void answer(request, token, actions).then(({ status, body }) => {
      response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' });
      response.end(JSON.stringify(body));
    });
  });
  server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const file = join(dataDir, DOOR_FILE);
  writeFileAtomically(file, JSON.stringify({ port, token, folder: idOf(dataDir) }), { durable: false });
  return async () => {
    try {
      await rm(file, { force: true });
    } finally {
      // Also where the disk has become read-only: a door that listens would keep the process alive.
      server.close();
      // Node waits for them as for those that are answered: any user of this machine could keep the service from stopping.
      for (const socket of silent) socket.destroy();
      await once(server, 'close');
    }
  };
}

/** What tells a folder from its copy, whose file speaks of the service that has the other one. */
export function idOf(folder: string): string {
  const { dev, ino } = statSync(folder, { bigint: true });
  return `${dev}-${ino}`;
}

/**
 * What only who knows the token can answer to a nonce. The file of a service that was killed stays, and another program may
 * get its port: it is told nothing before it has proved itself.
 */
export function proofOf(token: string, nonce: string): string {
  return createHmac('sha256', token).update(nonce).digest('base64url');
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function answer(request: IncomingMessage, token: string, actions: ControlActions): Promise<Answer> {
  if (request.url === PROOF_PATH) {
    return { status: 200, body: { proof: proofOf(token, String(request.headers[NONCE_HEADER])) } };
  }
  if (!isSameSecret(request.headers.authorization ?? '', `Bearer ${token}`)) return { status: 401, body: {} };
  const name = request.url?.slice(1) ?? '';
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (request.method !== 'POST' || !action) return { status: 404, body: {} };
  try {
    return { status: 200, body: (await action(await json(request))) ?? {} };
  } catch (error) {
    return { status: 500, body: failureOf(error) };
  }
}

function failureOf(error: unknown) {
  const [message = '', fix] = describeError(error, { stack: false }).lines.map((line) => line.trim());
  const exitCode = error instanceof CliError ? error.exitCode : EXIT.failure;
  return { message: message.replace(/^svc: /, ''), fix, exitCode };
}
