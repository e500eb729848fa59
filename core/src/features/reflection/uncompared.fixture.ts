import { randomUUID } from 'node:crypto';
import type { AgentMemory, Input, Output } from '../../app/contract.ts';

/** Stores a memory that is compared with no other, as one that is written anew by its author: reflection finds its kin. */
export async function rememberUncompared(
  agent: AgentMemory,
  { content, ...rest }: Input<'remember'>,
): Promise<Output<'update'>['memory']> {
  const { memory } = await agent.remember({ ...rest, content: randomUUID() });
  return (await agent.update({ id: memory.id, content })).memory;
}
