import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Fault } from '../fault.ts';
import { percentile } from '../lab/start-storm.ts';

const SLOW = 500;
const CALLS = 200;
const CLOSED_WITHIN_MS = 30_000;

/** Hundreds of clients that send one byte a second, while another one works. */
export const slowClients: Fault = {
  name: '500 clients that send a byte a second',
  holds: 'they are shut out within 30 s, and others are served as before',
  run: async ({ cluster, rounds }) => {
    const { tenant, apis } = await cluster();
    const { url } = apis[0];
    const { apiKey } = await tenant();
    const problems: string[] = [];
    const [before, during]: [number[], number[]] = [[], []];
    let longest = 0;
    for (let round = 0; round < rounds; round += 1) {
      before.push(...(await measure(url, apiKey)));
      const began = Date.now();
      const sockets = await Promise.all(Array.from({ length: SLOW }, () => slowly(url)));
      during.push(...(await measure(url, apiKey)));
      const closed = Promise.all(sockets.map(({ closed }) => closed));
      const late = new Promise<string>((resolve) =>
        setTimeout(resolve, CLOSED_WITHIN_MS + began - Date.now(), 'late').unref(),
      );
      if ((await Promise.race([closed, late])) === 'late') problems.push('slow clients were let stay');
      for (const { socket } of sockets) socket.destroy();
      longest = Math.max(longest, Date.now() - began);
    }
    const p99 = (list: number[]) =>
      percentile(
        list.sort((a, b) => a - b),
        0.99,
      );
    return {
      times: rounds,
      n: `${rounds * SLOW} slow, ${during.length} calls beside them`,
      lost: 0,
      duplicates: 0,
      codes: { '200': during.length },
      note: `p99 of others ${p99(before)} ms before, ${p99(during)} ms during; all shut out after ${longest} ms`,
      problems,
    };
  },
};

/** A client in no hurry with its headers. */
async function slowly(url: string): Promise<{ socket: Socket; closed: Promise<unknown> }> {
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  const text = 'POST /api/v1/memories HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ';
  let sent = 0;
  const timer = setInterval(() => {
    socket.write(text[sent] ?? 'x');
    sent += 1;
  }, 1_000);
  timer.unref();
  socket.resume().once('close', () => clearInterval(timer));
  return { socket, closed };
}

/** Milliseconds of calls one after the other; throws where one is not answered 200. */
async function measure(url: string, apiKey: string): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < CALLS; n += 1) {
    const began = performance.now();
    const answer = await fetch(`${url}/api/v1/status`, { headers: { Authorization: `Bearer ${apiKey}` } });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`a call was answered ${answer.status}`);
    times.push(performance.now() - began);
  }
  return times;
}
