import * as ai7 from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import * as ai6 from 'ai6';
import { MockLanguageModelV3 } from 'ai6/test';

/** The model's input as either version's provider gets it. */
export type Prompt = MockLanguageModelV4['doGenerateCalls'][number]['prompt'];
type CallOptions = MockLanguageModelV4['doGenerateCalls'][number];
type Generated = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;
type Streamed = Awaited<ReturnType<MockLanguageModelV4['doStream']>>;
type StreamPart = Streamed['stream'] extends ReadableStream<infer Part> ? Part : never;
type Content = Generated['content'];

/** What the fake model says to its input: a text, parts, or an error. */
export type Script = (prompt: Prompt, call: number) => string | Content | Promise<string | Content>;

/** A fake model that follows a script, and the inputs it got. */
interface FakeModel {
  readonly model: MockLanguageModelV4;
  readonly prompts: Prompt[];
}

/** One version of the SDK. */
export interface Sdk {
  readonly name: string;
  readonly ai: typeof ai7;
  fake(script: Script): FakeModel;
}

const USAGE: Generated['usage'] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

function behaviour(script: Script) {
  const prompts: Prompt[] = [];
  const answer = async ({ prompt, abortSignal }: CallOptions): Promise<Content> => {
    abortSignal?.throwIfAborted();
    prompts.push(structuredClone(prompt));
    const said = await script(prompt, prompts.length - 1);
    abortSignal?.throwIfAborted();
    return typeof said === 'string' ? [{ type: 'text', text: said }] : said;
  };
  const finish = (content: Content) => {
    const calls = content.some(({ type }) => type === 'tool-call');
    return { unified: calls ? 'tool-calls' : 'stop', raw: undefined } as const;
  };
  return {
    prompts,
    doGenerate: async (options: CallOptions): Promise<Generated> => {
      const content = await answer(options);
      return { content, finishReason: finish(content), usage: USAGE, warnings: [] };
    },
    doStream: async (options: CallOptions) => {
      const content = await answer(options);
      const chunks = content.flatMap((part, place) => toChunks(part, String(place)));
      return {
        stream: ai7.simulateReadableStream<StreamPart>({
          chunks: [
            { type: 'stream-start', warnings: [] },
            ...chunks,
            { type: 'finish', finishReason: finish(content), usage: USAGE },
          ],
          initialDelayInMs: null,
          chunkDelayInMs: null,
        }),
      };
    },
  };
}

function toChunks(part: Content[number], id: string): StreamPart[] {
  if (part.type === 'tool-call') return [part];
  if (part.type !== 'text') return [];
  const half = part.text.length >> 1;
  return [
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: part.text.slice(0, half) },
    { type: 'text-delta', id, delta: part.text.slice(half) },
    { type: 'text-end', id },
  ];
}

/** Both versions, the fake model of each being of its own specification. The parts used here are the same in both. */
export const sdks: readonly Sdk[] = [
  {
    name: 'ai 6',
    ai: ai6 as unknown as typeof ai7,
    fake: (script) => {
      const { prompts, ...functions } = behaviour(script);
      const model = new MockLanguageModelV3(functions as unknown as Partial<MockLanguageModelV3>);
      return { prompts, model: model as unknown as MockLanguageModelV4 };
    },
  },
  {
    name: 'ai 7',
    ai: ai7,
    fake: (script) => {
      const { prompts, ...functions } = behaviour(script);
      return { prompts, model: new MockLanguageModelV4(functions) };
    },
  },
];

/** A call of a tool as a model makes it. */
export function toolCall(toolName: string, input: unknown, toolCallId: string): Content[number] {
  return { type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) };
}

type Part = Exclude<Prompt[number]['content'], string>[number];

/** Everything a model can read in its input. */
export function textOf(prompt: Prompt): string {
  return prompt
    .map(({ content }) => {
      const parts: readonly Part[] =
        typeof content === 'string' ? [{ type: 'text', text: content }] : content;
      return parts.map(textOfPart).join('\n');
    })
    .join('\n');
}

function textOfPart(part: Part): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'tool-call') return JSON.stringify(part.input);
  return part.type === 'tool-result' ? JSON.stringify(part.output) : '';
}

/** The system messages of an input that are injections. */
export function injectionsOf(prompt: Prompt): string[] {
  return prompt.flatMap((message) =>
    message.role === 'system' && /^# MEMORY (INJECTION|RECOVERY)/.test(message.content)
      ? [message.content]
      : [],
  );
}
