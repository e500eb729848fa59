import { type IncomingMessage, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { serving, useApp } from '../app/app.fixture.ts';

const test = useApp();

/** Asks without a key, and takes the answer as it comes over the line. */
function ask(port: number, path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>(
    (resolve, reject) => {
      request({ port, path: `/api/v1${path}`, method, headers }, async (message) => {
        const body = Buffer.concat(await message.toArray());
        resolve({ status: message.statusCode ?? 0, headers: message.headers, body });
      })
        .once('error', reject)
        .end();
    },
  );
}

it.each([
  ['/openapi.json', 'application/json; charset=utf-8', '"openapi":"3.1.0"'],
  ['/docs', 'text/html; charset=utf-8', '<h1>Agent Memory Service'],
])('%s is sent in each encoding, and not again to who has it', async (path, type, part) => {
  await serving(test.app, async (port) => {
    const plain = await ask(port, path);
    expect(plain).toMatchObject({ status: 200, headers: { 'content-type': type } });
    expect(plain.body.toString()).toContain(part);
    const br = await ask(port, path, { 'accept-encoding': 'gzip, deflate, br' });
    expect(br.headers).toMatchObject({ 'content-encoding': 'br', 'content-length': String(br.body.length) });
    expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true);
    const gzip = await ask(port, path, { 'accept-encoding': 'gzip' });
    expect(gzip.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    const etag = String(plain.headers.etag);
    expect(await ask(port, path, { 'if-none-match': etag, 'accept-encoding': 'br' })).toMatchObject({
      status: 304,
      headers: { etag },
      body: Buffer.alloc(0),
    });
    expect(await ask(port, path, {}, 'HEAD')).toMatchObject({
      status: 200,
      headers: { etag, 'content-length': String(plain.body.length) },
      body: Buffer.alloc(0),
    });
  });
});
