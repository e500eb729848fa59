import { beforeAll, describe, expect, it } from 'vitest';
import { type AgentMemory, type OperationName, routes } from '../../app/contract.ts';
import type { Actor } from '../../kernel/context/call.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const DAY_MS = 86_400_000;
const HUMAN: Actor = { source: 'human', credentialId: '01a1fd19-0000-7000-8000-000000000001' };

const kit = useTestEngine();
let memory: AgentMemory;
/** The same for its human. */
let human: AgentMemory;
let tenantId: string;
let id: string;
beforeAll(async () => {
  const trial = await kit.tenant('trial');
  tenantId = trial.tenantId;
  memory = trial.agent();
  human = trial.agent(HUMAN);
  await memory.fileCommand({ command: 'create', path: '/memories/tea.md', file_text: 'Green.' });
  await memory.createWipItem({ title: 'Descale the kettle' });
  await memory.createScheduleItem({ title: 'Tea with Ada', due_at: '2026-12-01T00:00:00Z' });
  id = (await memory.remember({ type: 'episodic', content: 'The kettle is blue.' })).memory.id;
});

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

  it('that has ended leaves no recall that it refused in the log', async () => {
    await expect(memory.recall({ query: 'kettle' })).rejects.toMatchObject(refused);
    expect((await human.recalls()).recalls).toEqual([]);
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

  it('that has ended refuses the agent what the contract limits, and its human only what writes', async () => {
    const [work] = (await memory.wipItems()).items;
    const [date] = (await memory.scheduleItems()).items;
    const inputs: Readonly<Partial<Record<OperationName, object>>> = {
      remember: { type: 'working', content: 'x' },
      rememberBatch: { memories: [{ type: 'working', content: 'x' }] },
      update: { id, importance: 1 },
      recall: { query: 'kettle' },
      query: {},
      createWipItem: { title: 'x' },
      updateWipItem: { id: work?.id, title: 'x' },
      createScheduleItem: { title: 'x', due_at: '2027-01-01T00:00:00Z' },
      updateScheduleItem: { id: date?.id, title: 'x' },
      fileCommand: { command: 'create', path: '/memories/more.md', file_text: 'x' },
      import: { files: [{ name: 'x.txt', content: 'x' }], format: 'text' },
      createSpace: { name: 'Team' },
      reflect: {},
    };
    const names = Object.keys(routes) as OperationName[];
    const limited = names.filter((name) => routes[name].metering === 'limited');
    expect(Object.keys(inputs).sort()).toEqual([...limited].sort());
    const refusedTo = async (actor: Actor) => {
      const caller = { tenantId, actor };
      const tried = await Promise.allSettled(
        limited.map((name) => kit.engine.call(name, caller, inputs[name])),
      );
      return limited.filter((_, n) => tried[n]?.status === 'rejected');
    };
    expect(await refusedTo({ source: 'agent', credentialId: null })).toEqual(limited);
    const reading = ['recall', 'query'];
    expect(await refusedTo(HUMAN)).toEqual(limited.filter((name) => !reading.includes(name)));
  });

  it('that has ended refuses whatever writes, but for what keeps the agent, takes back, decides, sets or reports', () => {
    const goesOn: Readonly<Record<string, readonly OperationName[]>> = {
      keeps: ['compaction', 'reportMoments', 'syncWorking', 'syncCore', 'sessionKey'],
      takesBack: [
        ...(['forget', 'restore', 'undo', 'forgetUser', 'deleteSpace', 'deleteScheduleItem'] as const),
        ...(['deleteWipItem', 'cancelJob', 'withdrawChange', 'removeSpaceMember'] as const),
      ],
      decides: ['approveSpaceChange', 'rejectSpaceChange', 'setSpaceMember'],
      sets: ['setBootConfig', 'setReflectConfig', 'setVisibility', 'renameSpace'],
      reports: ['distress', 'acknowledgeDistress', 'dismissDriftCheck'],
    };
    const names = Object.keys(routes) as OperationName[];
    const writes = names.filter((name) => {
      const { method, access } = routes[name];
      return method !== 'GET' && access !== 'read' && access !== 'human';
    });
    const going = writes.filter((name) => routes[name].metering !== 'limited');
    expect(going.sort()).toEqual(Object.values(goesOn).flat().sort());
  });

  it('that has ended still lets the human look, export and delete', async () => {
    const { memories } = await human.query();
    expect(memories.map(({ content }) => content)).toContain('The kettle is blue.');
    expect((await human.recall({ query: 'kettle' })).results).toMatchObject([{ id }]);
    expect((await human.export()).export.memories.episodic).toHaveLength(2);
    await human.forget({ id });
    await human.restore({ id });
  });

  it('that has ended still lets the agent see and delete its files', async () => {
    const command = (command: 'view' | 'delete') => memory.fileCommand({ command, path: '/memories/tea.md' });
    expect(await command('view')).toMatchObject({ outcome: 'viewed' });
    expect(await command('delete')).toMatchObject({ outcome: 'deleted' });
  });

  it('takes nothing of what the agent may do for what its human reads', async () => {
    const { agent } = await kit.tenant('trial');
    const reader = agent(HUMAN);
    await reader.query();
    await reader.recall({ query: 'kettle' });
    await reader.export();
    expect((await agent().status()).usage.operations_this_month).toBe(0);
  });
});
