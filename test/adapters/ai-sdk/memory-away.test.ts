import { compactMessages, memoryMiddleware, memoryTools } from '@svc-memory/ai-sdk';
import type { AgentMemory } from '@svc-memory/core';
import type { ModelMessage } from 'ai';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { useTestEngine } from '../../../core/src/testing/engine.fixture.ts';
import { away, episodesOf, silent } from '../memories.ts';
import { type Prompt, sdks, textOf, toolCall } from './sdk.ts';

const history: ModelMessage[] = Array.from({ length: 60 }, (_, turn) => ({
  role: turn % 2 ? 'assistant' : 'user',
  content: `Turn ${turn}: ${'much was said about little. '.repeat(8)}`,
}));
history.push({ role: 'user', content: 'And now?' });

const kit = useTestEngine();
afterEach(() => vi.restoreAllMocks());

describe.each(sdks)('without the memory service, on $name', ({ ai, fake }) => {
  test('calls and streams go through, and the console is told once', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { model, prompts } = fake(() => 'Hello.');
    const wrapped = ai.wrapLanguageModel({ model, middleware: memoryMiddleware({ memory: away() }) });
    expect((await ai.generateText({ model: wrapped, prompt: 'Hi.' })).text).toBe('Hello.');
    expect(await ai.streamText({ model: wrapped, prompt: 'Hi.' }).text).toBe('Hello.');
    expect(prompts.map((prompt) => prompt.map(({ role }) => role))).toEqual([['user'], ['user']]);
    const own = warn.mock.calls.filter(([text]) => String(text).startsWith('@svc-memory'));
    expect(own).toHaveLength(1);
  });

  test('a service that does not answer is waited for no longer than said', async () => {
    const warnings: string[] = [];
    const { model } = fake(() => 'Hello.');
    const middleware = memoryMiddleware({
      memory: silent(),
      timeoutMs: 50,
      onWarning: ({ cause }) => warnings.push(String(cause)),
    });
    await ai.generateText({ model: ai.wrapLanguageModel({ model, middleware }), prompt: 'Hi.' });
    expect(warnings.length).toBeGreaterThan(0);
    for (const warning of warnings) expect(warning).toContain('no answer within 50 ms');
  });

  test('messages are dropped all the same, and handed over once it is back', async () => {
    const real = (await kit.tenant()).agent();
    let there = false;
    const gone = () => Promise.reject(new Error('the service is away'));
    const memory: AgentMemory = {
      ...real,
      compaction: (...args) => (there ? real.compaction(...args) : gone()),
    };
    const warnings: string[] = [];
    const options = {
      memory,
      maxTokens: 1_000,
      timeoutMs: 60_000,
      cooldownMs: 5,
      onWarning: ({ message }: { message: string }) => warnings.push(message),
    };
    const without = await compactMessages(history, options);
    const size = (messages: readonly ModelMessage[]) => textOf(messages as unknown as Prompt).length;
    expect(size(without)).toBeLessThan(4_000);
    expect(without[0]?.content).toContain('cannot be reached');
    expect(without.at(-1)?.content).toBe('And now?');
    expect(warnings).toContainEqual(expect.stringContaining('its turns are sent again'));
    there = true;
    const first = async () => (await compactMessages(history, options))[0]?.content;
    await expect.poll(first, { timeout: 20_000 }).toMatch(/^# MEMORY RECOVERY/);
    expect(await episodesOf(real)).toHaveLength(history.length);
  });

  test('a memory tool tells the model what went wrong', async () => {
    const { model, prompts } = fake((_, call) =>
      call === 0 ? [toolCall('svc_recall', { query: 'anything' }, 'r1')] : 'I cannot look that up.',
    );
    const { text } = await ai.generateText({
      model,
      prompt: 'What do you know?',
      tools: memoryTools(away()),
      stopWhen: ai.stepCountIs(2),
    });
    expect(text).toBe('I cannot look that up.');
    expect(textOf(prompts[1] ?? [])).toContain('Go on without memory for now');
  });
});
