import { HumanMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import type { AgentMemory } from '@svc-memory/core';
import { AgentMemoryStore, agentMemoryMiddleware, memoryTools } from '@svc-memory/langchain';
import { type AgentMiddleware, createAgent, summarizationMiddleware } from 'langchain';
import { afterEach, expect, test, vi } from 'vitest';
import { useTestEngine } from '../../../core/src/testing/engine.fixture.ts';
import { away, episodesOf, silent } from '../memories.ts';
import { calling, collect, ScriptedModel, systemOf, textOf } from './scripted-model.ts';

const say = (content: string) => ({ messages: [{ role: 'user', content }] });

const kit = useTestEngine();
afterEach(() => vi.restoreAllMocks());

test('invocations and streams go through, and the console is told once', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const model = new ScriptedModel(() => 'Hello.');
  const agent = createAgent({ model, middleware: [agentMemoryMiddleware({ memory: away() })] });
  expect((await agent.invoke(say('Hi.'))).messages.at(-1)?.text).toBe('Hello.');
  const chunks = await collect(await agent.stream(say('Hi.'), { streamMode: 'messages' }));
  expect(chunks.map(([chunk]) => chunk.text).join('')).toBe('Hello.');
  expect(model.inputs.map((input) => input.map((message) => message.getType()))).toEqual([
    ['human'],
    ['human'],
  ]);
  expect(warn.mock.calls.filter(([text]) => String(text).startsWith('@svc-memory'))).toHaveLength(1);
});

test('a service that does not answer is waited for no longer than said', async () => {
  const warnings: string[] = [];
  const middleware = agentMemoryMiddleware({
    memory: silent(),
    timeoutMs: 50,
    onWarning: ({ cause }) => warnings.push(String(cause)),
  });
  await createAgent({ model: new ScriptedModel(() => 'Hello.'), middleware: [middleware] }).invoke(
    say('Hi.'),
  );
  expect(warnings.length).toBeGreaterThan(0);
  for (const warning of warnings) expect(warning).toContain('no answer within 50 ms');
});

test('what is summarised meanwhile is handed over, and the recovery fetched, once it is back', async () => {
  const real = (await kit.tenant()).agent();
  let there = true;
  const memory: AgentMemory = {
    ...real,
    compaction: (...args) => (there ? real.compaction(...args) : Promise.reject(new Error('away'))),
  };
  const warnings: string[] = [];
  const model = new ScriptedModel((_, call) => `Answer ${call}.`);
  const summarize = summarizationMiddleware as unknown as (options: object) => AgentMiddleware;
  const summarization = summarize({
    model: new ScriptedModel(() => 'They talked.'),
    trigger: { messages: 8 },
    keep: { messages: 1 },
  });
  const middleware = agentMemoryMiddleware({
    memory,
    timeoutMs: 60_000,
    cooldownMs: 5,
    onWarning: ({ message }) => warnings.push(message),
  });
  const agent = createAgent({
    model,
    middleware: [middleware, summarization],
    checkpointer: new MemorySaver(),
  });
  const turn = (content: string) => agent.invoke(say(content), { configurable: { thread_id: 't1' } });
  await turn('One.');
  there = false;
  for (const content of ['Two.', 'Three.', 'Four.', 'Five.']) await turn(content);
  expect(textOf(model.inputs.at(-1) ?? [])).toContain('They talked.');
  expect(systemOf(model.inputs.at(-1))).toContain('# MEMORY INJECTION');
  expect(warnings.length).toBeGreaterThan(0);
  there = true;
  await expect
    .poll(() => turn('Go on.').then(() => systemOf(model.inputs.at(-1))), { timeout: 20_000 })
    .toMatch(/^# MEMORY RECOVERY/);
  const episodes = await episodesOf(real);
  for (const said of ['One.', 'Two.', 'Three.', 'Four.', 'Five.']) {
    expect(episodes.filter((content) => content === `user: ${said}`)).toHaveLength(1);
  }
});

test('a memory tool tells the model what went wrong, and a store says so', async () => {
  const model = new ScriptedModel((_, call) =>
    call === 0
      ? calling({ name: 'svc_recall', args: { query: 'anything' }, id: 'r1' })
      : 'I cannot look that up.',
  );
  const agent = createAgent({ model, tools: memoryTools(away()) });
  const { messages } = await agent.invoke({ messages: [new HumanMessage('What do you know?')] });
  expect(messages.at(-1)?.text).toBe('I cannot look that up.');
  expect(messages.at(-2)).toMatchObject({ status: 'error', name: 'svc_recall' });
  expect(textOf(model.inputs[1] ?? [])).toContain('Go on without memory for now');
  await expect(new AgentMemoryStore({ memory: away() }).get(['a'], 'k')).rejects.toThrow();
});
