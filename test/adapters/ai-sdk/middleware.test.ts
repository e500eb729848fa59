import { memoryMiddleware, memoryTools } from '@svc-memory/ai-sdk';
import type { AgentMemory } from '@svc-memory/core';
import { Output, tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { useService } from '../../kit/service.ts';
import { episodesOf, waysTo } from '../memories.ts';
import { injectionsOf, type Script, sdks, textOf, toolCall } from './sdk.ts';

const service = useService();

const CASES = sdks.flatMap((sdk) => waysTo(service).map((way) => ({ ...sdk, ...way })));

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe.each(CASES)('the middleware on $name, $way', ({ ai, fake, reach }) => {
  async function start(script: Script, options: Partial<Parameters<typeof memoryMiddleware>[0]> = {}) {
    const memory = options.memory ?? (await reach());
    const warnings: string[] = [];
    const onWarning = ({ message }: { message: string }) => warnings.push(message);
    const { model, prompts } = fake(script);
    const middleware = memoryMiddleware({ onWarning, timeoutMs: 60_000, ...options, memory });
    return { memory, prompts, warnings, model: ai.wrapLanguageModel({ model, middleware }) };
  }

  test('serves the user that a call names', async () => {
    const { model, prompts, memory } = await start(() => 'Yes.');
    const forUser = (userId: string) => ({ providerOptions: { svcMemory: { userId } } });
    await ai.generateText({ model, prompt: 'My locker is 17.', ...forUser('u1') });
    await ai.generateText({ model, prompt: 'My locker is 99.', ...forUser('u10') });
    const { memories } = await memory.query({ type: 'episodic', user_id: 'u1' });
    expect(memories.map(({ content }) => content)).toEqual(['assistant: Yes.', 'user: My locker is 17.']);
    expect(await episodesOf(memory)).toEqual([]);
    await ai.generateText({ model, prompt: 'What is my locker?', ...forUser('u1') });
    expect(JSON.stringify(prompts.at(-1))).toContain('17');
    expect(JSON.stringify(prompts.at(-1))).not.toContain('is 99');
  });

  test('keeps apart the conversations that calls name', async () => {
    const { model, memory } = await start(() => 'Done.', { sessionId: 'default' });
    const named = { userId: 'u1', sessionId: 'monday' };
    await ai.generateText({ model, prompt: 'Go on.', providerOptions: { svcMemory: named } });
    await ai.generateText({
      model,
      prompt: 'Go on.',
      providerOptions: { svcMemory: { ...named, sessionId: 'tuesday' } },
    });
    await ai.generateText({ model, prompt: 'Go on.', providerOptions: { svcMemory: { userId: 'u1' } } });
    for (const session_id of ['monday', 'tuesday', 'default']) {
      const { memories } = await memory.query({ type: 'episodic', user_id: 'u1', session_id });
      expect(memories.map(({ content }) => content)).toEqual(['assistant: Done.', 'user: Go on.']);
    }
  });

  test.each([
    [{ userID: 'u1' }, 'svcMemory.userID is not a known field; known fields: userId, sessionId'],
    [{ user_id: 'u1' }, 'svcMemory.user_id is not a known field'],
    ['u1', 'svcMemory must be an object of userId and sessionId'],
    [null, 'svcMemory must be an object of userId and sessionId'],
    [{ userId: '' }, 'svcMemory.userId must be the id of a user'],
    [{ userId: undefined }, 'svcMemory.userId must be the id of a user'],
    [{ sessionId: '' }, 'svcMemory.sessionId must be the id of a conversation'],
    [{ sessionId: 7 }, 'svcMemory.sessionId must be the id of a conversation'],
  ])('refuses a call for %j: whose memory it is would be anybody’s guess', async (svcMemory, message) => {
    const { model, prompts, memory } = await start(() => 'Yes.');
    const providerOptions = { svcMemory } as never;
    const ask = { model, prompt: 'My locker is 17.', providerOptions, maxRetries: 0 };
    await expect(ai.generateText(ask)).rejects.toThrow(message);
    const told: unknown[] = [];
    const onError = ({ error }: { error: unknown }) => void told.push(error);
    await ai.streamText({ ...ask, onError }).consumeStream();
    expect(told).toEqual([expect.objectContaining({ message: expect.stringContaining(message) })]);
    expect(prompts).toEqual([]);
    expect(await episodesOf(memory)).toEqual([]);
  });

  test('adds the boot injection behind the system messages and keeps what was said', async () => {
    const { model, prompts, memory } = await start(() => 'Hello Ines.');
    await memory.remember({ type: 'core', category: 'identity', content: 'I am Ada.' });
    const { text } = await ai.generateText({ model, system: 'Be brief.', prompt: 'I am Ines.' });
    expect(text).toBe('Hello Ines.');
    expect(prompts[0]?.map(({ role }) => role)).toEqual(['system', 'system', 'user']);
    expect(prompts[0]?.[0]?.content).toBe('Be brief.');
    expect(prompts[0]?.[1]?.content).toContain('- [identity, not confirmed by the human] I am Ada.');
    expect(await episodesOf(memory)).toEqual(['user: I am Ines.', 'assistant: Hello Ines.']);
  });

  test('passes a stream on part by part and keeps its text at the end', async () => {
    const { model, prompts, memory } = await start(() => 'Hello Ines.');
    const chunks: string[] = [];
    for await (const chunk of ai.streamText({ model, prompt: 'I am Ines.' }).textStream) chunks.push(chunk);
    expect(chunks).toEqual(['Hello', ' Ines.']);
    expect(injectionsOf(prompts[0] ?? [])).toHaveLength(1);
    expect(await episodesOf(memory)).toEqual(['user: I am Ines.', 'assistant: Hello Ines.']);
  });

  test('keeps each turn once, though the history is sent again, and equal turns apart', async () => {
    const { model, prompts, memory } = await start(() => 'Done.', { sessionId: 's1' });
    const messages: { role: 'user' | 'assistant'; content: string }[] = [];
    for (const content of ['Go on.', 'Stop.', 'Go on.']) {
      messages.push({ role: 'user', content });
      await ai.generateText({ model, messages: [...messages] });
      messages.push({ role: 'assistant', content: 'Done.' });
    }
    const said = [
      'user: Go on.',
      'assistant: Done.',
      'user: Stop.',
      'assistant: Done.',
      'user: Go on.',
      'assistant: Done.',
    ];
    expect((await episodesOf(memory)).sort()).toEqual(said.sort());
    expect(new Set(prompts.flatMap(injectionsOf)).size).toBe(1);
    // Another process with the same history.
    const again = await start(() => 'Done.', { sessionId: 's1', memory: { ...memory } });
    await ai.generateText({ model: again.model, messages: messages.slice(0, -1) });
    expect(await episodesOf(memory)).toHaveLength(6);
  });

  test('shows what is remembered elsewhere as soon as the user asks for it', async () => {
    const { model, prompts, memory } = await start(() => 'I see.', { sessionId: 's1' });
    const messages = [{ role: 'user' as const, content: 'Good morning.' }];
    await ai.generateText({ model, messages });
    await memory.remember({ type: 'semantic', content: 'The wifi password of the barn is Heron-88.' });
    const asked = { role: 'user' as const, content: 'What is the wifi password of the barn?' };
    await ai.generateText({
      model,
      messages: [...messages, { role: 'assistant', content: 'I see.' }, asked],
    });
    expect(textOf(prompts[0] ?? [])).not.toContain('Heron-88');
    expect(textOf(prompts[1]?.slice(-1) ?? [])).toContain('Heron-88');
    // What the model has read already stays as it was.
    expect(injectionsOf(prompts[1] ?? [])).toEqual(injectionsOf(prompts[0] ?? []));
    expect(await episodesOf(memory)).not.toContainEqual(expect.stringContaining('Heron-88'));
  });

  test('leaves tool calls, their results, images and files alone', async () => {
    const { model, prompts, memory } = await start((_, call) =>
      call === 0
        ? [toolCall('weigh', { item: 'cat' }, 'w1'), toolCall('svc_recall', { query: 'cat' }, 'r1')]
        : 'A cat of 4 kg.',
    );
    const result = await ai.generateText({
      model,
      tools: {
        ...memoryTools(memory),
        weigh: tool({ inputSchema: z.object({ item: z.string() }), execute: () => ({ kg: 4 }) }),
      },
      stopWhen: ai.stepCountIs(2),
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', image: PIXEL },
            {
              type: 'file',
              data: Buffer.from('%PDF-1.7'),
              mediaType: 'application/pdf',
              filename: 'cat.pdf',
            },
          ],
        },
      ],
    });
    expect(result.text).toBe('A cat of 4 kg.');
    expect(result.steps[0]?.toolResults.map(({ output }) => output)).toContainEqual({ kg: 4 });
    const user = prompts[1]?.find(({ role }) => role === 'user');
    const bare = fake(() => '');
    await ai.generateText({
      model: bare.model,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', image: PIXEL },
            {
              type: 'file',
              data: Buffer.from('%PDF-1.7'),
              mediaType: 'application/pdf',
              filename: 'cat.pdf',
            },
          ],
        },
      ],
    });
    expect(user).toEqual(bare.prompts[0]?.[0]);
    expect((await episodesOf(memory)).sort()).toEqual(
      [
        'user: What is this?\n[image]\n[file cat.pdf]',
        'assistant: called weigh with {"item":"cat"}',
        'tool: weigh answered {"kg":4}',
        'assistant: A cat of 4 kg.',
      ].sort(),
    );
  });

  test('leaves structured output alone', async () => {
    const { model } = await start(() => '{"city":"Oslo"}');
    const schema = z.object({ city: z.string() });
    const { output } = await ai.generateText({ model, prompt: 'Where?', output: Output.object({ schema }) });
    expect(output).toEqual({ city: 'Oslo' });
  });

  test('passes a provider error on, keeps nothing of it, and all of it with the next answer', async () => {
    const failure = new Error('the provider is overloaded');
    const { model, memory, warnings } = await start((_, call) => {
      if (call < 2) throw failure;
      return 'Hello.';
    });
    await expect(ai.generateText({ model, prompt: 'Hi.', maxRetries: 0 })).rejects.toThrow(failure.message);
    const errors: unknown[] = [];
    const broken = ai.streamText({
      model,
      prompt: 'Hi.',
      maxRetries: 0,
      onError: ({ error }) => void errors.push(error),
    });
    for await (const _ of broken.textStream);
    expect(errors).toEqual([failure]);
    expect(await episodesOf(memory)).toEqual([]);
    await ai.generateText({ model, prompt: 'Hi.' });
    expect(await episodesOf(memory)).toEqual(['user: Hi.', 'assistant: Hello.']);
    expect(warnings).toEqual([]);
  });

  test('honours an abort: before the call, and while the memory is asked', async () => {
    const { model, prompts, memory } = await start(() => 'Hello.');
    const early = AbortSignal.abort(new Error('not wanted'));
    await expect(ai.generateText({ model, prompt: 'Hi.', abortSignal: early })).rejects.toThrow('not wanted');
    const controller = new AbortController();
    const slow: AgentMemory = {
      ...memory,
      boot: () => {
        controller.abort(new Error('changed my mind'));
        return new Promise(() => {});
      },
    };
    const other = await start(() => 'Hello.', { memory: slow });
    await expect(
      ai.generateText({ model: other.model, prompt: 'Hi.', abortSignal: controller.signal }),
    ).rejects.toThrow('changed my mind');
    expect([...prompts, ...other.prompts]).toEqual([]);
    expect(other.warnings).toEqual([]);
    expect(await episodesOf(memory)).toEqual([]);
  });

  describe('of an answer that is left keeps what was said', () => {
    /** A model that says hello and then nothing more. */
    async function startEndless() {
      const memory = await reach();
      const { model } = fake(() => '');
      model.doStream = async ({ abortSignal }) => ({
        stream: new ReadableStream({
          start: (controller) => {
            controller.enqueue({ type: 'text-start', id: '1' });
            controller.enqueue({ type: 'text-delta', id: '1', delta: 'Hello' });
          },
          pull: () =>
            new Promise((_, reject) => {
              abortSignal?.addEventListener('abort', () => reject(abortSignal.reason));
            }),
        }),
      });
      const middleware = memoryMiddleware({ memory, timeoutMs: 60_000 });
      return { memory, model: ai.wrapLanguageModel({ model, middleware }) };
    }
    const isKept = (memory: AgentMemory, said: string[]) =>
      expect.poll(() => episodesOf(memory), { timeout: 20_000 }).toEqual(said);

    test('when the stream is aborted', async () => {
      const { memory, model } = await startEndless();
      const controller = new AbortController();
      const { textStream } = ai.streamText({ model, prompt: 'Hi.', abortSignal: controller.signal });
      for await (const _ of textStream) controller.abort();
      await isKept(memory, ['user: Hi.', 'assistant: Hello']);
    });

    test('when its reader has left', async () => {
      const { memory, model } = await startEndless();
      const { stream } = await (model as { doStream: typeof model.doStream }).doStream({
        prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi.' }] }],
      });
      const reader = stream.getReader();
      await reader.read();
      await reader.read();
      await reader.cancel();
      await isKept(memory, ['user: Hi.', 'assistant: Hello']);
    });

    test('when the user of streamText has left', async () => {
      const { memory, model } = await start(() => 'Hello Ines.');
      const reader = ai.streamText({ model, prompt: 'Hi.' }).textStream.getReader();
      await reader.read();
      await reader.cancel();
      await expect.poll(() => episodesOf(memory), { timeout: 20_000 }).toContain('user: Hi.');
    });

    test('when a call is aborted', async () => {
      const controller = new AbortController();
      const { memory, model } = await start(() => {
        controller.abort(new Error('enough'));
        return 'Hello.';
      });
      const call = ai.generateText({ model, prompt: 'Hi.', abortSignal: controller.signal });
      await expect(call).rejects.toThrow('enough');
      await isKept(memory, ['user: Hi.']);
    });
  });

  test('hands keeping over to waitUntil', async () => {
    const storing: Promise<void>[] = [];
    const { model, memory } = await start(() => 'Hello.', { waitUntil: (promise) => storing.push(promise) });
    await ai.generateText({ model, prompt: 'Hi.' });
    expect(storing).toHaveLength(1);
    await storing[0];
    expect(await episodesOf(memory)).toHaveLength(2);
  });
});
