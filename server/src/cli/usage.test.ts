import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { svc, useFolder } from './cli.fixture.ts';
import { COMMANDS } from './commands.ts';

const folder = useFolder();

test.each([
  ['srve', /unknown command 'srve'\n\(Did you mean serve\?\)/],
  ['serve --port 1', /unknown option '--port'/],
  ['serve --role boss', /Allowed choices are all, api, worker/],
  ['keys lst', /unknown command 'lst'\n\(Did you mean list\?\)/],
  ['export --format xml', /Allowed choices are json/],
  ['status now', /too many arguments/],
  ['help srve', /unknown command 'srve'\n\(Did you mean serve\?\)/],
  ['help srve now', /unknown command 'srve'/],
  ['help keys lst', /unknown command 'lst'\n\(Did you mean list\?\)/],
])('svc %s is wrong usage: exit 2 and a way on', async (args, message) => {
  const { code, out, err } = await svc(args);
  expect(err).toMatch(message);
  expect(err).toMatch(/^svc: /);
  expect(err).toContain('`npx svc-memory --help`');
  expect([code, out]).toEqual([2, '']);
});

test.each([
  ['export --out ', '--out'],
  ['backup ', 'The file'],
  ['restore ', 'The file'],
])('svc %s is refused: an empty name would be the current folder', async (args, named) => {
  expect(await svc(args)).toEqual({
    code: 2,
    out: '',
    err: `svc: ${named} is an empty name.\n     Name a file.\n`,
  });
});

test('svc --help lists every command with examples, npx svc-memory serve --help every setting', async () => {
  const { code, out } = await svc('--help');
  for (const name of ['serve', 'migrate', 'config', 'doctor', 'keys', 'export', 'status', 'Examples']) {
    expect(out).toContain(name);
  }
  expect(code).toBe(0);
  expect((await svc('serve --help')).out).toContain('SVC_DATA_DIR');
});

test('svc help shows the command that is named, in a group too', async () => {
  for (const name of ['recall', 'files sync', 'keys create']) {
    expect(await svc(`help ${name}`)).toEqual(await svc(`${name} --help`));
  }
  expect((await svc('help files sync')).out).toContain('--dry-run');
  expect(await svc('help help')).toEqual(await svc('--help'));
});

// npm has an unrelated package `svc`, and nothing puts this one's `svc` on the PATH: what is shown has to work as it is typed.
test('every command that a help shows begins with npx svc-memory', async () => {
  for (const name of ['', ...Object.keys(COMMANDS)]) {
    const { out } = await svc(`${name} --help`.trim());
    expect(out).toMatch(/^Usage: npx svc-memory /);
    expect(out).not.toMatch(/(?<![\w/.-])svc (?=[a-z-])/);
  }
});

test('svc --version prints the version of the package', async () => {
  expect((await svc('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('a wrong configuration: exit 2, one line per mistake, no stack', async () => {
  const { code, err } = await svc('serve', { SVC_PORT: '70000', SVC_LOG_LEVEL: 'loud' });
  expect(err.trim().split('\n')).toEqual([
    'svc: SVC_PORT must be a whole number from 0 to 65535, not "70000"',
    'svc: SVC_LOG_LEVEL must be one of debug, info, warn, error, silent, not "loud"',
  ]);
  expect(code).toBe(2);
});

test.each(['api', 'worker'])('svc serve --role %s needs what the processes share', async (role) => {
  const { code, err } = await svc(`serve --role ${role}`);
  expect(err.trim().split('\n')).toEqual([
    expect.stringContaining(`SVC_DATABASE_URL must be set for --role ${role}`),
    expect.stringContaining(`SVC_SECRET must be set for --role ${role}`),
  ]);
  expect(code).toBe(2);
});

test('svc config masks secrets, names what is in force, and warns of unknown settings', async () => {
  const env = {
    SVC_DATABASE_URL: 'postgres://ada:hunter2@db/memories?password=x',
    SVC_API_KEY: 'svc_secret',
    SVC_PROT: '1',
  };
  const { code, out, err } = await svc('config', env);
  expect(out).toMatch(/SVC_PORT +3000 +\(default\)/);
  expect(out).toMatch(/SVC_DATABASE_URL +postgres:\/\/ada:\*\*\*@db\/memories\?\*\*\* +\(environment\)/);
  expect(out).toMatch(/SVC_API_KEY +\*\*\* +\(environment\)/);
  expect(out).not.toMatch(/hunter2|svc_secret/);
  expect(err).toContain(
    'SVC_PROT is not a setting of this version and has no effect; did you mean SVC_PORT?',
  );
  expect(code).toBe(0);
});

test('a failure shows its stack only under SVC_LOG_LEVEL=debug', async () => {
  const env = { SVC_API_URL: 'http://127.0.0.1:1', SVC_API_KEY: 'svc_x' };
  const plain = await svc('status', env);
  expect(plain.err).toMatch(
    /^svc: The Agent Memory Service at http:\/\/127\.0\.0\.1:1 cannot be reached.*\n$/,
  );
  expect(plain.code).toBe(1);
  expect((await svc('status', { ...env, SVC_LOG_LEVEL: 'debug' })).err).toMatch(/\n +at /);
});

test('a stack trace of the bundled executable names the sources', async () => {
  const script = fileURLToPath(new URL('../../bin/svc.js', import.meta.url));
  const env = { ...process.env, SVC_LOG_LEVEL: 'debug' };
  const stderr = await new Promise<string>((resolve) =>
    execFile(process.execPath, [script, 'restore', 'missing.zip'], { env }, (_error, _out, text) =>
      resolve(text),
    ),
  );
  expect(stderr).toMatch(/server\/src\/cli\/commands\/restore\.ts:\d+:\d+/);
});

test('the executable says how to build what is not built', async () => {
  await mkdir(join(folder.path, 'bin'));
  await writeFile(join(folder.path, 'package.json'), '{"type":"module"}');
  const script = join(folder.path, 'bin', 'svc.js');
  await copyFile(fileURLToPath(new URL('../../bin/svc.js', import.meta.url)), script);
  const ended = await new Promise<{ code: unknown; stderr: string }>((resolve) =>
    execFile(process.execPath, [script], (error, _, stderr) => resolve({ code: error?.code, stderr })),
  );
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('npm run build');
});

test.each(['18.20.8', '20.9.0', '20.18.9'])('the executable says that Node %s is too old', async (node) => {
  const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } })`;
  const script = fileURLToPath(new URL('../../bin/svc.js', import.meta.url));
  const args = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, script, 'status'];
  const ended = await new Promise<{ code: unknown; stderr: string }>((resolve) =>
    execFile(process.execPath, args, (error, _, stderr) => resolve({ code: error?.code, stderr })),
  );
  expect(ended).toEqual({
    code: 1,
    stderr: `svc: Node ${node} is too old.\n     Install Node 20.19 or newer, then try again.\n`,
  });
});
