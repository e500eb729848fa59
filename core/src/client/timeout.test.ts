import { expect, test } from 'vitest';
import { API_KEY, json, serve } from './http-server.fixture.ts';
import { connect } from './index.ts';

test('a service that does not answer gives UNAVAILABLE that names url and time', async () => {
  const { url, seen } = await serve(() => {});
  await expect(connect({ url, apiKey: API_KEY, timeoutMs: 1_000 }).status()).rejects.toMatchObject({
    name: 'SvcError',
    code: 'UNAVAILABLE',
    message: expect.stringContaining(`${url} did not answer within 1000 ms`),
  });
  expect(seen).toHaveLength(1);
});

test('the timeout covers an answer that never ends', async () => {
  const { url } = await serve((_, response) => void response.write('{"success":'));
  await expect(connect({ url, apiKey: API_KEY, timeoutMs: 100 }).status()).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  });
});

test('the timeout bounds attempts and waits together', async () => {
  const { url, seen } = await serve((_, response, attempt) => {
    if (attempt === 1) response.destroy();
  });
  const delay = async () => {};
  const started = performance.now();
  await expect(connect({ url, apiKey: API_KEY, timeoutMs: 400, delay }).status()).rejects.toThrow(
    /within 400 ms/,
  );
  expect(performance.now() - started).toBeLessThan(2_000);
  expect(seen).toHaveLength(2);
});

test('an aborted call ends with the reason of its signal and is not repeated', async () => {
  const controller = new AbortController();
  const reason = new Error('the agent stopped');
  const { url, seen } = await serve(() => controller.abort(reason));
  const call = connect({ url, apiKey: API_KEY }).status({}, { signal: controller.signal });
  await expect(call).rejects.toBe(reason);
  expect(seen).toHaveLength(1);
});

test('an abort ends the wait between attempts', async () => {
  const controller = new AbortController();
  const { url } = await serve((_, response) => {
    json(response, 503, { success: false }, { 'Retry-After': '20' });
    response.on('finish', () => setImmediate(() => controller.abort(new Error('stop'))));
  });
  const call = connect({ url, apiKey: API_KEY }).status({}, { signal: controller.signal });
  await expect(call).rejects.toThrow('stop');
});

test('a signal aborted beforehand sends nothing', async () => {
  const { url, seen } = await serve((_, response) => json(response, 200, { success: true }));
  const call = connect({ url, apiKey: API_KEY }).status({}, { signal: AbortSignal.abort(new Error('stop')) });
  await expect(call).rejects.toThrow('stop');
  expect(seen).toHaveLength(0);
});
