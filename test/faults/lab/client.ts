// A client in a process of its own: writes memories until told to stop. Each operation is noted in a journal before it is
// sent and each answer after it came, so that the journal knows what the service has acknowledged, whatever happens to it.
import { createHash } from 'node:crypto';
import { openSync, writeSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { ClientOrders, Entry } from './journal.ts';
import { createRandom } from './random.ts';

const orders: ClientOrders = JSON.parse(process.argv[2] ?? '{}');
const journal = openSync(orders.journal, 'a');
const agent = new Agent({ keepAlive: true, maxSockets: 1_000 });
const BATCH = 5;
let stopped = false;
let acknowledged = 0;

process.on('message', () => {
  stopped = true;
});
process.on('disconnect', () => process.exit());
const report = setInterval(() => process.send?.(acknowledged), 20);

const note = (entry: Entry) => writeSync(journal, `${JSON.stringify(entry)}\n`);

await Promise.all(Array.from({ length: orders.writers }, (_, writer) => write(writer)));
clearInterval(report);
process.disconnect();

async function write(writer: number): Promise<void> {
  const random = createRandom(orders.seed + writer);
  for (let n = 0; !stopped; n += 1) {
    const op = `${orders.name}w${writer}n${n}`;
    const count = random.between(1, 5) === 1 ? BATCH : 1;
    const memories = Array.from({ length: count }, (_, place) => ({
      type: 'episodic',
      content: `${op}p${place} ${'The harbour master wrote this line down. '.repeat(random.between(1, 20))}end`,
    }));
    const hashes = memories.map(({ content }) => createHash('sha256').update(content).digest('hex'));
    await untilAcknowledged(op, writer + n, memories, hashes);
    if (orders.pauseMs > 0) await setTimeout(orders.pauseMs);
  }
}

/** Sends an operation again, under the same idempotency key and to the next target, until it is acknowledged. */
async function untilAcknowledged(
  op: string,
  first: number,
  memories: readonly { type: string; content: string }[],
  hashes: readonly string[],
): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const target = orders.targets[(first + attempt) % orders.targets.length] ?? '';
    const sent = Date.now();
    note({ kind: 'sent', op, target, at: sent, hashes });
    const [path, body] =
      memories.length === 1 ? ['/memories', memories[0]] : ['/memories/batch', { memories }];
    const { code, text, retryAfter } = await post(`${target}/api/v1${path}`, JSON.stringify(body), op);
    if (code === '200' || code === '201') {
      const { memory, memories: stored } = JSON.parse(text);
      const ids: string[] = (stored ?? [memory]).map(({ id }: { id: string }) => id);
      note({ kind: 'acknowledged', op, target, at: Date.now(), sent, ids, hashes });
      acknowledged += ids.length;
      return;
    }
    const message = messageIn(text);
    note({
      kind: 'failed',
      op,
      target,
      at: Date.now(),
      sent,
      code,
      ...(retryAfter && { retryAfter }),
      ...(message && { message }),
    });
    if (stopped) return;
    await setTimeout(20);
  }
}

interface Answer {
  /** HTTP status, `refused` where no connection came about and so nothing was sent, or `reset` after. */
  readonly code: string;
  readonly text: string;
  readonly retryAfter?: string | undefined;
}

/** What an error's body says. */
function messageIn(body: string): string | undefined {
  try {
    return JSON.parse(body).error.message;
  } catch {
    return undefined;
  }
}

function post(url: string, body: string, key: string): Promise<Answer> {
  return new Promise((resolve) => {
    const call = request(
      url,
      {
        method: 'POST',
        agent,
        timeout: orders.timeoutMs,
        headers: {
          Authorization: `Bearer ${orders.apiKey}`,
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
          'Idempotency-Key': key,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.once('end', () =>
          resolve({ code: String(response.statusCode), text, retryAfter: response.headers['retry-after'] }),
        );
        response.once('error', () => resolve({ code: 'reset', text: '' }));
      },
    );
    call.once('timeout', () => call.destroy(new Error('timeout')));
    call.once('error', ({ message, syscall }: NodeJS.ErrnoException) => {
      const code = message === 'timeout' ? 'timeout' : syscall === 'connect' ? 'refused' : 'reset';
      resolve({ code, text: '' });
    });
    call.end(body);
  });
}
