import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { Command, interrupt, MemorySaver } from '@langchain/langgraph';
import type { AgentMemory } from '@svc-memory/core';
import { agentMemoryMiddleware, memoryTools } from '@svc-memory/langchain';
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  summarizationMiddleware,
  toolStrategy,
} from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { useService } from '../../kit/service.ts';
import { episodesOf, waysTo } from '../memories.ts';
import { calling, collect, type Script, ScriptedModel, systemOf, textOf } from './scripted-model.ts';

const service = useService();

const onThread = (thread_id: string) => ({ configurable: { thread_id } });
const say = (content: string) => ({ messages: [{ role: 'user', content }] });

const weigh = tool(() => ({ kg: 4 }), {
  name: 'weigh',
  description: 'Weighs.',
  schema: z.object({ item: z.string() }),
});

describe.each(waysTo(service))('the middleware, $way', ({ reach }) => {
  async function start(script: Script, options: Partial<Parameters<typeof agentMemoryMiddleware>[0]> = {}) {
    const memory = options.memory ?? (await reach());
    const warnings: string[] = [];
    const onWarning = ({ message }: { message: string }) => warnings.push(message);
    const model = new ScriptedModel(script);
    const middleware = [agentMemoryMiddleware({ onWarning, timeoutMs: 60_000, ...options, memory })];
    return { memory, warnings, model, middleware };
  }

  test('serves the user of a run, whose tools follow', async () => {
    const note = { type: 'semantic', content: 'Ines rides a bicycle.' };
    const { memory, model, middleware } = await start((_, call) =>
      call === 0 ? calling({ name: 'svc_remember', args: note, id: 'c1' }) : 'Yes.',
    );
    const agent = createAgent({ model, middleware, tools: [...memoryTools(memory)] });
    const forUser = (user_id: string) => ({ configurable: { thread_id: 't', user_id } });
    await agent.invoke(say('My locker is 17.'), forUser('u1'));
    await agent.invoke(say('My locker is 99.'), forUser('u10'));
    const locker = await memory.query({ type: 'episodic', user_id: 'u1' });
    expect(locker.memories.map(({ content }) => content)).toContain('user: My locker is 17.');
    const { memories } = await memory.query({ type: 'semantic', user_id: 'u1' });
    expect(memories).toMatchObject([{ content: note.content, user_id: 'u1' }]);
    expect(await episodesOf(memory)).toEqual([]);
    await agent.invoke(say('What is my locker?'), forUser('u1'));
    const seen = model.inputs.at(-1) ?? [];
    expect(JSON.stringify(seen)).toContain('is 17');
    expect(JSON.stringify(seen)).not.toContain('is 99');
  });

  test('adds the boot injection to the system message and keeps what was said', async () => {
    const { memory, model, middleware } = await start(() => 'Hello Ines.');
    await memory.remember({ type: 'core', category: 'identity', content: 'I am Ada.' });
    const agent = createAgent({ model, middleware, systemPrompt: 'Be brief.' });
    const { messages } = await agent.invoke(say('I am Ines.'), onThread('t1'));
    expect(messages.map((message) => [message.getType(), message.text])).toEqual([
      ['human', 'I am Ines.'],
      ['ai', 'Hello Ines.'],
    ]);
    expect(model.inputs[0]?.map((message) => message.getType())).toEqual(['system', 'human']);
    expect(systemOf(model.inputs[0])).toMatch(/^Be brief\.\n\n# MEMORY INJECTION\n/);
    expect(systemOf(model.inputs[0])).toContain('- [identity, not confirmed by the human] I am Ada.');
    const { memories } = await memory.query({ type: 'episodic' });
    expect(memories.map(({ content, session_id }) => [content, session_id]).reverse()).toEqual([
      ['user: I am Ines.', 't1'],
      ['assistant: Hello Ines.', 't1'],
    ]);
  });

  test('passes a stream on token by token and keeps its text at the end', async () => {
    const { memory, model, middleware } = await start(() => 'Hello Ines.');
    const agent = createAgent({ model, middleware });
    const chunks: string[] = [];
    for await (const [chunk] of await agent.stream(say('I am Ines.'), { streamMode: 'messages' })) {
      chunks.push(chunk.text);
    }
    expect(chunks.filter(Boolean)).toEqual(['Hello', ' Ines.']);
    expect(systemOf(model.inputs[0])).toContain('# MEMORY INJECTION');
    expect(await episodesOf(memory)).toEqual(['user: I am Ines.', 'assistant: Hello Ines.']);
  });

  test('keeps each turn once, though the history is sent again, and equal turns apart', async () => {
    const { memory, model, middleware } = await start(() => 'Done.', { sessionId: 's1' });
    const agent = createAgent({ model, middleware });
    const history: { role: string; content: string }[] = [];
    for (const content of ['Go on.', 'Go on.', 'Stop.']) {
      service.kit.clock.advance(1_000);
      history.push({ role: 'user', content });
      await agent.invoke({ messages: history });
      history.push({ role: 'assistant', content: 'Done.' });
    }
    const once = ['user: Go on.', 'assistant: Done.', 'user: Go on.', 'assistant: Done.', 'user: Stop.'];
    expect(await episodesOf(memory)).toEqual([...once, 'assistant: Done.']);
    expect(systemOf(model.inputs[2])).toBe(systemOf(model.inputs[0]));
    // Another process with the same history.
    const again = await start(() => 'Done.', { sessionId: 's1', memory: { ...memory } });
    await createAgent(again).invoke({ messages: history });
    expect(await episodesOf(memory)).toHaveLength(6 + 1);
  });

  test('shows what is remembered elsewhere as soon as the user asks for it', async () => {
    const { memory, model, middleware } = await start(() => 'I see.');
    const agent = createAgent({ model, middleware, checkpointer: new MemorySaver() });
    await agent.invoke(say('Good morning.'), onThread('t1'));
    await memory.remember({ type: 'semantic', content: 'The wifi password of the barn is Heron-88.' });
    await agent.invoke(say('What is the wifi password of the barn?'), onThread('t1'));
    expect(textOf(model.inputs[0] ?? [])).not.toContain('Heron-88');
    expect(model.inputs[1]?.at(-1)?.text).toContain('Heron-88');
    // What the model has read already stays as it was.
    expect(systemOf(model.inputs[1])).toBe(systemOf(model.inputs[0]));
    expect(await episodesOf(memory)).not.toContainEqual(expect.stringContaining('Heron-88'));
  });

  test('leaves tool calls, their results, images and files alone', async () => {
    const { memory, model, middleware } = await start((_, call) =>
      call === 0
        ? calling(
            { name: 'weigh', args: { item: 'cat' }, id: 'w1' },
            { name: 'svc_recall', args: { query: 'cat' }, id: 'r1' },
          )
        : 'A cat of 4 kg.',
    );
    const content = [
      { type: 'text' as const, text: 'What is this?' },
      { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
      { type: 'file' as const, mimeType: 'application/pdf', data: 'JVBERi0=', name: 'cat.pdf' },
      { type: 'file' as const, mimeType: 'text/plain', data: 'eA==', metadata: { filename: 'dog.txt' } },
      { type: 'file' as const, file: { filename: 'cow.pdf', file_data: 'data:application/pdf;base64,eA==' } },
    ];
    const agent = createAgent({ model, middleware, tools: [...memoryTools(memory), weigh] });
    const { messages } = await agent.invoke({ messages: [new HumanMessage({ content })] });
    expect(messages.at(-1)?.text).toBe('A cat of 4 kg.');
    expect(model.inputs[1]?.find((message) => message.getType() === 'human')?.content).toEqual(content);
    expect(messages.find(({ name }) => name === 'weigh')?.content).toBe('{"kg":4}');
    // The clock stands still, and some were sent while the tool ran.
    expect((await episodesOf(memory)).sort()).toEqual([
      'assistant: A cat of 4 kg.',
      'assistant: called weigh with {"item":"cat"}',
      'tool: weigh answered {"kg":4}',
      'user: What is this?\n[image]\n[file cat.pdf]\n[file dog.txt]\n[file cow.pdf]',
    ]);
  });

  test('leaves structured output alone', async () => {
    const { model, middleware } = await start(() =>
      calling({ name: 'city', args: { city: 'Oslo' }, id: 'c1' }),
    );
    const schema = z.object({ city: z.string() }).meta({ title: 'city' });
    const agent = createAgent({ model, middleware, responseFormat: toolStrategy(schema) });
    expect((await agent.invoke(say('Where?'))).structuredResponse).toEqual({ city: 'Oslo' });
  });

  test('passes a provider error on, keeps nothing of it, and all of it with the next answer', async () => {
    const { memory, model, middleware, warnings } = await start((_, call) => {
      if (call < 2) throw new Error('the provider is overloaded');
      return 'Hello.';
    });
    const agent = createAgent({ model, middleware });
    await expect(agent.invoke(say('Hi.'))).rejects.toThrow('the provider is overloaded');
    const stream = agent.stream(say('Hi.'), { streamMode: 'messages' });
    await expect(stream.then(collect)).rejects.toThrow('the provider is overloaded');
    expect(await episodesOf(memory)).toEqual([]);
    await agent.invoke(say('Hi.'));
    expect(await episodesOf(memory)).toEqual(['user: Hi.', 'assistant: Hello.']);
    expect(warnings).toEqual([]);
  });

  test('honours an abort: before the call, while the memory is asked, and while the model answers', async () => {
    const { memory, model, middleware } = await start(() => 'Hello.');
    const early = AbortSignal.abort(new Error('not wanted'));
    await expect(createAgent({ model, middleware }).invoke(say('Hi.'), { signal: early })).rejects.toThrow();
    const during = new AbortController();
    const slow: AgentMemory = {
      ...memory,
      boot: () => {
        during.abort(new Error('changed my mind'));
        return new Promise(() => {});
      },
    };
    const other = await start(() => 'Hello.', { memory: slow });
    await expect(createAgent(other).invoke(say('Hi.'), { signal: during.signal })).rejects.toThrow();
    expect([...model.inputs, ...other.model.inputs]).toEqual([]);
    expect(other.warnings).toEqual([]);
    const late = new AbortController();
    const third = await start(
      () => {
        late.abort(new Error('enough'));
        return 'Hello.';
      },
      { memory },
    );
    const stream = createAgent(third).stream(say('Hi.'), {
      streamMode: 'messages',
      signal: late.signal,
    });
    await expect(stream.then(collect)).rejects.toThrow();
    // What the user said is kept though nobody waits for it.
    await expect.poll(() => episodesOf(memory), { timeout: 20_000 }).toEqual(['user: Hi.']);
  });

  test('keeps what was said before an interrupt, and while a stream is left', async () => {
    const ask = tool(() => interrupt('May I?'), {
      name: 'ask',
      description: 'Asks a person.',
      schema: z.object({}),
    });
    const { memory, model, middleware } = await start((_, call) =>
      call === 0 ? calling({ name: 'ask', args: {}, id: 'a1' }) : 'Thank you.',
    );
    const agent = createAgent({ model, middleware, tools: [ask], checkpointer: new MemorySaver() });
    const interrupted = await agent.invoke(say('Order a chain.'), onThread('t1'));
    expect(interrupted).toHaveProperty('__interrupt__');
    const kept = ['user: Order a chain.', 'assistant: called ask with {}'];
    await expect.poll(() => episodesOf(memory), { timeout: 20_000 }).toEqual(kept);
    service.kit.clock.advance(1_000);
    await agent.invoke(new Command({ resume: 'yes' }), onThread('t1'));
    expect(await episodesOf(memory)).toEqual([...kept, 'tool: ask answered yes', 'assistant: Thank you.']);

    const other = await start(() => 'A long answer.');
    const stream = await createAgent(other).stream(say('Good evening.'), { streamMode: 'messages' });
    for await (const _ of stream) break;
    await expect.poll(() => episodesOf(other.memory), { timeout: 20_000 }).toContain('user: Good evening.');

    const third = await start((_, call) => `Good night, ${call}.`);
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const looks = createMiddleware({ name: 'Looks', afterModel: () => gate });
    const middlewares = [...third.middleware, looks] as AgentMiddleware[];
    const looking = createAgent({ model: third.model, middleware: middlewares });
    // Without a thread both are of one session, and the first goes on to its end after the second is left.
    const whole = await looking.stream(say('Are you there?'), { streamMode: 'updates' });
    const reader = whole[Symbol.asyncIterator]();
    let step = await reader.next();
    while (!('model_request' in step.value)) step = await reader.next();
    const steps = await looking.stream(say('I am off.'), { streamMode: 'updates' });
    for await (const step of steps) if ('model_request' in step) break;
    open();
    while (!step.done) step = await reader.next();
    const said = ['user: Are you there?', 'assistant: Good night, 0.'];
    const left = ['user: I am off.', 'assistant: Good night, 1.'];
    await expect
      .poll(async () => (await episodesOf(third.memory)).sort(), { timeout: 20_000 })
      .toEqual([...said, ...left].sort());
  });

  test('knows each compaction, though every summary has the same words', async () => {
    const { memory, model, middleware } = await start((_, call) => `Answer ${call}.`);
    const summarize = summarizationMiddleware as unknown as (options: object) => AgentMiddleware;
    const summarization = summarize({
      model: new ScriptedModel(() => 'Previous conversation was too long to summarize.'),
      trigger: { messages: 6 },
      keep: { messages: 2 },
    });
    const agent = createAgent({
      model,
      middleware: [summarization, ...middleware],
      checkpointer: new MemorySaver(),
    });
    for (let turn = 0; turn < 9; turn += 1) await agent.invoke(say(`Turn ${turn}.`), onThread('t1'));
    const { moments, missing_recoveries } = await memory.compactions({ limit: 100 });
    const count = (kind: string) => moments.filter((moment) => moment.kind === kind).length;
    expect(count('compaction')).toBeGreaterThan(2);
    expect(count('recovery')).toBe(count('compaction'));
    expect(missing_recoveries).toBe(0);
  });

  test('tells threads apart', async () => {
    const { memory, model, middleware } = await start(() => 'Hello.');
    const agent = createAgent({ model, middleware, checkpointer: new MemorySaver() });
    await Promise.all(['t1', 't2'].map((thread) => agent.invoke(say('Hi.'), onThread(thread))));
    expect(await episodesOf(memory)).toHaveLength(4);
  });

  test('hands keeping over to waitUntil', async () => {
    const storing: Promise<void>[] = [];
    const { memory, model, middleware } = await start(() => 'Hello.', {
      waitUntil: (promise) => storing.push(promise),
    });
    await createAgent({ model, middleware }).invoke(say('Hi.'));
    expect(storing).toHaveLength(1);
    await storing[0];
    expect(await episodesOf(memory)).toHaveLength(2);
  });

  test('takes a summary made before this process for no compaction of its own', async () => {
    const { memory, model, middleware } = await start(() => {
      // Moments of one instant have no order.
      service.kit.clock.advance(1_000);
      return 'Hello.';
    });
    const summary = new HumanMessage({
      content: 'Here is a summary: they greeted each other.',
      additional_kwargs: { lc_source: 'summarization' },
    });
    const messages = [summary, new AIMessage('Good morning.'), new HumanMessage('Hi.')];
    await createAgent({ model, middleware }).invoke({ messages }, onThread('t1'));
    expect(systemOf(model.inputs[0])).toContain('# MEMORY INJECTION');
    expect(await episodesOf(memory)).toEqual(['assistant: Good morning.', 'user: Hi.', 'assistant: Hello.']);
    expect((await memory.compactions({})).moments.map(({ kind }) => kind)).toEqual(['flush', 'boot']);
  });

  test('reports a compaction and its recovery, with the framework and the session', async () => {
    const { memory, model, middleware } = await start((_, call) => `Answer ${call}.`);
    const summarize = summarizationMiddleware as unknown as (options: object) => AgentMiddleware;
    const summarization = summarize({
      model: new ScriptedModel(() => 'They talked.'),
      trigger: { messages: 6 },
      keep: { messages: 2 },
    });
    const agent = createAgent({
      model,
      middleware: [summarization, ...middleware],
      checkpointer: new MemorySaver(),
    });
    for (const content of ['One.', 'Two.', 'Three.', 'Four.'])
      await agent.invoke(say(content), onThread('t1'));
    const { moments, missing_recoveries } = await memory.compactions({});
    const made = moments.filter(({ kind }) => kind === 'compaction' || kind === 'recovery');
    expect(made.map(({ kind, recovery }) => [kind, recovery]).sort()).toEqual([
      ['compaction', 'delivered'],
      ['recovery', null],
    ]);
    expect(missing_recoveries).toBe(0);
    for (const moment of moments) expect(moment).toMatchObject({ framework: 'langchain', session_id: 't1' });
    expect(systemOf(model.inputs.at(-1))).toMatch(/^# MEMORY RECOVERY/);
    expect(await episodesOf(memory)).toHaveLength(8);
  });
});
