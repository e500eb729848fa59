import { FakeListChatModel } from '@langchain/core/utils/testing';
import { createEngine } from '@svc-memory/core';
import { type AgentMemoryMiddlewareOptions, agentMemoryMiddleware } from '@svc-memory/langchain';
import { createAgent } from 'langchain';
import type { Benchmark } from '../benchmark.ts';
import { questionsOf } from '../corpus.ts';
import { interleave, median } from '../measure.ts';

/** Answers at once. */
const instant = () => new FakeListChatModel({ responses: ['Noted.'] });

const BEFORE = [
  { role: 'user', content: 'Good morning.' },
  { role: 'assistant', content: 'Noted.' },
];
const say = (content: string) => ({ messages: [...BEFORE, { role: 'user', content }] });

export const langchain: Benchmark = {
  name: 'langchain',
  description:
    'An invocation of createAgent with an instant fake model, bare and with memory in process: a new question (recall and keeping, awaited), the same without waiting for keeping, and a repeated invocation (nothing is asked).',
  run: async (bench) => {
    const world = await bench.world();
    const engine = createEngine({ database: await world.openFloor() });
    try {
      const memory = engine.agent(world.tenantId);
      const questions = questionsOf(500);
      const ask = (call: number) => `${questions[call % questions.length]} (${call})`;
      const agentOf = (options: Omit<AgentMemoryMiddlewareOptions, 'memory'>) =>
        createAgent({ model: instant(), middleware: [agentMemoryMiddleware({ memory, ...options })] });
      const bare = createAgent({ model: instant() });
      const asked = agentOf({ sessionId: 'asked in LangChain' });
      const repeated = agentOf({ sessionId: 'repeated in LangChain' });
      const storing: Promise<void>[] = [];
      const handedOver = agentOf({
        sessionId: 'handed over in LangChain',
        waitUntil: (promise) => storing.push(promise),
      });
      bench.progress('langchain: bare, with memory');
      const times = await interleave(
        {
          bare: (call) => bare.invoke(say(ask(call))),
          asked: (call) => asked.invoke(say(ask(call))),
          repeated: () => repeated.invoke(say('Go on.')),
        },
        bench.effort({ rounds: 5, calls: 40 }),
      );
      const unawaited: number[] = [];
      const { rounds, calls } = bench.effort({ rounds: 2, calls: 40 });
      for (let call = 0; call < rounds * calls; call += 1) {
        const start = performance.now();
        await handedOver.invoke(say(ask(call)));
        unawaited.push(performance.now() - start);
        // By itself: what it leaves behind would slow the next call down.
        await Promise.all(storing.splice(0));
      }
      const floor = median(times.bare);
      return [
        { name: 'LangChain agent, bare', unit: 'ms', value: floor },
        { name: 'LangChain agent, new question', unit: 'ms', value: median(times.asked), floor },
        { name: 'LangChain agent, keeping handed over', unit: 'ms', value: median(unawaited), floor },
        { name: 'LangChain agent, same question', unit: 'ms', value: median(times.repeated), floor },
      ];
    } finally {
      await engine.close();
    }
  },
};
