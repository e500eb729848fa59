import type { AgentMemory } from '../../app/contract.ts';
import type { Actor } from '../../kernel/context/call.ts';
import type { TestEngine } from '../../testing/index.ts';

/** What the agent knows of its own, and of each of its users. */
export const OWN = 'The service desk opens at nine.';
export const ADA = 'Ada prefers the window desk.';
export const BERT = 'Bert prefers the corner desk.';

/** A new agent that knows something of its own, of u1 and of u10. */
export async function agentWithUsers(kit: TestEngine): Promise<{
  readonly tenantId: string;
  readonly agent: AgentMemory;
  as(actor: Actor): AgentMemory;
}> {
  const { tenantId, agent: as } = await kit.tenant();
  const agent = as();
  await agent.remember({ type: 'semantic', content: OWN });
  await agent.remember({ type: 'semantic', content: ADA, user_id: 'u1' });
  await agent.remember({ type: 'semantic', content: BERT, user_id: 'u10' });
  return { tenantId, agent, as };
}

/** An API key that is bound to a user. */
export const bound = (boundTo: string): Actor => ({ source: 'agent', credentialId: null, boundTo });

/** The contents of memories, sorted. */
export const contentsOf = (list: readonly { readonly content: string }[]): string[] =>
  list.map(({ content }) => content).sort();
