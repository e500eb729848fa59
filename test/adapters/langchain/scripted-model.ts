import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk, type BaseMessage, type ToolCall } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';

/** What the model says to its input: a text, a message, or an error. */
export type Script = (input: readonly BaseMessage[], call: number) => string | AIMessage;

/** A chat model that follows a script, without a provider, and remembers the inputs it got. */
export class ScriptedModel extends BaseChatModel {
  readonly inputs: BaseMessage[][] = [];
  readonly #script: Script;

  constructor(script: Script) {
    super({ maxRetries: 0 });
    this.#script = script;
  }

  _llmType(): string {
    return 'scripted';
  }

  override bindTools(): this {
    return this;
  }

  async _generate(input: BaseMessage[], { signal }: this['ParsedCallOptions']): Promise<ChatResult> {
    const message = this.#answer(input, signal);
    return { generations: [{ text: message.text, message }] };
  }

  override async *_streamResponseChunks(
    input: BaseMessage[],
    { signal }: this['ParsedCallOptions'],
    manager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const { text, tool_calls = [] } = this.#answer(input, signal);
    const middle = text.length >> 1;
    for (const part of [text.slice(0, middle), text.slice(middle)]) {
      signal?.throwIfAborted();
      const message = new AIMessageChunk({ content: part });
      yield new ChatGenerationChunk({ text: part, message });
      await manager?.handleLLMNewToken(part);
    }
    const calls = tool_calls.map(({ id, name, args }, index) => ({
      ...(id === undefined ? {} : { id }),
      name,
      args: JSON.stringify(args),
      index,
      type: 'tool_call_chunk' as const,
    }));
    if (calls.length === 0) return;
    const message = new AIMessageChunk({ content: '', tool_call_chunks: calls });
    yield new ChatGenerationChunk({ text: '', message });
  }

  #answer(input: readonly BaseMessage[], signal: AbortSignal | undefined): AIMessage {
    signal?.throwIfAborted();
    this.inputs.push([...input]);
    const said = this.#script(input, this.inputs.length - 1);
    return typeof said === 'string' ? new AIMessage(said) : said;
  }
}

/** An answer that calls tools. */
export function calling(...calls: readonly Omit<ToolCall, 'type'>[]): AIMessage {
  return new AIMessage({ content: '', tool_calls: calls.map((call) => ({ ...call, type: 'tool_call' })) });
}

/** Everything a model can read in its input. */
export function textOf(input: readonly BaseMessage[]): string {
  return input
    .map((message) => {
      const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
      return [message.text, ...calls.map(({ name, args }) => name + JSON.stringify(args))].join('\n');
    })
    .join('\n');
}

/** The text that stands before all others in an input. */
export function systemOf(input: readonly BaseMessage[] | undefined): string {
  return input?.[0]?.getType() === 'system' ? input[0].text : '';
}

/** All parts of a stream. */
export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const parts: T[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}
