import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { XMLParser } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { findService } from './access/control.ts';
import { svc, useFolder } from './cli.fixture.ts';
import { launchd } from './commands/autostart/launchd.ts';

const folder = useFolder();

const SYSTEMCTL = fileURLToPath(new URL('systemctl.fixture.mjs', import.meta.url));

/** A user with a systemd, whose names are odd. */
async function user(more: Record<string, string> = {}) {
  const bin = join(folder.path, 'bin');
  const config = join(folder.path, 'my "config" $HOME 100%');
  await mkdir(bin, { recursive: true });
  await mkdir(config, { recursive: true });
  await writeFile(join(bin, 'systemctl'), `#!/bin/sh\nexec '${process.execPath}' '${SYSTEMCTL}' "$@"\n`);
  await chmod(join(bin, 'systemctl'), 0o755);
  return {
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    HOME: folder.path,
    XDG_CONFIG_HOME: config,
    SVC_DATA_DIR: join(config, 'data'),
    SVC_PORT: '0',
    ...more,
  };
}

const unitOf = (env: { readonly XDG_CONFIG_HOME: string }) =>
  readFile(join(env.XDG_CONFIG_HOME, 'systemd/user/svc-memory.service'), 'utf8');

describe.skipIf(process.platform !== 'linux')('svc autostart, with systemd', () => {
  test('starts the service with the settings of now, tells its state, and takes it out again', async () => {
    const env = await user();
    expect((await svc('autostart status', env)).out).toBe('There is no autostart.\n');
    const installed = await svc('autostart install', env);
    expect(installed.out).toContain(`The service runs on ${env.SVC_DATA_DIR}, now and from each login on`);
    expect(installed.code).toBe(0);
    expect((await svc('status', env)).out).toContain('Service');
    expect((await svc('autostart status', env)).out).toMatch(/State +active \(systemd\)/);
    expect(await svc('autostart install', env)).toMatchObject({
      code: 1,
      err: expect.stringContaining('The service runs already'),
    });
    // As where its checkout has moved: it does not run, and the manager knows it still.
    process.kill(Number(await readFile(join(env.XDG_CONFIG_HOME, 'pid'), 'utf8')), 'SIGTERM');
    await expect.poll(() => findService(env.SVC_DATA_DIR), { timeout: 20_000 }).toBeUndefined();
    expect((await svc('autostart install', env)).code).toBe(0);
    const removed = await svc('autostart uninstall', env);
    expect(removed.out).toContain('is removed: nothing starts the service by itself any more.');
    expect(removed.err).toBe('');
    await expect(unitOf(env)).rejects.toThrow('ENOENT');
    await expect
      .poll(() => svc('status', env), { timeout: 20_000 })
      .toMatchObject({
        out: expect.stringContaining('stopped (read from the database)'),
      });
  });

  test('writes no secret, and passes over what clients are told by', async () => {
    const env = await user({ SVC_SMTP_URL: 'smtp://ada:hunter2@mail.example', SVC_API_KEY: 'svc_key' });
    const { code, err } = await svc('autostart install', {
      ...env,
      SVC_PUBLIC_URL: 'https://memory.example',
    });
    expect(err).toContain('SVC_SMTP_URL may hold a secret, which the autostart writes into no file.');
    expect(err).not.toContain('SVC_API_KEY');
    expect(code).toBe(1);
    await expect(unitOf(env)).rejects.toThrow('ENOENT');
  });

  test('leaves nothing where systemd does not answer, as in a container', async () => {
    const env = await user({ NO_BUS: '1' });
    const { code, err } = await svc('autostart install', env);
    expect(err).toContain('systemd refuses: Failed to connect to bus');
    expect(err).toContain('start the service by hand: npx svc-memory serve');
    expect(code).toBe(1);
    await expect(unitOf(env)).rejects.toThrow('ENOENT');
  });
});

test('svc autostart, with launchd, writes a property list that says what the service is', () => {
  const { describe, file } = launchd({ HOME: '/Users/ada' });
  const text = describe({
    command: ['/opt/node', '/svc & <co>/svc.js', 'serve'],
    environment: { SVC_DATA_DIR: `/Users/ada/"my" data` },
    folder: '/Users/ada',
  });
  expect(file).toBe('/Users/ada/Library/LaunchAgents/svc-memory.plist');
  const { dict } = new XMLParser().parse(text).plist;
  expect(dict).toMatchObject({
    key: [
      'Label',
      'ProgramArguments',
      'EnvironmentVariables',
      'WorkingDirectory',
      'RunAtLoad',
      'KeepAlive',
      'StandardOutPath',
      'StandardErrorPath',
    ],
    string: [
      'svc-memory',
      '/Users/ada',
      '/Users/ada/Library/Logs/svc-memory.log',
      '/Users/ada/Library/Logs/svc-memory.log',
    ],
    array: { string: ['/opt/node', '/svc & <co>/svc.js', 'serve'] },
    dict: [
      { key: 'SVC_DATA_DIR', string: `/Users/ada/"my" data` },
      { key: 'SuccessfulExit', false: '' },
    ],
    true: '',
  });
});
