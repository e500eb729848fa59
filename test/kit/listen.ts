import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A server on a port of 127.0.0.1. */
export interface Listening {
  readonly port: number;
  /** Without a slash at its end. */
  readonly url: string;
  /** Ends its connections too. */
  readonly close: () => Promise<void>;
}

/** @param port A free one if it is not given. */
export async function listen(server: Server, port = 0): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const taken = (server.address() as AddressInfo).port;
  return {
    port: taken,
    url: `http://127.0.0.1:${taken}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** A port of 127.0.0.1 at which nobody listens. */
export async function freePort(): Promise<number> {
  const { port, close } = await listen(createServer());
  await close();
  return port;
}
