import type { BaseMessage } from '@langchain/core/messages';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { withMemory } from '@svc-memory/ai-sdk';
import { type AgentMemory, createEngine } from '@svc-memory/core';
import { connect } from '@svc-memory/core/client';
import { agentMemoryMiddleware, type MemoryOptions } from '@svc-memory/langchain';
import { generateText, type ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { createAgent } from 'langchain';
import { type Mood, startMoodyService } from '../../kit/moody-service.ts';
import type { Bench, Benchmark } from '../benchmark.ts';
import { questionsOf } from '../corpus.ts';
import { median, timed } from '../measure.ts';
import type { Figure } from '../report.ts';

const MOODS: Readonly<Partial<Record<Mood, string>>> = {
  hangs: 'hangs',
  slow: 'answers after 3 s',
  limits: 'answers 429',
  fails: 'answers 500',
};
/** Milliseconds that a turn may take longer. */
const GOALS = { first: 1_000, following: 50 };
/** Percent of what a model has read already that may be different in the next call. */
const CHANGED_GOAL = 5;
const PAUSE_MS = 600;
const CHAT_TURNS = 100;

/** A framework with an instant fake model: says something in one conversation, of which all is sent again. */
interface Chat {
  say(content: string): Promise<void>;
  /** What the model was given last, as text. */
  prompt(): string;
}

type StartChat = (memory: AgentMemory | undefined, options?: Partial<MemoryOptions>) => Chat;

const CHATS: Readonly<Record<string, StartChat>> = {
  'AI SDK': (memory, options = {}) => {
    let seen = '';
    const fake = new MockLanguageModelV4({
      doGenerate: async ({ prompt }) => {
        seen = prompt.map(({ role, content }) => `${role}: ${JSON.stringify(content)}`).join('\n');
        return {
          content: [{ type: 'text', text: 'Noted.' }],
          finishReason: { unified: 'stop', raw: undefined },
          usage: {
            inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
            outputTokens: { total: 1, text: 1, reasoning: 0 },
          },
          warnings: [],
        };
      },
    });
    const model = memory ? withMemory(fake, { memory, onWarning: () => {}, ...options }) : fake;
    const messages: ModelMessage[] = [];
    return {
      say: async (content) => {
        messages.push({ role: 'user', content });
        messages.push({ role: 'assistant', content: (await generateText({ model, messages })).text });
      },
      prompt: () => seen,
    };
  },
  LangChain: (memory, options = {}) => {
    let seen = '';
    const handleChatModelStart = (_: unknown, [input = []]: BaseMessage[][]) => {
      seen = input.map((message) => `${message.getType()}: ${JSON.stringify(message.content)}`).join('\n');
    };
    const agent = createAgent({
      model: new FakeListChatModel({ responses: ['Noted.'] }),
      middleware: memory ? [agentMemoryMiddleware({ memory, onWarning: () => {}, ...options })] : [],
    });
    const messages: { role: string; content: string }[] = [];
    return {
      say: async (content) => {
        messages.push({ role: 'user', content });
        await agent.invoke({ messages }, { callbacks: [{ handleChatModelStart }] });
        messages.push({ role: 'assistant', content: 'Noted.' });
      },
      prompt: () => seen,
    };
  },
};

export const adapters: Benchmark = {
  name: 'adapters',
  description:
    'What a turn takes longer with a memory service that hangs, is slow, or answers 429 or 500, under each adapter with its defaults: the first turn, and the slowest of those that follow. And over a chat of 100 turns, how much of what a model has read is different in the next call, as its provider cannot take it from a cache then.',
  run: async (bench) => {
    const figures: Figure[] = [];
    for (const [name, start] of Object.entries(CHATS)) {
      const moods = Object.keys(MOODS) as Mood[];
      // Mostly nobody says anything, so that a quick run has all conversations at once.
      const together = bench.quick ? moods.length : 1;
      for (let place = 0; place < moods.length; place += together) {
        const some = moods.slice(place, place + together);
        figures.push(...(await Promise.all(some.map((mood) => delays(bench, name, start, mood)))).flat());
      }
      figures.push(await changed(bench, name, start));
    }
    return figures;
  },
};

async function delays(bench: Bench, name: string, start: StartChat, mood: Mood): Promise<Figure[]> {
  const how = `${name}, memory ${MOODS[mood]}`;
  bench.progress(`adapters: ${how}`);
  const door = await startMoodyService();
  const bare = start(undefined);
  const chat = start(connect({ url: door.url, apiKey: 'svc_bench' }));
  const floors: number[] = [];
  const times: number[] = [];
  // Once well, so that nothing is loaded for the first time.
  await bare.say('Good morning.');
  await chat.say('Good morning.');
  door.mood = mood;
  for (let turn = 0; turn < (bench.quick ? 4 : 25); turn += 1) {
    // As long as somebody takes to type, so that the service is asked again now and then.
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const content = `What about number ${turn}, is it done already?`;
    floors.push(await timed(() => bare.say(content)));
    times.push(await timed(() => chat.say(content)));
  }
  await door.close();
  const floor = median(floors);
  const [first = 0, ...following] = times.map((time) => Math.max(0, time - floor));
  return [
    { name: `${how}: first turn takes longer by`, unit: 'ms', value: first, goal: GOALS.first },
    {
      name: `${how}: slowest of ${following.length} more`,
      unit: 'ms',
      value: Math.max(...following),
      goal: GOALS.following,
    },
  ];
}

async function changed(bench: Bench, name: string, start: StartChat): Promise<Figure> {
  const world = await bench.world();
  const engine = createEngine({ database: await world.openFloor() });
  let texts = 0;
  const onInjection = () => {
    texts += 1;
  };
  // Nobody types between these turns: what comes late would come for none of them.
  const chat = start({ ...engine.agent(world.tenantId) }, { timeoutMs: 60_000, onInjection });
  const turns = bench.quick ? CHAT_TURNS / 5 : CHAT_TURNS;
  let before = '';
  const sizes = { read: 0, same: 0 };
  for (const [turn, question] of questionsOf(turns).entries()) {
    bench.progress(`adapters: ${name}, turn ${turn} of a long chat`);
    await chat.say(question);
    const prompt = chat.prompt();
    sizes.read += before.length;
    sizes.same += commonPrefix(before, prompt);
    before = prompt;
  }
  await engine.close();
  const value = 100 * (1 - sizes.same / sizes.read);
  return {
    name: `${name}, changed of what was read (${turns} turns, ${texts} texts of the memory)`,
    unit: '%',
    value,
    goal: CHANGED_GOAL,
  };
}

function commonPrefix(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
