import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { useServer } from '../../../test/kit/use-server.ts';
import { openAiLanguageModel } from './openai-language-model.ts';

type Answer = (response: ServerResponse, count: number) => void;

const SECRET = 'sk-secret';
const PROMPT = { instructions: 'Condense.', data: '["the boat is red"]' };
const forever = new AbortController().signal;

let answer: Answer;
const received: { url: string; headers: IncomingHttpHeaders; body: Record<string, unknown> }[] = [];
const closed: Promise<unknown>[] = [];
const server = createServer(async (request, response) => {
  closed.push(once(response, 'close'));
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
  received.push({ url: request.url ?? '', headers: request.headers, body });
  answer(response, received.length);
});
const listening = useServer(server);
afterEach(() => {
  received.length = 0;
  closed.length = 0;
});

const says = (content: string) => JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] });
const works: Answer = (response) => response.end(says('It is red.'));
const hangs: Answer = () => {};
const fails: Answer = (response) => response.writeHead(500).end(`I know ${SECRET} and the boat is red`);
const model = (options: Partial<Parameters<typeof openAiLanguageModel>[0]> = {}) =>
  openAiLanguageModel({
    model: 'm',
    url: `${listening.url}/v1`,
    apiKey: SECRET,
    timeoutMs: 60_000,
    retryDelayMs: 1,
    ...options,
  });

describe('a language model that speaks as OpenAI’s does', () => {
  it('is asked with instructions and data apart, and the key as bearer token', async () => {
    answer = works;
    const llm = model({ url: `${listening.url}/v1/` });
    expect(llm.model).toBe('m');
    expect(await llm.complete(PROMPT, forever)).toBe('It is red.');
    expect(received).toMatchObject([
      {
        url: '/v1/chat/completions',
        headers: { authorization: `Bearer ${SECRET}` },
        body: {
          model: 'm',
          messages: [
            { role: 'system', content: PROMPT.instructions },
            { role: 'user', content: PROMPT.data },
          ],
        },
      },
    ]);
  });

  it('is asked again when it fails, so often and no more', async () => {
    answer = (response, count) => (count < 3 ? fails : works)(response, count);
    expect(await model().complete(PROMPT, forever)).toBe('It is red.');
    expect(received).toHaveLength(3);
    received.length = 0;
    answer = fails;
    await expect(model({ retries: 1 }).complete(PROMPT, forever)).rejects.toThrow('answered 500');
    expect(received).toHaveLength(2);
  });

  it.each([
    ['has too much to do', 429, '3600', 1, 3_600_000],
    ['has too much to do for a moment', 429, '0', 3, 0],
    ['has too much to do and says not how long', 503, undefined, 3, undefined],
    ['refuses the key', 401, undefined, 3, undefined],
  ])(
    'that %s is away, and asked no sooner than it wants',
    async (_, status, header, requests, retryAfterMs) => {
      answer = (response) =>
        response.writeHead(status, header === undefined ? {} : { 'Retry-After': header }).end();
      await expect(model().complete(PROMPT, forever)).rejects.toMatchObject({
        name: 'ModelAwayError',
        message: `The language model m answered ${status}.`,
        retryAfterMs,
      });
      expect(received).toHaveLength(requests);
    },
  );

  it('that cannot be reached is away, and one that fails or drops a connection is not', async () => {
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    gone.close();
    await once(gone, 'close');
    const nobody = model({ url: `http://127.0.0.1:${port}/v1`, retries: 0 }).complete(PROMPT, forever);
    await expect(nobody).rejects.toMatchObject({
      name: 'ModelAwayError',
      message: 'The language model m cannot be reached (ECONNREFUSED).',
    });
    for (const how of [fails, (response: ServerResponse) => response.destroy()]) {
      answer = how;
      const failing = model({ retries: 0 }).complete(PROMPT, forever);
      await expect(failing).rejects.not.toMatchObject({ name: 'ModelAwayError' });
    }
  });

  it('that takes no temperature is asked without, from then on', async () => {
    const refusal = {
      error: { message: "Unsupported value: 'temperature' does not support 0 with this model." },
    };
    answer = (response) =>
      received.at(-1)?.body.temperature === undefined
        ? works(response, 0)
        : response.writeHead(400).end(JSON.stringify(refusal));
    const thinking = model();
    expect(await thinking.complete(PROMPT, forever)).toBe('It is red.');
    expect(await thinking.complete(PROMPT, forever)).toBe('It is red.');
    expect(received.map(({ body }) => body.temperature)).toEqual([0, undefined, undefined]);
  });

  it('that hangs is given up after its time, each time, and its connection closed', async () => {
    answer = hangs;
    await expect(model({ timeoutMs: 30, retries: 2 }).complete(PROMPT, forever)).rejects.toThrow(
      /timed? ?out/i,
    );
    expect(received).toHaveLength(3);
    await Promise.all(closed);
  });

  it('that begins to answer and then hangs is given up too', async () => {
    answer = (response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).write('{"choices": [');
    };
    await expect(model({ timeoutMs: 30, retries: 0 }).complete(PROMPT, forever)).rejects.toThrow(
      /timed? ?out/i,
    );
    await Promise.all(closed);
  });

  it('is not waited for, and not asked again, once nobody wants its answer', async () => {
    answer = hangs;
    const wanted = new AbortController();
    const completing = model().complete(PROMPT, wanted.signal);
    await once(server, 'request');
    wanted.abort();
    await expect(completing).rejects.toThrow();
    await Promise.all(closed);
    expect(received.length).toBeLessThanOrEqual(1);
  });

  it.each<[string, Answer, RegExp]>([
    ['answers an error', fails, /answered 500/],
    [
      'redirects',
      (response) => response.writeHead(307, { Location: 'http://127.0.0.1:9/' }).end(),
      /answered/,
    ],
    ['answers no JSON', (response) => response.end('<html>the boat is red</html>'), /JSON/],
    ['answers without a message', (response) => response.end('{"choices": []}'), /without a message/],
    ['drops the connection', (response) => response.destroy(), /./],
    [
      'does not stop answering',
      (response) => {
        const more = () => response.write('x'.repeat(65_536)) && setImmediate(more);
        response.on('drain', more);
        more();
      },
      /more than can be read/,
    ],
  ])('that %s fails without a word of what was asked, of the answer, or of the key', async (_, how, why) => {
    answer = how;
    const error = await model({ retries: 0 })
      .complete(PROMPT, forever)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    const { message, stack } = error as Error;
    expect(message).toMatch(why);
    expect(`${message} ${stack} ${JSON.stringify(error)}`).not.toMatch(/sk-secret|boat/);
  });
});
