import { createServer } from 'node:http';
import { listen } from '../../kit/listen.ts';

/** A target of webhooks that notes what came, by `webhook-id`. */
export interface Receiver {
  readonly url: string;
  /** Times each id came. */
  readonly seen: Map<string, number>;
  /** Told of each request before it is answered; it is answered when that is done. */
  onRequest(before: (id: string) => Promise<void>): void;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const seen = new Map<string, number>();
  let before: (id: string) => Promise<void> = async () => {};
  const server = createServer((request, response) => {
    request.resume().once('end', async () => {
      const id = String(request.headers['webhook-id']);
      seen.set(id, (seen.get(id) ?? 0) + 1);
      await before(id);
      response.writeHead(204).end();
    });
  });
  const { url, close } = await listen(server);
  return {
    url: `${url}/`,
    seen,
    onRequest: (next) => {
      before = next;
    },
    close,
  };
}
