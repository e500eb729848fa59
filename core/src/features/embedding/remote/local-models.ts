import { type Embedder, EmbedderError } from '../embedder.ts';
import { isRecord, readText, requestModel } from './http.ts';
import { openAiEmbedder } from './openai-embedder.ts';

/** An OpenAI-compatible server that is asked which models it has. */
export interface ModelServer {
  /** The program's name, for people. */
  readonly name: string;
  /** Address up to and including `/v1`. */
  readonly url: string;
  /** Sent as bearer token to this server only. */
  readonly apiKey?: string | undefined;
}

/** An embedding model that a server says it has. */
export interface ServedModel {
  readonly server: ModelServer;
  readonly model: string;
}

/** Servers of models at their usual addresses on this machine, loopback only. */
export const LOCAL_SERVERS: readonly ModelServer[] = [
  { name: 'Ollama', url: 'http://127.0.0.1:11434/v1' },
  { name: 'LM Studio', url: 'http://127.0.0.1:1234/v1' },
  { name: 'llama.cpp or TEI', url: 'http://127.0.0.1:8080/v1' },
  { name: 'vLLM', url: 'http://127.0.0.1:8000/v1' },
];

/** Milliseconds a server may take to say which models it has. */
const LIST_TIMEOUT_MS = 1_000;
/** Bytes of that answer that are read: a name takes some hundred. */
const MOST_BYTES = 1024 * 1024;
/** What can follow `openai:` in a setting. */
const NAMEABLE = /^[\w./:@-]{1,200}$/;

/** Names of embedding models, the preferred first: of many languages, then of English, then what merely says so. */
const KNOWN: readonly RegExp[] = [
  /embeddinggemma/,
  /qwen3-embedding/,
  /bge-m3/,
  /arctic-embed(2|.*(v2|2\.0))/,
  /nomic-embed-text-v2/,
  /multilingual/,
  /jina-embeddings/,
  /granite-embedding/,
  /nomic-embed/,
  /mxbai-embed/,
  /arctic-embed/,
  /(^|[/-])(bge|gte|e5)-/,
  /all-(minilm|mpnet)/,
  /embed/,
];
/** Models for other purposes whose names are alike. */
const OTHERS = /rerank|colbert|clip|image|vision/;

/**
 * Asks servers which embedding models they have, all at once and for a second at most.
 *
 * @returns those whose name is that of an embedding model, the preferred first; of equal ones that of the first server.
 */
export async function findServedModels(servers: readonly ModelServer[]): Promise<ServedModel[]> {
  const lists = await Promise.all(
    servers.map(async (server) => (await listModels(server)).map((model) => ({ server, model }))),
  );
  return lists
    .flat()
    .filter(({ model }) => preferenceOf(model) >= 0)
    .sort((a, b) => preferenceOf(a.model) - preferenceOf(b.model));
}

/**
 * Embeds by an OpenAI-compatible model, at whichever of some servers has it. They are asked at first use, and again after none
 * had it: the server may be started later than this process.
 */
export function servedEmbedder(model: string, servers: readonly ModelServer[]): Embedder {
  const name = `openai:${model}`;
  const locate = async (): Promise<Embedder> => {
    const lists = await Promise.all(servers.map((server) => listModels(server)));
    const server = servers.find((_, place) => lists[place]?.includes(model));
    if (server) return openAiEmbedder({ model, url: server.url, apiKey: server.apiKey });
    const addresses = servers.map(({ name, url }) => `${name} at ${url}`).join(', ');
    throw new EmbedderError(
      'unreachable',
      `The embedder ${name} is served by none of these: ${addresses}. Start the server that has it, or name another SVC_EMBEDDER.`,
    );
  };
  let located: Promise<Embedder> | undefined;
  const embedder = () => {
    located ??= locate().catch((error: unknown) => {
      located = undefined;
      throw error;
    });
    return located;
  };
  return {
    model: name,
    embed: async (texts, signal, purpose) => (await embedder()).embed(texts, signal, purpose),
    embedBacklog: async (texts, signal) => {
      const { embedBacklog, embed } = await embedder();
      return (embedBacklog ?? embed)(texts, signal);
    },
    forgetTexts: () => {
      located?.then(
        (embedder) => embedder.forgetTexts?.(),
        () => {},
      );
    },
  };
}

/** The models of a server as a setting names them; none when it does not answer as such a server does. */
async function listModels(server: ModelServer): Promise<string[]> {
  const listed = namesIn(await getJson(server, '/models')) ?? (await modelOfTei(server));
  // Ollama's name of a model without a version.
  return listed.map((name) => name.replace(/:latest$/, '')).filter((name) => NAMEABLE.test(name));
}

/** The list that OpenAI's `/v1/models` answers. */
function namesIn(answer: unknown): string[] | undefined {
  const data = isRecord(answer) ? answer.data : undefined;
  if (!Array.isArray(data)) return undefined;
  return data.flatMap((item) => (isRecord(item) && typeof item.id === 'string' ? [item.id] : []));
}

/** TEI has one model, and says which at `/info`. */
async function modelOfTei(server: ModelServer): Promise<string[]> {
  const info = await getJson({ ...server, url: server.url.replace(/\/v1$/, '') }, '/info');
  return isRecord(info) && typeof info.model_id === 'string' ? [info.model_id] : [];
}

async function getJson({ url, apiKey }: ModelServer, path: string): Promise<unknown> {
  try {
    const response = await requestModel(`${url}${path}`, { apiKey, timeoutMs: LIST_TIMEOUT_MS });
    const text = await readText(response, MOST_BYTES);
    return response.statusCode === 200 && text !== undefined ? JSON.parse(text) : undefined;
  } catch {
    // No server, another one, or one that is too slow: not one to choose by itself.
    return undefined;
  }
}

function preferenceOf(model: string): number {
  const name = model.toLowerCase();
  return OTHERS.test(name) ? -1 : KNOWN.findIndex((family) => family.test(name));
}
