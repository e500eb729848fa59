import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, open, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect as openSocket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDataFolder } from '@svc-memory/core/testing';
import { describe, expect, test, vi } from 'vitest';
import { listenInTest } from '../../../test/kit/use-server.ts';
import { idOf } from '../control/control-door.ts';
import { useRunningService } from './beside.fixture.ts';
import { svc, svcProcess } from './cli.fixture.ts';

const { folder, dataDir, env, works, service } = useRunningService();

/** Opens a sign-in link as a browser does, and presses the button of its page where it shows one; answers whether it signed in. */
async function signsIn(link: string, sent: Record<string, string> = {}): Promise<boolean> {
  const page = await fetch(link, { headers: sent, redirect: 'manual' });
  const { status, headers } =
    page.status === 200 ? await fetch(link, { method: 'POST', headers: sent, redirect: 'manual' }) : page;
  expect([302, 401, 403]).toContain(status);
  return status === 302 && headers.getSetCookie().length > 0;
}

const keyId = async (name: string) =>
  JSON.parse((await svc('keys list --json', env())).out).find((key: { name: string }) => key.name === name)
    .id;

test('where there are no data, commands make none, and say where they may be', async () => {
  const SVC_DATA_DIR = join(folder.path, 'elsewhere');
  for (const command of ['status', 'recall tea', 'export']) {
    expect(await svc(command, { SVC_DATA_DIR })).toEqual({
      code: 1,
      out: '',
      err: `svc: There is no data in ${SVC_DATA_DIR}, and no service answers.\n     A first start makes it: npx svc-memory serve. If it is elsewhere, set SVC_DATA_DIR to its folder, or SVC_API_URL and SVC_API_KEY.\n`,
    });
  }
  for (const command of [
    'audit verify',
    'audit export',
    'vacuum',
    'scrub',
    'reembed',
    'keys list',
    'keys create',
    'keys rotate x',
    'keys revoke x',
    'tenants list',
    'tenants plan x trial',
    'tenants give x y',
    'tenants take x y',
  ]) {
    expect(await svc(command, { SVC_DATA_DIR })).toEqual({
      code: 1,
      out: '',
      err: `svc: There is no data in ${SVC_DATA_DIR}, and no service answers.\n     A first start makes it: npx svc-memory serve. If it is elsewhere, set SVC_DATA_DIR to its folder.\n`,
    });
  }
  expect(existsSync(SVC_DATA_DIR)).toBe(false);
});

test('a command that makes a tenant makes the database that it needs', async () => {
  const place = { SVC_DATA_DIR: join(folder.path, 'first') };
  expect((await svc('keys create --new-tenant Ada', place)).code).toBe(0);
  expect((await svc('audit verify', place)).err).toMatch(/^Ada \(.+\), account: intact, 2 entries\n/);
}, 60_000);

describe('beside the running service', () => {
  test('keys are made, rotated and revoked, and no list shows one', async () => {
    const made = (await svc('keys create --name laptop --scope read --expires 90d', env())).out.trim();
    expect(await works(made)).toBe(true);
    const { out, err } = await svc(`keys rotate ${await keyId('laptop')} --overlap 0h`, env());
    expect(err).toMatch(/^API key "laptop" \(read\) of .+, shown this once:\n$/);
    const next = out.trim();
    expect([await works(made), await works(next)]).toEqual([false, true]);
    const list = await svc('keys list', env());
    expect(list.out).toMatch(/laptop +…\w{4} +read +active until .+\n.*laptop +…\w{4} +read +revoked/);
    expect(list.out).not.toContain('svc_');
    const id = await keyId('laptop');
    expect((await svc(`keys revoke ${id}`, env())).out).toBe(`Revoked API key "laptop" (${id}).\n`);
    expect(await works(next)).toBe(false);
    expect(await svc(`keys rotate ${id}`, env())).toEqual({
      code: 1,
      out: '',
      err: `svc: API key "laptop" (${id}) has ended or was rotated before.\n     Make a new one: npx svc-memory keys create\n`,
    });
  });

  test('the key in credentials.json is replaced there when it is rotated, and no other is', async () => {
    const saved = async () =>
      JSON.parse(await readFile(join(dataDir(), 'credentials.json'), 'utf8')) as Record<string, string>;
    const before = await saved();
    await svc('keys create --name apart', env());
    await svc(`keys rotate ${await keyId('apart')}`, env());
    expect(await saved()).toEqual(before);
    const { out, err } = await svc(`keys rotate ${await keyId('credentials.json')} --overlap 0h`, env());
    expect(err).toContain(`${join(dataDir(), 'credentials.json')} holds it now.\n`);
    expect(await saved()).toEqual({ ...before, api_key: out.trim() });
    expect((await stat(join(dataDir(), 'credentials.json'))).mode & 0o777).toBe(0o600);
    expect([await works(before.api_key ?? ''), await works(out.trim())]).toEqual([false, true]);
    expect((await svc('recall tea', env())).code).toBe(0);
  });

  test('the tenant is that of the key in use, or the named one, as without a service', async () => {
    const other = (await svc('keys create --new-tenant Eve --name hers', env())).out.trim();
    const names = async (of: object) =>
      JSON.parse((await svc('keys list --json', { ...env(), ...of })).out).map(
        ({ name }: { name: string }) => name,
      );
    expect(await names({ SVC_API_KEY: other })).toEqual(['hers']);
    expect(await names({})).not.toContain('hers');
    expect(await svc('keys list --tenant nobody', env())).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^svc: There is no tenant nobody\.\n {5}Tenants: .+Eve/),
    });
  });

  test.runIf(process.platform === 'linux')('where the disk takes no result, that is said', async () => {
    const disk = await open('/dev/full', 'w');
    const ended = await svcProcess(['status'], env(), disk.fd).finally(() => disk.close());
    expect(ended).toMatchObject({
      code: 1,
      err: 'svc: The result could not be written to standard output: the disk is full.\n     Mend that, or write it elsewhere. What else the command was to do is done.\n',
    });
  });

  test('each sign-in link works once', async () => {
    const [first, second] = [await svc('link', env()), await svc('link', env())];
    for (const { out } of [second, first]) {
      expect([await signsIn(out.trim()), await signsIn(out.trim())]).toEqual([true, false]);
    }
  });

  test('a sign-in link for any machine works through a proxy too, once', async () => {
    const throughProxy = { 'X-Forwarded-For': '192.0.2.1' };
    const [here, anywhere] = [await svc('link', env()), await svc('link --anywhere', env())];
    expect(await signsIn(here.out.trim(), throughProxy)).toBe(false);
    expect(await signsIn(anywhere.out.trim(), throughProxy)).toBe(true);
    expect(await signsIn(anywhere.out.trim(), throughProxy)).toBe(false);
  });

  test.runIf(process.platform === 'linux')('the browser is given a page, and not the link', async () => {
    const bin = join(folder.path, 'bin');
    const seen = join(folder.path, 'seen');
    await mkdir(bin);
    await writeFile(join(bin, 'xdg-open'), `#!/bin/sh\nprintf %s "$*" > ${seen}\n`);
    await chmod(join(bin, 'xdg-open'), 0o755);
    const { out } = await svc('open', { ...env(), PATH: `${bin}:${process.env.PATH}` });
    expect(out).toBe('The dashboard opens in the browser.\n');
    const page = fileURLToPath(await readFile(seen, 'utf8'));
    expect((await stat(page)).mode & 0o777).toBe(0o600);
    const link = /url=([^"]+)/.exec(await readFile(page, 'utf8'))?.[1] ?? '';
    expect(await signsIn(link)).toBe(true);
  });

  test.runIf(process.platform === 'linux').each([
    ['succeeds', 'exit 0', 'opens'],
    ['fails', 'exit 3', 'link'],
    ['stays', `echo $$ > "$PID_FILE"; exec tail -f /dev/null`, 'opens'],
  ] as const)('a process of its own waits for an opener that %s', async (how, script, told) => {
    const bin = join(folder.path, `opener-${how}`);
    const pidFile = join(bin, 'pid');
    await mkdir(bin);
    await writeFile(join(bin, 'xdg-open'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const PATH = `${bin}:${process.env.PATH}`;
    const { code, out, err } = await svcProcess(['open'], { ...env(), PATH, PID_FILE: pidFile });
    if (how === 'stays') process.kill(Number(await readFile(pidFile, 'utf8')));
    expect(code).toBe(0);
    if (told === 'opens') expect([out, err]).toEqual(['The dashboard opens in the browser.\n', '']);
    else {
      expect(err).toBe('svc: No browser could be started. Open this address in one:\n');
      expect(await signsIn(out.trim())).toBe(true);
    }
  });

  test('without a browser the link is printed', async () => {
    const { code, out, err } = await svc('open', { ...env(), PATH: folder.path });
    expect([code, err]).toEqual([0, 'svc: No browser could be started. Open this address in one:\n']);
    expect(await signsIn(out.trim())).toBe(true);
    // The address for MCP clients has no page.
    const elsewhere = { ...env(), PATH: folder.path, SVC_API_URL: `${service().url()}/mcp` };
    expect((await svc('open', elsewhere)).out).toBe(`${service().url()}\n`);
  });

  test.each(['/api/v1/memories', '/api/v1/import', '/api/v1/auth/signup', '/mcp'])(
    'a client of %s that goes away in the middle of its body leaves only lines of the log',
    async (path) => {
      const { api_key: key } = JSON.parse(await readFile(join(dataDir(), 'credentials.json'), 'utf8'));
      const from = service().err().length;
      const logged = () => service().err().slice(from);
      const { hostname, port } = new URL(service().url());
      const socket = openSocket(Number(port), hostname);
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${key}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n',
      );
      await once(socket, 'data');
      socket.end('{"type');
      const marker = randomUUID();
      await vi.waitFor(() => expect(logged()).toContain('"status":499'));
      await fetch(`${service().url()}/health`, { headers: { 'X-Request-Id': marker } });
      await vi.waitFor(() => expect(logged()).toContain(marker));
      for (const line of logged().trim().split('\n')) expect(() => JSON.parse(line), line).not.toThrow();
    },
  );

  test('the door opens to the token in the data folder only, and tells nobody else anything', async () => {
    expect((await stat(join(dataDir(), 'control.json'))).mode & 0o777).toBe(0o600);
    const { port, token } = JSON.parse(await readFile(join(dataDir(), 'control.json'), 'utf8'));
    for (const action of ['keys.list', 'keys.create', 'link', 'backup', 'nothing']) {
      for (const headers of [{}, { Authorization: 'Bearer wrong' }, { Authorization: `Basic ${token}` }]) {
        const answer = await fetch(`http://127.0.0.1:${port}/${action}`, {
          method: 'POST',
          headers,
          body: '{}',
        });
        expect([answer.status, await answer.text()]).toEqual([401, '{}']);
      }
    }
  });

  test('what took the port of a service that was killed is sent neither token nor key', async () => {
    const heard: string[] = [];
    const impostor = createServer(async (request, response) => {
      let text = `${request.url} ${JSON.stringify(request.headers)}`;
      for await (const part of request) text += part;
      heard.push(text);
      response.end('{"proof":"AAAA","url":"http://127.0.0.1/"}');
    });
    const { port } = await listenInTest(impostor);
    const place = join(folder.path, 'killed');
    await makeDataFolder(place);
    await writeFile(
      join(place, 'control.json'),
      JSON.stringify({ port, token: 'the-token', folder: idOf(place) }),
    );
    const { code, err } = await svc('link', { SVC_DATA_DIR: place, SVC_API_KEY: 'svc_my_key' });
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^svc: No service runs on .+\n +Start it: npx svc-memory serve/),
    ]);
    await svc('keys list', { SVC_DATA_DIR: place, SVC_API_KEY: 'svc_my_key' });
    expect(heard).toHaveLength(2);
    expect(heard.join()).not.toMatch(/the-token|svc_my_key/);
  });
});

test('where the service does not answer, that is said while it is waited for', async () => {
  const silent = createServer(({ url }, response) => {
    if (url !== '/api/v1/health') return;
    // The last that is asked of it.
    response.once('close', close);
  });
  const { url, close } = await listenInTest(silent);
  const { code, err } = await svc('boot', { SVC_API_URL: url, SVC_API_KEY: 'svc_my_key' });
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(
      new RegExp(`^svc: ${url} does not answer yet\\. Waiting for it; Ctrl-C ends that\\.\nsvc: `),
    ),
  ]);
});

test.each([
  ['/mcp', (url: string) => `to the address of the Agent Memory Service itself: ${url}\n`],
  [
    '/dashboard',
    (url: string) => `to the address alone, as ${url}, or with the path that a proxy before it has.\n`,
  ],
])('SVC_API_URL with %s is told by its name, and what it should be', async (path, fix) => {
  const url = service().url();
  const { api_key: SVC_API_KEY } = JSON.parse(await readFile(join(dataDir(), 'credentials.json'), 'utf8'));
  const wrong = { SVC_DATA_DIR: join(folder.path, 'elsewhere'), SVC_API_URL: url + path, SVC_API_KEY };
  for (const command of ['recall tea', 'remember Tea.', 'boot', 'status', 'export', 'reflect']) {
    const { code, err } = await svc(command, wrong);
    expect([command, code, err]).toEqual([
      command,
      1,
      expect.stringMatching(/^svc: http:.* Set url \(SVC_API_URL\) to the address /),
    ]);
    expect(err).toContain(url + path);
    expect(err).toContain(fix(url));
  }
});

test('SVC_API_URL may end in /api/v1, for every command', async () => {
  const { api_key: SVC_API_KEY } = JSON.parse(await readFile(join(dataDir(), 'credentials.json'), 'utf8'));
  const whole = {
    SVC_DATA_DIR: join(folder.path, 'elsewhere'),
    SVC_API_URL: `${service().url()}/api/v1/`,
    SVC_API_KEY,
  };
  for (const command of ['recall tea', 'status', 'export', 'doctor']) {
    const { code, err } = await svc(command, whole);
    expect([command, code, err]).toEqual([command, 0, expect.not.stringContaining('svc:')]);
  }
});

describe('memories from the shell', () => {
  const verbs = async (of: Record<string, string>) => {
    const stored = await svc('remember --tags tea,kitchen --importance 0.9 The kettle whistles.', of);
    expect(stored).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Remembered: [0-9a-f-]{36}\n$/),
      err: '',
    });
    const again = await svc('remember --tags tea,kitchen --importance 0.9 The kettle whistles.', of);
    expect(again.out).toBe(stored.out.replace('Remembered:', 'Remembered already:'));
    const found = await svc('recall what does the kettle do', of);
    expect(found.out).toMatch(
      /^The kettle whistles\.\n {2}\(semantic; \d{4}-\d\d-\d\d; relevance 0\.\d\d; [0-9a-f-]{36}\)\n/,
    );
    const [best] = JSON.parse((await svc('recall kettle --limit 1 --json', of)).out).results;
    expect(best).toMatchObject({ tags: ['tea', 'kitchen'], importance: 0.9 });
    await svc('remember --type core --category identity I am Ada.', of);
    expect((await svc('boot --about tea', of)).out).toMatch(/I am Ada\.[\s\S]*The kettle whistles\./);
    expect((await svc('recall the moons of Jupiter --type working', of)).out).toBe('Nothing was found.\n');
  };

  test('go over REST while the service runs', () => verbs(env()));

  test('go to the database where none runs', async () => {
    const place = { SVC_DATA_DIR: join(folder.path, 'stopped') };
    await makeDataFolder(place.SVC_DATA_DIR);
    await svc('keys create --new-tenant Ada --plan local', place);
    await verbs(place);
  });

  test.each([
    ['remember --type core tea', 1, /^svc: category: is required when type is core/],
    ['remember --importance high tea', 2, /^svc: --importance must be a number, not "high"\.\n/],
    ['remember --importance 2 tea', 2, /^svc: --importance must be at most 1, not "2"\.\n/],
    [
      'remember --tags tea,, tea',
      2,
      /^svc: --tags 1: must not be empty; 2: must not be empty, not "tea,,"\.\n/,
    ],
    ['recall tea --limit many', 2, /^svc: --limit must be a number, not "many"\.\n/],
    ['recall tea --limit 0', 2, /^svc: --limit must be at least 1, not "0"\.\n/],
    ['recall tea --limit 1.5', 2, /^svc: --limit must be an integer, not "1.5"\.\n/],
    ['recall', 2, /missing required argument 'query'/],
  ])('%s ends with %i and says why', async (args, code, message) => {
    expect(await svc(args, env())).toMatchObject({ code, out: '', err: expect.stringMatching(message) });
  });
});
