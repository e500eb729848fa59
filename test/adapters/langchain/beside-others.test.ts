import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import * as aiSdk from '@svc-memory/ai-sdk';
import type { AgentMemory } from '@svc-memory/core';
import { memoryOfUser } from '@svc-memory/core/adapter';
import {
  AgentMemoryChatHistory,
  AgentMemoryStore,
  agentMemoryMiddleware,
  memoryFileTool,
  memoryTools,
} from '@svc-memory/langchain';
import {
  type AgentMiddleware,
  ClearToolUsesEdit,
  contextEditingMiddleware,
  createAgent,
  createMiddleware,
  piiMiddleware,
  summarizationMiddleware,
} from 'langchain';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { useService } from '../../kit/service.ts';
import { sdks } from '../ai-sdk/sdk.ts';
import { episodesOf, PATIENT } from '../memories.ts';
import { calling, ScriptedModel, systemOf, textOf } from './scripted-model.ts';

const service = useService();
const newMemory = async () => (await service.kit.tenant()).agent();
const say = (content: string) => ({ messages: [{ role: 'user', content }] });
const onThread = (thread_id: string) => ({ configurable: { thread_id } });

const weather = tool(() => 'sunny', { name: 'weather', description: 'Tells it.', schema: z.object({}) });

describe('beside other middleware', () => {
  test.each([
    ['before', true],
    ['behind', false],
  ])('keeps what another has taken out, where it stands %s it', async (_, isFirst) => {
    const memory = await newMemory();
    const own = agentMemoryMiddleware({ memory, ...PATIENT });
    // Their types do not fit what `createAgent` takes under `exactOptionalPropertyTypes`.
    const summarize = summarizationMiddleware as unknown as (options: object) => AgentMiddleware;
    const others = [
      piiMiddleware('email', { strategy: 'redact', applyToInput: true }) as unknown as AgentMiddleware,
      summarize({
        model: new ScriptedModel(() => 'They wrote.'),
        trigger: { messages: 6 },
        keep: { messages: 2 },
      }),
    ] as const;
    const agent = createAgent({
      model: new ScriptedModel((_input, call) => `Answer ${call}.`),
      middleware: isFirst ? [own, ...others] : [...others, own],
      checkpointer: new MemorySaver(),
    });
    for (let turn = 0; turn < 6; turn += 1) {
      await agent.invoke(say(`Mail ${turn} is joe${turn}@example.com`), onThread('t'));
    }
    const said = (await episodesOf(memory)).filter((content) => content.startsWith('user'));
    expect(said.sort()).toEqual(
      Array.from({ length: 6 }, (_, turn) => `user: Mail ${turn} is [REDACTED_EMAIL]`),
    );
  });

  test('keeps what was said, not what another shows the model for one call', async () => {
    const memory = await newMemory();
    const shows = createMiddleware({
      name: 'Workspace',
      wrapModelCall: (request, handler) =>
        handler({ ...request, messages: [...request.messages, new HumanMessage('WORKSPACE: a.ts, b.ts')] }),
    });
    const clears = contextEditingMiddleware({
      edits: [new ClearToolUsesEdit({ trigger: { tokens: 20 }, keep: { messages: 1 } })],
    });
    const model = new ScriptedModel((_, call) =>
      call < 3 ? calling({ name: 'weather', args: {}, id: `w${call}` }) : 'Sunny.',
    );
    const middleware = [shows, clears, agentMemoryMiddleware({ memory, ...PATIENT })];
    const agent = createAgent({ model, tools: [weather], middleware });
    await agent.invoke(say('How is the weather over there today?'), onThread('t'));
    expect(JSON.stringify(model.inputs.at(-1))).toMatch(/cleared.*WORKSPACE/);
    const said = await episodesOf(memory);
    expect(said.filter((content) => /cleared|WORKSPACE/.test(content))).toEqual([]);
    expect(said.at(-1)).toBe('assistant: Sunny.');
  });

  test('puts what is recalled behind the words of the user, whoever speaks in their name after them', async () => {
    const memory = await newMemory();
    const shows = createMiddleware({
      name: 'Workspace',
      wrapModelCall: (request, handler) =>
        handler({ ...request, messages: [...request.messages, new HumanMessage('WORKSPACE: a.ts')] }),
    });
    const model = new ScriptedModel(() => 'Yes.');
    const middleware = [shows, agentMemoryMiddleware({ memory, ...PATIENT })];
    const agent = createAgent({ model, middleware, checkpointer: new MemorySaver() });
    await agent.invoke(say('Hello there, agent.'), onThread('t'));
    await memory.remember({ type: 'semantic', content: 'The locker of Ines is number 17.' });
    await agent.invoke(say('Which number has the locker of Ines?'), onThread('t'));
    const behind = model.inputs.at(-1)?.filter((message) => message.text.includes('is number 17'));
    expect(behind?.map(({ text }) => text.split('\n')[0])).toEqual(['Which number has the locker of Ines?']);
  });
});

test.each([
  ['of Bedrock', [{ type: 'text', text: 'Hello.' }, { cachePoint: { type: 'default' } }]],
  ['of Google', [{ type: 'text', text: 'Hello.' }, { inlineData: { mimeType: 'image/png', data: 'aa' } }]],
  ['that is a text', ['Hello.']],
])('a block %s, which has no type, goes through, and what is said beside it is kept', async (_, content) => {
  const memory = await newMemory();
  const model = new ScriptedModel(() => 'Yes.');
  const agent = createAgent({ model, middleware: [agentMemoryMiddleware({ memory, ...PATIENT })] });
  const message = new HumanMessage({ content: content as never });
  const result = new ToolMessage({
    content: [{ json: { kg: 4 } }] as never,
    tool_call_id: 'w1',
    name: 'weigh',
  });
  const call = calling({ name: 'weigh', args: {}, id: 'w1' });
  await agent.invoke({ messages: [message, call, result] }, onThread('t'));
  expect((await episodesOf(memory))[0]).toBe('user: Hello.');
});

test('adds the injection to a system message among the messages: providers take one', async () => {
  const memory = await newMemory();
  const model = new ScriptedModel(() => 'Yes.');
  const agent = createAgent({ model, middleware: [agentMemoryMiddleware({ memory, ...PATIENT })] });
  await agent.invoke({ messages: [new SystemMessage('Be brief.'), new HumanMessage('Hi.')] }, onThread('t'));
  expect(model.inputs[0]?.map((message) => message.getType())).toEqual(['system', 'human']);
  expect(systemOf(model.inputs[0])).toMatch(/^Be brief\.\n\n# MEMORY INJECTION\n/);
});

describe('an agent within another', () => {
  test('that a tool calls leaves the injection of the other as it is', async () => {
    const memory = await newMemory();
    const within = createAgent({
      model: new ScriptedModel(() => 'From within.'),
      middleware: [agentMemoryMiddleware({ memory, ...PATIENT })],
    });
    const ask = tool(
      async () => {
        await memory.remember({ type: 'semantic', content: `A fact ${Math.random()}.` });
        return (await within.invoke(say('What do you think?'))).messages.at(-1)?.text ?? '';
      },
      { name: 'ask', description: 'Asks another.', schema: z.object({}) },
    );
    const model = new ScriptedModel((_, call) =>
      call % 2 === 0 ? calling({ name: 'ask', args: {}, id: `a${call}` }) : 'Done.',
    );
    const middleware = [agentMemoryMiddleware({ memory, ...PATIENT })];
    const agent = createAgent({ model, tools: [ask], middleware, checkpointer: new MemorySaver() });
    for (const content of ['Go.', 'Go on.']) await agent.invoke(say(content), onThread('t'));
    expect(model.inputs).toHaveLength(4);
    expect(new Set(model.inputs.map(systemOf)).size).toBe(1);
    expect(await episodesOf(memory)).toContain('assistant: From within.');
  });

  test('as a node of a graph has one injection through all its runs', async () => {
    const memory = await newMemory();
    const model = new ScriptedModel(() => 'Yes.');
    const agent = createAgent({ model, middleware: [agentMemoryMiddleware({ memory, ...PATIENT })] });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('agent', agent.graph)
      .addEdge(START, 'agent')
      .addEdge('agent', END)
      .compile({ checkpointer: new MemorySaver() });
    for (const content of ['Hello.', 'And then?', 'And now?']) {
      await graph.invoke(say(content), onThread('t'));
      await memory.remember({ type: 'semantic', content: `A fact ${Math.random()}.` });
    }
    expect(new Set(model.inputs.map(systemOf)).size).toBe(1);
  });
});

describe('the users of an agent', () => {
  test('have files of their own by the tool of a run', async () => {
    const memory = await newMemory();
    const files = memoryFileTool(memory);
    const read = { command: 'view', path: '/memories/diagnosis.md' };
    const write = { ...read, command: 'create', file_text: 'Alice has diabetes.' };
    const as = (user_id: unknown) => ({ configurable: { user_id } });
    await files.invoke(write, as('alice'));
    expect(await files.invoke(read, as('bob'))).not.toContain('diabetes');
    expect(await files.invoke(read, {})).not.toContain('diabetes');
    expect(await files.invoke(read, as('alice'))).toContain('diabetes');
  });

  test.each([
    ['user_id of context', (id: string) => ({ context: { user_id: id } })],
    ['userId of context', (id: string) => ({ context: { userId: id, locale: 'de' } })],
    ['userId of configurable', (id: string) => ({ configurable: { thread_id: 't', userId: id } })],
    ['both', (id: string) => ({ configurable: { user_id: id }, context: { userId: id } })],
  ])('are those that a run names by %s, its tools and the agents in them included', async (_, as) => {
    const memory = await newMemory();
    const middleware = [agentMemoryMiddleware({ memory, ...PATIENT })];
    const note = { type: 'semantic', content: 'Ines rides a bicycle.' };
    const helper = createAgent({
      model: new ScriptedModel((_messages, call) =>
        call === 0 ? calling({ name: 'svc_remember', args: note, id: 'c1' }) : 'Noted.',
      ),
      tools: [...memoryTools(memory)],
      middleware,
    });
    const ask = tool(async () => textOf((await helper.invoke(say('Note the bicycle.'))).messages), {
      name: 'ask',
      description: 'Asks a helper.',
      schema: z.object({}),
    });
    const model = new ScriptedModel((_messages, call) =>
      call === 0 ? calling({ name: 'ask', args: {}, id: 'c2' }) : 'Yes.',
    );
    const agent = createAgent({ model, tools: [ask, memoryFileTool(memory)], middleware });
    await agent.invoke(say('My locker is 17.'), as('ines') as never);
    const { memories } = await memory.query({ user_id: 'ines' });
    const theirs = memories.filter(({ user_id }) => user_id === 'ines').map(({ content }) => content);
    expect(theirs).toEqual(
      expect.arrayContaining(['user: My locker is 17.', 'user: Note the bicycle.', note.content]),
    );
    await agent.invoke(say('What is my locker?'), as('bob') as never);
    expect(JSON.stringify(model.inputs.at(-1))).not.toContain('is 17');
    expect(await episodesOf(memory)).toEqual([]);
    expect((await memory.query({ type: 'semantic' })).memories).toEqual([]);
  });

  test('of whom a run names two are refused', async () => {
    const memory = await newMemory();
    const agent = createAgent({
      model: new ScriptedModel(() => 'Yes.'),
      middleware: [agentMemoryMiddleware({ memory, ...PATIENT })],
    });
    const two = { configurable: { user_id: 'ines' }, context: { userId: 'bob' } };
    await expect(agent.invoke(say('Hi.'), two as never)).rejects.toThrow('names two users');
    const none = { context: { userId: null } };
    await expect(agent.invoke(say('Hi.'), none as never)).rejects.toThrow('userId of context must be the id');
  });

  test('are told apart where their ids are numbers, and a run for what is no id is refused', async () => {
    const memory = await newMemory();
    const model = new ScriptedModel(() => 'Yes.');
    const tools = [memoryFileTool(memory), ...memoryTools(memory)];
    const agent = createAgent({ model, tools, middleware: [agentMemoryMiddleware({ memory, ...PATIENT })] });
    const as = (user_id: unknown) => ({ configurable: { thread_id: 7, user_id } }) as never;
    await agent.invoke(say('My locker is 17.'), as(41));
    await agent.invoke(say('What is my locker?'), as(42));
    expect(JSON.stringify(model.inputs.at(-1))).not.toContain('is 17');
    const { memories } = await memory.query({ type: 'episodic', user_id: '41', session_id: '7' });
    expect(memories.map(({ content }) => content)).toContain('user: My locker is 17.');
    for (const none of ['', null, undefined, { id: 41 }, true, Number.NaN]) {
      expect(() => memoryOfUser(memory, none as never)).toThrow('must be the id of a user');
      await expect(agent.invoke(say('Hi.'), as(none))).rejects.toThrow('must be the id of a user');
      await expect(tools[2]?.invoke({ query: 'locker' }, as(none))).rejects.toThrow(
        'must be the id of a user',
      );
    }
    expect(memoryOfUser(memory, 41)).toBe(memoryOfUser(memory, '41'));
    const ofNobody = { memory, userId: undefined as unknown as string };
    const guest = createAgent({ model, middleware: [agentMemoryMiddleware(ofNobody)] });
    await expect(guest.invoke(say('Hi.'))).rejects.toThrow('userId must be the id of a user');
    const named = sdks.map(({ fake }) => fake(() => 'Yes.').model);
    for (const one of named) {
      expect(() => aiSdk.withMemory(one, ofNobody)).toThrow('userId must be the id of a user');
    }
    expect(await episodesOf(memory)).toEqual([]);
  });

  test('are not chosen by the model of their tools', async () => {
    const memory = await newMemory();
    await memoryOfUser(memory, 'alice').remember({ type: 'semantic', content: 'My code is 4711.' });
    const [, recall] = memoryTools(memory);
    for (const user_id of ['alice', '*']) {
      const args = { query: 'code', user_id };
      const call = { name: 'svc_recall', args, id: 'c1', type: 'tool_call' as const };
      const refused = { status: 'error', content: expect.stringContaining('the program decides on this') };
      expect(await recall.invoke(call)).toMatchObject(refused);
      expect(await recall.invoke(call, { configurable: { user_id: 'bob' } })).toMatchObject(refused);
      const { svc_recall } = aiSdk.memoryTools(memory);
      await expect(svc_recall.execute(args, {})).rejects.toThrow('user_id: the program decides on this');
      const files = { command: 'view', path: '/memories', user_id };
      expect(await aiSdk.memoryFileTool(memory).execute(files, {})).toContain('the program decides on this');
      expect(await memoryFileTool(memory).invoke(files)).toContain('the program decides on this');
    }
  });

  test('have items and messages of their own, beside those of the agent', async () => {
    const memory = await newMemory();
    const alice = memoryOfUser(memory, 'alice');
    const [store, hers] = [memory, alice].map((one) => new AgentMemoryStore({ memory: one }));
    await store?.put(['prefs'], 'seat', { seat: 'window' });
    expect(await hers?.get(['prefs'], 'seat')).toBeNull();
    await hers?.put(['prefs'], 'seat', { seat: 'aisle' });
    const found = (await hers?.search(['prefs'], { query: 'seat' })) ?? [];
    expect(found.map(({ value }) => value)).toEqual([{ seat: 'aisle' }]);
    await hers?.delete(['prefs'], 'seat');
    expect(await hers?.search(['prefs'])).toEqual([]);
    expect(await hers?.listNamespaces()).toEqual([]);
    expect((await store?.get(['prefs'], 'seat'))?.value).toEqual({ seat: 'window' });

    const [history, hersToo] = [memory, alice].map(
      (one) => new AgentMemoryChatHistory({ memory: one, sessionId: 's' }),
    );
    await history?.addUserMessage('From nobody.');
    expect(await hersToo?.getMessages()).toEqual([]);
    await hersToo?.addUserMessage('From Alice.');
    expect((await hersToo?.getMessages())?.map(({ text }) => text)).toEqual(['From Alice.']);
    await hersToo?.clear();
    expect(await hersToo?.getMessages()).toEqual([]);
    expect((await history?.getMessages())?.map(({ text }) => text)).toEqual(['From nobody.']);
  });
});

test('what others put into a space of the agent is no item of its store, and no message of its history', async () => {
  const memory = await newMemory();
  const store = new AgentMemoryStore({ memory });
  const history = new AgentMemoryChatHistory({ memory, sessionId: 's' });
  await store.put(['prefs'], 'seat', { seat: 'window' });
  await history.addUserMessage('From the user.');
  const { space } = await memory.createSpace({ name: 'Team' });
  for (const { type, content, tags, key } of (await memory.query({ limit: 100 })).memories) {
    const planted = content.replace('window', 'aisle').replace('the user', 'somebody else');
    const place = { space_id: space.id, session_id: 's', ...(key ? { key } : {}) };
    await memory.remember({ ...place, type, tags, content: planted });
  }
  const items = [
    await store.get(['prefs'], 'seat'),
    ...(await store.search(['prefs'])),
    ...(await store.search(['prefs'], { query: 'seat' })),
  ];
  expect(items.map((item) => item?.value)).toEqual(Array(3).fill({ seat: 'window' }));
  expect((await history.getMessages()).map(({ text }) => text)).toEqual(['From the user.']);
  await store.delete(['prefs'], 'seat');
  await history.clear();
  expect((await memory.query({ space_id: space.id })).memories).toHaveLength(2);
  expect(await store.get(['prefs'], 'seat')).toBeNull();
  expect(await store.listNamespaces()).toEqual([]);
});

describe('what a program passes', () => {
  test('a listener that throws is nobody else’s affair', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const memory = await newMemory();
    const fails = () => {
      throw new Error('no network');
    };
    let isAway = true;
    const away: AgentMemory = {
      ...memory,
      compaction: (input) => (isAway ? Promise.reject(new Error('away')) : memory.compaction(input)),
    };
    const options = { onInjection: fails, onWarning: fails, cooldownMs: 100, ...PATIENT };
    const middleware = [agentMemoryMiddleware({ memory: away, ...options })];
    const agent = createAgent({ model: new ScriptedModel(() => 'Yes.'), middleware });
    for (const content of ['Hi.', 'Again.']) {
      expect((await agent.invoke(say(content), onThread('t'))).messages.at(-1)?.text).toBe('Yes.');
    }
    expect(
      warn.mock.calls.every(([text]) => text === '@svc-memory: a listener of the options has thrown'),
    ).toBe(true);
    expect(warn).toHaveBeenCalled();
    isAway = false;
    await vi.waitFor(async () => expect((await memory.query({})).memories).toHaveLength(4));
    warn.mockRestore();
  });

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('outside of a request');
      },
    ],
    ['rejects', () => Promise.reject(new Error('outside of a request'))],
  ])('a waitUntil that %s ends no call, and what was said is kept', async (_, waitUntil) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const memory = await newMemory();
    const options = { memory, waitUntil, ...PATIENT };
    const agent = createAgent({
      model: new ScriptedModel(() => 'Yes.'),
      middleware: [agentMemoryMiddleware(options)],
    });
    expect((await agent.invoke(say('Hi.'), onThread('t'))).messages.at(-1)?.text).toBe('Yes.');
    for (const { name, ai, fake } of sdks) {
      const middleware = aiSdk.memoryMiddleware({ ...options, sessionId: name });
      const model = ai.wrapLanguageModel({ model: fake(() => 'No.').model, middleware });
      expect((await ai.generateText({ model, prompt: name })).text).toBe('No.');
    }
    await vi.waitFor(async () => {
      expect((await episodesOf(memory)).sort()).toEqual([
        'assistant: No.',
        'assistant: No.',
        'assistant: Yes.',
        'user: Hi.',
        'user: ai 6',
        'user: ai 7',
      ]);
    });
    expect(warn).toHaveBeenCalled();
    warn.mockRestore();
  });

  test('goes on where an answer holds memories that are none', async () => {
    const real = await newMemory();
    const results = [{ id: '1', type: 'semantic', content: 'No date.' }] as never;
    const memory: AgentMemory = {
      ...real,
      recall: () => Promise.resolve({ success: true, results } as never),
    };
    const model = new ScriptedModel(() => 'Yes.');
    const middleware = [agentMemoryMiddleware({ memory, onWarning: () => {}, ...PATIENT })];
    const agent = createAgent({ model, middleware, checkpointer: new MemorySaver() });
    await agent.invoke(say('Hello there, agent.'), onThread('t'));
    const { messages } = await agent.invoke(say('Which number has the locker of Ines?'), onThread('t'));
    expect(messages.at(-1)?.text).toBe('Yes.');
  });

  test('waits as long as it takes where the time is without end, and refuses what is no time', async () => {
    const memory = await newMemory();
    const model = new ScriptedModel(() => 'Yes.');
    const middleware = [agentMemoryMiddleware({ memory, timeoutMs: Number.POSITIVE_INFINITY })];
    await createAgent({ model, middleware }).invoke(say('Hi.'), onThread('t'));
    expect(systemOf(model.inputs[0])).toContain('# MEMORY INJECTION');
    for (const timeoutMs of [Number.NaN, -1, '5000' as never]) {
      expect(() => agentMemoryMiddleware({ memory, timeoutMs })).toThrow('timeoutMs must be a number');
    }
  });

  test('asks again for an injection that an answer does not hold', async () => {
    const real = await newMemory();
    let calls = 0;
    const memory: AgentMemory = {
      ...real,
      boot: (...args) => (calls++ === 0 ? Promise.resolve({ success: true } as never) : real.boot(...args)),
    };
    const model = new ScriptedModel(() => new AIMessage('Yes.'));
    const middleware = [agentMemoryMiddleware({ memory, onWarning: () => {}, cooldownMs: 100, ...PATIENT })];
    const agent = createAgent({ model, middleware, checkpointer: new MemorySaver() });
    await agent.invoke(say('Hi.'), onThread('t'));
    expect(systemOf(model.inputs[0])).toBe('');
    await vi.waitFor(async () => {
      await agent.invoke(say('Again.'), onThread('t'));
      expect(systemOf(model.inputs.at(-1))).toContain('# MEMORY INJECTION');
    }, PATIENT.timeoutMs);
  });
});
