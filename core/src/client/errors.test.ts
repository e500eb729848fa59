import { expect, test } from 'vitest';
import { SvcError } from '../kernel/contract/errors.ts';
import { API_KEY, json, serve } from './http-server.fixture.ts';
import { connect } from './index.ts';

const ID = '0197a8f2-0000-7000-8000-000000000001';
const once = (url: string) => connect({ url, apiKey: API_KEY, retries: 0 });

async function failure(call: Promise<unknown>): Promise<SvcError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SvcError)) throw new Error(`expected a SvcError, got ${String(error)}`);
  expect(JSON.stringify([error.message, error.details, String(error.cause)])).not.toContain(API_KEY);
  return error;
}

test('an error keeps code, message, details and request id of the service', async () => {
  const details = [{ path: 'importance', message: 'must be at most 1' }];
  const { url } = await serve((_, response) =>
    json(response, 400, {
      success: false,
      error: {
        code: 'VALIDATION_ERROR',
        message: 'importance: must be at most 1',
        details,
        request_id: 'req-7',
      },
    }),
  );
  expect(await failure(once(url).remember({ type: 'working', content: 'x', importance: 2 }))).toMatchObject({
    code: 'VALIDATION_ERROR',
    status: 400,
    message: 'importance: must be at most 1',
    details,
    requestId: 'req-7',
  });
});

test('the request id may come in its header', async () => {
  const { url } = await serve((_, response) =>
    json(
      response,
      404,
      { success: false, error: { code: 'NOT_FOUND', message: 'no' } },
      { 'X-Request-Id': 'req-8' },
    ),
  );
  expect(await failure(once(url).get({ id: ID }))).toMatchObject({ code: 'NOT_FOUND', requestId: 'req-8' });
});

test.each([
  [409, 'CONFLICT'],
  [500, 'INTERNAL'],
  [599, 'UNAVAILABLE'],
])('an unknown code with status %i is read as %s', async (status, code) => {
  const { url } = await serve((_, response) =>
    json(response, status, { success: false, error: { code: 'NEWER_CODE', message: 'new' } }),
  );
  expect(await failure(once(url).status())).toMatchObject({ code, message: 'new' });
});

test('success: false with status 200 is an error', async () => {
  const { url } = await serve((_, response) => json(response, 200, { success: false }));
  await failure(once(url).status());
});

test('a service that is not there gives UNAVAILABLE that names url and fix', async () => {
  const { url, close } = await serve(() => {});
  await close();
  const error = await failure(once(url).status());
  expect(error.code).toBe('UNAVAILABLE');
  expect(error.message).toBe(
    `The Agent Memory Service at ${url} cannot be reached (ECONNREFUSED). Start it, or set url (SVC_API_URL) to where it runs.`,
  );
});

test.each([
  [200, 'UNAVAILABLE', /200 with text\/html instead of JSON. Check that url/],
  [404, 'UNAVAILABLE', /404 with text\/html/],
  [401, 'UNAVAILABLE', /401 with text\/html/],
  [413, 'PAYLOAD_TOO_LARGE', /proxy/],
  [429, 'RATE_LIMITED', /proxy/],
  [502, 'UNAVAILABLE', /502 with text\/html instead of JSON. A proxy/],
])('an HTML page with status %i is told as such', async (status, code, message) => {
  const { url } = await serve((_, response) => {
    response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end('<html>no</html>');
  });
  const error = await failure(once(url).status());
  expect(error.code).toBe(code);
  expect(error.message).toMatch(message);
});

test.each(['', 'null', '[]', '"x"', '{"success":'])(
  'the answer %j is told as no JSON of ours',
  async (body) => {
    const { url } = await serve((_, response) => void response.end(body));
    expect((await failure(once(url).status())).message).toContain('instead of JSON');
  },
);

test('a redirect is not followed and names its target', async () => {
  const other = await serve((_, response) => json(response, 200, { success: true }));
  const { url } = await serve((_, response) => {
    response.writeHead(308, { Location: `${other.url}/api/v1/status?secret=1` });
    response.end();
  });
  const error = await failure(once(url).status());
  expect(error.code).toBe('UNAVAILABLE');
  expect(error.message).toContain(`${url} redirects to ${other.url}.`);
  expect(other.seen).toHaveLength(0);
});
