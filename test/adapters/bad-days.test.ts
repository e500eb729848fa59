import { withMemory } from '@svc-memory/ai-sdk';
import type { AgentMemory } from '@svc-memory/core';
import { connect } from '@svc-memory/core/client';
import { agentMemoryMiddleware } from '@svc-memory/langchain';
import { generateText } from 'ai';
import { createAgent } from 'langchain';
import { afterEach, expect, test } from 'vitest';
import { type Mood, type MoodyService, startMoodyService } from '../kit/moody-service.ts';
import { useService } from '../kit/service.ts';
import { sdks } from './ai-sdk/sdk.ts';
import { ScriptedModel } from './langchain/scripted-model.ts';
import { episodesOf } from './memories.ts';

const service = useService();
const doors: MoodyService[] = [];

afterEach(async () => {
  for (const door of doors.splice(0)) await door.close();
});

/** A turn of a conversation of which the whole history is sent; answers the milliseconds it took. */
type Say = (content: string) => Promise<number>;

interface Options {
  readonly memory: AgentMemory;
  readonly cooldownMs: number;
  readonly onWarning: () => void;
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

const ADAPTERS: readonly (readonly [string, (options: Options) => Say])[] = [
  [
    'the AI SDK',
    (options) => {
      const model = withMemory(sdks[1]?.fake(() => 'I see.').model as never, options);
      const messages: { role: 'user' | 'assistant'; content: string }[] = [];
      return (content) =>
        timed(async () => {
          messages.push({ role: 'user', content });
          const { text } = await generateText({ model, messages });
          messages.push({ role: 'assistant', content: text });
        });
    },
  ],
  [
    'LangChain',
    (options) => {
      const model = new ScriptedModel(() => 'I see.');
      const agent = createAgent({ model, middleware: [agentMemoryMiddleware(options)] });
      const messages: { role: string; content: string }[] = [];
      return (content) =>
        timed(async () => {
          messages.push({ role: 'user', content });
          const answer = await agent.invoke({ messages });
          messages.push({ role: 'assistant', content: answer.messages.at(-1)?.text ?? '' });
        });
    },
  ],
];

const BAD: readonly Mood[] = ['hangs', 'limits', 'fails'];

test.each(ADAPTERS.flatMap(([name, start]) => BAD.map((mood) => [name, mood, start] as const)))(
  '%s is held up once by a service that %s, and nothing said meanwhile is lost',
  async (_, mood, start) => {
    const api = await service.signUp();
    const door = await startMoodyService(service.url);
    doors.push(door);
    // It gives up a call that hangs before the test does: by default that takes half a minute.
    const memory = connect({ url: door.url, apiKey: api.key, timeoutMs: 2_000 });
    const real = connect({ url: service.url, apiKey: api.key });
    const say = start({ memory, cooldownMs: 300, onWarning: () => {} });
    door.mood = mood;
    const first = await say('One.');
    const following: number[] = [];
    for (const content of ['Two.', 'Three.', 'Four.']) following.push(await say(content));
    // A second of the service's, and what a busy machine takes for the rest.
    expect(first).toBeLessThan(1_500);
    expect(Math.min(...following)).toBeLessThan(100);
    const before = door.requests;
    await say('Five.');
    expect(door.requests - before).toBeLessThanOrEqual(1);
    door.mood = 'well';
    const kept = async () => (await episodesOf(real)).filter((content) => content.startsWith('user: '));
    // Without another turn.
    await expect.poll(async () => (await kept()).length, { timeout: 30_000 }).toBe(5);
    expect(new Set(await kept()).size).toBe(5);
  },
);
