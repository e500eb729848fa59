import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createResolve } from './resolve.ts';

const QUESTION = 12;
const TYPE_A = 1;
const TYPE_AAAA = 28;
const NXDOMAIN = 3;

/** What a DNS server says of a name: its addresses as bytes by type, that it does not exist, or nothing. */
type Says = (name: string) => Readonly<Record<number, readonly number[]>> | 'no such name' | 'silent';

/** Starts a DNS server on this machine. */
async function startDns(says: Says) {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = [];
    let at = QUESTION;
    for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + size));
      at += 1 + size;
    }
    const name = labels.join('.');
    asked.push(name);
    const said = says(name);
    if (said === 'silent') return;
    const bytes = said === 'no such name' ? undefined : said[query.readUInt16BE(at + 1)];
    const header = Buffer.from(query.subarray(0, QUESTION));
    header.writeUInt16BE(0x8180 | (said === 'no such name' ? NXDOMAIN : 0), 2);
    header.writeUInt16BE(bytes ? 1 : 0, 6);
    header.writeUInt32BE(0, 8);
    const question = query.subarray(QUESTION, at + 5);
    const record = bytes
      ? [0xc0, QUESTION, ...question.subarray(-4), 0, 0, 0, 0, 0, bytes.length, ...bytes]
      : [];
    socket.send(Buffer.concat([header, question, Buffer.from(record)]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return { server: `127.0.0.1:${(socket.address() as AddressInfo).port}`, asked };
}

const both = {
  [TYPE_A]: [93, 184, 215, 14],
  [TYPE_AAAA]: [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7],
};

it('finds all addresses of a name', async () => {
  const { server } = await startDns((name) => (name === 'both.example' ? both : { [TYPE_A]: [1, 2, 3, 4] }));
  const resolve = createResolve({ servers: [server] });
  expect(await resolve('both.example')).toEqual([
    { address: '93.184.215.14', family: 4 },
    { address: '2001:db8::7', family: 6 },
  ]);
  expect(await resolve('four.example')).toEqual([{ address: '1.2.3.4', family: 4 }]);
});

it('answers for one name while the servers of many others are silent', async () => {
  const { server, asked } = await startDns((name) => (name.startsWith('silent') ? 'silent' : both));
  const resolve = createResolve({ servers: [server], timeoutMs: 500 });
  const answered: string[] = [];
  const silent = Array.from({ length: 50 }, (_, n) =>
    resolve(`silent${n}.example`).catch(({ code }: NodeJS.ErrnoException) => answered.push(String(code))),
  );
  expect(await resolve('good.example')).toHaveLength(2);
  expect(answered).toEqual([]);
  expect(new Set(asked).size).toBe(51);
  await Promise.all(silent);
  expect(new Set(answered)).toEqual(new Set(['EAI_AGAIN']));
});

it('finds a name that only this machine knows, also where there is no DNS server', async () => {
  const { server } = await startDns(() => 'no such name');
  const local = expect.arrayContaining([expect.objectContaining({ address: '127.0.0.1' })]);
  expect(await createResolve({ servers: [server] })('localhost')).toEqual(local);
  expect(await createResolve({ servers: ['127.0.0.1:1'] })('localhost')).toEqual(local);
});

it('asks the system for one such name at a time, and lets few wait', async () => {
  const { server } = await startDns(() => 'no such name');
  const resolve = createResolve({ servers: [server] });
  const answers = await Promise.allSettled(Array.from({ length: 40 }, () => resolve('localhost')));
  const refused = answers.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeLessThan(40);
  for (const one of refused) expect(one).toMatchObject({ reason: { code: 'EAI_AGAIN' } });
  expect(await resolve('localhost')).not.toHaveLength(0);
});
