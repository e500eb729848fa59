import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenInTest } from '../../../test/kit/use-server.ts';

/** A request as the server saw it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Handler = (request: Seen, response: ServerResponse, attempt: number) => void;

/** Starts a real HTTP server for one test and records what reaches it; `attempt` counts from 1. */
export async function serve(
  handler: Handler,
): Promise<{ url: string; seen: Seen[]; close(): Promise<void> }> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const entry = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
    seen.push(entry);
    handler(entry, response, seen.length);
  });
  const { url, close } = await listenInTest(server);
  return { url, seen, close };
}

/** Answers with JSON. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

export const API_KEY = 'svc_0123456789abcdefghijABCDEFGHIJ000000';
