import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Fault } from '../fault.ts';
import type { Service } from '../lab/service.ts';
import { peakMib } from './many-calls.ts';

const MIB = 1024 * 1024;
const MOST_RISE_MIB = 128;

/** Bodies far beyond what is taken: announced, streamed without end, and packed small. */
export const largeBodies: Fault = {
  name: 'bodies of 2 MiB to 1 GiB',
  holds: '413 before they are read whole; memory stays bounded',
  run: async ({ cluster, rounds }) => {
    const { tenant, apis } = await cluster();
    const { apiKey } = await tenant();
    const [api] = apis;
    const before = await peakMib(api.pid);
    const bomb = gzipSync(Buffer.alloc(256 * MIB, ' '));
    const codes: Record<string, number> = {};
    const problems: string[] = [];
    for (let round = 0; round < 5 * rounds; round += 1) {
      const answers = [
        await send(api, apiKey, { mib: 2, headers: { 'Content-Length': String(2 * MIB) } }),
        await send(api, apiKey, { mib: 1024, headers: { 'Content-Length': String(1024 * MIB) } }),
        await send(api, apiKey, { mib: 1024, headers: {} }),
        await send(api, apiKey, { mib: 0, first: bomb, headers: { 'Content-Encoding': 'gzip' } }),
      ];
      for (const { code } of answers) codes[code] = (codes[code] ?? 0) + 1;
      const most = Math.max(...answers.map(({ mib }) => mib));
      if (answers.some(({ code }) => code !== '413'))
        problems.push(answers.map(({ code }) => code).join(' '));
      if (most > 64) problems.push(`${most} MiB were read before the answer`);
    }
    const rise = (await peakMib(api.pid)) - before;
    if (rise > MOST_RISE_MIB) problems.push(`memory rose by ${rise} MiB`);
    const n = `${20 * rounds} bodies`;
    return {
      times: 5 * rounds,
      n,
      lost: 0,
      duplicates: 0,
      codes,
      note: `peak memory rose by ${rise} MiB`,
      problems,
    };
  },
};

interface Body {
  readonly mib: number;
  readonly first?: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends until it is answered; tells the answer, and how many MiB were gone by then. */
function send(
  { url }: Service,
  apiKey: string,
  { mib, first, headers }: Body,
): Promise<{ code: string; mib: number }> {
  const chunk = Buffer.alloc(MIB, 'x');
  let sent = 0;
  return new Promise((resolve) => {
    const call = request(
      `${url}/api/v1/memories`,
      {
        method: 'POST',
        headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json', ...headers },
      },
      (response) => {
        resolve({ code: String(response.statusCode), mib: sent });
        response.resume();
        call.destroy();
      },
    );
    call.on('error', (error: NodeJS.ErrnoException) => resolve({ code: error.code ?? 'reset', mib: sent }));
    const write = () => {
      if (call.destroyed) return;
      if (sent >= mib) {
        call.end();
        return;
      }
      sent += 1;
      if (call.write(chunk)) setImmediate(write);
      else call.once('drain', write);
    };
    if (first) call.end(first);
    else write();
  });
}
