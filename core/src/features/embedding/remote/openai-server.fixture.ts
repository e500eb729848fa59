import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../../../../../test/kit/listen.ts';

const DIMENSIONS = 48;

/** What the server does with the next requests. */
export type Behaviour =
  | 'works'
  | 'hangs'
  | 'drops the connection'
  | 'nothing but HTML'
  | 'another number of dimensions'
  | 'NaN'
  | 'zeros'
  | 'too few vectors'
  | 'reversed'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown };

/** A request as the server got it. */
interface Received {
  readonly model: string;
  readonly input: readonly string[];
  readonly authorization: string | undefined;
}

/** A local server that speaks OpenAI's embeddings, and can be told to fail. */
export interface OpenAiServer {
  /** Ends in `/v1`. */
  readonly url: string;
  readonly received: Received[];
  behave(next: Behaviour | ((request: Received, count: number) => Behaviour)): void;
  /** Names of the models that it lists; undefined: it answers as TEI does, which lists none. */
  models: readonly string[] | undefined;
  /** Texts with more characters than this are refused by 400, as strict servers do. */
  mostCharacters: number;
  close(): Promise<void>;
}

/** Starts one on a free port. */
export async function startOpenAiServer(port = 0): Promise<OpenAiServer> {
  let behaviour: (request: Received, count: number) => Behaviour = () => 'works';
  const received: Received[] = [];
  const server = createServer((request, response) => {
    if (request.method === 'GET') return answerModels(request, response, fake.models);
    void readBody(request).then((body) => {
      const { model = '', input = [] } = body as { model?: string; input?: string[] };
      const asked = { model, input, authorization: request.headers.authorization };
      received.push(asked);
      if (request.url !== '/v1/embeddings') return send(response, 404, { error: { code: 'not_found' } });
      if (input.some((text) => text.length > fake.mostCharacters)) {
        return send(response, 400, {
          error: { code: 'context_length_exceeded', message: `too long: ${input[0]}` },
        });
      }
      answer(response, asked, behaviour(asked, received.length));
    });
  });
  const { url, close } = await listen(server, port);
  const fake: OpenAiServer = {
    url: `${url}/v1`,
    received,
    models: [],
    mostCharacters: Number.POSITIVE_INFINITY,
    behave: (next) => {
      behaviour = typeof next === 'function' ? next : () => next;
    },
    close,
  };
  return fake;
}

/** The vector of a text by a model: alike for texts with the same words, in no relation between models. */
export function vectorOf(model: string, text: string): number[] {
  const vector = new Array<number>(DIMENSIONS).fill(0.01);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const place = hash(`${model} ${word}`) % DIMENSIONS;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}

function answer(response: ServerResponse, { model, input }: Received, behaviour: Behaviour): void {
  if (behaviour === 'hangs') return;
  if (behaviour === 'drops the connection') {
    response.destroy();
    return;
  }
  if (typeof behaviour === 'object') {
    send(response, behaviour.status, behaviour.body ?? {}, behaviour.headers);
    return;
  }
  if (behaviour === 'nothing but HTML') {
    response.end('<html>Welcome</html>');
    return;
  }
  const vectors = input.map((text) => {
    const vector: unknown[] = vectorOf(model, text);
    if (behaviour === 'NaN') vector[3] = 'NaN';
    if (behaviour === 'zeros') return vector.map(() => 0);
    if (behaviour === 'another number of dimensions') return vector.slice(7);
    return vector;
  });
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
  if (behaviour === 'reversed') data.reverse();
  send(response, 200, {
    object: 'list',
    model,
    data: behaviour === 'too few vectors' ? data.slice(1) : data,
  });
}

/** The list of `/v1/models`, or what TEI tells of its one model. */
function answerModels(
  { url, headers }: IncomingMessage,
  response: ServerResponse,
  models: readonly string[] | undefined,
): void {
  if (url === '/v1/models' && models?.[0] === 'needs a key' && !headers.authorization) {
    send(response, 401, {});
  } else if (url === '/v1/models' && models) {
    send(response, 200, { object: 'list', data: models.map((id) => ({ id, object: 'model' })) });
  } else if (url === '/info' && !models) {
    send(response, 200, { model_id: 'BAAI/bge-small-en-v1.5' });
  } else send(response, 404, { error: { code: 'not_found' } });
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString() || '{}');
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  // The low bits of FNV follow the last character.
  return (value ^ (value >>> 15)) >>> 0;
}
