// A process that sends many calls at the same moment, each over a connection of its own, and tells what became of them.
import { Agent, request } from 'node:http';

/** What the process is told. */
export interface StormOrders {
  readonly targets: readonly string[];
  readonly apiKey: string;
  readonly calls: number;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Text of the body; `#` becomes the number of the call. */
  readonly body?: string;
  readonly timeoutMs: number;
}

/** What it tells. */
export interface StormResult {
  readonly codes: Readonly<Record<string, number>>;
  /** Answers that say to come back, without saying when. */
  readonly silent: number;
  /** Milliseconds of the calls that succeeded, ascending. */
  readonly served: readonly number[];
  /** Bodies of the calls that succeeded. */
  readonly answers: readonly string[];
}

const orders: StormOrders = JSON.parse(process.argv[2] ?? '{}');
const agent = new Agent({ keepAlive: false, maxSockets: orders.calls });
const codes: Record<string, number> = {};
const served: number[] = [];
const answers: string[] = [];
let silent = 0;

await Promise.all(Array.from({ length: orders.calls }, (_, n) => call(n)));
served.sort((a, b) => a - b);
process.send?.({ codes, silent, served, answers } satisfies StormResult, undefined, {}, () =>
  process.disconnect(),
);

function call(n: number): Promise<void> {
  const began = performance.now();
  const body = orders.body?.replaceAll('#', String(n));
  return new Promise((resolve) => {
    const end = (code: string) => {
      codes[code] = (codes[code] ?? 0) + 1;
      resolve();
    };
    const sent = request(
      `${orders.targets[n % orders.targets.length]}${orders.path}`,
      {
        agent,
        method: orders.method,
        timeout: orders.timeoutMs,
        headers: {
          Authorization: `Bearer ${orders.apiKey}`,
          ...(body && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.once('error', () => end('reset'));
        response.once('end', () => {
          const status = response.statusCode ?? 0;
          if (status < 300) {
            served.push(performance.now() - began);
            answers.push(text);
          } else if ([429, 503].includes(status) && !response.headers['retry-after']) silent += 1;
          end(String(status));
        });
      },
    );
    sent.once('timeout', () => sent.destroy(new Error('timeout')));
    sent.once('error', (error: NodeJS.ErrnoException) =>
      end(error.message === 'timeout' ? 'timeout' : error.code === 'ECONNREFUSED' ? 'refused' : 'reset'),
    );
    sent.end(body);
  });
}
