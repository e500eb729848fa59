import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serving, useApp } from '../app/app.fixture.ts';
import { svc, svcProcess, useFolder } from './cli.fixture.ts';

const app = useApp();
const folder = useFolder();

const env = () => ({ HOME: folder.path, SVC_DATA_DIR: join(folder.path, 'data') });
const settings = () => join(folder.path, '.claude', 'settings.json');

describe('svc hooks', () => {
  test('install names the file and what comes next, twice is once, and uninstall takes it back', async () => {
    const installed = await svc('hooks install claude-code', env());
    expect(installed).toEqual({
      code: 0,
      out: `Installed the hooks in ${settings()}\n`,
      err: 'Start a new session: it begins with the memory injection.\n',
    });
    const text = readFileSync(settings(), 'utf8');
    expect(text).toContain(`--credentials ${join(folder.path, 'data', 'credentials.json')}`);
    expect((await svc('hooks install claude-code', env())).out).toContain('already');
    expect(readFileSync(settings(), 'utf8')).toBe(text);
    expect((await svc('hooks uninstall claude-code', env())).out).toBe(
      `Removed the hooks from ${settings()}\n`,
    );
    expect(existsSync(settings())).toBe(false);
    expect((await svc('hooks uninstall claude-code', env())).out).toContain('There are no hooks in');
  });

  test.each([
    ['a folder that is not there', '/no-such-project', 'There is no folder /no-such-project.'],
    ['an empty name', '', '--dir is an empty name.'],
  ])('install refuses %s, and makes nothing', async (_, dir, message) => {
    const { code, err } = await svc(`hooks install cursor --dir=${dir}`, env());
    expect(code).not.toBe(0);
    expect(err).toContain(message);
    expect(existsSync('/no-such-project')).toBe(false);
  });

  test('without HOME the settings are those of the account, not of the working directory', async () => {
    const { out } = await svcProcess(['hooks', 'status'], { ...env(), HOME: '' });
    // The account may have one of its own.
    expect(out).toMatch(/^SVC\.md +(none|saved \S+) in /m);
    expect(out).toContain(` in ${join(userInfo().homedir, '.svc')}`);
  });

  test('a place where nothing can be written is named, with what is in its way', async () => {
    const HOME = join(folder.path, 'file');
    writeFileSync(HOME, '');
    expect(await svc('hooks install claude-code', { ...env(), HOME })).toEqual({
      code: 1,
      out: '',
      err: `svc: The settings in ${HOME} cannot be changed: a part of its path is a file, not a folder.\n     Mend that, then try again.\n`,
    });
  });

  // On Linux nothing can be made there, and the system says no more than that it is not there.
  test.runIf(process.platform === 'linux')('a home that takes no folders is refused, and ends', async () => {
    for (const args of [
      ['hooks', 'install', 'claude-code'],
      ['hooks', 'install', 'opencode'],
    ]) {
      const { code, err } = await svcProcess(args, { ...env(), HOME: '/proc' });
      expect([code, err]).toEqual([
        1,
        expect.stringMatching(/in \/proc cannot be changed: .*takes no folders/),
      ]);
    }
    const started = await svcProcess(['serve'], { ...env(), SVC_DATA_DIR: '/proc/svc', SVC_PORT: '0' });
    expect([started.code, started.err]).toEqual([1, expect.stringContaining('/proc/svc')]);
  });

  test('install with a key in the environment writes none and says what it needs', async () => {
    const { err } = await svc('hooks install codex', { ...env(), SVC_API_KEY: 'svc_secret' });
    expect(err).toContain('No key was written');
    expect(readFileSync(join(folder.path, '.codex', 'hooks.json'), 'utf8')).not.toContain('svc_secret');
    await svc('hooks uninstall codex', env());
  });

  test.each([
    ['hooks install', 2, /missing required argument 'framework'/],
    ['hooks install emacs', 2, /Allowed choices are claude-code, codex/],
  ])('%s ends with %i and says why', async (args, code, message) => {
    expect(await svc(args, env())).toMatchObject({ code, err: expect.stringMatching(message) });
  });

  test('refuses settings that are no JSON', async () => {
    mkdirSync(join(folder.path, 'project', '.gemini'), { recursive: true });
    const file = join(folder.path, 'project', '.gemini', 'settings.json');
    writeFileSync(file, '{"a": ');
    const { code, err } = await svc(`hooks install gemini-cli --dir ${join(folder.path, 'project')}`, env());
    expect([code, err]).toEqual([1, expect.stringContaining(`${file} is no valid JSON object`)]);
  });
});

describe('svc hooks status', () => {
  test('looks in the project of the working directory, and then in the home of the user', async () => {
    const project = join(folder.path, 'own-project');
    const elsewhere = join(folder.path, 'elsewhere');
    for (const path of [project, elsewhere]) mkdirSync(path, { recursive: true });
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    await svc(`hooks install cursor --dir ${project}`, env());

    process.chdir(elsewhere);
    expect((await svc('hooks status', env())).out).toContain(
      `No hooks are installed in ${process.cwd()} nor in ${folder.path}.`,
    );
    process.chdir(project);
    const { out } = await svc('hooks status', env());
    expect(out).toMatch(/cursor +\S+own-project\S+hooks\.json +sessionStart/);
    expect(out).toContain(`none in ${join(process.cwd(), '.svc')} yet`);

    // Somewhere in the project means the project.
    mkdirSync(join(project, 'src', 'deep'), { recursive: true });
    process.chdir(join(project, 'src', 'deep'));
    const below = await svc('hooks status', env());
    expect(below.out).toMatch(/cursor +\S+own-project\S+hooks\.json +sessionStart/);
    expect(below.out).toContain(`none in ${join(process.cwd(), '../../.svc')} yet`);

    await svc('hooks install gemini-cli', env());
    onTestFinished(async () => {
      await svc('hooks uninstall gemini-cli', env());
    });
    const both = await svc('hooks status --json', env());
    expect(JSON.parse(both.out).hooks).toMatchObject([{ framework: 'cursor' }, { framework: 'gemini-cli' }]);
    const one = await svc(`hooks status --json --dir ${project}`, env());
    expect(JSON.parse(one.out).hooks).toMatchObject([{ framework: 'cursor', script_exists: true }]);
    // The home itself as working directory names nothing twice.
    process.chdir(folder.path);
    expect(JSON.parse((await svc('hooks status --json', env())).out).hooks).toMatchObject([
      { framework: 'gemini-cli' },
    ]);
  });

  test('install and status say where a host would fire them twice', async () => {
    const project = join(folder.path, 'doubled');
    mkdirSync(project);
    await svc('hooks install claude-code', env());
    onTestFinished(async () => {
      await svc('hooks uninstall claude-code', env());
    });
    const { code, err } = await svc(`hooks install claude-code --dir ${project}`, env());
    expect([code, err]).toEqual([0, expect.stringContaining('both fire there. Keep one')]);
    const here = process.cwd();
    process.chdir(project);
    onTestFinished(() => process.chdir(here));
    expect((await svc('hooks status', env())).out).toContain('both fire there. Keep one');
    await svc(`hooks uninstall claude-code --dir ${project}`, env());
    expect((await svc('hooks status', env())).out).not.toContain('both fire there');
    writeFileSync(settings(), '{"damaged": ');
    expect((await svc(`hooks install claude-code --dir ${project}`, env())).code).toBe(0);
    rmSync(settings());
  });

  test('without a service shows what is installed here, and why there is no proof', async () => {
    await svc('hooks install claude-code', env());
    const { code, out } = await svc('hooks status', env());
    expect(code).toBe(0);
    expect(out).toMatch(
      /claude-code +\S+settings\.json +SessionStart, UserPromptSubmit, PreCompact, PostCompact, Stop, SessionEnd\n/,
    );
    expect(out).toMatch(/SVC\.md +none in /);
    expect(out).toContain('The service cannot be asked: there are no credentials');
    const settings = /claude-code +(\S+settings\.json)/.exec(out)?.[1] ?? '';
    const text = readFileSync(settings, 'utf8');
    writeFileSync(settings, text.replace('{', '{"disableAllHooks": true,'));
    expect((await svc('hooks status', env())).out).toMatch(
      /claude-code +\S+ +are switched off: set disableAllHooks to false there\n/,
    );
  });

  test('shows the last flushes and deliveries, and compactions that no recovery followed', async () => {
    const { bearer, tenantId } = await app.signIn();
    const agent = app.kit.engine.agent(tenantId);
    await agent.compaction({ phase: 'pre', framework: 'claude-code', session_id: 'lost' });
    app.kit.clock.advance(20 * 60_000);
    await agent.boot({ framework: 'codex', session_id: 's2' });
    await serving(app.app, async (port) => {
      const reach = { SVC_API_URL: `http://127.0.0.1:${port}`, SVC_API_KEY: bearer.slice('Bearer '.length) };
      const { out } = await svc('hooks status', { ...env(), ...reach });
      expect(out).toContain('Compactions of the last 30 days without a recovery: 1\n');
      expect(out).toMatch(/boot +ok +codex +s2 +- +\d+ +-\n/);
      expect(out).toMatch(/compaction +ok +claude-code +lost +0 +\d+ +missing\n/);
      const json = JSON.parse((await svc('hooks status --json', { ...env(), ...reach })).out);
      expect(json).toMatchObject({
        hooks: [{ framework: 'claude-code' }],
        svc_md: null,
        waiting: 0,
        service: { missing_recoveries: 1, moments: [{ kind: 'boot' }, { kind: 'compaction' }] },
      });
    });
  });
});
