import { EventEmitter, once } from 'node:events';
import { mkdir, readdir, utimes, watch, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { listenInTest } from '../../../test/kit/use-server.ts';
import { createHostileGitServer } from '../import/hostile-git-server.fixture.ts';
import { useBackupFolders } from './backup.fixture.ts';
import { startProcess, startService, svc } from './cli.fixture.ts';
import { SIGNALS, stopAt } from './signals.fixture.ts';

const folders = useBackupFolders();
const { at, env, exported } = folders;

test.each(SIGNALS)('a backup that %s stops leaves nothing of the secret', async (signal, code) => {
  const folder = at(`backup-${signal}`);
  await mkdir(folder);
  for (const ending of ['.copy', '.zip']) {
    const child = startProcess(['backup', `${folder}/memories`], env('data'));
    expect(await stopAt(child, { folder, ending, signal })).toEqual({
      code,
      err: 'svc: Stopped: no backup was written.\n',
    });
    expect(await readdir(folder)).toEqual([]);
  }
  expect(await exported('data')).toBe(folders.original);
});

test('a daily backup under way ends with the service, and leaves nothing', async () => {
  const folder = at('data/backups');
  await mkdir(folder, { recursive: true });
  const earlier = '2026-01-01T00-00-00-000Z-daily.zip';
  await writeFile(`${folder}/${earlier}`, '');
  const changes = watch(folder);
  const { process: service, ended, err } = startService(env('data'));
  for await (const { filename } of changes) if (filename?.endsWith('.copy')) break;
  service.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(err()).toContain('the daily backup is left to the next start');
  expect((await readdir(folder)).sort()).toEqual([earlier, 'erasures.ndjson']);
});

test.each([
  ['SIGINT', [130, null], 'svc: Stopped: nothing was imported.\n'],
  ['SIGTERM', [143, null], 'svc: Stopped: nothing was imported.\n'],
  ['SIGKILL', [null, 'SIGKILL'], ''],
] as const)('an import that %s stops leaves no git that reads on', async (signal, ended, words) => {
  const begun = new EventEmitter<{ answer: [ServerResponse] }>();
  const repository = createHostileGitServer('a'.repeat(40), (response) => begun.emit('answer', response));
  const service = createServer((request) => request.resume());
  const [url, api] = await Promise.all(
    [repository, service].map(async (server) => (await listenInTest(server)).url),
  );
  const tmp = at(`git-${signal}`);
  await mkdir(tmp);
  const child = startProcess(['import', `${url}/x.git`], {
    SVC_API_URL: api,
    SVC_API_KEY: 'svc_x',
    TMPDIR: tmp,
  });
  const said = child.stderr ? text(child.stderr) : '';
  const [answer] = await once(begun, 'answer');
  const closed = once(answer, 'close');
  child.kill(signal);
  expect(await once(child, 'close')).toEqual(ended);
  expect(await said).toBe(words);
  await closed;
});

test('a backup deletes the copies that killed ones have left in its folder, and nothing else', async () => {
  const folder = at('left');
  const id = 'fb1e1f52-3a0c-4a7e-9d63-6a6c1f4ac001';
  const days = new Date(Date.now() - 2 * 24 * 60 * 60 * 1_000);
  const copyOf = async (name: string, held: string, changed: Date) => {
    await mkdir(`${folder}/${name}/pg`, { recursive: true });
    await writeFile(`${folder}/${name}/${held}`, 'the secret of this service');
    await utimes(`${folder}/${name}`, changed, changed);
  };
  await copyOf(`old.zip.${id}.copy`, 'secret', days);
  await writeFile(`${folder}/old.zip.${id}.zip`, 'half of it');
  await copyOf(`young.zip.${id}.copy`, 'secret', new Date());
  await copyOf(`mine.${id}.copy`, 'thesis.md', days);
  await writeFile(`${folder}/holidays.${id}.zip`, 'photos');
  await utimes(`${folder}/holidays.${id}.zip`, days, days);
  expect(await svc(`backup ${folder}/new.zip`, env('data'))).toMatchObject({ code: 0 });
  expect((await readdir(folder)).sort()).toEqual([
    `holidays.${id}.zip`,
    `mine.${id}.copy`,
    'new.zip',
    `young.zip.${id}.copy`,
  ]);
});
