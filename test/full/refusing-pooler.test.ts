import { connect, createServer } from 'node:net';
import { createEngine, openPostgres } from '@svc-memory/core';
import { queryPostgres } from '@svc-memory/core/testing';
import { expect, it, onTestFinished } from 'vitest';
import { emptyDatabase, listen } from './postgres.fixture.ts';

/** Tags of messages that the server answers at once: a simple query, a sync, a flush and a password. */
const ENDS = new Set(['Q', 'S', 'H', 'p']);

/**
 * A pooler that may refuse what begins a transaction, for want of a connection, and takes what follows: the next statement finds a
 * connection.
 *
 * @returns its address, whether it refuses now, and whether it has lost its server, which it says as Pgpool-II does.
 */
async function openPooler(databaseUrl: string) {
  const { port, hostname } = new URL(databaseUrl);
  const pooler = { url: '', refuses: false, hasLost: false };
  const server = createServer((inbound) => {
    const outbound = connect(Number(port), hostname);
    outbound.pipe(inbound);
    for (const socket of [inbound, outbound]) {
      socket.on('error', () => socket.destroy());
      socket.on('close', () => [inbound, outbound].forEach((one) => void one.destroy()));
    }
    let received = Buffer.alloc(0);
    let group: Buffer[] = [];
    let hasStarted = false;
    inbound.on('data', (data) => {
      received = Buffer.concat([received, data]);
      for (;;) {
        // The first message has no tag.
        const tagged = hasStarted ? 1 : 0;
        if (received.length < tagged + 4) return;
        const length = tagged + received.readInt32BE(tagged);
        if (received.length < length) return;
        const message = received.subarray(0, length);
        received = received.subarray(length);
        group.push(message);
        if (hasStarted && !ENDS.has(String.fromCharCode(message[0] ?? 0))) continue;
        hasStarted = true;
        const sent = Buffer.concat(group);
        group = [];
        if (pooler.refuses && sent.includes('BEGIN')) inbound.write(refusal());
        else if (pooler.hasLost) inbound.end(loss());
        else outbound.write(sent);
      }
    });
  });
  await listen(server, 0);
  onTestFinished(() => void server.close());
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  pooler.url = url.href;
  return pooler;
}

/** An error of the class "insufficient resources", after which the connection is idle. */
function refusal(): Buffer {
  const idle = Buffer.from('Z\0\0\0\x05I', 'latin1');
  return Buffer.concat([errorMessage('SERROR\0VERROR\0C53300\0Mno connection is free\0\0'), idle]);
}

/** An internal error that ends the connection. */
function loss(): Buffer {
  return errorMessage('SFATAL\0CXX000\0Munable to read data from DB node 0\0\0');
}

function errorMessage(fields: string): Buffer {
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, Buffer.from(fields)]);
}

it('of a call whose transaction a pooler refused to begin nothing is kept', async () => {
  const { url, drop } = await emptyDatabase();
  onTestFinished(async () => void (await drop()));
  const pooler = await openPooler(url);
  const engine = createEngine({ database: await openPostgres({ url: pooler.url, poolSize: 1 }) });
  onTestFinished(() => engine.close());
  const { id } = await engine.tenants.create({ displayName: 'Pooled', plan: 'local' });
  const agent = engine.agent(id);
  const remember = (lamp: string) =>
    agent.rememberBatch({
      memories: ['lit', 'red'].map((how) => ({ type: 'semantic' as const, content: `${lamp} is ${how}.` })),
    });
  for (const round of [1, 2]) {
    pooler.refuses = true;
    await expect(remember(`Lamp ${round}`)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('53300'),
    });
    pooler.refuses = false;
    for (const table of ['memories', 'memory_terms', 'memory_vectors', 'events'])
      expect(await queryPostgres(url, `SELECT FROM ${table} WHERE tenant_id = '${id}'`)).toEqual([]);
  }
  await remember('This lamp');
  expect((await agent.query({})).memories.map(({ content }) => content).sort()).toEqual([
    'This lamp is lit.',
    'This lamp is red.',
  ]);
});

it('a call whose connection a pooler ends, as its server has gone, is UNAVAILABLE', async () => {
  const { url, drop } = await emptyDatabase();
  onTestFinished(async () => void (await drop()));
  const pooler = await openPooler(url);
  const database = await openPostgres({ url: pooler.url, poolSize: 1 });
  onTestFinished(() => database.close());
  await database.ping();
  pooler.hasLost = true;
  await expect(database.ping()).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('XX000'),
  });
});
