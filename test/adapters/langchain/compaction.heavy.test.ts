import type { BaseMessage } from '@langchain/core/messages';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { MemorySaver } from '@langchain/langgraph';
import { agentMemoryMiddleware, memoryTools } from '@svc-memory/langchain';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { type AgentMiddleware, createAgent, summarizationMiddleware } from 'langchain';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { useTestEngine } from '../../../core/src/testing/engine.fixture.ts';
import { chatter, FACT, REMEMBERED, SAID, saidInTurn, TURNS } from '../long-conversation.ts';
import { episodesOf, PATIENT } from '../memories.ts';
import { calling, ScriptedModel, systemOf, textOf } from './scripted-model.ts';

const LONG = 300_000;
const INJECTION = 1_500;
/** Tokens of what is recalled for the questions since a compaction, which the trigger does not count. */
const RECALLED = 1_000;

const kit = useTestEngine();

/** Tokens of an input, counted without the adapter. */
const tokensOf = (input: readonly BaseMessage[]) => countTokens(textOf(input)) + 4 * input.length;

// LangChain's types for it do not fit its own under `exactOptionalPropertyTypes`.
const summarize = summarizationMiddleware as unknown as (options: object) => AgentMiddleware;

/** LangChain's own summarisation with a model that keeps nothing of what was said. */
const summarization = (tokens: number) =>
  summarize({
    model: new ScriptedModel((_, call) => `Summary ${call}: the user and the assistant talked.`),
    trigger: { tokens },
    keep: { messages: 6 },
    tokenCounter: tokensOf,
  });

/** Numbers the compactions a model saw, by the summaries in its inputs. */
function compactionsSeen(inputs: readonly (readonly BaseMessage[])[]): number[] {
  const seen = new Set<string>();
  return inputs.map((input) => {
    const summary = input.find(({ additional_kwargs }) => additional_kwargs.lc_source === 'summarization');
    if (summary) seen.add(summary.text);
    return seen.size;
  });
}

function expectThreeCompactions(model: ScriptedModel, maxTokens: number): void {
  for (const input of model.inputs) {
    expect(tokensOf(input)).toBeLessThanOrEqual(maxTokens);
    expectWholePairs(input);
  }
  const compactions = compactionsSeen(model.inputs);
  expect(compactions.at(-1)).toBeGreaterThanOrEqual(3);
  for (const [place, input] of model.inputs.entries()) {
    const header = compactions[place] === 0 ? '# MEMORY INJECTION' : '# MEMORY RECOVERY';
    const refreshed = compactions[place] !== 0 && systemOf(input).includes('# MEMORY INJECTION');
    if (!refreshed) expect(systemOf(input)).toContain(header);
  }
  const afterThird = model.inputs.slice(compactions.indexOf(3));
  expect(afterThird.filter((input) => !textOf(input).includes(REMEMBERED))).toEqual([]);
  expect(textOf(model.inputs.at(-1) ?? [])).toContain(SAID);
}

function expectWholePairs(input: readonly BaseMessage[]): void {
  const open = new Set<string>();
  for (const message of input) {
    if (AIMessage.isInstance(message)) for (const { id } of message.tool_calls ?? []) open.add(id ?? '');
    if (ToolMessage.isInstance(message)) expect(open.delete(message.tool_call_id)).toBe(true);
  }
  expect([...open]).toEqual([]);
}

test(
  '200 turns of a chat on a thread of a checkpointer',
  async () => {
    const memory = (await kit.tenant()).agent();
    await memory.setBootConfig({ token_budget: INJECTION });
    const warnings: unknown[] = [];
    const trigger = 4_000;
    const model = new ScriptedModel((input, call) => {
      const last = input.at(-1);
      if (last && HumanMessage.isInstance(last) && last.text.includes('walnuts')) {
        return calling({ name: 'svc_remember', args: FACT, id: `call-${call}` });
      }
      return call % 4 === 0 ? 'Done.' : `Done with ${call}.`;
    });
    const agent = createAgent({
      model,
      tools: memoryTools(memory),
      checkpointer: new MemorySaver(),
      middleware: [
        agentMemoryMiddleware({ memory, ...PATIENT, onWarning: (warning) => warnings.push(warning) }),
        summarization(trigger),
      ],
    });
    const said: string[] = [];
    for (let turn = 1; turn <= TURNS; turn += 1) {
      kit.clock.advance(60_000);
      const content = saidInTurn(turn);
      said.push(`user: ${content}`);
      const { messages } = await agent.invoke(
        { messages: [{ role: 'user', content }] },
        { configurable: { thread_id: 'chat' } },
      );
      const answer = messages.at(-1)?.text;
      if (answer) said.push(`assistant: ${answer}`);
    }

    expect(warnings).toEqual([]);
    expectThreeCompactions(model, trigger + INJECTION + RECALLED);
    expect(await episodesOf(memory)).toEqual(said);
  },
  LONG,
);

test(
  'an agent that works through 200 steps on one question',
  async () => {
    const memory = (await kit.tenant()).agent();
    await memory.setBootConfig({ token_budget: INJECTION });
    const trigger = 5_500;
    const question = 'Look at every note, then tell me the vault code of the lighthouse.';
    const model = new ScriptedModel((_, call) => {
      if (call === 4) return calling({ name: 'svc_remember', args: FACT, id: 'keep' });
      if (call === TURNS - 1) return 'It is 7431-Kestrel.';
      return calling(
        { name: 'look', args: { note: call }, id: `look-${call}` },
        ...(call % 3 === 0 ? [{ name: 'look', args: { note: call + 1_000 }, id: `more-${call}` }] : []),
      );
    });
    const look = tool(
      ({ note }) => {
        // Where no time passes, the steps of one compaction stand among those of another.
        kit.clock.advance(1_000);
        return note === 2 ? SAID : chatter(note);
      },
      { name: 'look', description: 'Looks at a note.', schema: z.object({ note: z.number() }) },
    );
    const agent = createAgent({
      model,
      systemPrompt: 'You sort notes.',
      tools: [...memoryTools(memory), look],
      // The other way round: the memory sees the messages when they are summarised already.
      middleware: [summarization(trigger), agentMemoryMiddleware({ memory, sessionId: 'loop', ...PATIENT })],
    });
    const { messages } = await agent.invoke(
      { messages: [{ role: 'user', content: question }] },
      { recursionLimit: 10 * TURNS },
    );

    expect(messages.at(-1)?.text).toBe('It is 7431-Kestrel.');
    expect(model.inputs).toHaveLength(TURNS);
    expectThreeCompactions(model, trigger + INJECTION + 10);
    for (const input of model.inputs) expect(systemOf(input)).toMatch(/^You sort notes\.\n\n# MEMORY/);
    const kept = await episodesOf(memory);
    expect(new Set(kept).size).toBe(kept.length);
    for (let call = 1; call < TURNS - 1; call += 1) {
      if (call !== 2 && call !== 4) expect(kept).toContain(`tool: look answered ${chatter(call)}`);
    }
  },
  LONG,
);
