import type { AgentMemory } from '@svc-memory/core';
import { connect } from '@svc-memory/core/client';
import type { TestService } from '../kit/service.ts';

/** A busy machine is no absent service. */
export const PATIENT = { timeoutMs: 60_000 };

/** The two ways to reach a new agent's memory. */
export const waysTo = (service: TestService) => [
  { way: 'in process', reach: async () => (await service.kit.tenant()).agent() },
  {
    way: 'over REST',
    reach: async () => connect({ url: service.url, apiKey: (await service.signUp()).key, retries: 0 }),
  },
];

/** A service that is not there. */
export const away = () =>
  connect({ url: 'http://127.0.0.1:9', apiKey: `svc_${'0'.repeat(36)}`, retries: 0, timeoutMs: 1_000 });

/** A service that takes calls and never answers. */
export const silent = () =>
  connect({
    url: 'http://127.0.0.1:9',
    apiKey: `svc_${'0'.repeat(36)}`,
    fetch: () => new Promise(() => {}),
  });

/** All episodes of an agent, in the order of time. */
export async function episodesOf(memory: AgentMemory): Promise<string[]> {
  const contents: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await memory.query({ type: 'episodic', limit: 100, ...(cursor ? { cursor } : {}) });
    contents.push(...page.memories.map(({ content }) => content));
    cursor = page.next_cursor;
  } while (cursor);
  return contents.reverse();
}
