import { memoryFileTool, withMemory } from '@svc-memory/ai-sdk';
import type { AgentMemory } from '@svc-memory/core';
import { AgentMemoryStore, agentMemoryMiddleware } from '@svc-memory/langchain';
import { generateText, type ModelMessage } from 'ai';
import { createAgent } from 'langchain';
import { describe, expect, test } from 'vitest';
import { useService } from '../kit/service.ts';
import { type Sdk, sdks } from './ai-sdk/sdk.ts';
import { ScriptedModel, textOf } from './langchain/scripted-model.ts';

const service = useService();
const [sdk] = sdks as [Sdk];
/** A busy machine takes its time. */
const PATIENT = { timeoutMs: 60_000 };
const newMemory = async () => (await service.kit.tenant()).agent();

/** A conversation, which answers all that the model has read for what is said. */
type Talk = (said: string) => Promise<string>;

const FRAMEWORKS: Readonly<Record<string, (memory: AgentMemory) => Talk>> = {
  LangChain: (memory) => {
    const model = new ScriptedModel(() => 'Yes.');
    const agent = createAgent({ model, middleware: [agentMemoryMiddleware({ memory, ...PATIENT })] });
    const messages: { role: string; content: string }[] = [];
    return async (content) => {
      messages.push({ role: 'user', content });
      await agent.invoke({ messages }, { configurable: { thread_id: 't' } });
      messages.push({ role: 'assistant', content: 'Yes.' });
      return textOf(model.inputs.at(-1) ?? []);
    };
  },
  'the AI SDK': (memory) => {
    const { model, prompts } = sdk.fake(() => 'Yes.');
    const messages: ModelMessage[] = [];
    return async (content) => {
      messages.push({ role: 'user', content });
      await generateText({ model: withMemory(model, { memory, ...PATIENT }), messages });
      messages.push({ role: 'assistant', content: 'Yes.' });
      return JSON.stringify(prompts.at(-1));
    };
  },
};

const NOTE = 'The freeze of deploys for the whole release engineering team lasts until';

describe.each(Object.entries(FRAMEWORKS))('a model behind %s reads', (_, begin) => {
  test('what a memory says now, where that has changed since the conversation began', async () => {
    const memory = await newMemory();
    const store = new AgentMemoryStore({ memory });
    const files = memoryFileTool(memory);
    await store.put(['prefs'], 'seat', { seat: 'window, row 12' });
    await files.execute(
      { command: 'create', path: '/memories/plan.md', file_text: '# Launch plan\nOn Monday.\n' },
      {},
    );
    await memory.remember({ type: 'semantic', key: 'freeze', content: `${NOTE} June.` });
    const talk = begin(memory);
    expect(await talk('Hello, let us talk.')).toContain('row 12');
    await store.put(['prefs'], 'seat', { seat: 'aisle, row 7' });
    const change = {
      command: 'str_replace',
      path: '/memories/plan.md',
      old_str: 'Monday',
      new_str: 'Thursday',
    };
    await files.execute(change, {});
    await memory.remember({ type: 'semantic', key: 'freeze', content: `${NOTE} October.` });
    expect(await talk('Which seat do I prefer on planes, window or aisle?')).toContain('row 7');
    expect(await talk('On which day is the launch by the launch plan?')).toContain('On Thursday.');
    expect(await talk('Until when does the freeze of deploys last for the team?')).toContain('October.');
  });

  test('a memory that changes twice for the same question', async () => {
    const memory = await newMemory();
    const talk = begin(memory);
    for (const month of ['June', 'July', 'August']) {
      await memory.remember({ type: 'semantic', key: 'freeze', content: `${NOTE} ${month}.` });
      expect(await talk(`It is ${month}: until when does the freeze of deploys last?`)).toContain(
        `until ${month}.`,
      );
    }
  });

  test('the passage that is asked for of a memory that the injection cuts', async () => {
    const memory = await newMemory();
    const talk = begin(memory);
    const tale = 'The boats came home in the evening, and nobody had caught a single fish. '.repeat(20);
    await memory.remember({ type: 'semantic', content: `${tale}The harbour master is called Torsten.` });
    expect(await talk('Hello, let us talk.')).not.toContain('Torsten');
    expect(await talk('What is the harbour master called?')).toContain('is called Torsten.');
    const later = await talk('Once more, what is the harbour master called?');
    expect(later.split('is called Torsten.')).toHaveLength(2);
  });
});
