import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { RunnableLambda, RunnableWithMessageHistory } from '@langchain/core/runnables';
import {
  AgentMemoryChatHistory,
  AgentMemoryRetriever,
  memoryFileTool,
  memoryTools,
} from '@svc-memory/langchain';
import { createAgent } from 'langchain';
import { describe, expect, test } from 'vitest';
import { useService } from '../../kit/service.ts';
import { waysTo } from '../memories.ts';
import { calling, ScriptedModel } from './scripted-model.ts';

const service = useService();

const DAY_MS = 86_400_000;

describe.each(waysTo(service))('the chat history $way', ({ reach }) => {
  test('gives back what was added, in order, of its own session only', async () => {
    const memory = await reach();
    const history = new AgentMemoryChatHistory({ memory, sessionId: 'user-1' });
    const messages: BaseMessage[] = [
      new SystemMessage('Be brief: always.'),
      new HumanMessage({ content: 'Line one.\nLine two: yes.', name: 'ines', id: 'm1' }),
      new AIMessage({
        content: '',
        tool_calls: [{ name: 'weigh', args: { item: 'cat' }, id: 'w1', type: 'tool_call' }],
      }),
      new ToolMessage({ content: '{"kg":4}', tool_call_id: 'w1', name: 'weigh', status: 'success' }),
      new HumanMessage({
        content: [
          { type: 'text', text: 'And this?' },
          { type: 'image_url', image_url: { url: 'https://example.com/cat.png' } },
        ],
      }),
      new AIMessage({ content: 'A \u0000 and half of a pair \ud83d.', additional_kwargs: { mood: 'calm' } }),
    ];
    await history.addMessages(messages.slice(0, 4));
    for (const message of messages.slice(4)) await history.addMessage(message);
    await new AgentMemoryChatHistory({ memory, sessionId: 'user-10' }).addUserMessage('Not mine.');
    expect((await history.getMessages()).map((message) => message.toDict())).toEqual(
      messages.map((message) => message.toDict()),
    );
    const { results } = await memory.recall({ query: 'line two' });
    expect(results[0]?.content).toContain('user: Line one.\nLine two: yes.');
  });

  test('keeps what is said twice when the agent reflects', async () => {
    const memory = await reach();
    const history = new AgentMemoryChatHistory({ memory, sessionId: 'migration' });
    const said = [
      'Please go on with the next file of the migration.',
      'That file is done; shall I go on with it?',
    ];
    for (const _time of [1, 2, 3]) {
      await history.addUserMessage(said[0] ?? '');
      await history.addAIMessage(said[1] ?? '');
    }
    service.kit.clock.advance(DAY_MS);
    const { job } = await memory.reflect({ older_than_days: 0 });
    await service.kit.engine.background.run('jobs.work');
    expect((await memory.job({ id: job.id })).job).toMatchObject({ status: 'done', result: { episodes: 6 } });
    expect((await history.getMessages()).map(({ text }) => text)).toEqual([...said, ...said, ...said]);
  });

  test('is cleared without touching another, and refuses what is too long', async () => {
    const memory = await reach();
    const [history, other] = ['a', 'b'].map((sessionId) => new AgentMemoryChatHistory({ memory, sessionId }));
    await other?.addUserMessage('Stays.');
    await history?.addUserMessage('Goes.');
    await expect(
      history?.addMessages([new HumanMessage('Fine.'), new HumanMessage('x'.repeat(40_000))]),
    ).rejects.toThrow(/at most 32768/);
    expect(await history?.getMessages()).toHaveLength(1);
    await history?.clear();
    expect(await history?.getMessages()).toEqual([]);
    expect(await other?.getMessages()).toHaveLength(1);
  });

  test('stays readable: refuses a message that LangChain does not read again, and passes over a changed one', async () => {
    const memory = await reach();
    const history = new AgentMemoryChatHistory({ memory, sessionId: 's' });
    await history.addUserMessage('Stays.');
    for (const message of [
      new RemoveMessage({ id: 'm1' }),
      new ToolMessage({ content: '4 kg', tool_call_id: undefined as never }),
    ]) {
      const adding = history.addMessages([new HumanMessage('Not alone.'), message]);
      await expect(adding).rejects.toThrow(TypeError);
    }
    const { memories } = await memory.query({ session_id: 's' });
    const changed = { type: 'episodic', session_id: 's', tags: memories[0]?.tags ?? [] } as const;
    await memory.remember({ ...changed, content: 'user: Changed.\n{"type":"remark"}' });
    expect((await history.getMessages()).map(({ text }) => text)).toEqual(['Stays.']);
  });

  test('serves RunnableWithMessageHistory', async () => {
    const memory = await reach();
    const chain = new RunnableWithMessageHistory({
      runnable: RunnableLambda.from(
        (messages: BaseMessage[]) => new AIMessage(`I see ${messages.length}: ${messages[0]?.text}`),
      ),
      getMessageHistory: (sessionId: string) => new AgentMemoryChatHistory({ memory, sessionId }),
    });
    const config = { configurable: { sessionId: 's1' } };
    await chain.invoke([new HumanMessage('First.')], config);
    expect((await chain.invoke([new HumanMessage('Second.')], config)).text).toBe('I see 3: First.');
  });
});

describe.each(waysTo(service))('the retriever $way', ({ reach }) => {
  test('answers memories by meaning as documents', async () => {
    const memory = await reach();
    const { memory: stored } = await memory.remember({
      type: 'semantic',
      content: 'Maya approves deploys on Fridays.',
      tags: ['ops'],
    });
    await memory.remember({ type: 'semantic', content: 'The canteen serves soup.' });
    const retriever = new AgentMemoryRetriever({ memory, k: 5, filter: { tags: ['ops'] }, threshold: 0 });
    const documents = await retriever.invoke('who approves a deploy?');
    expect(documents).toMatchObject([
      {
        id: stored.id,
        pageContent: 'Maya approves deploys on Fridays.',
        metadata: { type: 'semantic', tags: ['ops'], similarity: expect.any(Number) },
      },
    ]);
    expect(await retriever.invoke(' ')).toEqual([]);
    expect(await retriever.invoke('deploy '.repeat(2_000))).toHaveLength(1);
    expect(await new AgentMemoryRetriever({ memory, k: 1, threshold: 0 }).invoke('soup')).toHaveLength(1);
  });
});

describe('the tools', () => {
  test.each([
    ['svc_remember', { type: 'core', content: 'I am Ada.' }, 'category: is required'],
    ['svc_remember', { type: 'core' }, 'content: is required'],
    ['svc_recall', { qurey: 'tea' }, 'qurey: is not a known field'],
    ['svc_recall', { query: 'tea', limit: '5' }, 'limit: must be a number'],
    ['svc_recall_exact', { since: 'yesterday' }, 'since: must be a date'],
    ['svc_forget', { id: 'the first' }, 'id: must be a UUID'],
    ['memory', { command: 'read', path: '/memories' }, 'command: must be one of'],
    ['memory', { command: 'view', path: 7 }, 'path: must be a string'],
  ])(
    'a mistake in the call %s(%j) is named to the model, and the agent goes on',
    async (name, args, said) => {
      const memory = (await service.kit.tenant()).agent();
      const model = new ScriptedModel((_, call) =>
        call === 0 ? calling({ name, args, id: 'r1' }) : 'I made a mistake.',
      );
      const tools = [...memoryTools(memory), memoryFileTool(memory)];
      const { messages } = await createAgent({ model, tools }).invoke({
        messages: [{ role: 'user', content: 'You are Ada.' }],
      });
      expect(messages.at(-2)).toMatchObject({
        name,
        tool_call_id: 'r1',
        text: expect.stringContaining(said),
      });
      if (name !== 'memory') expect(messages.at(-2)).toMatchObject({ status: 'error' });
      expect(messages.at(-2)?.text).not.toContain('    at ');
      expect(messages.at(-1)?.text).toBe('I made a mistake.');
    },
  );

  test('are those asked for, and only such as there are', async () => {
    const memory = (await service.kit.tenant()).agent();
    expect(memoryTools(memory, ['svc_wip', 'svc_status']).map(({ name }) => name)).toEqual([
      'svc_wip',
      'svc_status',
    ]);
    expect(() => memoryTools(memory, ['svc_nothing'])).toThrow(/svc_nothing/);
    const [remember] = memoryTools(memory);
    expect(await remember.invoke({ type: 'semantic', content: 'Snow is white.' })).toContain(
      'Snow is white.',
    );
    await expect(remember.invoke({ type: 'core', content: 'I am Ada.' })).rejects.toThrow(/category/);
    await expect(remember.invoke({ type: 'core' })).rejects.toThrow(/content: is required/);
  });
});
