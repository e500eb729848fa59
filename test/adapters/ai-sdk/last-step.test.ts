import { compactMessages, memoryFileTool, memoryMiddleware } from '@svc-memory/ai-sdk';
import type { AgentMemory } from '@svc-memory/core';
import { hasToolCall, stepCountIs, tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { useService } from '../../kit/service.ts';
import { episodesOf, PATIENT } from '../memories.ts';
import { sdks, toolCall } from './sdk.ts';

const service = useService();
const newMemory = async () => (await service.kit.tenant()).agent();

const saidIn = async (memory: AgentMemory) => (await episodesOf(memory)).sort();

const SAID = ['assistant: called answer with {"text":"It is 17.","sure":true}', 'user: What is my locker?'];
// Its type does not fit what `generateText` takes under `exactOptionalPropertyTypes`.
const answer = tool({ inputSchema: z.object({ text: z.string(), sure: z.boolean() }) }) as never;
const final = () => [toolCall('answer', { text: 'It is 17.', sure: true }, 'a1')];

describe.each(sdks)('what is kept of a last step, on $name', ({ ai, fake }) => {
  test('is the tool call that the answer consists of', async () => {
    const memory = await newMemory();
    const model = ai.wrapLanguageModel({
      model: fake(final).model,
      middleware: memoryMiddleware({ memory, ...PATIENT }),
    });
    const call = { model, prompt: 'What is my locker?', tools: { answer }, stopWhen: hasToolCall('answer') };
    await ai.generateText(call);
    expect(await saidIn(memory)).toEqual(SAID);
  });

  test('is that of a stream, too, and once where it stands in the next call', async () => {
    const memory = await newMemory();
    const { model: plain } = fake((_, call) => (call === 0 ? final() : 'Yes.'));
    const model = ai.wrapLanguageModel({
      model: plain,
      middleware: memoryMiddleware({ memory, ...PATIENT }),
    });
    const stream = ai.streamText({ model, prompt: 'What is my locker?', tools: { answer } });
    await stream.consumeStream();
    expect(await saidIn(memory)).toEqual(SAID);
    const messages = [
      { role: 'user' as const, content: 'What is my locker?' },
      ...(await stream.response).messages,
      { role: 'tool' as const, content: [toolResult()] },
    ];
    await ai.generateText({ model, messages, tools: { answer } });
    expect(await saidIn(memory)).toEqual([
      'assistant: Yes.',
      ...SAID.slice(0, 1),
      'tool: answer answered told',
      ...SAID.slice(1),
    ]);
  });

  test('is once what the SDK adds defaults of the tool to', async () => {
    const memory = await newMemory();
    const schema = z.object({ q: z.string(), limit: z.number().default(5) });
    const look = tool({ inputSchema: schema, execute: async () => 'found' }) as never;
    // Some providers give every call the same id.
    const calls = [[toolCall('look', { q: 'x' }, 'c')], [toolCall('look', { q: 'y' }, 'c')]];
    const { model: plain } = fake((_, call) => calls[call] ?? 'Done.');
    const middleware = memoryMiddleware({ memory, ...PATIENT });
    const model = ai.wrapLanguageModel({ model: plain, middleware });
    await ai.generateText({ model, prompt: 'Go.', tools: { look }, stopWhen: stepCountIs(3) });
    const said = await saidIn(memory);
    expect(said.filter((content) => content.includes('called look with {"q":"x"'))).toHaveLength(1);
    expect(said.filter((content) => content.includes('called look with {"q":"y"'))).toHaveLength(1);
  });

  test.each([
    ['each call has its own id', ['c1', 'c2', 'c3']],
    ['all calls have one id', ['c', 'c', 'c']],
  ])('is once what the schema of a tool transforms, or the SDK cannot read, where %s', async (_, ids) => {
    const memory = await newMemory();
    const schema = z.object({ n: z.string().transform(Number) });
    const count = tool({ inputSchema: schema, execute: async () => 'counted' }) as never;
    const calls = [
      [toolCall('count', { n: '7' }, ids[0] ?? '')],
      [{ ...toolCall('count', {}, ids[1] ?? ''), input: '{bad' }],
      [toolCall('count', { n: '8' }, ids[2] ?? '')],
    ];
    const { model: plain } = fake((_, call) => (calls[call] as never) ?? 'Done.');
    const middleware = memoryMiddleware({ memory, ...PATIENT });
    const model = ai.wrapLanguageModel({ model: plain, middleware });
    await ai.generateText({ model, prompt: 'Go.', tools: { count }, stopWhen: stepCountIs(4) });
    expect((await saidIn(memory)).filter((content) => content.startsWith('assistant: called'))).toEqual([
      'assistant: called count with "{bad"',
      'assistant: called count with {"n":"7"}',
      'assistant: called count with {"n":"8"}',
    ]);
  });

  test('is nothing of what goes between the model and its files', async () => {
    const memory = await newMemory();
    const file = { path: '/memories/a.md' };
    const steps = [
      [toolCall('memory', { ...file, command: 'create', file_text: 'The word is plum.' }, 'm1')],
      [toolCall('memory', { ...file, command: 'view' }, 'm2')],
      [toolCall('memory', { ...file, command: 'delete' }, 'm3')],
    ];
    const { model: plain } = fake((_, call) => steps[call] ?? 'Done.');
    const model = ai.wrapLanguageModel({
      model: plain,
      middleware: memoryMiddleware({ memory, ...PATIENT }),
    });
    const tools = { memory: memoryFileTool(memory) };
    await ai.generateText({ model, prompt: 'Keep it.', tools, stopWhen: stepCountIs(5) });
    expect(await saidIn(memory)).toEqual(['assistant: Done.', 'user: Keep it.']);
    expect((await memory.recall({ query: 'plum' })).results).toEqual([]);
  });
});

function toolResult() {
  const output = { type: 'text' as const, value: 'told' };
  return {
    type: 'tool-result' as const,
    toolCallId: 'a1',
    toolName: 'answer',
    output,
  };
}

describe('compactMessages', () => {
  const messages = Array.from({ length: 40 }, (_, place) => ({
    role: place % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `Word ${place} `.repeat(30),
  }));

  test('says nothing of a service that was not asked', async () => {
    const memory = await newMemory();
    const compacted = await compactMessages(messages, {
      memory,
      maxTokens: 1_000,
      recall: 'never',
      ...PATIENT,
    });
    expect(compacted.length).toBeLessThan(messages.length);
    expect(JSON.stringify(compacted)).toContain('were left out for lack of space. Go on with what is here.');
  });

  test.each([undefined, Number.NaN, 0, -5])('refuses %s as the most tokens', async (maxTokens) => {
    const memory = await newMemory();
    await expect(compactMessages(messages, { memory, maxTokens: maxTokens as never })).rejects.toThrow(
      'compactMessages: maxTokens is required, a number of tokens above 0',
    );
  });
});
