import { execFile } from 'node:child_process';
import { copyFile, open, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeDataFolder } from '@svc-memory/core/testing';
import { describe, expect, test } from 'vitest';
import { listenInTest } from '../../../test/kit/use-server.ts';
import { useRunningService } from './beside.fixture.ts';
import { svc, svcProcess } from './cli.fixture.ts';

const { folder, dataDir, env, works } = useRunningService();

function* endlessExport() {
  yield '{"success":true,"export":';
  for (;;) yield 'x'.repeat(100_000);
}

const keyId = async (name: string) =>
  JSON.parse((await svc('keys list --json', env())).out).find((key: { name: string }) => key.name === name)
    .id;

test('a restored copy is what its commands speak of, while the service that was backed up runs', async () => {
  const [backup, copy] = [join(folder.path, 'copy.zip'), { SVC_DATA_DIR: join(folder.path, 'copy') }];
  expect((await svc(`backup ${backup}`, env())).code).toBe(0);
  expect((await svc(`restore ${backup}`, copy)).code).toBe(0);
  expect((await svc('remember Only the copy knows of the heron.', copy)).code).toBe(0);
  expect((await svc('export', copy)).out).toContain('heron');
  expect((await svc('export', env())).out).not.toContain('heron');
  expect((await svc('status', copy)).out).toContain('stopped (read from the database)');
  expect((await svc('doctor', copy)).out).not.toContain('in use by the running service');
});

test('on a copy of the folder a command asks nothing of the service that has the other one', async () => {
  const place = join(folder.path, 'copy');
  await makeDataFolder(place);
  await copyFile(join(dataDir(), 'control.json'), join(place, 'control.json'));
  expect((await svc('link', { SVC_DATA_DIR: place })).err).toMatch(/^svc: No service runs on .+copy\.\n/);
  const { out } = await svc('backup', { SVC_DATA_DIR: place });
  expect(out).toContain(`The backup is written and checked: ${join(place, 'backups')}`);
});
describe.runIf(process.platform === 'linux')('where the disk takes no result', () => {
  const full = () => open('/dev/full', 'w');
  const onFullDisk = async (...args: string[]) => {
    const disk = await full();
    return svcProcess(args, env(), disk.fd).finally(() => disk.close());
  };
  const keysNamed = async (name: string) =>
    JSON.parse((await svc('keys list --json', env())).out).filter(
      (key: { name: string }) => key.name === name,
    );

  test.each([['export'], ['--help'], ['keys', 'list']])('svc %s %s says so', async (...args) => {
    expect(await onFullDisk(...args.filter((arg) => arg !== undefined))).toMatchObject({
      code: 1,
      err: 'svc: The result could not be written to standard output: the disk is full.\n     Mend that, or write it elsewhere. What else the command was to do is done.\n',
    });
  });

  const unread = async () => {
    const pipe = join(folder.path, 'unread');
    await promisify(execFile)('mkfifo', [pipe]);
    const reader = await open(pipe, 'r+');
    return open(pipe, 'w').finally(() => reader.close());
  };

  test.each([
    ['is full', full, 1],
    ['has no reader', unread, 0],
  ])('an export stops where the output %s', async (_, openOutput, code) => {
    const endless = createServer(({ url }, response) => {
      if (url === '/api/v1/health') response.end('{"status":"ok"}');
      else pipeline(Readable.from(endlessExport()), response, () => {});
    });
    const { url } = await listenInTest(endless);
    const output = await openOutput();
    const ended = await svcProcess(['export'], { SVC_API_URL: url, SVC_API_KEY: 'svc_my_key' }, output.fd);
    await output.close();
    expect(ended.code).toBe(code);
  });

  test('a key that nobody could see is revoked', async () => {
    const { code, err } = await onFullDisk('keys', 'create', '--name', 'unseen');
    const [{ id, revoked_at }] = await keysNamed('unseen');
    expect(revoked_at).toEqual(expect.any(String));
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        new RegExp(
          `^API key "unseen" .+\nsvc: API key "unseen" \\(${id}\\) could not be printed: the disk is full\\.\n {5}It is revoked`,
        ),
      ),
    ]);
  });

  test('a key in place of another is revoked, unless credentials.json holds it', async () => {
    const before = (await svc('keys create --name turned', env())).out.trim();
    const { code, err } = await onFullDisk('keys', 'rotate', await keyId('turned'));
    expect([code, err]).toEqual([1, expect.stringContaining('It is revoked again')]);
    expect(
      (await keysNamed('turned')).map((key: { revoked_at: unknown }) => key.revoked_at !== null),
    ).toEqual([true, false]);
    expect(await works(before)).toBe(true);
    const saved = await onFullDisk('keys', 'rotate', await keyId('credentials.json'));
    expect([saved.code, saved.err]).toEqual([1, expect.stringContaining('holds it now.')]);
    const { api_key } = JSON.parse(await readFile(join(dataDir(), 'credentials.json'), 'utf8'));
    expect(await works(api_key)).toBe(true);
  });
});

test('the commands of the README work as they stand there', async () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const readme = await readFile(join(root, 'server/README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('## From the shell'));
  const [, script = ''] = /^```sh\n(.*?)^```$/ms.exec(section) ?? [];
  expect(script.trim().split('\n').length).toBeGreaterThan(5);
  // What npx looks up stands in one folder; npx itself takes longer than most commands.
  const npx = 'npx() { "node_modules/.bin/$@"; }\n';
  await promisify(execFile)('bash', ['-ec', npx + script], { cwd: root, env: { ...process.env, ...env() } });
});
