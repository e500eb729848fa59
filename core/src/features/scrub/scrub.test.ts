import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import type { Database, Tx } from '../../kernel/database/database.ts';
import { agentUsers } from '../../kernel/tenancy/schema.ts';
import { dump, linesWith } from '../../secrets/dump.fixture.ts';
import { coreOf, SAMPLES, type Sample } from '../../secrets/secrets.fixture.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { startTestEngine, type TestEngine } from '../../testing/index.ts';
import { incoming } from '../import/import.fixture.ts';
import { importChunks, importFiles } from '../import/schema.ts';
import type { IncomingFile } from '../import/spool.ts';

const HUMAN = { source: 'human' as const, credentialId: null };
// Those that an engine with the setting off keeps; its own keys are never kept.
const FOREIGN = SAMPLES.filter(({ kind }) => !kind.startsWith('svc-'));

// An engine that takes nothing out, and one that does, over the same database.
const before = useTestEngine({ settings: { redactSecrets: false } });
let after: TestEngine;
beforeAll(async () => {
  after = await startTestEngine({ database: before.engine.database, clock: before.clock });
});

/** Leaves a secret in everything an agent can fill. */
async function fill(tenantId: string, { text }: Sample, number: number): Promise<void> {
  const agent = before.engine.agent(tenantId);
  const human = before.engine.agent(tenantId, HUMAN);
  const { memory } = await agent.remember(
    { type: 'semantic', content: `First ${text} of ${number}.`, tags: ['t'] },
    { idempotencyKey: `fill-${number}` },
  );
  await agent.update({ id: memory.id, content: `Second ${text} of ${number}.` });
  const archived = await agent.remember({ type: 'working', content: `Archived ${text} of ${number}.` });
  await agent.forget({ id: archived.memory.id });
  const tool = await human.remember({ type: 'core', category: 'tools', content: `I am ${number}, ${text}.` });
  await agent.update({ id: tool.memory.id, content: `I am not ${number}, ${text} either.` });
  const decided = await human.remember({ type: 'core', category: 'routine', content: `Also ${number}.` });
  const { entry } = await agent.update({ id: decided.memory.id, content: `Never ${number}: ${text}` });
  if (entry) await human.rejectChange({ id: entry.id, reason: `since ${text}` });
  await agent.createScheduleItem({ title: 'Call', note: text, due_at: '2027-01-01T00:00:00Z' });
  await agent.createWipItem({ title: 'Do', note: text });
  await agent.distress({ context: text });
  const user_id = `u${number % 2}`;
  await agent.remember({ type: 'semantic', content: `Theirs ${text} of ${number}.`, user_id });
  await agent.createWipItem({ title: 'Do', note: text, user_id });
}

test('leaves no secret in any table, and what stood around it stays, is found and has its history', async () => {
  const { tenantId, agent } = await before.tenant();
  await before.engine.agent(tenantId, HUMAN).setGuardianSettings({ categories: ['tools', 'routine'] });
  for (const [number, sample] of FOREIGN.entries()) await fill(tenantId, sample, number);
  const filled = await dump(before);
  const secrets = FOREIGN.map(coreOf);
  // In tables a line end is written as it is, so that a line of a key can be looked for.
  for (const secret of secrets) expect(linesWith(filled, secret).length).toBeGreaterThan(0);

  const dry = await after.engine.scrubbing.run(tenantId, { dryRun: true });
  expect(await dump(before)).toBe(filled);
  const seen: number[] = [];
  const done = await after.engine.scrubbing.run(tenantId, { onProgress: (count) => seen.push(count) });
  expect(done).toEqual(dry);
  expect(Object.keys(done.kinds).sort()).toEqual([...new Set(FOREIGN.map(({ kind }) => kind))].sort());
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  const scrubbed = await dump(before);
  for (const secret of secrets) expect(linesWith(scrubbed, secret)).toEqual([]);
  expect(await after.engine.scrubbing.run(tenantId)).toMatchObject({ changed: 0, kinds: {} });

  const { memories: stored } = await agent().query({ type: 'semantic', limit: 100 });
  const found = stored.find(({ content }) => content === 'Second [redacted: github-token] of 4.');
  const { versions } = await agent().history({ id: found?.id ?? '' });
  expect(versions.map(({ version, change }) => [version, change])).toEqual([
    [2, 'updated'],
    [1, 'created'],
  ]);
  const { entries } = await before.engine.agent(tenantId, HUMAN).guardianQueue({ limit: 100 });
  expect(entries.filter(({ status }) => status === 'waiting' || status === 'cooling').length).toBe(
    FOREIGN.length,
  );
});

test('keeps keys apart that differed in their secret only', async () => {
  const { tenantId, agent } = await before.tenant();
  const [first, second] = FOREIGN.slice(4, 6).map(({ secret }) => secret);
  for (const secret of [first, second])
    await agent().remember({ type: 'working', content: 'x', key: `k ${secret}` });
  await after.engine.scrubbing.run(tenantId);
  const { memories } = await agent().query({});
  const keys = memories.map(({ key }) => key);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(2);
  for (const key of keys) expect(key).toMatch(/^k \[redacted: github-token\]/);
});

test('a memory that changes meanwhile stays changed, and is scrubbed as it is then', async () => {
  const { tenantId, agent } = await before.tenant();
  const { text = '' } = FOREIGN.find(({ kind }) => kind === 'github-token') ?? {};
  const { memory } = await agent().remember({ type: 'working', content: `Old: ${text}` });
  const { database } = before.engine;
  let changed = false;
  const read: Database['read'] = async (id, work) => {
    const answer = await database.read(id, work);
    if (!changed && JSON.stringify(answer).includes('Old: ')) {
      changed = true;
      await agent().update({ id: memory.id, content: `New: ${text}` });
    }
    return answer;
  };
  const { engine } = await startTestEngine({ database: { ...database, read }, clock: before.clock });
  await engine.scrubbing.run(tenantId);
  expect(changed).toBe(true);
  const stored = await agent().get({ id: memory.id });
  expect(stored.memory.content).toBe('New: [redacted: github-token]');
  expect((await agent().recall({ query: 'New', threshold: 0 })).results).toMatchObject([{ id: memory.id }]);
});

test('an import whose first files go while the others come in is refused, and leaves nothing behind', async () => {
  const { tenantId } = await before.tenant();
  async function* files(): AsyncGenerator<IncomingFile> {
    // Large enough to be written before the next one comes in.
    yield* incoming({ 'first.txt': `First. ${'a'.repeat(400_000)}` });
    await before.engine.scrubbing.run(tenantId);
    yield* incoming({ 'second.txt': 'Second.' });
  }
  const started = before.engine.streams(tenantId, HUMAN).import(files(), {});
  await expect(started).rejects.toMatchObject({ code: 'CONFLICT' });
  const left = (tx: Tx) =>
    Promise.all([
      tx.$count(importFiles, eq(importFiles.tenantId, tenantId)),
      tx.$count(importChunks, eq(importChunks.tenantId, tenantId)),
    ]);
  expect(await before.engine.database.read(tenantId, left)).toEqual([0, 0]);
});

test('an import that waits for its turn keeps its files', async () => {
  const { tenantId, agent } = await before.tenant();
  const { job } = await before.engine.streams(tenantId, HUMAN).import(incoming({ 'a.txt': 'Kept.' }), {});
  await before.engine.scrubbing.run(tenantId);
  await before.engine.background.run('jobs.work');
  expect((await agent().job({ id: job?.id ?? '' })).job.status).toBe('done');
  expect((await agent().query({})).memories.map(({ content }) => content)).toEqual(['Kept.']);
});

test('a user whose erasure has begun is left out', async () => {
  const { tenantId, agent } = await before.tenant();
  const { text = '' } = FOREIGN.find(({ kind }) => kind === 'github-token') ?? {};
  for (const user_id of ['gone', 'kept']) {
    await agent().remember({ type: 'working', content: `Of ${user_id}: ${text}`, user_id });
  }
  // The first step of an erasure that was cut off there.
  await before.engine.database.system((tx) =>
    tx
      .update(agentUsers)
      .set({ userId: 'erased', forgottenId: 'gone', forgottenAt: before.clock() })
      .where(eq(agentUsers.userId, 'gone')),
  );
  await after.engine.scrubbing.run(tenantId);
  const { memories } = await agent().query({ user_id: 'kept' });
  expect(memories.map(({ content }) => content)).toEqual(['Of kept: [redacted: github-token]']);
});
