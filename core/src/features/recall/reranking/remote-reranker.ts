import {
  endpointOf,
  isRecord,
  readErrorCode,
  readText,
  reasonOf,
  requestModel,
} from '../../embedding/remote/http.ts';
import type { Reranker } from './reranker.ts';

/** Bytes of an answer that are read: some servers send the documents back. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Which model of which server. */
export interface RemoteRerankerOptions {
  /** Its name there, such as `jina-reranker-v2-base-multilingual` or `BAAI/bge-reranker-v2-m3`. */
  readonly model: string;
  /** Address of the server up to the `/rerank`, such as `http://localhost:8000/v1`. */
  readonly url: string;
  /** Sent as bearer token; local servers need none. */
  readonly apiKey?: string | undefined;
}

/**
 * Reranks by any server with the endpoint `/rerank` of Jina and Cohere, as vLLM, llama.cpp, Infinity and LocalAI have it too, or
 * with that of Hugging Face's TEI.
 *
 * @throws TypeError for an address that is not http or https, or that holds a user, password or parameters.
 */
export function remoteReranker({ model, url, apiKey }: RemoteRerankerOptions): Reranker {
  const endpoint = endpointOf(url, '/rerank', 'reranker');
  const server: Server = { model, endpoint, apiKey };
  let format: Format = 'documents';
  return {
    model,
    rerank: async (query, documents, signal) => {
      const request = { query, documents, signal };
      const first = await send(server, format, request);
      if (first.outcome === 'scores') return first.scores;
      // Of the two formats, a server answers the one that it does not know as a bad request.
      const other = format === 'documents' ? 'texts' : 'documents';
      const second =
        first.status === 400 || first.status === 422 ? await send(server, other, request) : first;
      if (second.outcome === 'refused') throw new Error(first.message);
      format = other;
      return second.scores;
    },
  };
}

/** How a server calls the documents: `texts` is TEI's word. */
type Format = 'documents' | 'texts';

interface Server {
  readonly model: string;
  readonly endpoint: string;
  readonly apiKey: string | undefined;
}

interface Request {
  readonly query: string;
  readonly documents: readonly string[];
  readonly signal: AbortSignal;
}

type Answer =
  | { readonly outcome: 'scores'; readonly scores: readonly number[] }
  | { readonly outcome: 'refused'; readonly status: number; readonly message: string };

async function send(server: Server, format: Format, { query, documents, signal }: Request): Promise<Answer> {
  const { model, endpoint, apiKey } = server;
  const body =
    format === 'documents'
      ? { model, query, documents, top_n: documents.length }
      : { query, texts: documents, truncate: true };
  const response = await requestModel(endpoint, { body, apiKey, signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new Error(
      `The reranker ${model} cannot be reached at ${endpoint}${reasonOf(error)}: start it, or correct SVC_RERANKER_URL.`,
    );
  });
  const { statusCode: status } = response;
  if (status < 200 || status > 299) {
    const code = await readErrorCode(response, apiKey);
    const said = `The reranker ${model} at ${endpoint} answered ${status}${code ? ` (${code})` : ''}`;
    return { outcome: 'refused', status, message: `${said}${hintOf(status)}.` };
  }
  const text = await readText(response, MOST_BYTES);
  return { outcome: 'scores', scores: readScores(model, text, documents.length) };
}

function hintOf(status: number): string {
  if (status === 401 || status === 403) return ': correct SVC_RERANKER_API_KEY';
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) {
    return ': correct SVC_RERANKER_URL, which mostly ends in /v1, or SVC_RERANKER_MODEL';
  }
  return status === 400 || status === 422 ? ': correct SVC_RERANKER_MODEL' : '';
}

/** The scores in the order of the documents: servers answer best first. */
function readScores(model: string, text: string | undefined, count: number): readonly number[] {
  const results = resultsOf(text);
  if (!results) throw new Error(`The reranker ${model} answered something else than a list of results.`);
  const scores = new Array<number>(count).fill(Number.NaN);
  for (const result of results) {
    const index = isRecord(result) ? result.index : undefined;
    const score = isRecord(result) ? (result.relevance_score ?? result.score) : undefined;
    if (typeof index === 'number' && typeof score === 'number' && index in scores) scores[index] = score;
  }
  if (results.length !== count || scores.some(Number.isNaN)) {
    throw new Error(`The reranker ${model} gave no score for each document.`);
  }
  return scores;
}

/** The results, which TEI answers as they are, and others as `results`. */
function resultsOf(text: string | undefined): readonly unknown[] | undefined {
  try {
    const answer: unknown = JSON.parse(text ?? '');
    const results = isRecord(answer) ? answer.results : answer;
    return Array.isArray(results) ? results : undefined;
  } catch {
    return undefined;
  }
}
