import { ExponentialBackoff, handleAll, retry, TimeoutStrategy, timeout, wrap } from 'cockatiel';
import { z } from 'zod';
import type { LanguageModel } from './language-model.ts';

/** Bytes of an answer that are read; a digest is a few hundred. */
const MOST_BYTES = 1024 * 1024;

/** Which model of which server. */
export interface OpenAiLanguageModelOptions {
  /** Its name there, such as `gpt-4o-mini` or `llama3.2`. */
  readonly model: string;
  /** Address up to and including `/v1`. */
  readonly url: string;
  /** Sent as bearer token; local servers need none. */
  readonly apiKey?: string | undefined;
  /** Milliseconds one request may take; default 60,000. */
  readonly timeoutMs?: number;
  /** Times a request that failed is tried again; default 2. */
  readonly retries?: number;
  /** Milliseconds before the first of them, about, then ever longer; default 500. */
  readonly retryDelayMs?: number;
}

const completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});

/** Asks any server that speaks OpenAI's `/v1/chat/completions`: OpenAI, Ollama, vLLM, LM Studio and others. */
export function openAiLanguageModel(options: OpenAiLanguageModelOptions): LanguageModel {
  const { model, url, apiKey, timeoutMs = 60_000, retries = 2, retryDelayMs = 500 } = options;
  const endpoint = `${url.replace(/\/+$/, '')}/chat/completions`;
  // Of the likeliest answer. Models that think first refuse to be told, as OpenAI's do.
  let sampling: { readonly temperature?: 0 } = { temperature: 0 };
  const policy = wrap(
    retry(handleAll, {
      maxAttempts: retries,
      backoff: new ExponentialBackoff({ initialDelay: retryDelayMs }),
    }),
    timeout(timeoutMs, TimeoutStrategy.Aggressive),
  );
  return {
    model,
    complete: ({ instructions, data }, signal) =>
      policy.execute(async ({ signal: inner }) => {
        const messages = [
          { role: 'system', content: instructions },
          { role: 'user', content: data },
        ];
        const response = await fetch(endpoint, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
          },
          body: JSON.stringify({ model, messages, ...sampling }),
          signal: inner,
          // A redirect would carry memories to a server nobody chose.
          redirect: 'manual',
        });
        const text = await readText(response);
        if (response.status === 400 && /temperature/i.test(text)) sampling = {};
        // The answer's own words stay out of errors: they may quote memories or the key.
        if (!response.ok) throw new Error(`The language model ${model} answered ${response.status}.`);
        const answer = completion.safeParse(JSON.parse(text));
        if (!answer.success) throw new Error(`The language model ${model} answered without a message.`);
        return answer.data.choices[0]?.message.content ?? '';
      }, signal),
  };
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) throw new Error('The language model answered more than can be read.');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
