import type { Output } from '@svc-memory/core/contract';
import { beforeAll } from 'vitest';
import type { Answer, Api } from '../kit/api.ts';
import { useService } from '../kit/service.ts';
import { Transcript, useMachines, warmUp } from './hook.fixture.ts';

/** Begins sessions of Claude Code, each on a machine with its hooks and with an agent of its own. */
export function useSessions() {
  const service = useService();
  const newMachine = useMachines();
  beforeAll(() => warmUp(service));
  return async (sessionId = 'b7d1c0de-1111-4222-8333-444455556666') => {
    const api = await service.signUp();
    const machine = newMachine({ url: service.url, key: api.key });
    return { api, machine, transcript: new Transcript(machine.project, sessionId) };
  };
}

/** All turns the service keeps, oldest first. */
export async function turnsOf(api: Api): Promise<string[]> {
  const turns: string[] = [];
  let cursor: string | null = null;
  do {
    const at: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { body }: Answer<Output<'query'>> = await api.get<'query'>(
      `/memories/query?type=episodic&limit=100${at}`,
    );
    turns.push(...body.memories.map(({ content }) => content));
    cursor = body.next_cursor;
  } while (cursor !== null);
  return turns.reverse();
}
