import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';
import { listen } from '../../../../test/kit/listen.ts';

/** One request a receiver got. */
export interface Received {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How a receiver answers. */
export type Behaviour = (response: ServerResponse, received: Received) => void;

export const succeed: Behaviour = (response) => response.writeHead(204).end();
export const answerWith =
  (status: number, headers: Record<string, string> = {}, body = ''): Behaviour =>
  (response) =>
    response.writeHead(status, headers).end(body);
export const hang: Behaviour = () => {};

/** A target of events on this machine. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** Connections ever opened to it. */
  connections(): number;
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

/** Starts a receiver that succeeds until told otherwise. */
export async function startReceiver(): Promise<Receiver> {
  let behaviour = succeed;
  let connections = 0;
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const one = {
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      received.push(one);
      behaviour(response, one);
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  const { url, port, close } = await listen(server);
  return {
    url: `${url}/hook`,
    port,
    received,
    connections: () => connections,
    behave: (next) => {
      behaviour = next;
    },
    close,
  };
}

/** Verifies a request with the reference library, as a receiver would at that moment. */
export function verifyAt(now: Date, secret: string, { body, headers }: Received): unknown {
  vi.useFakeTimers({ toFake: ['Date'], now });
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>);
  } finally {
    vi.useRealTimers();
  }
}
