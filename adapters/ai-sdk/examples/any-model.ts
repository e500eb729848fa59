import { MockLanguageModelV3 } from 'ai/test';

/** Stands for any language model, such as `openai('gpt-5')`: it needs no key, and says what it was given. */
export const anyModel = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => ({
    content: [{ type: 'text', text: `I see:\n${prompt.map(({ content }) => shown(content)).join('\n')}` }],
    finishReason: { unified: 'stop', raw: undefined },
    usage: {
      inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 0, text: 0, reasoning: 0 },
    },
    warnings: [],
  }),
});

function shown(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}
