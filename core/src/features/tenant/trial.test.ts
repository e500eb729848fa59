import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { startTestEngine, type TestEngine } from '../../testing/index.ts';

const DAY_MS = 86_400_000;

let kit: TestEngine;
let memory: AgentMemory;
let id: string;
beforeAll(async () => {
  kit = await startTestEngine();
  memory = (await kit.tenant('trial')).agent();
  id = (await memory.remember({ type: 'episodic', content: 'The kettle is blue.' })).memory.id;
});
afterAll(() => kit.close());

const refused = { code: 'FORBIDDEN', message: expect.stringContaining('trial') };

describe('a trial', () => {
  it('lasts 14 days to the millisecond', async () => {
    kit.clock.advance(14 * DAY_MS - 1);
    await memory.remember({ type: 'episodic', content: 'The last minute.' });
    kit.clock.advance(1);
    await expect(memory.remember({ type: 'episodic', content: 'Too late.' })).rejects.toMatchObject(refused);
  });

  it('that has ended refuses writes and searches', async () => {
    await expect(
      memory.rememberBatch({ memories: [{ type: 'working', content: 'x' }] }),
    ).rejects.toMatchObject(refused);
    await expect(memory.update({ id, importance: 1 })).rejects.toMatchObject(refused);
    await expect(memory.recall({ query: 'kettle' })).rejects.toMatchObject(refused);
    await expect(memory.query()).rejects.toMatchObject(refused);
    expect((await memory.status()).counts.episodic).toBe(2);
  });

  it('that has ended still lets the agent boot, compact, sync, read, forget, restore and export', async () => {
    expect((await memory.boot()).injection).not.toBe('');
    expect((await memory.compaction({})).injection).not.toBe('');
    await memory.syncWorking({ content: '# Today\n\nTea.', key: 'today' });
    expect((await memory.get({ id })).memory.content).toBe('The kettle is blue.');
    await memory.forget({ id });
    await memory.restore({ id });
    expect((await memory.export()).export.memories.episodic).toHaveLength(2);
  });
});
