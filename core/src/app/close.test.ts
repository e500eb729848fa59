import { expect, it } from 'vitest';
import { openPglite } from '../kernel/database/open-database.ts';
import { isEmbedded, startTestEngine } from '../testing/index.ts';

/** An engine whose database is really closed at the end. */
async function start() {
  const kit = await startTestEngine(isEmbedded() ? { database: await openPglite() } : {});
  const { tenantId, agent } = await kit.tenant();
  return { engine: kit.engine, tenantId, memory: agent() };
}

it('calls in progress end before an engine closes, however many wait for the database', async () => {
  const { engine, memory } = await start();
  engine.startBackground();
  // What is loaded at the first call would take from the 5 seconds that calls in progress have.
  await memory.remember({ type: 'semantic', content: 'The first note.' });
  await memory.recall({ query: 'first note' });
  const calls = Array.from({ length: 30 }, (_, number) =>
    number % 2 === 0
      ? memory.remember({ type: 'semantic', content: `Note ${number}.` })
      : memory.recall({ query: `note ${number}` }),
  );
  const closing = engine.close();
  const ended = await Promise.allSettled(calls);
  expect(ended.filter(({ status }) => status === 'rejected')).toEqual([]);
  await closing;
});

it('what is asked of a closed engine is refused, and it may be closed again', async () => {
  const { engine, tenantId, memory } = await start();
  const waiting = engine.tenants.list();
  await Promise.all([engine.close(), engine.close()]);
  await engine.close();
  await expect(waiting).resolves.toHaveLength(1);
  const closed = { code: 'UNAVAILABLE', message: expect.stringContaining('closed') };
  await expect(memory.remember({ type: 'semantic', content: 'Late.' })).rejects.toMatchObject(closed);
  await expect(memory.recall({ query: 'late' })).rejects.toMatchObject(closed);
  await expect(engine.tenants.list()).rejects.toMatchObject(closed);
  await expect(engine.database.ping()).rejects.toMatchObject(closed);
  const exporting = async () => {
    let text = '';
    for await (const part of engine.streams(tenantId).export()) text += part;
    return text;
  };
  await expect(exporting()).rejects.toMatchObject(closed);
});

it('two engines share a database, and each may be closed', async () => {
  const { engine, tenantId, memory } = await start();
  const other = (await startTestEngine({ database: engine.database })).engine;
  await memory.remember({ type: 'semantic', content: 'Apples are red.' });
  expect((await other.agent(tenantId).query({})).memories).toHaveLength(1);
  await Promise.all([engine.close(), other.close()]);
});
