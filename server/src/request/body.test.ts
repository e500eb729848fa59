import { once } from 'node:events';
import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { caller, exchange, serving, useApp } from '../app/app.fixture.ts';

const test = useApp();
let bearer: string;
let call: ReturnType<typeof caller>;

beforeAll(async () => {
  ({ bearer } = await test.signIn());
  call = caller(test.app, bearer);
});

const NOTE = '{"type":"episodic","content":"x"}';
const post = (body: string | Buffer, headers: Record<string, string> = {}) => {
  const request = call('post', '/memories')
    .set('Content-Type', 'application/json')
    .set(headers)
    .serialize((value) => value);
  request.send(body);
  return request;
};

describe('the type of a body', () => {
  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    '%s is taken',
    async (type) => {
      await post(NOTE, { 'Content-Type': type }).expect(201);
    },
  );

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/jsonp',
  ])('%s is refused', async (type) => {
    const { body } = await post(NOTE, { 'Content-Type': type }).expect(415);
    expect(body).toMatchObject({ success: false, error: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
  });
});

describe('the text of a body', () => {
  it('is stored byte for byte', async () => {
    const content = 'ä€😀\u2028 "quoted" \\ tab\t end ';
    const { body } = await post(Buffer.from(JSON.stringify({ type: 'episodic', content }))).expect(201);
    expect(body.memory.content).toBe(content);
  });

  it.each([
    [
      'bytes that are no UTF-8',
      Buffer.from([...Buffer.from('{"type":"episodic","content":"'), 0xc3, 0x28, 0x22, 0x7d]),
    ],
    ['a cut-off character', Buffer.from([...Buffer.from('{"content":"'), 0xe2, 0x82])],
    ['UTF-16', Buffer.from(NOTE, 'utf16le')],
    ['truncated JSON', '{"type":"episodic","content":"x'],
    ['null', 'null'],
    ['a list', '[]'],
    ['a string', '"x"'],
    ['a number', '1'],
    ['200,000 nested lists', `{"tags":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ['1e400', '{"type":"episodic","content":"x","importance":1e400}'],
  ])('%s is refused', async (_name, body) => {
    const answer = await post(body).expect(400);
    expect(answer.body).toMatchObject({
      success: false,
      error: { code: 'VALIDATION_ERROR', request_id: expect.any(String) },
    });
  });

  it.each([
    ['type', '{"content":"x"}'],
    ['content', '{"type":"episodic","content":"a\\u0000b"}'],
    ['content', '{"type":"episodic","content":"\\ud800"}'],
    ['tags.0', '{"type":"episodic","content":"x","tags":["\\udfff"]}'],
    ['typ', '{"typ":"episodic","type":"episodic","content":"x"}'],
    ['id', '{"id":"01a1fd1f-b240-70d3-b327-7aff81549621","type":"episodic","content":"x"}'],
    ['tenant_id', '{"tenant_id":"x","type":"episodic","content":"x"}'],
    ['__proto__', '{"__proto__":{"type":"core"},"type":"episodic","content":"x"}'],
    ['constructor', '{"constructor":{"prototype":{"a":1}},"type":"episodic","content":"x"}'],
    ['importance', '{"type":"episodic","content":"x","importance":null}'],
  ])('the wrong field is named: %s', async (path, body) => {
    const answer = await post(body).expect(400);
    expect(answer.body.error.details).toContainEqual({ path, message: expect.any(String) });
    expect({}).not.toHaveProperty('type');
    expect({}).not.toHaveProperty('a');
  });

  it('may be left out where every field is optional', async () => {
    await call('post', '/memories/query').expect(200);
    await call('post', '/boot-config').expect(200);
    const { body } = await call('post', '/memories').expect(400);
    expect(body.error.details).toContainEqual({ path: 'type', message: expect.any(String) });
  });

  it('is ignored on GET, whatever it is', async () => {
    await call('get', '/status').set('Content-Type', 'text/plain').send('{').expect(200);
  });

  it('may not repeat a parameter of the path', async () => {
    const id = (await post(NOTE)).body.memory.id;
    const { body } = await call('patch', `/memories/${id}`).send({ id, importance: 1 }).expect(400);
    expect(body.error.details).toEqual([{ path: 'id', message: expect.stringContaining('path') }]);
  });

  it('on DELETE may hold no field', async () => {
    const id = (await post(NOTE)).body.memory.id;
    await call('delete', `/memories/${id}`).send({ reason: 'x' }).expect(400);
    await call('delete', `/memories/${id}`).send({}).expect(200);
  });
});

describe('the size of a body', () => {
  const MIB = 1024 * 1024;

  it('is at most 1 MiB', async () => {
    const padded = (size: number) => `${' '.repeat(size - NOTE.length)}${NOTE}`;
    await post(padded(MIB)).expect(201);
    const { body } = await post(padded(MIB + 1)).expect(413);
    expect(body.error.code).toBe('PAYLOAD_TOO_LARGE');
  });

  it('is limited without a Content-Length too', async () => {
    const status = await serving(test.app, async (port) => {
      const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
      const head = `POST /api/v1/memories HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${bearer}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
      return exchange(port, `${head}${chunk.repeat(20)}0\r\n\r\n`);
    });
    expect(status).toMatch(/^HTTP\/1\.1 413 /);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('is counted after decompression: %s', async (encoding, compress) => {
    await post(compress(NOTE), { 'Content-Encoding': encoding }).expect(201);
    const bomb = compress(Buffer.alloc(64 * MIB, ' '));
    expect(bomb.length).toBeLessThan(MIB);
    const { body } = await post(bomb, { 'Content-Encoding': encoding }).expect(413);
    expect(body.error.code).toBe('PAYLOAD_TOO_LARGE');
  });

  it.each([
    ['of empty members', gzipSync(''), gzipSync('')],
    ['whose file name has no end', Buffer.from('1f8b0808000000000000', 'hex'), Buffer.from('name')],
  ])('is counted before decompression too: gzip %s', async (_name, start, piece) => {
    const body = Buffer.concat([start, Buffer.alloc(2 * MIB, piece)]);
    const head = `POST /api/v1/memories HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${bearer}\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${body.length.toString(16)}\r\n`;
    const whole = Buffer.concat([Buffer.from(head), body, Buffer.from('\r\n0\r\n\r\n')]);
    const status = await serving(test.app, (port) => exchange(port, whole));
    expect(status).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('an encoding that is unknown, or not what the bytes are, is refused', async () => {
    await post(NOTE, { 'Content-Encoding': 'compress' }).expect(415);
    await post(NOTE, { 'Content-Encoding': 'constructor' }).expect(415);
    await post(NOTE, { 'Content-Encoding': 'gzip, gzip' }).expect(415);
    await post(NOTE, { 'Content-Encoding': 'gzip' }).expect(400);
  });
});

it('a body that breaks off is no failure of ours', async () => {
  test.logged.length = 0;
  await serving(test.app, async (port) => {
    const socket = connect(port, '127.0.0.1');
    const head = `POST /api/v1/memories HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${bearer}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
    socket.resume().end(head);
    await once(socket, 'close');
  });
  expect(test.logged).toMatchObject([{ route: '/api/v1/memories', status: 499 }]);
});
