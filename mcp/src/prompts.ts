import type { GetPromptRequest, GetPromptResult, ListPromptsResult } from '@modelcontextprotocol/server';
import { type AgentMemory, invalid } from '@svc-memory/core/contract';
import { toProtocolError } from './errors.ts';

interface Prompt {
  readonly title: string;
  readonly description: string;
  compose(
    memory: AgentMemory,
    hint: { context_hint: string | undefined },
    signal: AbortSignal,
  ): Promise<string>;
}

/** The argument of every prompt. */
export const HINT = {
  name: 'context_hint',
  description: 'Topic at hand, whose memories are included',
  required: false,
};

const PROMPTS: Readonly<Record<string, Prompt>> = {
  boot: {
    title: 'Begin a session with memory',
    description: 'Puts who the agent is, its work and what it knows into the conversation.',
    compose: async (memory, hint, signal) => (await memory.boot(hint, { signal })).injection,
  },
  recover: {
    title: 'Recover after a compaction',
    description: 'Puts back what the agent needs after its context was compacted.',
    compose: async (memory, hint, signal) =>
      (await memory.compaction({ ...hint, phase: 'post' }, { signal })).injection,
  },
};

/** Names of the prompts. */
export const PROMPT_NAMES: readonly string[] = Object.keys(PROMPTS);

/** The answer to `prompts/list`. */
export function listPrompts(): ListPromptsResult {
  return {
    prompts: Object.entries(PROMPTS).map(([name, { title, description }]) => ({
      name,
      title,
      description,
      arguments: [HINT],
    })),
  };
}

/** The answer to `prompts/get`. */
export async function getPrompt(
  memory: AgentMemory,
  { name, arguments: args = {} }: GetPromptRequest['params'],
  signal: AbortSignal,
): Promise<GetPromptResult> {
  try {
    const prompt = Object.hasOwn(PROMPTS, name) ? PROMPTS[name] : undefined;
    if (!prompt) throw invalid('name', `must be one of ${PROMPT_NAMES.join(', ')}`);
    const unknown = Object.keys(args).find((argument) => argument !== HINT.name);
    if (unknown !== undefined) throw invalid(unknown, `is not a known argument; known: ${HINT.name}`);
    const { context_hint } = args;
    const text = await prompt.compose(memory, { context_hint }, signal);
    return {
      description: prompt.description,
      messages: [{ role: 'user', content: { type: 'text', text } }],
    };
  } catch (error) {
    signal.throwIfAborted();
    throw toProtocolError(error);
  }
}
