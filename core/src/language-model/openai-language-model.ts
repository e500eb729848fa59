import { DelegateBackoff, handleWhen, retry, TimeoutStrategy, timeout, wrap } from 'cockatiel';
import { z } from 'zod';
import { SECOND_MS } from '../kernel/runtime/durations.ts';
import { readRetryAfter } from '../kernel/runtime/retry-after.ts';
import { type LanguageModel, ModelAwayError } from './language-model.ts';

/** Bytes of an answer that are read; a digest is a few hundred. */
const MOST_BYTES = 1024 * 1024;
/** A request is not tried again where the server asks to wait longer. */
const MOST_WAIT_MS = 20 * SECOND_MS;
/** What a server answers whatever it is asked: to a wrong key, address or name of a model, or while it has too much to do. */
const AWAY_STATUSES = [401, 402, 403, 404, 405, 429, 503];
/** Why no connection came about. One that breaks off later may be due to the question. */
const NOT_CONNECTED = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
];

/** Which model of which server. */
export interface OpenAiLanguageModelOptions {
  /** Its name there, such as `gpt-4o-mini` or `llama3.2`. */
  readonly model: string;
  /** Address up to and including `/v1`. */
  readonly url: string;
  /** Sent as bearer token; local servers need none. */
  readonly apiKey?: string | undefined;
  /** Milliseconds one request may take; default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** Times a request that failed is tried again; default 2. */
  readonly retries?: number | undefined;
  /** Milliseconds before the first of them, doubled each time, plus up to as much at random; default 500. A `Retry-After` goes before. */
  readonly retryDelayMs?: number | undefined;
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
    retry(handleWhen(isWorthRetrying), {
      maxAttempts: retries,
      backoff: new DelegateBackoff(
        ({ attempt, result }) =>
          ('error' in result ? waitAskedBy(result.error) : undefined) ??
          retryDelayMs * 2 ** (attempt - 1) * (1 + Math.random()),
      ),
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
        const response = await connected(
          model,
          fetch(endpoint, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
            },
            body: JSON.stringify({ model, messages, ...sampling }),
            signal: inner,
            // A redirect would carry memories to a server nobody chose.
            redirect: 'manual',
          }),
        );
        const text = await readText(response);
        if (response.status === 400 && /temperature/i.test(text)) sampling = {};
        // The answer's own words stay out of errors: they may quote memories or the key.
        if (!response.ok) throw refusal(model, response);
        const answer = completion.safeParse(JSON.parse(text));
        if (!answer.success) throw new Error(`The language model ${model} answered without a message.`);
        return answer.data.choices[0]?.message.content ?? '';
      }, signal),
  };
}

/** @throws ModelAwayError where the request reached no server. */
async function connected(model: string, request: Promise<Response>): Promise<Response> {
  try {
    return await request;
  } catch (error) {
    const { code } = Object(error instanceof Error ? error.cause : undefined) as { code?: unknown };
    if (typeof code !== 'string' || !NOT_CONNECTED.includes(code)) throw error;
    throw new ModelAwayError(`The language model ${model} cannot be reached (${code}).`);
  }
}

function refusal(model: string, { status, headers }: Response): Error {
  const message = `The language model ${model} answered ${status}.`;
  const isElsewhere = status >= 300 && status < 400;
  if (!isElsewhere && !AWAY_STATUSES.includes(status)) return new Error(message);
  const retryAfterMs = readRetryAfter(headers.get('retry-after') ?? undefined, new Date());
  return new ModelAwayError(message, { retryAfterMs });
}

function waitAskedBy(error: Error): number | undefined {
  return error instanceof ModelAwayError ? error.retryAfterMs : undefined;
}

function isWorthRetrying(error: Error): boolean {
  return (waitAskedBy(error) ?? 0) <= MOST_WAIT_MS;
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
