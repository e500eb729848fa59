import { connect, createServer } from 'node:net';
import { listen } from '../../kit/listen.ts';

/** A proxy before a Postgres server that counts round trips: how often a connection spoke after it had been answered. */
export interface Wire {
  /** Url of the same database through the proxy. */
  readonly url: string;
  /** Round trips since the last time. */
  take(): number;
  close(): Promise<void>;
}

export async function openWire(databaseUrl: string): Promise<Wire> {
  const target = new URL(databaseUrl);
  let turns = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    client.setNoDelay();
    upstream.setNoDelay();
    let answered = true;
    client.on('data', (part) => {
      if (answered) turns += 1;
      answered = false;
      upstream.write(part);
    });
    upstream.on('data', (part) => {
      answered = true;
      client.write(part);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('close', () => other.destroy());
      one.on('error', () => other.destroy());
    }
  });
  const { port, close } = await listen(server);
  const url = new URL(databaseUrl);
  url.port = String(port);
  return {
    url: url.href,
    take: () => {
      const taken = turns;
      turns = 0;
      return taken;
    },
    close,
  };
}
