import type { AgentMemory, Input, Output } from '../../app/contract.ts';

/** Stores a memory that is compared with no other, as an event that is made a fact later: reflection finds its kin. */
export async function rememberUncompared(
  agent: AgentMemory,
  { type, ...rest }: Input<'remember'>,
): Promise<Output<'update'>['memory']> {
  const { memory } = await agent.remember({ ...rest, type: 'episodic' });
  return (await agent.update({ id: memory.id, type })).memory;
}
