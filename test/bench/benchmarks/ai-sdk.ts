import { compactMessages, withMemory } from '@svc-memory/ai-sdk';
import { createEngine } from '@svc-memory/core';
import { generateText, type ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import type { Benchmark } from '../benchmark.ts';
import { questionsOf } from '../corpus.ts';
import { interleave, median } from '../measure.ts';

/** Answers at once. */
const instant = () =>
  new MockLanguageModelV4({
    doGenerate: {
      content: [{ type: 'text', text: 'Noted.' }],
      finishReason: { unified: 'stop', raw: undefined },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
      warnings: [],
    },
  });

/** A long conversation, none of it compacted. */
const HISTORY: ModelMessage[] = Array.from({ length: 200 }, (_, turn) => ({
  role: turn % 2 ? 'assistant' : 'user',
  content: `Turn ${turn}: ${'much was said about little. '.repeat(10)}`,
}));

export const aiSdk: Benchmark = {
  name: 'ai-sdk',
  description:
    'generateText with an instant fake model, bare and with memory in process: a new question (recall and keeping, awaited), the same without waiting for keeping, a repeated call (nothing is asked), and compactMessages over 200 messages that fit.',
  run: async (bench) => {
    const world = await bench.world();
    const engine = createEngine({ database: await world.openFloor() });
    try {
      const memory = engine.agent(world.tenantId);
      const questions = questionsOf(500);
      const ask = (call: number) => `${questions[call % questions.length]} (${call})`;
      const bare = instant();
      const asked = withMemory(instant(), { memory, sessionId: 'asked' });
      const storing: Promise<void>[] = [];
      const handedOver = withMemory(instant(), {
        memory,
        sessionId: 'handed over',
        waitUntil: (promise) => storing.push(promise),
      });
      const repeated = withMemory(instant(), { memory, sessionId: 'repeated' });
      const before: ModelMessage[] = [
        { role: 'user', content: 'Good morning.' },
        { role: 'assistant', content: 'Noted.' },
      ];
      const say = (content: string): ModelMessage[] => [...before, { role: 'user', content }];
      bench.progress('ai-sdk: bare, with memory');
      const times = await interleave(
        {
          bare: (call) => generateText({ model: bare, messages: say(ask(call)) }),
          asked: (call) => generateText({ model: asked, messages: say(ask(call)) }),
          repeated: () => generateText({ model: repeated, messages: say('Go on.') }),
          compact: () => compactMessages(HISTORY, { memory, sessionId: 'compact', maxTokens: 200_000 }),
        },
        bench.effort({ rounds: 5, calls: 40 }),
      );
      const unawaited: number[] = [];
      const { rounds, calls } = bench.effort({ rounds: 2, calls: 40 });
      for (let call = 0; call < rounds * calls; call += 1) {
        const start = performance.now();
        await generateText({ model: handedOver, messages: say(ask(call)) });
        unawaited.push(performance.now() - start);
        // By itself: what it leaves behind would slow the next call down.
        await Promise.all(storing.splice(0));
      }
      const floor = median(times.bare);
      return [
        { name: 'AI SDK call, bare', unit: 'ms', value: floor },
        { name: 'AI SDK call, new question', unit: 'ms', value: median(times.asked), floor },
        { name: 'AI SDK call, keeping handed over', unit: 'ms', value: median(unawaited), floor },
        { name: 'AI SDK call, same question', unit: 'ms', value: median(times.repeated), floor },
        { name: 'compactMessages, 200 that fit', unit: 'ms', value: median(times.compact) },
      ];
    } finally {
      await engine.close();
    }
  },
};
