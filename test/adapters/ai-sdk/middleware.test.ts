import { memoryMiddleware } from '@svc-memory/ai-sdk';
import type { AgentMemory } from '@svc-memory/core';
import { startTestEngine, type TestEngine } from '@svc-memory/core/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { injectionsOf, type Script, sdks, textOf, toolCall } from './sdk.ts';

let kit: TestEngine;
let memory: AgentMemory;
beforeAll(async () => {
  kit = await startTestEngine();
});
afterAll(() => kit.close());

const episodes = async () =>
  (await memory.query({ type: 'episodic', limit: 100 })).memories.map(({ content }) => content).reverse();

describe.each(sdks)('the middleware on $name', ({ ai, fake }) => {
  const start = async (script: Script, options: { sessionId?: string } = {}) => {
    memory = (await kit.tenant()).agent();
    const { model, prompts } = fake(script);
    const wrapped = ai.wrapLanguageModel({ model, middleware: memoryMiddleware({ memory, ...options }) });
    return { model: wrapped, prompts };
  };

  test('adds the boot injection behind the system messages and keeps what was said', async () => {
    const { model, prompts } = await start(() => 'Hello Ines.');
    await memory.remember({ type: 'core', category: 'identity', content: 'I am Ada.' });
    const { text } = await ai.generateText({ model, system: 'Be brief.', prompt: 'I am Ines.' });
    expect(text).toBe('Hello Ines.');
    expect(prompts[0]?.map(({ role }) => role)).toEqual(['system', 'system', 'user']);
    expect(prompts[0]?.[0]?.content).toBe('Be brief.');
    expect(prompts[0]?.[1]?.content).toContain('- [identity] I am Ada.');
    expect(await episodes()).toEqual(['user: I am Ines.', 'assistant: Hello Ines.']);
  });

  test('keeps a stream as it keeps an answer, and changes none of it', async () => {
    const { model, prompts } = await start(() => 'Hello Ines.');
    const chunks: string[] = [];
    for await (const chunk of ai.streamText({ model, prompt: 'I am Ines.' }).textStream) chunks.push(chunk);
    expect(chunks).toEqual(['Hello', ' Ines.']);
    expect(injectionsOf(prompts[0] ?? [])).toHaveLength(1);
    expect(await episodes()).toEqual(['user: I am Ines.', 'assistant: Hello Ines.']);
  });
});
