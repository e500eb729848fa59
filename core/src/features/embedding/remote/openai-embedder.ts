import type { Dispatcher } from 'undici';
import { withoutUndefined } from '../../../kernel/contract/settings.ts';
import { type Calibration, type Embedder, EmbedderError } from '../embedder.ts';
import { endpointOf, isRecord, readErrorCode, readText, reasonOf, requestModel } from './http.ts';
import { profileOf } from './model-profile.ts';
import type { Resilience } from './policies.ts';
import { createRemoteEmbedder } from './remote-embedder.ts';

const OPENAI_URL = 'https://api.openai.com/v1';
/** Bytes of an answer that are read: 64 vectors of 4,096 numbers are some 5 MB. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Which model of which server. */
export interface OpenAiEmbedderOptions extends Resilience {
  /** Its name there, such as `text-embedding-3-small` or `nomic-embed-text`. */
  readonly model: string;
  /** Address up to and including `/v1`; default: OpenAI's. */
  readonly url?: string | undefined;
  /** Sent as bearer token; local servers need none. */
  readonly apiKey?: string | undefined;
  /** Tokens of a text that the model reads; default by the model's name, else 500. */
  readonly maxTokens?: number | undefined;
  /** Most texts in a request; default 64. */
  readonly maxBatch?: number | undefined;
  /** Default: measured at first use. */
  readonly calibration?: Calibration | undefined;
}

/**
 * Embeds by any server that speaks OpenAI's `/v1/embeddings`: OpenAI, Ollama, vLLM, LM Studio, TEI and others. Its
 * vectors are named `openai:<model>`.
 *
 * @throws TypeError for an address that is not http or https, or that holds a user or password.
 */
export function openAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const { model, url = OPENAI_URL, apiKey, maxTokens, maxBatch, calibration, ...resilience } = options;
  const endpoint = endpointOf(url, '/embeddings', 'embedder');
  const name = `openai:${model}`;
  const profile = profileOf(model);
  const server: Server = { name, endpoint, apiKey };
  return createRemoteEmbedder(
    {
      ...profile,
      model: name,
      ...withoutUndefined({ maxTokens, maxBatch, calibration }),
      request: async (texts, signal) => {
        const body = { model, input: texts, encoding_format: 'float' };
        const response = await post(server, body, signal);
        if (response.statusCode < 200 || response.statusCode > 299) throw await refusal(server, response);
        return readVectors(server, await readAnswer(server, response));
      },
    },
    resilience,
  );
}

type Response = Dispatcher.ResponseData;

interface Server {
  readonly name: string;
  readonly endpoint: string;
  readonly apiKey: string | undefined;
}

async function post(server: Server, body: object, signal: AbortSignal): Promise<Response> {
  const { name, endpoint, apiKey } = server;
  try {
    return await requestModel(endpoint, { body, apiKey, signal });
  } catch (error) {
    signal.throwIfAborted();
    const reason = reasonOf(error);
    throw new EmbedderError('unreachable', `The embedder ${name} cannot be reached at ${endpoint}${reason}.`);
  }
}

async function refusal({ name, endpoint, apiKey }: Server, response: Response): Promise<EmbedderError> {
  const { statusCode: status } = response;
  const code = await readErrorCode(response, apiKey);
  const said = `The embedder ${name} at ${endpoint} answered ${status}${code ? ` (${code})` : ''}`;
  if (status === 429 || status === 503) {
    const retryAfterMs = retryAfter(response);
    return new EmbedderError(
      'busy',
      `${said}: it has too much to do.`,
      retryAfterMs === undefined ? {} : { retryAfterMs },
    );
  }
  if (status === 401 || status === 403)
    return new EmbedderError('refused', `${said}: correct SVC_EMBEDDER_API_KEY.`);
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) {
    const hint = 'correct SVC_EMBEDDER_URL, which mostly ends in /v1, or the name of the model';
    return new EmbedderError('refused', `${said}: ${hint}.`);
  }
  if (status >= 400 && status < 500 && status !== 408) {
    return new EmbedderError('rejected', `${said}: it does not take this text, or does not know the model.`);
  }
  return new EmbedderError('failed', `${said}.`);
}

/** Milliseconds of a `Retry-After` header, in seconds or as a date. */
function retryAfter(response: Response): number | undefined {
  const value = response.headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  const ms = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

async function readAnswer({ name }: Server, response: Response): Promise<unknown> {
  const text = await readText(response, MOST_BYTES);
  if (text === undefined) {
    throw new EmbedderError('unusable', `The embedder ${name} answered more than can be read.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new EmbedderError('unusable', `The embedder ${name} answered something that is not JSON.`);
  }
}

/** The vectors in the order of the texts: servers may answer in another. */
function readVectors({ name }: Server, answer: unknown): ArrayLike<number>[] {
  const data = isRecord(answer) ? answer.data : undefined;
  if (!Array.isArray(data))
    throw new EmbedderError('unusable', `The embedder ${name} answered without "data".`);
  const vectors: ArrayLike<number>[] = [];
  data.forEach((item: unknown, place) => {
    const embedding = isRecord(item) ? item.embedding : undefined;
    const index = isRecord(item) && Number.isInteger(item.index) ? Number(item.index) : place;
    if (!Array.isArray(embedding) || index < 0 || index >= data.length || index in vectors) {
      throw new EmbedderError('unusable', `The embedder ${name} answered without a vector for every text.`);
    }
    vectors[index] = embedding;
  });
  return vectors;
}
