import { beforeEach, describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { createEngine, type Engine } from '../../app/engine.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { must, type Somebody, UNKNOWN, world } from './spaces.fixture.ts';

const kit = useTestEngine();

/** Another process, which remembers for a while what agents may do in spaces. */
let other: Engine;
let there: Awaited<ReturnType<typeof world>>;
beforeEach(async () => {
  there = await world(kit);
  const { database } = kit.engine;
  other = createEngine({ database, clock: kit.clock });
  for (const { tenantId } of [there.creator, there.writer, there.manager])
    await other.agent(tenantId).query({});
});

const humanOf = async ({ tenantId }: Somebody) =>
  must((await kit.engine.accounts.humansOf(tenantId)).get(tenantId)?.[0]).id;

/** Takes an agent from its human and gives it to a stranger, as the operator does beside the service. */
async function giveAway(agent: Somebody): Promise<void> {
  await kit.engine.accounts.takeAgent(agent.tenantId, await humanOf(agent));
  await kit.engine.accounts.giveAgent(agent.tenantId, await humanOf(there.stranger));
}

const draft = { type: 'semantic', content: 'The stranger was here.' } as const;

const WRITES: readonly [string, (memory: AgentMemory, space_id: string) => Promise<unknown>][] = [
  ['a memory', (memory, space_id) => memory.remember({ ...draft, space_id })],
  ['a memory with a key', (memory, space_id) => memory.remember({ ...draft, key: 'bird', space_id })],
  ['several memories', (memory, space_id) => memory.rememberBatch({ memories: [draft, draft], space_id })],
  ['a document', (memory, space_id) => memory.syncWorking({ content: draft.content, space_id })],
  ['a change', (memory, space_id) => memory.update({ id: there.memory.id, content: 'Gone.', space_id })],
  ['a deletion', (memory, space_id) => memory.forget({ id: there.memory.id, space_id })],
];

describe.each(WRITES)('%s does not come into a space of the former account', (_, write) => {
  const contents = async (somebody: Somebody) => {
    const { memories } = await somebody.human.query({ space_id: there.space_id });
    return memories.map(({ content }) => content);
  };

  it('from an agent that another process has given away', async () => {
    const before = await contents(there.creator);
    await giveAway(there.writer);
    const writing = write(other.agent(there.writer.tenantId), there.space_id);
    await expect(writing).rejects.toMatchObject(UNKNOWN);
    expect(await contents(there.creator)).toEqual(before);
  });

  it('from one that stays, where the agent whose space it is was given away', async () => {
    await giveAway(there.creator);
    const writing = write(other.agent(there.writer.tenantId), there.space_id);
    await expect(writing).rejects.toMatchObject(UNKNOWN);
  });

  it('but from one that has another human besides', async () => {
    await kit.engine.accounts.giveAgent(there.writer.tenantId, await humanOf(there.stranger));
    await expect(write(other.agent(there.writer.tenantId), there.space_id)).resolves.toBeDefined();
  });
});

it('a space stays in the account of the agent that made it when others leave, and in that of a manager when it leaves', async () => {
  const { space_id, creator, reader, writer, manager } = there;
  const leave = ({ memory, tenantId: tenant_id }: Somebody) =>
    memory.removeSpaceMember({ space_id, tenant_id });
  const isThere = async ({ human }: Somebody) =>
    (await human.spaces()).spaces.some(({ id }) => id === space_id);
  await creator.memory.setSpaceMember({ space_id, tenant_id: creator.tenantId, right: 'read' });
  await leave(reader);
  const [formerly] = await kit.engine.accounts
    .humansOf(manager.tenantId)
    .then((all) => all.get(manager.tenantId) ?? []);
  await giveAway(manager);
  expect(await isThere(creator)).toBe(true);
  await kit.engine.accounts.giveAgent(manager.tenantId, must(formerly).id);
  await leave(creator);
  await giveAway(writer);
  expect(await isThere(manager)).toBe(true);
});

it('a manager that was given away lets nobody in any more', async () => {
  await giveAway(there.manager);
  const { space_id, outsider } = there;
  const letting = other
    .agent(there.manager.tenantId)
    .setSpaceMember({ space_id, tenant_id: outsider.tenantId, right: 'write' });
  await expect(letting).rejects.toMatchObject({ code: expect.stringMatching('NOT_FOUND|VALIDATION_ERROR') });
  const { members } = await there.creator.human.space({ space_id });
  expect(members.map(({ tenant_id }) => tenant_id)).not.toContain(outsider.tenantId);
});
