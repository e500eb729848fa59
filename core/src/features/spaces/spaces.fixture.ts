import type { AgentMemory } from '../../app/contract.ts';
import type { Actor } from '../../kernel/context/call.ts';
import type { TestEngine } from '../../testing/index.ts';
import { memberships, users } from '../accounts/schema.ts';

/** A word that only what is in the space holds. */
export const CANARY = 'zwergkolibri';
/** The answer for a space that is not there, or not the caller's. */
export const UNKNOWN = { code: 'NOT_FOUND', message: 'There is no space with this id.' };

/** An agent, and its human. */
export interface Somebody {
  readonly tenantId: string;
  readonly memory: AgentMemory;
  as(actor: Actor): AgentMemory;
  readonly human: AgentMemory;
}

/** A human with some agents. */
export async function account(kit: TestEngine, count: number): Promise<Somebody[]> {
  const agents = await Promise.all(Array.from({ length: count }, () => kit.tenant()));
  const now = kit.clock();
  const id = crypto.randomUUID();
  await kit.engine.database.system(async (tx) => {
    const email = `${id}@example.org`;
    await tx
      .insert(users)
      .values({ id, name: 'H', email, emailVerified: true, createdAt: now, updatedAt: now });
    for (const { tenantId } of agents) {
      await tx.insert(memberships).values({ tenantId, userId: id, createdAt: now });
    }
  });
  const human: Actor = { source: 'human', credentialId: id };
  return agents.map(({ tenantId, agent }) => ({
    tenantId,
    memory: agent(),
    as: agent,
    human: agent(human),
  }));
}

export const must = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('missing');
  return value;
};

/** A space with one member of each right, an agent of the account that is none, and one of another account. */
export async function world(kit: TestEngine) {
  const [creator, reader, writer, manager, outsider] = (await account(kit, 5)) as [
    Somebody,
    Somebody,
    Somebody,
    Somebody,
    Somebody,
  ];
  const stranger = must((await account(kit, 1))[0]);
  const { space } = await creator.memory.createSpace({ name: 'Team one' });
  const space_id = space.id;
  for (const [member, right] of [
    [reader, 'read'],
    [writer, 'write'],
    [manager, 'manage'],
  ] as const) {
    await creator.memory.setSpaceMember({ space_id, tenant_id: member.tenantId, right });
  }
  const { memory } = await creator.memory.remember({
    type: 'semantic',
    content: `The ${CANARY} nests in the harbour office.`,
    key: 'bird',
    space_id,
  });
  return { space_id, memory, creator, reader, writer, manager, outsider, stranger };
}
