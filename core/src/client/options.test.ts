import { expect, test } from 'vitest';
import { API_KEY, json, serve } from './http-server.fixture.ts';
import { connect } from './index.ts';

const url = 'http://127.0.0.1:3000';

test.each([
  [{}, 'url: is required'],
  [{ url, apiKey: '' }, 'apiKey: is required: pass the API key'],
  [{ url }, 'apiKey: is required'],
  [{ url, apiKey: 'svc_a\nb' }, 'apiKey: must hold only printable ASCII'],
  [{ url, apiKey: 'svc_ключ' }, 'apiKey: must hold only printable ASCII'],
  [{ url: 'localhost:3000', apiKey: API_KEY }, 'url: must be an http or https address'],
  [{ url: 'ftp://host', apiKey: API_KEY }, 'url: must be an http or https address'],
  [{ url: 'http://me:pw@host', apiKey: API_KEY }, 'url: must not hold a user name or password'],
  [{ url: 'http://host/?a=1', apiKey: API_KEY }, 'url: must end after the path'],
  [{ url, apiKey: API_KEY, timeoutMs: 0 }, 'timeoutMs: must be a whole number from 1'],
  [{ url, apiKey: API_KEY, timeoutMs: 2 ** 31 }, 'timeoutMs: must be a whole number'],
  [{ url, apiKey: API_KEY, retries: -1 }, 'retries: must be a whole number from 0 to 10'],
  [{ url, apiKey: API_KEY, retries: 1.5 }, 'retries: must be a whole number'],
  [{ url, apiKey: API_KEY, sessionKey: '' }, 'sessionKey: is required'],
])('connect(%j) says %s', (options, message) => {
  expect(() => connect(options as never)).toThrow(message);
  try {
    connect(options as never);
  } catch (error) {
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(String(error)).not.toContain('svc_a');
  }
});

test('white space around a pasted key does no harm', async () => {
  const server = await serve((_, response) => json(response, 200, { success: true }));
  await connect({ url: ` ${server.url} `, apiKey: `${API_KEY}\n` }).status();
  expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${API_KEY}`);
});

test('an injected fetch is used', async () => {
  const urls: string[] = [];
  const fetch = async (input: unknown) => {
    urls.push(String(input));
    return Response.json({ success: true, ok: 1 });
  };
  const memory = connect({
    url: 'https://memory.example',
    apiKey: API_KEY,
    fetch: fetch as typeof globalThis.fetch,
  });
  expect(await memory.status()).toEqual({ ok: 1 });
  expect(urls).toEqual(['https://memory.example/api/v1/status']);
});

test('the session key goes only with calls that bring or need one', async () => {
  const server = await serve((_, response) => json(response, 200, { success: true }));
  const memory = connect({ url: server.url, apiKey: API_KEY, sessionKey: 'svs_all' });
  await memory.status();
  await memory.setVisibility({ default: 'redacted' });
  await memory.setVisibility({ default: 'redacted' }, { sessionKey: 'svs_call' });
  const sent = server.seen.map((request) => request.headers['x-session-key']);
  expect(sent).toEqual([undefined, 'svs_all', 'svs_call']);
});
