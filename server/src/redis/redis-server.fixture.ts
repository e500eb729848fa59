import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { freePort } from '../../../test/kit/listen.ts';

/** True where a Redis server can be started. */
export const hasRedisServer = (() => {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** A Redis server of a test's own. */
export interface RedisServer {
  readonly url: string;
  start(): Promise<void>;
  /** Makes it stand still, with its connections open; `go` lets it go on. */
  stand(): void;
  go(): void;
  /** Ends it with everything it held. */
  kill(): Promise<void>;
}

/** Picks a port for a Redis server; `start` starts it. */
export async function prepareRedisServer(): Promise<RedisServer> {
  const port = await freePort();
  let server: ChildProcess | undefined;
  return {
    url: `redis://127.0.0.1:${port}`,
    start: async () => {
      server = spawn('redis-server', ['--port', String(port), '--save', '', '--bind', '127.0.0.1'], {
        stdio: 'ignore',
      });
      while (!(await answers(port)));
    },
    stand: () => void server?.kill('SIGSTOP'),
    go: () => void server?.kill('SIGCONT'),
    kill: async () => {
      if (!server) return;
      server.kill('SIGKILL');
      await once(server, 'exit');
      server = undefined;
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => setTimeout(() => resolve(false), 10));
  });
}
