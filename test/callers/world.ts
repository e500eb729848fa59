import type { AgentMemory } from '@svc-memory/core/contract';
import type { TestEngine } from '@svc-memory/core/testing';

/** Everybody who may call, in the order of the expectations. */
export const CALLERS = ['own', 'u1', 'u10', 'bound', 'other', 'reader', 'writer', 'manager'] as const;
export type CallerName = (typeof CALLERS)[number];

/** Words that only what is in one place holds, by the sign that the expectations have for it. */
const CANARIES = {
  /** The agent's own. */
  A: 'ankerkran',
  /** Of its users u1 and u10. */
  1: 'zwergkolibri',
  10: 'brillenpinguin',
  /** An agent's of another account, which has a user u1 as well. */
  B: 'bergziege',
  /** In the space. */
  S: 'seeadler',
} as const;

/** An API key and the agent that it is of. */
export interface Caller {
  readonly tenantId: string;
  readonly keyId: string;
  readonly secret: string;
  readonly boundTo?: string;
  /** What it adds to each call that takes it: the user that it calls for, or the space. */
  readonly target: { readonly user_id?: string; readonly space_id?: string };
  /** In whose place the things are that it names: those of u1, or of the space. */
  readonly names: 'user' | 'space';
}

export interface World {
  readonly callers: Readonly<Record<CallerName, Caller>>;
  /** The agent with users, which is in no space, and two agents of the space. */
  readonly agent: AgentMemory;
  readonly writer: AgentMemory;
  readonly manager: AgentMemory;
  readonly space_id: string;
  /** Makes another agent of the account. */
  newAgent(): Promise<string>;
  /** Tells memories apart that else say the same. Random text would be like another memory once in a while. */
  nextNumber(): number;
}

const contents = (word: string) => [`The ${word} sleeps by day.`, `The ${word} eats at night.`];

/** Makes an agent with users, an agent of another account with the same, and a space with an agent of each right. */
export async function makeWorld(kit: TestEngine): Promise<World> {
  const { engine } = kit;
  const [agent, other, reader, writer, manager] = [
    await kit.tenant(),
    await kit.tenant(),
    await kit.tenant(),
    await kit.tenant(),
    await kit.tenant(),
  ];
  // Agents without a human are the operator's, and so of one account. This one has a human.
  await giveHuman(kit, other.tenantId);
  const memory = agent.agent();
  await fill(memory, CANARIES.A, {});
  await fill(memory, CANARIES[1], { user_id: 'u1' });
  await fill(memory, CANARIES[10], { user_id: 'u10' });
  await fill(other.agent(), CANARIES.B, { user_id: 'u1' });
  await fill(other.agent(), CANARIES.B, {});
  await fillAgent(memory, CANARIES.A);
  await fillAgent(other.agent(), CANARIES.B);
  const { space } = await manager.agent().createSpace({ name: 'Team' });
  const space_id = space.id;
  for (const [{ tenantId: tenant_id }, right] of [
    [reader, 'read'],
    [writer, 'write'],
  ] as const) {
    await manager.agent().setSpaceMember({ space_id, tenant_id, right });
  }
  for (const content of contents(CANARIES.S)) {
    await manager.agent().remember({ type: 'semantic', content, tags: [CANARIES.S], space_id });
  }
  const rule = { type: 'core', category: 'operations', content: `Feed the ${CANARIES.S}.` } as const;
  await writer.agent().remember({ ...rule, space_id });
  const keyOf = async (
    { tenantId }: { readonly tenantId: string },
    names: Caller['names'],
    target: Caller['target'],
    boundTo?: string,
  ): Promise<Caller> => {
    const { id: keyId, secret } = await engine.apiKeys.create(tenantId, {
      name: 'test',
      scope: 'full',
      ...(boundTo === undefined ? {} : { userId: boundTo }),
    });
    return { tenantId, keyId, secret, names, target, ...(boundTo === undefined ? {} : { boundTo }) };
  };
  let numbers = 0;
  return {
    agent: memory,
    writer: writer.agent(),
    manager: manager.agent(),
    space_id,
    newAgent: async () => (await kit.tenant()).tenantId,
    nextNumber: () => ++numbers,
    callers: {
      own: await keyOf(agent, 'user', {}),
      u1: await keyOf(agent, 'user', { user_id: 'u1' }),
      u10: await keyOf(agent, 'user', { user_id: 'u10' }),
      bound: await keyOf(agent, 'user', {}, 'u1'),
      other: await keyOf(other, 'user', { user_id: 'u1' }),
      reader: await keyOf(reader, 'space', { space_id }),
      writer: await keyOf(writer, 'space', { space_id }),
      manager: await keyOf(manager, 'space', { space_id }),
    },
  };
}

async function giveHuman({ engine }: TestEngine, tenantId: string): Promise<void> {
  const id = crypto.randomUUID();
  await engine.database.system(async (tx) => {
    await tx.execute(
      `INSERT INTO users (id, name, email, email_verified, created_at, updated_at)
       VALUES ('${id}', 'Eve', '${id}@example.org', true, now(), now())`,
    );
    await tx.execute(
      `INSERT INTO memberships (tenant_id, user_id, created_at) VALUES ('${tenantId}', '${id}', now())`,
    );
  });
}

/** Stores what every route that lists has something of, all with the word. */
async function fill(agent: AgentMemory, word: string, user: { readonly user_id?: string }): Promise<void> {
  for (const content of contents(word)) {
    await agent.remember({ type: 'semantic', content, tags: [word], session_id: 'night', ...user });
  }
  const { memory } = await agent.remember({ type: 'working', content: `Feed the ${word}.`, ...user });
  await agent.forget({ id: memory.id, ...user });
  await agent.createScheduleItem({ title: `Vet for the ${word}`, due_at: '2026-03-04', ...user });
  await agent.createWipItem({ title: `Cage for the ${word}`, ...user });
  await agent.recall({ query: `where is the ${word}?`, ...user });
  await agent.compaction({
    ...{ phase: 'pre', session_id: 'night', transcript: `user: the ${word} sings` },
    ...user,
  });
}

/** What an agent has beside its memories, that no user has. */
async function fillAgent(agent: AgentMemory, word: string): Promise<void> {
  await agent.distress({ context: `The ${word} is gone.` });
  const { memory } = await agent.remember({ type: 'core', category: 'identity', content: `I am a ${word}.` });
  await agent.update({ id: memory.id, content: `I am no ${word}.` });
}

/** The signs of the canaries that a text holds; `-` where there is none. */
export function signsIn(text: string): string {
  const signs = Object.entries(CANARIES).flatMap(([sign, word]) => (text.includes(word) ? [sign] : []));
  return signs.length === 0 ? '-' : signs.sort().join('+');
}
