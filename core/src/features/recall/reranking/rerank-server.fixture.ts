import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { listen } from '../../../../../test/kit/listen.ts';

/** A request as the server got it. */
interface Received {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: {
    readonly model?: string;
    readonly query?: string;
    readonly documents?: readonly string[];
    readonly texts?: readonly string[];
  };
}

/** Answers a request in another way than by reranking. */
export type Answer = (response: ServerResponse, scores: readonly number[]) => void;

/** A local server that reranks: the longer the word that query and document share, the higher the score. */
export interface RerankServer {
  /** Ends in `/v1`. */
  readonly url: string;
  readonly received: Received[];
  /** Whether it speaks as TEI does; otherwise as Jina, Cohere, vLLM and llama.cpp do. */
  speaksTei: boolean;
  /** What it does with the next requests; undefined: it works. */
  answer: Answer | undefined;
  /** Resolves when the connection of the last request is closed. */
  closed(): Promise<unknown>;
  close(): Promise<void>;
}

/** Starts one on a free port. */
export async function startRerankServer(): Promise<RerankServer> {
  let closed: Promise<unknown> = Promise.resolve();
  const server = createServer(async (request, response) => {
    closed = once(response, 'close');
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    fake.received.push({ path: request.url, authorization: request.headers.authorization, body });
    const documents: readonly string[] | undefined = fake.speaksTei ? body.texts : body.documents;
    if (!documents) {
      const error = `missing field \`${fake.speaksTei ? 'texts' : 'documents'}\``;
      response.writeHead(422).end(JSON.stringify({ error, error_type: 'validation' }));
      return;
    }
    const scores = documents.map((document) => scoreOf(body.query, document));
    if (fake.answer) fake.answer(response, scores);
    else answerScores(response, scores, fake.speaksTei);
  });
  const { url, close } = await listen(server);
  const fake: RerankServer = {
    url: `${url}/v1`,
    received: [],
    speaksTei: false,
    answer: undefined,
    closed: () => closed,
    close,
  };
  return fake;
}

/** Letters of the longest word that both hold, less a thousandth for each letter of the document. */
export function scoreOf(query: string, document: string): number {
  const words = (text: string) => new Set(text.toLowerCase().match(/\p{L}+/gu));
  const own = words(document);
  const shared = [...words(query)].filter((word) => own.has(word)).map(({ length }) => length);
  return Math.max(0, ...shared) - document.length / 1_000;
}

/** Answers best first, as such servers do. */
function answerScores(response: ServerResponse, scores: readonly number[], tei: boolean): void {
  const results = scores
    .map((score, index) =>
      tei ? { index, score } : { index, relevance_score: score, document: { text: '' } },
    )
    .sort((a, b) => (scores[b.index] ?? 0) - (scores[a.index] ?? 0));
  response.end(JSON.stringify(tei ? results : { model: 'cross', results, usage: { total_tokens: 1 } }));
}
