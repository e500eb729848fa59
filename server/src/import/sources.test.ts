import { EventEmitter, once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { IncomingFile, S3Source } from '@svc-memory/core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { freePort } from '../../../test/kit/listen.ts';
import { listenInTest, useServer } from '../../../test/kit/use-server.ts';
import { type GitServer, startGitServer } from './git-server.fixture.ts';
import { createHostileGitServer, packOfLargeDelta } from './hostile-git-server.fixture.ts';
import { createImportSources } from './sources.ts';

const { signal } = new AbortController();
const strict = createImportSources({
  resolve: async (host) => [{ address: host === 'inside.example' ? '10.0.0.5' : '93.184.215.14', family: 4 }],
});
const open = createImportSources({ allowPrivate: true });

async function read(files: AsyncIterable<IncomingFile>): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { path, bytes } of files) {
    const parts: Uint8Array[] = [];
    for await (const part of bytes) parts.push(part);
    found[path] = Buffer.concat(parts).toString();
  }
  return found;
}

describe('threat 7: a Git repository', () => {
  let server: GitServer;
  beforeAll(async () => {
    server = await startGitServer();
  });
  afterAll(() => server.close());

  it.each([
    'file:///etc',
    '/etc',
    'ext::sh -c touch% /tmp/pwned',
    'ssh://git@example.com/x.git',
    'git@example.com:x.git',
    'git://example.com/x.git',
    'http://example.com/x.git',
    'https://user:secret@example.com/x.git',
    'https://127.0.0.1/x.git',
    'https://[::1]/x.git',
    'https://169.254.169.254/latest',
    'https://2130706433/x.git',
    'https://inside.example/x.git',
    '--upload-pack=touch /tmp/pwned',
  ])('at %s is refused before anything is asked of it', async (url) => {
    await expect(read(strict.git({ url }, signal))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'git.url' }],
    });
  });

  it('says what a service without a folder for temporary files needs', async () => {
    const url = await server.repository('unfetched', { 'a.md': 'a' });
    vi.stubEnv('TMPDIR', '/nowhere');
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(read(open.git({ url }, signal))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('/nowhere'),
    });
  });

  it('is read without a checkout: its files, or those below a path', async () => {
    const url = await server.repository('notes', {
      'README.md': '# Notes\n',
      'memory/2026-02-01.md': 'Sailed.\n',
      'memory/odd name é.md': 'Odd.\n',
      '.gitattributes': '*.md filter=evil\n',
      ':(top)/a.md': 'No magic.\n',
    });
    expect(await read(open.git({ url, ref: 'main', path: 'memory/' }, signal))).toEqual({
      'memory/2026-02-01.md': 'Sailed.\n',
      'memory/odd name é.md': 'Odd.\n',
    });
    expect(await read(open.git({ url, path: ':(top)' }, signal))).toEqual({ ':(top)/a.md': 'No magic.\n' });
    expect(Object.keys(await read(open.git({ url }, signal)))).toHaveLength(5);
    await expect(read(open.git({ url, path: '../..' }, signal))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    await expect(read(open.git({ url, path: 'nothing' }, signal))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    await expect(read(open.git({ url, ref: 'other' }, signal))).rejects.toMatchObject({
      details: [{ path: 'git.ref' }],
    });
  });

  it('with a symbolic link is refused', async () => {
    const url = await server.repository('links', { 'a.md': 'a', 'passwd.md': { target: '/etc/passwd' } });
    await expect(read(open.git({ url }, signal))).rejects.toThrow(/symbolic link \(passwd\.md\)/);
  });

  it('that Git takes for hostile is told so', async () => {
    const url = await server.repository('submodule', {
      '.gitmodules': '[submodule "x"]\n\turl = -u./payload\n',
    });
    await expect(read(open.git({ url }, signal))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'git.url' }],
    });
  });

  it('that is none is told so', async () => {
    await expect(read(open.git({ url: `${server.url}/nothing.git` }, signal))).rejects.toMatchObject({
      details: [{ path: 'git.url' }],
    });
  });

  const NOBODY = 'no server answers at its address';
  it.each<[string, string, RequestListener | undefined, string]>([
    ['at which nobody listens', 'http', undefined, NOBODY],
    ['whose server hangs up', 'http', (request) => void request.socket.destroy(), NOBODY],
    [
      'whose server speaks no TLS',
      'https',
      (_, response) => void response.end('Hello'),
      'cannot be reached securely',
    ],
    [
      'whose server is broken',
      'http',
      (_, response) => void response.writeHead(503).end(),
      'an error of its own (503)',
    ],
  ])('%s is told as that, whatever the address is named', async (_, scheme, answer, message) => {
    const { port } = answer ? await listenInTest(createServer(answer)) : { port: await freePort() };
    const url = `${scheme}://127.0.0.1:${port}/not found/redirect/error: 404.git`;
    await expect(read(open.git({ url }, signal))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining(message),
    });
  });

  it('that is another page is told so', async () => {
    const other = createServer((_, response) => void response.end('<!doctype html><p>Hello</p>'));
    const url = `${(await listenInTest(other)).url}/notes`;
    await expect(read(open.git({ url }, signal))).rejects.toThrow(/^git\.url: .*no repository/);
  });

  const hostileServer = async (tip: string, send: (response: ServerResponse) => void) => {
    const { url } = await listenInTest(createHostileGitServer(tip, send));
    return `${url}/x.git`;
  };

  it('that never ends its answer holds nobody who leaves, and nothing goes on reading it', async () => {
    const begun = new EventEmitter<{ answer: [ServerResponse] }>();
    const url = await hostileServer('a'.repeat(40), (response) => begun.emit('answer', response));
    const caller = new AbortController();
    const reading = read(open.git({ url }, caller.signal));
    const [answer] = await once(begun, 'answer');
    const closed = once(answer, 'close');
    caller.abort();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    await closed;
  });

  it('that unpacks to far more than was sent is refused before it takes the memory', async () => {
    const { tip, pack } = packOfLargeDelta(80);
    const url = await hostileServer(tip, (response) => response.end(pack));
    await expect(read(open.git({ url }, signal))).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });
});

describe('threat 7: a bucket', () => {
  const asked: { url: string; authorization: string | undefined }[] = [];
  const server = useServer(
    createServer((request, response) => {
      asked.push({ url: request.url ?? '', authorization: request.headers.authorization });
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
      if (pathname === '/moved') response.writeHead(301, { Location: 'http://169.254.169.254/' }).end();
      else if (pathname === '/notes' && searchParams.has('list-type')) {
        const second = searchParams.has('continuation-token');
        response.end(
          `<?xml version="1.0"?><ListBucketResult>${
            second
              ? '<Contents><Key>b%2Bc+d.md</Key><Size>3</Size></Contents>'
              : '<Contents><Key>a.md</Key><Size>3</Size></Contents><NextContinuationToken>t&amp;1</NextContinuationToken>'
          }</ListBucketResult>`,
        );
      } else if (pathname === '/notes/a.md') response.end('one');
      else if (pathname === '/notes/b%2Bc%20d.md') response.end('two');
      else if (pathname === '/broken') {
        response.writeHead(200, { 'Content-Length': 100 }).write('<ListBucketResult>');
        setImmediate(() => response.destroy());
      } else if (pathname === '/locked') response.writeHead(403).end();
      else response.writeHead(404).end();
    }),
  );
  const of = (bucket: string, more: Partial<S3Source> = {}): S3Source => ({
    bucket,
    region: 'us-east-1',
    ...more,
  });

  it.each([
    'http://s3.example.com',
    'https://127.0.0.1:9000',
    'https://169.254.169.254',
    'https://[fd00::1]',
    'https://inside.example',
    'https://user:pw@s3.example.com',
    'file:///etc',
  ])('at %s is refused before anything is asked of it', async (private_) => {
    await expect(read(strict.s3(of('notes', { endpoint: private_ }), signal))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 's3.endpoint' }],
    });
  });

  it('is read page by page, with signed calls', async () => {
    const keys = { access_key_id: 'AKIDEXAMPLE', secret_access_key: 'secret' };
    expect(await read(open.s3(of('notes', { endpoint: server.url, ...keys }), signal))).toEqual({
      'a.md': 'one',
      'b+c d.md': 'two',
    });
    expect(
      asked.every(({ authorization }) =>
        authorization?.startsWith('AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/'),
      ),
    ).toBe(true);
    expect(JSON.stringify(asked)).not.toContain('secret"');
  });

  it.each([
    ['objects without a name', '<Contents/>'],
    ['elements that are none of a listing', '<a>1</a>'],
    ['objects without an end', '<Contents><Key>a'],
    ['texts between elements', 'x<b/>'],
  ])('whose listing is 8 MB of %s is refused, and holds nobody else up', async (_, part) => {
    const length = 8 * 1024 * 1024 - 100;
    const body = `<ListBucketResult>${part.repeat(length / part.length)}</ListBucketResult>`;
    const hostile = createServer((_request, response) => void response.end(body));
    const { url: endpoint } = await listenInTest(hostile);
    let [last, longest] = [performance.now(), 0];
    const tick = () => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    };
    const ticking = setInterval(tick, 10);
    await expect(read(open.s3(of('notes', { endpoint }), signal))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    tick();
    clearInterval(ticking);
    expect(longest).toBeLessThan(3_000);
  });

  it('that breaks off within its listing is told so', async () => {
    await expect(read(open.s3(of('broken', { endpoint: server.url }), signal))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
  });

  it('that redirects, is locked or unknown is told so, and not followed', async () => {
    await expect(read(open.s3(of('moved', { endpoint: server.url }), signal))).rejects.toMatchObject({
      details: [{ path: 's3.region' }],
    });
    await expect(read(open.s3(of('locked', { endpoint: server.url }), signal))).rejects.toMatchObject({
      details: [{ path: 's3.access_key_id' }],
    });
    await expect(read(open.s3(of('nowhere', { endpoint: server.url }), signal))).rejects.toMatchObject({
      details: [{ path: 's3.bucket' }],
    });
  });
});
