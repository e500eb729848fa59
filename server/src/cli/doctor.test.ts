import { existsSync } from 'node:fs';
import { chmod, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { createEngine, openPglite } from '@svc-memory/core';
import { makeDataFolder } from '@svc-memory/core/testing';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { listenInTest } from '../../../test/kit/use-server.ts';
import { useOidcIssuer } from '../accounts/oidc-issuer.fixture.ts';
import { useSmtpSink } from '../accounts/smtp-sink.fixture.ts';
import { type Service, startService, svc, svcProcess, useFolder } from './cli.fixture.ts';

const folder = useFolder();

const made = (name: string) => makeDataFolder(join(folder.path, name));
/** A folder with a database, for what is not about it: without data, each call makes one in memory to try, which takes seconds. */
const PLAIN = 'plain';
beforeAll(() => made(PLAIN));
const doctor = (name: string, env: Record<string, string> = {}) =>
  svc('doctor', { SVC_DATA_DIR: join(folder.path, name), SVC_PORT: '0', ...env });

/** A program that takes a port and knows nothing of memories. */
async function stranger(): Promise<number> {
  const { port } = await listenInTest(createServer((_, response) => void response.end('hello')));
  return port;
}

test('a machine on which the service was never started is well, and stays untouched', async () => {
  const { code, out } = await doctor('fresh');
  expect(out).toContain('will be made by the first start');
  expect(out).toContain('embedded Postgres with pgvector works (no data yet)');
  expect(out).toContain('Credentials: none on this machine yet');
  expect(out).toContain('All is well.');
  expect(code).toBe(0);
  expect(existsSync(join(folder.path, 'fresh'))).toBe(false);
});

test('every mistake in the configuration is a line', async () => {
  const { code, out } = await doctor(PLAIN, { SVC_PORT: 'x', SVC_EMBEDDER: 'magic', SVC_PROT: '1' });
  expect(out).toContain('✗ Configuration: SVC_PORT must be a whole number');
  expect(out).toContain(
    '✗ Configuration: SVC_EMBEDDER must be auto, static, openai:<model> or transformers:<model>',
  );
  expect(code).toBe(1);
});

test.each(['doctor', 'config', 'serve'])(
  '%s names every mistake that keeps the service from starting',
  async (command) => {
    const { code, out, err } = await svc(command, {
      SVC_DATA_DIR: join(folder.path, 'together'),
      SVC_PORT: '0',
      SVC_LLM_MODEL: 'llama',
      SVC_OAUTH_GOOGLE_ID: 'id',
      SVC_SMTP_URL: 'smtp://localhost',
    });
    expect(`${out}${err}`).toContain('SVC_LLM_URL and SVC_LLM_MODEL must be set together');
    expect(`${out}${err}`).toContain('SVC_OAUTH_GOOGLE_ID, SVC_OAUTH_GOOGLE_SECRET go together');
    expect(`${out}${err}`).toContain('SVC_SMTP_URL needs SVC_PUBLIC_URL');
    expect(out).not.toContain('valid');
    expect(code).not.toBe(0);
    expect(existsSync(join(folder.path, 'together'))).toBe(false);
  },
);

test('a port taken by another program is found', async () => {
  const port = await stranger();
  const { code, out } = await doctor(PLAIN, { SVC_PORT: String(port) });
  expect(out).toContain(
    `✗ Service: does not answer, and port ${port} on 127.0.0.1 cannot be opened (EADDRINUSE)`,
  );
  expect(out).toContain('1 of');
  expect(code).toBe(1);
});

describe('beside a running service', () => {
  let service: Service;
  beforeAll(async () => {
    await made('served');
    service = startService({ SVC_DATA_DIR: join(folder.path, 'served') });
    await service.ready();
  });

  test('in a folder without data, what works on another folder is told apart from what is missing', async () => {
    const url = service.url();
    const env = { SVC_DATA_DIR: join(folder.path, 'beside'), SVC_PORT: new URL(url).port };

    const { code, out } = await svc('doctor', env);
    expect(out).toContain(
      `! Service: the one at ${url} has its data elsewhere\n  To use it, set SVC_DATA_DIR to its data folder`,
    );
    expect(out).toContain('Database: embedded Postgres with pgvector works (no data yet)');
    expect(out).toContain('✓ Credentials: none on this machine yet');
    expect(code).toBe(0);
    for (const command of ['status', 'keys list']) {
      const { err } = await svc(command, env);
      expect(err).toContain(
        `There is no data in ${env.SVC_DATA_DIR}: the service at ${url} has its data elsewhere.`,
      );
      expect(err).toContain(
        'Run this in the folder where it was started, or set SVC_DATA_DIR to its data folder',
      );
    }
    expect(existsSync(env.SVC_DATA_DIR)).toBe(false);

    const known = await doctor('served', { SVC_PORT: env.SVC_PORT });
    expect(known.out).toContain(`✓ Service: answers at ${url}`);
    expect(known.out).toContain('All is well.');
  });

  test('what stands behind the address of the service is named as the cause, and nothing else is', async () => {
    const url = service.url();
    for (const path of ['/mcp', '/mcp/', '/dashboard', '/api/v2']) {
      const asked = `${url}${path}`.replace(/\/$/, '');
      const { code, out } = await doctor('served', { SVC_API_URL: `${url}${path}` });
      expect(out).toContain(
        `✗ Service: answers at ${url}, and not at ${asked}\n  Set SVC_API_URL to ${url}.`,
      );
      expect([code, out.match(/✗/g)], out).toEqual([1, ['✗']]);
    }
  });
});

test('an address at which no service answers is named', async () => {
  const url = `http://127.0.0.1:${await stranger()}`;
  const { code, out } = await doctor(PLAIN, { SVC_API_URL: url, SVC_API_KEY: 'svc_unknown' });
  expect(out).toContain(
    `✗ Service: no Agent Memory Service answers at ${url}\n  Start it there, or correct or unset SVC_API_URL.`,
  );
  expect(code).toBe(1);
});

test('a running service with another embedder than these settings is told, as that one was not checked', async () => {
  const [one, other] = ['openai:one', 'openai:other'];
  const away = { SVC_EMBEDDER_URL: 'http://127.0.0.1:1/v1' };
  const service = startService({ SVC_DATA_DIR: join(folder.path, 'embedding'), SVC_EMBEDDER: one, ...away });
  await service.ready();
  const told = `! Embedder: the running service has another one, ${one}, which was not checked\n  Run doctor with`;
  const asDefault = await doctor('embedding');
  expect(asDefault.out).toContain(told);
  expect([asDefault.code, asDefault.out]).toEqual([0, expect.not.stringContaining('All is well')]);
  expect((await doctor('embedding', { SVC_EMBEDDER: other, ...away })).out).toContain(told);
  const asService = await doctor('embedding', { SVC_EMBEDDER: one, ...away });
  expect(asService.out).not.toContain('another one');
  expect(asService.out).toContain('✗ Embedder: ');
});

test('credentials for another address are told once, and not as missing', async () => {
  await made('other');
  const file = JSON.stringify({ api_url: 'http://127.0.0.1:1', api_key: 'svc_unknown' });
  await writeFile(join(folder.path, 'other', 'credentials.json'), file, { mode: 0o600 });
  const { out } = await doctor('other', { SVC_API_URL: 'http://127.0.0.1:2' });
  expect(out).toContain('✗ SVC_API_URL is not the address that credentials.json has a key for');
  expect(out).not.toContain('Credentials: none');
});

test('a data folder that is a file is found', async () => {
  await writeFile(join(folder.path, 'file'), '');
  // With a database elsewhere, as the embedded one would be tried first.
  const { code, out } = await doctor('file', { SVC_DATABASE_URL: 'postgres://127.0.0.1:1/memories' });
  expect(out).toMatch(/✗ Data folder: .* cannot be written\n {2}Give this user write access/);
  expect(code).toBe(1);
});

test('a data folder that is a link to nothing is found, and no command makes a database of it', async () => {
  const [link, target] = [join(folder.path, 'link'), join(folder.path, 'unmounted')];
  await symlink(target, link);
  const { code, out } = await doctor('link');
  expect(out).toContain(`✗ Data folder: ${link} is a link to nothing\n  Make the folder that it leads to`);
  expect(code).toBe(1);
  for (const command of ['serve', 'migrate', `restore ${join(folder.path, 'any.zip')}`]) {
    const refused = await svc(command, { SVC_DATA_DIR: link, SVC_PORT: '0' });
    expect(refused.err).toContain('a part of its path is not there, or a link to nothing');
    expect(refused.code).toBe(1);
  }
  expect(existsSync(target)).toBe(false);
});

test.skipIf(process.platform === 'win32')(
  'a data folder in which any user may replace what is there is told',
  async () => {
    await made('open');
    for (const [mode, isOpen] of [
      [0o777, true],
      [0o1777, false],
      [0o770, false],
    ] as const) {
      await chmod(join(folder.path, 'open'), mode);
      const { code, out } = await doctor('open');
      expect(out.includes('any user of this machine may replace what is in')).toBe(isOpen);
      expect(code).toBe(0);
    }
  },
);

test('a folder held by a process that does not answer is found', async () => {
  await made('held');
  const database = await openPglite(join(folder.path, 'held'), { sync: false });
  onTestFinished(() => database.close());
  const { code, out } = await doctor('held');
  expect(out).toContain(
    `✗ Database: The data folder ${join(folder.path, 'held')} is in use by process ${process.pid}`,
  );
  expect(code).toBe(1);
});

test('a key that no longer works is found, and one that works is told', async () => {
  const path = join(folder.path, 'keys');
  await made('keys');
  const engine = createEngine({ database: await openPglite(path, { sync: false }) });
  const tenant = await engine.tenants.create({ displayName: 'Ada', plan: 'local' });
  const { id, secret } = await engine.apiKeys.create(tenant.id, { name: 'test', scope: 'full' });
  await engine.close();
  const file = JSON.stringify({ api_url: 'http://127.0.0.1:1', api_key: secret });
  await writeFile(join(path, 'credentials.json'), file, { mode: 0o600 });
  expect((await doctor('keys')).out).toContain('✓ Credentials: the key in credentials.json is valid');

  await svc(`keys revoke ${id}`, { SVC_DATA_DIR: path });
  const { code, out } = await doctor('keys');
  expect(out).toMatch(/✗ Credentials: the key in credentials.json is not valid\n {2}Restart the service/);
  expect(out).not.toContain(secret);
  expect(code).toBe(1);
});

test('damaged credentials are found', async () => {
  await made('damaged');
  await writeFile(join(folder.path, 'damaged', 'credentials.json'), '{}');
  const { code, out } = await doctor('damaged');
  expect(out).toMatch(/✗ .*credentials.json is damaged/);
  expect(code).toBe(1);
});

test.each([
  ['is not there', '@127.0.0.1:1/memories', 'it cannot be reached'],
  ['has no socket there', '@localhost/memories?host=/no/socket', 'it cannot be reached (CONNECT_ENOENT)'],
  ['speaks no TLS', '@127.0.0.1:PORT/memories?sslmode=require', 'that server speaks no TLS'],
  [
    'is to be known by no file',
    '@127.0.0.1:PORT/memories?sslrootcert=/no.crt',
    'a file that its address names',
  ],
])('a Postgres that %s is found, without its password', async (_name, address, why) => {
  // What Postgres answers to who asks for TLS where it has none.
  const { port } = await listenInTest(
    createTcpServer((socket) => socket.once('data', () => socket.end('N'))),
  );
  const url = `postgres://ada:hunter2${address}`.replace('PORT', String(port));
  const { code, out } = await doctor('postgres', { SVC_DATABASE_URL: url });
  const shown = url.replace('hunter2', '***').replace(/\?.*/, '?***');
  expect(out).toContain(`✗ Database: The database ${shown} cannot be used: ${why}`);
  expect(out).not.toContain('hunter2');
  expect(code).toBe(1);
});

test('a Redis that is not there is told, without its password, and keeps nothing from working', async () => {
  const url = 'redis://:hunter2@127.0.0.1:1';
  const { code, out } = await doctor(PLAIN, { SVC_REDIS_URL: url, SVC_SECRET: 'x'.repeat(32) });
  expect(out).toMatch(/! Redis: redis:\/\/127\.0\.0\.1:1: .*ECONNREFUSED.*\n {2}Check that it runs/);
  expect(out).not.toContain('hunter2');
  expect(code).toBe(0);
});

test('a database server without SVC_SECRET is told, as a second process would have another secret', async () => {
  const SVC_DATABASE_URL = 'postgres://127.0.0.1:1/memories';
  const { out } = await doctor('secret', { SVC_DATABASE_URL });
  expect(out).toMatch(
    /! Secret: SVC_SECRET is not set, .*\n {2}Set SVC_SECRET to one text for all processes/,
  );
  const together = await doctor('secret', { SVC_DATABASE_URL, SVC_SECRET: 'x'.repeat(32) });
  expect(together.out).not.toContain('! Secret');
});

/** Has a process find a package nowhere, as where it was not installed. */
const without = (name: string) => {
  const hook = `export const resolve = (name, context, next) => name === '${name}'
    ? Promise.reject(Object.assign(new Error("Cannot find package '${name}'"), { code: 'ERR_MODULE_NOT_FOUND' }))
    : next(name, context);`;
  const register = `import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hook))});`;
  return { NODE_OPTIONS: `--import=${dataUrl(register)}` };
};
const dataUrl = (code: string) => `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`;

test.each([
  ['SVC_REDIS_URL', 'bull', {}],
  ['SVC_REDIS_URL', 'ioredis', {}],
  ['SVC_OPERATOR_TOKEN', '@bull-board/api', { SVC_OPERATOR_TOKEN: 'x'.repeat(32) }],
])('what keeps the service from starting is no mere warning: %s without %s', async (setting, name, more) => {
  const env = {
    SVC_DATA_DIR: join(folder.path, PLAIN),
    SVC_PORT: '0',
    SVC_REDIS_URL: 'redis://127.0.0.1:1',
    ...without(name),
    ...more,
  };
  if (name === 'bull') {
    await made('packages');
    const started = await svcProcess(['serve'], { ...env, SVC_DATA_DIR: join(folder.path, 'packages') });
    expect([started.code, started.err]).toEqual([1, expect.stringContaining(`${setting} needs packages`)]);
  }
  const { code, out } = await svcProcess(['doctor'], env);
  expect(out).toMatch(
    new RegExp(
      `✗ Redis: .*${setting} needs packages .*npm install .*\n  Without them the service does not start`,
    ),
  );
  expect(code).toBe(1);
});

describe('what others run', () => {
  const sink = useSmtpSink();
  const issuer = useOidcIssuer();
  const answering = async (content: string) => {
    const server = createServer((_, response) => {
      response.end(JSON.stringify({ choices: [{ message: { content } }] }));
    });
    return `${(await listenInTest(server)).url}/v1`;
  };
  const publicly = {
    SVC_PUBLIC_URL: 'https://memory.example.com',
    SVC_OAUTH_OIDC_ID: 'svc',
    SVC_OAUTH_OIDC_SECRET: 'hunter2',
    SVC_LLM_MODEL: 'small',
  };

  test('is asked, and well', async () => {
    const { code, out } = await doctor(PLAIN, {
      ...publicly,
      SVC_OAUTH_OIDC_ISSUER: issuer.url,
      SVC_SMTP_URL: sink.url,
      SVC_LLM_URL: await answering('{"ok": true}'),
    });
    expect(out).toMatch(/✓ Language model: small at \S+ answers \(\d+ ms\)/);
    expect(out).toMatch(/✓ Mail: smtp:\/\/127\.0\.0\.1:\d+\?\*\*\* takes mail of this service/);
    expect(out).toContain(`✓ Sign-in: ${issuer.url} says where to sign in`);
    expect([sink.mails, code]).toEqual([[], 0]);
  });

  test('is told with what to do where it is not, without secrets', async () => {
    const { code, out } = await doctor(PLAIN, {
      ...publicly,
      SVC_OAUTH_OIDC_ISSUER: 'http://127.0.0.1:1',
      SVC_SMTP_URL: 'smtp://ada:hunter2@127.0.0.1:1',
      SVC_LLM_URL: await answering('I would rather not.'),
    });
    expect(out).toMatch(/! Language model: small .* does not answer with JSON .*\n {2}Set SVC_LLM_MODEL/);
    expect(out).toMatch(
      /✗ Mail: smtp:\/\/ada:\*\*\*@127\.0\.0\.1:1: .*ECONNREFUSED.*\n {2}Correct SVC_SMTP_URL/,
    );
    expect(out).toMatch(/✗ Sign-in: .*fetch failed \(bad port\)\n {2}Correct SVC_OAUTH_OIDC_ISSUER/);
    expect(out).not.toContain('hunter2');
    expect(code).toBe(1);
  });
});
