import { withMemory } from '@svc-memory/ai-sdk';
import type { AgentMemory } from '@svc-memory/core';
import { connect } from '@svc-memory/core/client';
import { agentMemoryMiddleware } from '@svc-memory/langchain';
import { generateText } from 'ai';
import { createAgent } from 'langchain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MoodyService, startMoodyService } from '../kit/moody-service.ts';
import { useService } from '../kit/service.ts';
import { type Sdk, sdks } from './ai-sdk/sdk.ts';
import { ScriptedModel } from './langchain/scripted-model.ts';

const service = useService();
const [sdk] = sdks as [Sdk];
/** A busy machine takes its time. */
const PATIENT = { timeoutMs: 60_000 };
let door: MoodyService;
beforeAll(async () => {
  door = await startMoodyService();
});
afterAll(() => door.close());

/** A turn of a conversation, by each framework. */
const FRAMEWORKS: Readonly<
  Record<string, (memory: AgentMemory, id: string, said: string) => Promise<unknown>>
> = {
  LangChain: (memory, thread_id, said) => {
    const middleware = [agentMemoryMiddleware({ memory, onWarning: () => {}, ...PATIENT })];
    return createAgent({ model: new ScriptedModel(() => 'Hello.'), middleware }).invoke(
      { messages: [{ role: 'user', content: said }] },
      { configurable: { thread_id } },
    );
  },
  'the AI SDK': (memory, sessionId, said) => {
    const { model } = sdk.fake(() => 'Hello.');
    return generateText({
      model: withMemory(model, { memory, sessionId, onWarning: () => {}, ...PATIENT }),
      prompt: said,
    });
  },
};

test.each(Object.entries(FRAMEWORKS))(
  '%s sends what is refused with the next turn, and not by itself',
  async (_, turn) => {
    door.mood = 'refuses';
    const memory = connect({ url: door.url, apiKey: 'svc_revoked', retries: 0 });
    for (const id of ['a', 'b']) await turn(memory, id, 'Hi.');
    const asked = door.requests;
    // A loop would have asked again by the time of another program's first answer.
    for (let round = 0; round < 20; round += 1) await fetch(door.url);
    expect(door.requests).toBe(asked + 20);
    door.mood = 'well';
    await turn(memory, 'a', 'Again.');
    expect(door.requests).toBeGreaterThan(asked + 20);
  },
);

test('a service that fails is asked again by nobody without a rest, though none is wanted', async () => {
  door.mood = 'fails';
  const memory = connect({ url: door.url, apiKey: 'svc_test', retries: 0 });
  const middleware = [agentMemoryMiddleware({ memory, cooldownMs: 0, onWarning: () => {}, ...PATIENT })];
  const agent = createAgent({ model: new ScriptedModel(() => 'Hello.'), middleware });
  for (const thread_id of ['a', 'b']) {
    await agent.invoke({ messages: [{ role: 'user', content: 'Hi.' }] }, { configurable: { thread_id } });
  }
  const began = performance.now();
  const before = door.requests;
  const asked = 300;
  for (let round = 0; round < asked; round += 1) await fetch(door.url);
  // One call after each rest of 50 ms, and the two that may be under way.
  const rests = Math.ceil((performance.now() - began) / 50);
  expect(door.requests - before - asked).toBeLessThanOrEqual(rests + 2);
  door.mood = 'well';
});

test.each(Object.entries(FRAMEWORKS))(
  '%s leaves the program its time where an engine in it refuses conversations',
  async (_, turn) => {
    const memory = (await service.kit.tenant()).agent();
    // Longer than an id of a session may be.
    for (const id of ['a', 'b']) await turn(memory, id.repeat(300), 'Hi.');
    await new Promise((resolve) => setTimeout(resolve, 0));
    await turn(memory, 'c', 'My locker is 17.');
    const { memories } = await memory.query({ type: 'episodic' });
    expect(memories.map(({ content }) => content)).toContain('user: My locker is 17.');
  },
);
