import { compactMessages, memoryMiddleware, memoryTools } from '@svc-memory/ai-sdk';
import { type ModelMessage, tool } from 'ai';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { useTestEngine } from '../../../core/src/testing/engine.fixture.ts';
import { chatter, FACT, REMEMBERED, SAID, saidInTurn, TURNS } from '../long-conversation.ts';
import { episodesOf, PATIENT } from '../memories.ts';
import { type Prompt, type Sdk, sdks, textOf, toolCall } from './sdk.ts';

const LONG = 180_000;

const kit = useTestEngine();

/** Tokens of an input, counted without the adapter. */
const tokensOf = (prompt: Prompt) =>
  prompt.reduce((sum, message) => sum + countTokens(textOf([message])) + 4, 0);

/** Numbers the compactions a model saw, by the recoveries in its inputs. */
function compactionsSeen(prompts: readonly Prompt[]): number[] {
  const seen: unknown[] = [];
  return prompts.map((prompt) => {
    for (const { providerOptions } of prompt) {
      const id = providerOptions?.svcMemory?.compaction;
      if (id !== undefined && !seen.includes(id)) seen.push(id);
    }
    return seen.length;
  });
}

function expectWholePairs(prompt: Prompt): void {
  const open = new Set<string>();
  for (const message of prompt) {
    if (message.role === 'user') expect([...open]).toEqual([]);
    if (message.role !== 'assistant' && message.role !== 'tool') continue;
    for (const part of message.content) {
      if (part.type === 'tool-call') open.add(part.toolCallId);
      if (part.type === 'tool-result') expect(open.delete(part.toolCallId)).toBe(true);
    }
  }
  expect([...open]).toEqual([]);
}

describe('200 turns', () => {
  test.each(sdks)(
    'of a chat that sends its whole history every time on $name',
    async ({ ai, fake }: Sdk) => {
      const memory = (await kit.tenant()).agent();
      await memory.setBootConfig({ token_budget: 1_500 });
      const warnings: unknown[] = [];
      const options = {
        ...PATIENT,
        memory,
        sessionId: 'chat',
        onWarning: (warning: unknown) => warnings.push(warning),
      };
      const maxTokens = 5_700;
      const { model, prompts } = fake((prompt, call) => {
        const last = prompt.at(-1);
        if (last?.role === 'user' && textOf([last]).includes('walnuts')) {
          return [toolCall('svc_remember', FACT, `call-${call}`)];
        }
        return call % 4 === 0 ? 'Done.' : `Done with ${call}.`;
      });
      const wrapped = ai.wrapLanguageModel({ model, middleware: memoryMiddleware(options) });
      const history: ModelMessage[] = [];
      const said: string[] = [];
      for (let turn = 1; turn <= TURNS; turn += 1) {
        kit.clock.advance(60_000);
        const content = saidInTurn(turn);
        history.push({ role: 'user', content });
        said.push(`user: ${content}`);
        const result = await ai.generateText({
          model: wrapped,
          messages: [...history],
          tools: memoryTools(memory),
          stopWhen: ai.stepCountIs(3),
          prepareStep: async ({ messages }) => ({
            messages: await compactMessages(messages, { ...options, maxTokens }),
          }),
        });
        history.push(...result.response.messages);
        if (result.text) said.push(`assistant: ${result.text}`);
      }

      expect(warnings).toEqual([]);
      expectThreeCompactions(prompts, maxTokens);
      expect(await episodesOf(memory)).toEqual(said);
    },
    LONG,
  );

  test.each(sdks)(
    'of an agent that works through 200 steps on one question on $name',
    async ({ ai, fake }: Sdk) => {
      const memory = (await kit.tenant()).agent();
      await memory.setBootConfig({ token_budget: 1_500 });
      const maxTokens = 11_000;
      const question = 'Look at every note, then tell me the vault code of the lighthouse.';
      const { model, prompts } = fake((_, call) => {
        if (call === 4) return [toolCall('svc_remember', FACT, 'keep')];
        if (call === TURNS - 1) return 'It is 7431-Kestrel.';
        return [
          toolCall('look', { note: call }, `look-${call}`),
          ...(call % 3 === 0 ? [toolCall('look', { note: call + 1_000 }, `more-${call}`)] : []),
        ];
      });
      const agent = new ai.ToolLoopAgent({
        model,
        instructions: 'You sort notes.',
        tools: {
          ...memoryTools(memory),
          look: tool({
            inputSchema: z.object({ note: z.number() }),
            execute: ({ note }) => (note === 2 ? SAID : chatter(note)),
          }),
        },
        stopWhen: ai.stepCountIs(TURNS),
        prepareStep: async ({ messages }) => ({
          messages: await compactMessages(messages, { ...PATIENT, memory, sessionId: 'loop', maxTokens }),
        }),
      });
      const { text } = await agent.generate({ prompt: question });

      expect(text).toBe('It is 7431-Kestrel.');
      expect(prompts).toHaveLength(TURNS);
      expectThreeCompactions(prompts, maxTokens + 10);
      for (const prompt of prompts) {
        expect(prompt[0]?.content).toBe('You sort notes.');
        expect(textOf(prompt)).toContain(question);
      }
      const kept = await episodesOf(memory);
      expect(new Set(kept).size).toBe(kept.length);
      const last = textOf(prompts.at(-1) ?? []);
      for (let call = 1; call < TURNS - 1; call += 1) {
        if (call === 2 || call === 4) continue;
        expect(kept.includes(`tool: look answered ${chatter(call)}`) || last.includes(chatter(call))).toBe(
          true,
        );
      }
    },
    LONG,
  );
});

function expectThreeCompactions(prompts: readonly Prompt[], maxTokens: number): void {
  for (const prompt of prompts) {
    expect(tokensOf(prompt)).toBeLessThanOrEqual(maxTokens);
    expectWholePairs(prompt);
  }
  const compactions = compactionsSeen(prompts);
  expect(compactions.at(-1)).toBeGreaterThanOrEqual(3);
  const afterThird = prompts.slice(compactions.indexOf(3));
  expect(afterThird.filter((prompt) => !textOf(prompt).includes(REMEMBERED))).toEqual([]);
  expect(textOf(prompts.at(-1) ?? [])).toContain(SAID);
}
