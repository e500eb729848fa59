import { gzipSync } from 'node:zlib';
import { routes } from '@svc-memory/core/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Api, expectRefused } from '../kit/api.ts';
import { requestText, sendRaw } from '../kit/raw-http.ts';
import { useService } from '../kit/service.ts';

const service = useService();
let api: Api;
beforeAll(async () => {
  api = await service.signUp();
});

const JSON_TYPE = 'application/json';
/** An episode makes a new memory each time it is sent. */
const VALID = '{"type":"episodic","content":"x"}';
/** Every route an agent sends a body to. */
const BODY_ROUTES = Object.values(routes)
  .filter(({ method, access }) => (method === 'POST' || method === 'PATCH') && access !== 'human')
  .map(({ method, path }) => [method, path.replaceAll(/\{\w+\}/g, crypto.randomUUID())] as const);

const send = (raw: string | Uint8Array<ArrayBuffer>, type: string | null = JSON_TYPE, path = '/memories') =>
  api.send('POST', path, { raw, headers: type === null ? {} : { 'Content-Type': type } });
const bytes = (text: string, encoding: BufferEncoding) => new Uint8Array(Buffer.from(text, encoding));

/** A request over a bare socket with a valid key. */
const raw = (method: string, path: string, headers: readonly string[] = [], body = '') =>
  sendRaw(service.port, requestText(method, path, [`Authorization: Bearer ${api.key}`, ...headers], body));

describe('Bad input B: bodies that are no JSON object', () => {
  it.each([
    ['nothing at all', ''],
    ['white space', ' \n\t '],
    ['null', 'null'],
    ['a list', '[]'],
    ['a list of memories', `[${VALID}]`],
    ['a text', '"x"'],
    ['a number', '1'],
    ['true', 'true'],
    ['cut off', VALID.slice(0, -1)],
    ['cut off in a text', VALID.slice(0, -4)],
    ['cut off in an escape', '{"type":"working","content":"\\u00'],
    ['two documents', `${VALID}${VALID}`],
    ['a trailing comma', '{"type":"working","content":"x",}'],
    ['single quotes', "{'type':'working'}"],
    ['bare names', '{type:"working"}'],
    ['a comment', `${VALID} // note`],
    ['NaN', '{"type":"working","content":"x","importance":NaN}'],
    ['Infinity', '{"type":"working","content":"x","importance":-Infinity}'],
    ['1e400', '{"type":"working","content":"x","importance":1e400}'],
    ['-1e400', '{"type":"working","content":"x","importance":-1e400}'],
    ['hexadecimal', '{"type":"working","content":"x","importance":0x1}'],
    ['a leading zero', '{"type":"working","content":"x","importance":01}'],
    ['a raw line break in a text', '{"type":"working","content":"a\nb"}'],
    ['a raw NUL in a text', '{"type":"working","content":"a\u0000b"}'],
    ['an unknown escape', '{"type":"working","content":"\\x41"}'],
    ['XML', '<memory/>'],
    ['a form', 'type=working&content=x'],
  ])('%s', async (_, body) => {
    await expectRefused(api, () => send(body), 'VALIDATION_ERROR');
  });

  it.each([
    ['200,000 lists', '['.repeat(200_000) + ']'.repeat(200_000)],
    ['200,000 lists that never end', '['.repeat(200_000)],
    ['10,000 objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['100 lists in a field', `{"type":"working","content":"x","tags":${'['.repeat(100)}${']'.repeat(100)}}`],
    ['objects and lists in turn', `{"a":${'[{"a":'.repeat(5_000)}1${'}]'.repeat(5_000)}}`],
  ])('nested too deep: %s', async (_, body) => {
    await expectRefused(api, () => send(body), 'VALIDATION_ERROR');
  });

  it.each([
    ['a lone continuation byte', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate as UTF-8', [0xed, 0xa0, 0x80]],
    ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['a cut sequence', [0xe2, 0x82]],
    ['0xFF', [0xff]],
    ['Latin-1', [0x63, 0x61, 0x66, 0xe9]],
  ])('invalid UTF-8: %s', async (_, invalid) => {
    const body = Buffer.concat([
      Buffer.from('{"type":"working","content":"'),
      Buffer.from(invalid),
      Buffer.from('"}'),
    ]);
    const error = await expectRefused(api, () => send(new Uint8Array(body)), 'VALIDATION_ERROR');
    expect(error.message).toMatch(/UTF-8/);
  });

  it('of a field given twice the last counts', async () => {
    const answer = await send('{"type":"working","content":"one","content":"two"}');
    expect(answer.body).toMatchObject({ memory: { content: 'two' } });
  });

  it('where the mistake is, is said', async () => {
    const error = await expectRefused(
      api,
      () => send('{"type":"working",\n  "content" "x"}'),
      'VALIDATION_ERROR',
    );
    expect(error.message).toMatch(/line 2, column \d+/);
  });

  it.each(BODY_ROUTES)('%s %s refuses every kind of broken body alike', async (method, path) => {
    const headers = { 'Content-Type': JSON_TYPE };
    for (const body of ['{"a":', '[]', 'null', '{"a":1e999}', `{"a":${'['.repeat(99)}${']'.repeat(99)}}`]) {
      await expectRefused(api, () => api.send(method, path, { raw: body, headers }), 'VALIDATION_ERROR');
    }
    const plain = { raw: '{}', headers: { 'Content-Type': 'text/plain' } };
    await expectRefused(api, () => api.send(method, path, plain), 'UNSUPPORTED_MEDIA_TYPE');
    const large = { raw: `{"a":"${'x'.repeat(1_100_000)}"}`, headers };
    await expectRefused(api, () => api.send(method, path, large), 'PAYLOAD_TOO_LARGE');
  });
});

describe('Bad input B: content types', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/json-patch+json',
    'application/jsonp',
    'json',
    'text/json',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/json; charset="utf-16le"',
  ])('%s is refused', async (type) => {
    await expectRefused(api, () => send(VALID, type), 'UNSUPPORTED_MEDIA_TYPE');
  });

  it('a body without a type is refused', async () => {
    await expectRefused(api, () => send(bytes(VALID, 'utf8'), null), 'UNSUPPORTED_MEDIA_TYPE');
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=utf8',
  ])('%s is accepted', async (type) => {
    expect((await send(VALID, type)).status).toBe(201);
  });

  it('UTF-16 bytes under a JSON type are refused', async () => {
    await expectRefused(api, () => send(bytes(VALID, 'utf16le')), 'VALIDATION_ERROR');
  });
});

describe('Bad input B: sizes and encodings', () => {
  const encoded = (body: Uint8Array<ArrayBuffer>, encoding: string) =>
    api.send('POST', '/memories', {
      raw: body,
      headers: { 'Content-Type': JSON_TYPE, 'Content-Encoding': encoding },
    });
  const zip = (text: string) => new Uint8Array(gzipSync(text));

  it('a body over 1 MiB is refused, one byte below it is read', async () => {
    const pad = (size: number) => VALID + ' '.repeat(size - VALID.length);
    await expectRefused(api, () => send(pad(1_048_577)), 'PAYLOAD_TOO_LARGE');
    expect((await send(pad(1_048_576))).status).toBe(201);
  });

  it('101 MiB announced is refused without being read', async () => {
    const headers = [`Content-Type: ${JSON_TYPE}`, `Content-Length: ${101 * 1024 * 1024}`];
    const answer = await raw('POST', '/api/v1/memories', headers, '{');
    expect([answer.status, answer.body]).toEqual([
      413,
      { success: false, error: expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }) },
    ]);
  });

  it('3 MiB in chunks, unannounced, is refused', async () => {
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const headers = [`Content-Type: ${JSON_TYPE}`, 'Transfer-Encoding: chunked'];
    const answer = await raw('POST', '/api/v1/memories', headers, `${chunk.repeat(48)}0\r\n\r\n`);
    expect(answer.status).toBe(413);
  });

  it('a gzip body is read', async () => {
    expect((await encoded(zip(VALID), 'gzip')).status).toBe(201);
  });

  it('a gzip bomb is refused', async () => {
    const bomb = zip(`{"content":"${'0'.repeat(100 * 1024 * 1024)}"}`);
    expect(bomb.length).toBeLessThan(200_000);
    await expectRefused(api, () => encoded(bomb, 'gzip'), 'PAYLOAD_TOO_LARGE');
  });

  it.each([
    ['what is no gzip', bytes(VALID, 'utf8'), 'VALIDATION_ERROR'],
    ['a cut gzip', zip(VALID).slice(0, -6), 'VALIDATION_ERROR'],
  ] as const)('%s is refused', async (_, body, code) => {
    await expectRefused(api, () => encoded(body, 'gzip'), code);
  });

  it.each(['zstd', 'compress', 'gzip, gzip', '__proto__'])('the encoding %s is refused', async (encoding) => {
    await expectRefused(api, () => encoded(bytes(VALID, 'utf8'), encoding), 'UNSUPPORTED_MEDIA_TYPE');
  });
});

describe('Bad input B: methods and paths', () => {
  it.each([
    ['PUT', '/memories', 'POST'],
    ['PATCH', '/memories', 'POST'],
    ['DELETE', '/memories', 'POST'],
    ['GET', '/memories/recall', 'POST'],
    ['POST', '/memories/search', 'GET'],
    ['POST', '/status', 'GET'],
    ['DELETE', '/export', 'GET'],
    ['PUT', '/boot-config', 'POST'],
    ['POST', '/health', 'GET'],
  ])('%s %s answers METHOD_NOT_ALLOWED and says what is allowed', async (method, path, allowed) => {
    const { headers } = await api.send(method, path);
    expect(headers.get('allow')?.split(', ')).toContain(allowed);
    await expectRefused(api, () => api.send(method, path), 'METHOD_NOT_ALLOWED');
  });

  it.each(['TRACE', 'CONNECT', 'PROPFIND', 'BREW', 'get'])('%s is refused', async (method) => {
    const { status } = await raw(method, '/api/v1/memories');
    // 0: closed without an answer, as Node does where nobody serves tunnels.
    expect(method === 'CONNECT' ? [0, 400, 405] : [400, 404, 405]).toContain(status);
  });

  it.each(['HEAD', 'OPTIONS'])('%s never fails', async (method) => {
    for (const path of ['/status', '/memories', '/memories/x', '/nothing']) {
      expect((await api.send(method, path)).status).toBeLessThan(500);
    }
  });

  it.each([
    '/api/v1/memories/%00',
    '/api/v1/memories/%2e%2e%2fstatus',
    '/api/v1/memories/../../../etc/passwd',
    '/api/v1/memories/%zz',
    '/api/v1/memories/%E0%A4%A',
    '/api/v1/memories/%ED%A0%80',
    '/api/v1//memories/x',
    '/api/v1/memories//',
    '/api/v1/memories/x/',
    '/api/v1/Memories/x',
    '/api/v1/memories/x;v=1',
    '/api/v1/memories/a%0d%0aX-Evil:1',
    '/api/v1/__proto__',
    '/api/v1/constructor',
    '//evil.example/api/v1/status',
    `/api/v1/memories/${'a'.repeat(8_000)}`,
    '/nothing',
    '/%',
  ])('GET %s is not found or refused', async (path) => {
    const { status, headers, body } = await raw('GET', path);
    expect([400, 404], JSON.stringify(body).slice(0, 300)).toContain(status);
    expect(body).toMatchObject({ success: false, error: { code: expect.any(String) } });
    expect(headers).not.toMatch(/^X-Evil/im);
  });

  it('a body on GET means nothing', async () => {
    const headers = [`Content-Type: ${JSON_TYPE}`, 'Content-Length: 7'];
    expect((await raw('GET', '/api/v1/status', headers, '{"a":1}')).status).toBe(200);
  });

  it('query parameters on a route that reads its body are refused by name', async () => {
    const post = (query: string) => api.post(`/memories?${query}`, { type: 'working', content: 'x' });
    await expectRefused(api, () => post('type=core'), 'VALIDATION_ERROR', 'type');
    await expectRefused(api, () => post('a=1&b=2'), 'VALIDATION_ERROR', 'b');
  });
});

describe('Bad input B: malformed HTTP', () => {
  it.each([
    [
      'both Content-Length and Transfer-Encoding',
      ['Content-Length: 5', 'Transfer-Encoding: chunked'],
      '0\r\n\r\n',
    ],
    ['two lengths', ['Content-Length: 5', 'Content-Length: 6'], 'x'],
    ['a length that is no number', ['Content-Length: five'], 'x'],
    ['a negative length', ['Content-Length: -1'], 'x'],
    ['a broken chunk size', ['Transfer-Encoding: chunked'], 'zz\r\n'],
    ['a header without a colon', ['Broken'], ''],
    ['a space before the colon', ['X-A : b'], ''],
  ])('%s is refused and the connection closed', async (_, headers, body) => {
    const before = await api.digest();
    const answer = await raw('POST', '/api/v1/memories', [`Content-Type: ${JSON_TYPE}`, ...headers], body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ success: false, error: { code: 'VALIDATION_ERROR' } });
    expect(await api.digest()).toBe(before);
  });

  it('64 KiB of headers are refused', async () => {
    const { status, body } = await raw('GET', '/api/v1/status', [`X-Pad: ${'a'.repeat(65_536)}`]);
    expect([status, body]).toEqual([431, expect.objectContaining({ success: false })]);
  });

  it('bytes that are no HTTP at all are refused', async () => {
    const { status } = await sendRaw(service.port, '\u0016\u0003\u0001 hello\r\n\r\n');
    expect(status).toBe(400);
  });

  it.each([
    ['two Host headers, also of one name', requestText('GET', '/api/v1/health', ['host: 127.0.0.1'])],
    ['no Host header', 'GET /api/v1/health HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ])('%s: refused, and the field is named', async (_, text) => {
    const { status, body } = await sendRaw(service.port, text);
    expect([status, body]).toEqual([
      400,
      {
        success: false,
        error: expect.objectContaining({
          code: 'VALIDATION_ERROR',
          details: [{ path: 'Host', message: 'must be one header' }],
        }),
      },
    ]);
  });

  it('an expectation that nobody knows is passed over, and the call answered like any other', async () => {
    const expecting = (path: string) => raw('GET', path, ['Expect: the-unexpected']);
    expect((await expecting('/api/v1/status')).status).toBe(200);
    expect(await expecting('/api/v1/nothing')).toMatchObject({
      status: 404,
      body: { success: false, error: { code: 'NOT_FOUND' } },
    });
  });

  it('a request that goes away in the middle of its body stores nothing', async () => {
    const before = await api.digest();
    const controller = new AbortController();
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => stream.enqueue(new TextEncoder().encode(VALID.slice(0, 20))),
      pull: () => controller.abort(),
    });
    const gone = fetch(`${service.url}/api/v1/memories`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${api.key}`, 'Content-Type': JSON_TYPE },
      body,
      duplex: 'half',
      signal: controller.signal,
    } as RequestInit);
    await expect(gone).rejects.toThrow();
    expect((await api.get('/status')).status).toBe(200);
    expect(await api.digest()).toBe(before);
  });
});
