import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';

/** What became of one call. */
export interface Answer {
  /** 0 without an answer. */
  readonly status: number;
  readonly code?: string;
  readonly ms: number;
  readonly body: string;
}

/** What to send; the body as it is where it is text or bytes. */
interface Call {
  readonly method?: string;
  readonly path: string;
  readonly json?: unknown;
  readonly bytes?: string | Uint8Array;
  /** Leaves after so many milliseconds. */
  readonly leaveAfterMs?: number;
  /** Reads no faster than this many bytes in a second. */
  readonly bytesPerSecond?: number;
}

/** A service under attack. */
export interface Site {
  readonly url: string;
  call(call: Call): Promise<Answer>;
  /** Waits for the end of the job that an answer names; undefined where it names none or the job does not end. */
  jobEnds(answer: Answer): Promise<string | undefined>;
}

/** Longer than any client waits. */
const GIVE_UP_MS = 120_000;
const JOB_MS = 180_000;
const LOOK_MS = 200;

/** @param apiKey One with the scope full. */
export function siteOf(url: string, apiKey: string): Site {
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  const call = (asked: Call) => send(agent, url, apiKey, asked);
  return {
    url,
    call,
    jobEnds: async ({ status, body }) => {
      const id = status === 202 ? idOf(body) : undefined;
      if (id === undefined) return undefined;
      for (const until = performance.now() + JOB_MS; performance.now() < until; ) {
        const seen = await call({ path: `/jobs/${id}` });
        const { job } = seen.status === 200 ? JSON.parse(seen.body) : { job: undefined };
        if (job?.finished_at) return job.status;
        await setTimeout(LOOK_MS);
      }
      return 'unfinished';
    },
  };
}

function idOf(body: string): string | undefined {
  const found: { job?: { id?: string } } = JSON.parse(body);
  return found.job?.id;
}

function send(agent: Agent, url: string, apiKey: string, asked: Call): Promise<Answer> {
  const { path, json, bytes = json === undefined ? undefined : JSON.stringify(json) } = asked;
  const { method = bytes === undefined ? 'GET' : 'POST', leaveAfterMs, bytesPerSecond } = asked;
  const began = performance.now();
  return new Promise((resolve) => {
    const end = (status: number, body = '') => {
      const ms = performance.now() - began;
      const code = /"code":"([A-Z_]+)"/.exec(body.slice(0, 300))?.[1];
      resolve({ status, ms, body, ...(code !== undefined && status >= 400 ? { code } : {}) });
    };
    const call = request(`${url}/api/v1${path}`, {
      agent,
      method,
      timeout: GIVE_UP_MS,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(bytes === undefined
          ? {}
          : {
              'content-type': json === undefined ? 'application/octet-stream' : 'application/json',
              'content-length': Buffer.byteLength(bytes),
            }),
      },
    });
    call.once('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => {
        parts.push(part);
        if (bytesPerSecond === undefined) return;
        response.pause();
        void setTimeout((part.length / bytesPerSecond) * 1_000).then(() => response.resume());
      });
      response.once('end', () => end(response.statusCode ?? 0, Buffer.concat(parts).toString()));
      response.once('error', () => end(0));
    });
    call.once('timeout', () => call.destroy(new Error('no answer')));
    call.once('error', () => end(0));
    call.end(bytes);
    if (leaveAfterMs !== undefined) void setTimeout(leaveAfterMs).then(() => call.destroy());
  });
}
