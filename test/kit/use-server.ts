import type { Server } from 'node:net';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type Listening, listen } from './listen.ts';

/** Has a server listen during all tests of a file or of a `describe`. */
export function useServer(server: Server): Pick<Listening, 'port' | 'url'> {
  let listening: Listening | undefined;
  beforeAll(async () => {
    listening = await listen(server);
  });
  afterAll(() => listening?.close());
  const started = () => {
    if (!listening) throw new TypeError('It listens in beforeAll: use it in a test or a later hook.');
    return listening;
  };
  return {
    get port() {
      return started().port;
    },
    get url() {
      return started().url;
    },
  };
}

/** Has a server listen during one test. */
export async function listenInTest(server: Server): Promise<Listening> {
  const listening = await listen(server);
  onTestFinished(listening.close);
  return listening;
}
