import { createServer, request as httpRequest, type RequestListener } from 'node:http';
import { listen } from './listen.ts';

/** How a service behaves: as it is, never answering, late by some milliseconds, unable to answer, or refusing the key. */
export type Mood = 'well' | 'hangs' | 'slow' | 'limits' | 'fails' | 'refuses';

const SLOW_MS = 3_000;
const ANSWERS: Readonly<Partial<Record<Mood, readonly [number, string]>>> = {
  limits: [429, 'RATE_LIMITED'],
  refuses: [401, 'UNAUTHORIZED'],
};

/** A door before a service, or before none, that has bad days. */
export interface MoodyService {
  readonly url: string;
  mood: Mood;
  /** Requests that came so far. */
  readonly requests: number;
  close(): Promise<void>;
}

/** @param target address of the service behind it; without one, `well` is answered with an injection and nothing found */
export async function startMoodyService(target?: string): Promise<MoodyService> {
  let requests = 0;
  const moody = { mood: 'well' as Mood };
  const pass: RequestListener = (request, response) => {
    if (target === undefined) {
      request.resume();
      const injection = '# MEMORY INJECTION\n- [soul] I keep my promises.';
      const metadata = { stored_turns: 1, is_post_compaction: false, timestamp: new Date().toISOString() };
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ success: true, injection, results: [], metadata }));
      return;
    }
    const { method, headers, url } = request;
    const passed = httpRequest(`${target}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  };
  const refuse: RequestListener = (request, response) => {
    request.resume();
    const [status, code] = ANSWERS[moody.mood] ?? [500, 'INTERNAL'];
    if (status === 429) response.setHeader('Retry-After', '2');
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ success: false, error: { code, message: 'not today' } }));
  };
  const server = createServer((request, response) => {
    requests += 1;
    if (moody.mood === 'hangs') request.resume();
    else if (moody.mood === 'slow') setTimeout(() => pass(request, response), SLOW_MS).unref();
    else if (moody.mood === 'well') pass(request, response);
    else refuse(request, response);
  });
  const { url, close } = await listen(server);
  return {
    url,
    get mood() {
      return moody.mood;
    },
    set mood(mood) {
      moody.mood = mood;
    },
    get requests() {
      return requests;
    },
    close,
  };
}
