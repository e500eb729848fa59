import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'jsonc-parser';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { HOOK_SCRIPT, hookCommand } from './command.ts';
import { findHooks, INSTALLABLE, type Installation, installHooks, uninstallHooks } from './install.ts';

let folder: string;
let place: Installation;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-install-'));
  place = {
    userHome: folder,
    project: undefined,
    env: {},
    credentials: join(folder, 'data', 'credentials.json'),
    platform: 'linux',
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const settings = (): string => join(folder, '.claude', 'settings.json');
const write = (text: string, path = settings()) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
const read = (path = settings()) => readFileSync(path, 'utf8');

const THEIRS = `{
    "permissions": { "allow": ["Bash(npm test:*)"],   "deny": [] },
    "hooks": {
        "PreToolUse": [
            { "matcher": "Bash", "hooks": [{ "type": "command", "command": "check.sh \\u00e9" }] }
        ],
        "Stop": [
            {"hooks":[{"type":"command","command":"say done","timeout":1e1}]}
        ]
    },
    "model": "opus"
}
`;

describe('hooks of several hosts in one folder', () => {
  const ofAnother = () => ({ ...place, credentials: join(folder, "Bea's data", 'credentials.json') });
  const noted = (framework: string, installation: Installation) =>
    installHooks(framework, installation).notes.filter((note) => note.includes('another agent'));

  test.each(INSTALLABLE)('of one agent install without a word, %s too', (framework) => {
    for (const each of INSTALLABLE) installHooks(each, ofAnother());
    expect(noted(framework, ofAnother())).toEqual([]);
  });

  test.each(INSTALLABLE)('tell of two agents when %s is installed first', (framework) => {
    installHooks(framework, ofAnother());
    const other = framework === 'codex' ? 'cursor' : 'codex';
    const [note, ...more] = noted(other, place);
    expect(more).toEqual([]);
    expect(note).toMatch(new RegExp(`hooks of ${framework} in .*--dir`));
    const project = join(folder, 'project');
    mkdirSync(project);
    expect(noted(other, { ...place, project })).toEqual([]);
    expect(noted(framework, place)).toHaveLength(0);
    expect(noted(other, place)).toEqual([]);
  });
});

describe('installing for Claude Code', () => {
  test('into nothing makes the settings, and taking out leaves nothing', () => {
    const { files, changed } = installHooks('claude-code', place);
    expect([files, changed]).toEqual([[settings()], true]);
    const { hooks } = JSON.parse(read());
    expect(Object.keys(hooks)).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'PreCompact',
      'PostCompact',
      'Stop',
      'SessionEnd',
    ]);
    for (const [entry, ...others] of Object.values<{ hooks: { command: string }[] }[]>(hooks)) {
      expect(others).toEqual([]);
      expect(entry).toEqual({ hooks: [{ type: 'command', command: expect.any(String), timeout: 10 }] });
      expect(entry?.hooks[0]?.command).toContain(`${HOOK_SCRIPT} claude-code --home ${join(folder, '.svc')}`);
    }
    uninstallHooks('claude-code', place);
    expect(existsSync(settings())).toBe(false);
  });

  test.each([
    ['with hooks of others', THEIRS],
    ['with Windows line ends', THEIRS.replaceAll('\n', '\r\n')],
    ['with tabs', THEIRS.replaceAll('    ', '\t')],
    ['on one line', '{"model":"opus","hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}]}]}}'],
    ['without hooks', '{\n  "model": "opus"\n}'],
    ['with comments', '{\n  // mine\n  "model": "opus", /* too */\n  "env": {}\n}\n'],
  ])(
    'into settings %s changes nothing else, twice is once, and taking out restores them',
    (_name, before) => {
      write(before);
      expect(installHooks('claude-code', place).changed).toBe(true);
      const installed = read();
      // Theirs is all there, in its order, with ours between.
      let rest = installed;
      for (const part of before.split(/(?<=[\]}"])(?=\s*[,\]}])/)) {
        expect(rest).toContain(part);
        rest = rest.slice(rest.indexOf(part) + part.length);
      }
      expect(Object.keys(parse(installed, [], { allowTrailingComma: true }).hooks).sort()).toContain(
        'SessionEnd',
      );
      expect(findHooks(place)).toMatchObject([{ framework: 'claude-code', missing: [], scriptExists: true }]);
      expect(installHooks('claude-code', place).changed).toBe(false);
      expect(read()).toBe(installed);
      expect(uninstallHooks('claude-code', place).changed).toBe(true);
      expect(read()).toBe(before);
      expect(uninstallHooks('claude-code', place).changed).toBe(false);
    },
  );

  test.each([
    ['an empty list of theirs', '{\n  "hooks": {\n    "Stop": []\n  }\n}\n'],
    ['an empty list of an event that is not hooked', '{\n  "hooks": {\n    "PreToolUse": []\n  }\n}\n'],
    ['empty hooks of theirs', '{\n  "model": "opus",\n  "hooks": {}\n}\n'],
    ['nothing but empty hooks', '{"hooks":{}}'],
    ['an empty list on one line', '{"hooks":{"Stop":[],"SessionStart":[]}}'],
  ])('into settings with %s leaves that there when taken out, however often it is installed', (_, before) => {
    write(before);
    for (let times = 0; times < 2; times += 1) installHooks('claude-code', place);
    uninstallHooks('claude-code', place);
    expect(read()).toBe(before);
    installHooks('claude-code', place);
    uninstallHooks('claude-code', place);
    expect(read()).toBe(before);
  });

  test('remembers nothing of settings that were replaced since', () => {
    write('{"hooks":{"Stop":[]},"model":"opus"}');
    installHooks('claude-code', place);
    write('{"model":"opus"}');
    installHooks('claude-code', place);
    uninstallHooks('claude-code', place);
    expect(read()).toBe('{"model":"opus"}');
  });

  test('replaces what an older version installed, and leaves a group to those who share it', () => {
    const old = 'node /old/place/svc-hook.js claude-code';
    write(
      JSON.stringify({
        hooks: {
          Stop: [
            {
              hooks: [
                { type: 'command', command: 'theirs' },
                { type: 'command', command: old },
              ],
            },
          ],
          PreCompact: [{ hooks: [{ type: 'command', command: old }] }],
          SubagentStop: [{ hooks: [{ type: 'command', command: old }] }],
        },
      }),
    );
    installHooks('claude-code', place);
    expect(read()).not.toContain('/old/place/svc-hook.js claude-code"}]}],"PreCompact');
    const { hooks } = JSON.parse(read());
    expect(hooks.Stop).toHaveLength(2);
    expect(hooks.Stop[0]).toEqual({ hooks: [{ type: 'command', command: 'theirs' }] });
    expect(hooks.PreCompact).toHaveLength(1);
    expect(hooks.PreCompact[0].hooks[0].command).toContain(HOOK_SCRIPT);
    uninstallHooks('claude-code', place);
    expect(JSON.parse(read())).toEqual({
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'theirs' }] }] },
    });
  });

  test.each([
    ['{"hooks": null}', 'hooks in'],
    ['{"hooks": []}', 'hooks in'],
    ['{"hooks": {}, "hooks": {"Stop": []}}', 'has "hooks" twice'],
    ['{"hooks": {"Stop": [], "Stop": []}}', 'has "Stop" twice'],
  ])('into %s refuses, says why, and changes nothing', (text, why) => {
    write(text);
    expect(() => installHooks('claude-code', place)).toThrow(why);
    expect(read()).toBe(text);
  });

  test.each(['{"hooks": ', '[]', '{"hooks": {"Stop": {}}}', 'no json'])(
    'into %s refuses and changes nothing',
    (text) => {
      write(text);
      expect(() => installHooks('claude-code', place)).toThrow(
        /Mend it, then try again; nothing was changed/,
      );
      expect(read()).toBe(text);
    },
  );

  test('for one project goes into its local settings, beside a private folder', () => {
    const project = join(folder, 'project');
    installHooks('claude-code', { ...place, project });
    expect(read(join(project, '.claude', 'settings.local.json'))).toContain(
      `--home ${join(project, '.svc')}`,
    );
    expect(read(join(project, '.svc', '.gitignore'))).toBe('*\n');
    expect(statSync(join(project, '.svc')).mode & 0o777).toBe(0o700);
    expect(findHooks(place)).toEqual([]);
  });

  test('keeps a link to settings that lie elsewhere', () => {
    const elsewhere = join(folder, 'dotfiles.json');
    writeFileSync(elsewhere, THEIRS);
    mkdirSync(dirname(settings()));
    symlinkSync(elsewhere, settings());
    installHooks('claude-code', place);
    expect(read(elsewhere)).toContain('svc-hook.js');
  });

  test.skipIf(process.platform === 'win32')('refuses what is no file, and waits for no pipe', async () => {
    mkdirSync(settings(), { recursive: true });
    expect(() => installHooks('claude-code', place)).toThrow(`${settings()} is no file`);
    rmSync(settings(), { recursive: true });
    await promisify(execFile)('mkfifo', [settings()]);
    for (const look of [() => installHooks('claude-code', place), () => findHooks(place)])
      expect(look).toThrow(`${settings()} is no file`);
    await promisify(execFile)('mkfifo', [join(folder, '.svc', 'svc-hook.sh')]);
    expect(installHooks('codex', place).changed).toBe(true);
  });

  test('leaves a link alone that leads nowhere', () => {
    mkdirSync(dirname(settings()));
    symlinkSync(join(folder, 'not-mounted.json'), settings());
    expect(() => installHooks('claude-code', place)).toThrow('is a link to a file that is not there');
    expect(readlinkSync(settings())).toBe(join(folder, 'not-mounted.json'));
    expect(uninstallHooks('claude-code', place).changed).toBe(false);
  });

  test('keeps who may read them, and an empty list of hooks that is not ours', () => {
    write('{\n  "hooks": {}\n}\n');
    chmodSync(settings(), 0o644);
    expect(uninstallHooks('claude-code', place).changed).toBe(false);
    installHooks('claude-code', place);
    expect(statSync(settings()).mode & 0o777).toBe(0o644);
  });

  test('writes no key', () => {
    writeFileSync(join(folder, 'credentials.json'), '{"api_url":"http://x","api_key":"svc_secret"}');
    installHooks('claude-code', {
      ...place,
      credentials: join(folder, 'credentials.json'),
      env: { SVC_API_KEY: 'svc_secret' },
    });
    expect(read()).not.toContain('svc_secret');
  });
});

describe('every framework', () => {
  test.each(INSTALLABLE)('%s is installed, found and taken out again', (framework) => {
    const { files } = installHooks(framework, place);
    expect(files.every((file) => existsSync(file))).toBe(true);
    expect(findHooks(place)).toMatchObject([{ framework, missing: [], scriptExists: true }]);
    uninstallHooks(framework, place);
    expect(findHooks(place)).toEqual([]);
    expect(files.some((file) => existsSync(file))).toBe(false);
    expect(uninstallHooks(framework, place)).toMatchObject({ files: [files[0]], changed: false });
  });

  test('Cursor keeps the version and the hooks of others', () => {
    const path = join(folder, '.cursor', 'hooks.json');
    const before =
      '{\n  "version": 1,\n  "hooks": {\n    "stop": [\n      { "command": "./audit.sh" }\n    ]\n  }\n}\n';
    write(before, path);
    installHooks('cursor', place);
    expect(JSON.parse(read(path)).hooks.stop).toHaveLength(2);
    uninstallHooks('cursor', place);
    expect(read(path)).toBe(before);
    write('{"version":1}', path);
    installHooks('cursor', place);
    uninstallHooks('cursor', place);
    expect(read(path)).toBe('{"version":1}');
  });

  test('settings that name a script which is gone are told of', () => {
    installHooks('codex', place);
    const path = join(folder, '.codex', 'hooks.json');
    writeFileSync(path, read(path).replaceAll(dirname(HOOK_SCRIPT), '/gone'));
    expect(findHooks(place)).toMatchObject([{ framework: 'codex', scriptExists: false }]);
    installHooks('codex', place);
    expect(findHooks(place)).toMatchObject([{ scriptExists: true, missing: [] }]);
  });

  test('where all hooks are switched off, the setting that does it is named', () => {
    write('{"disableAllHooks": true}');
    const { notes } = installHooks('claude-code', place);
    expect(notes).toEqual(['Claude Code runs no hooks: set disableAllHooks to false there.']);
    expect(findHooks(place)).toMatchObject([{ framework: 'claude-code', off: 'disableAllHooks' }]);
    write(read().replace('true', 'false'));
    expect(installHooks('claude-code', place).notes).not.toEqual(notes);
    expect(findHooks(place)).toMatchObject([{ off: undefined }]);
  });

  test("under Yarn Plug'n'Play, from whose archives no host can run them, they are refused", () => {
    Object.defineProperty(process.versions, 'pnp', { value: '3', configurable: true });
    onTestFinished(() => void Reflect.deleteProperty(process.versions, 'pnp'));
    expect(() => installHooks('claude-code', place)).toThrow('Set nodeLinker: node-modules');
    expect(findHooks(place)).toEqual([]);
  });

  test('a framework without hooks is refused by name', () => {
    expect(() => installHooks('emacs', place)).toThrow(/no hooks for "emacs". Known: claude-code, codex/);
  });
});

describe('the command', () => {
  const parts = { framework: 'codex', home: "/home/o'neil/my files/.svc", credentials: '/c.json' };
  test('is quoted for sh', () => {
    expect(hookCommand(parts, 'darwin')).toContain(
      ` codex --home '/home/o'\\''neil/my files/.svc' --credentials /c.json`,
    );
  });
  test.skipIf(process.platform === 'win32').each([
    ['the node that installed it', process.execPath, '/nowhere'],
    ['the one in the PATH, where that is gone', '/gone with nvm/node', dirname(process.execPath)],
  ])('runs by %s', async (_name, node, path) => {
    const command = hookCommand({ ...parts, framework: 'none' }, 'linux', node);
    const { stderr } = await promisify(execFile)('/bin/sh', ['-c', command], { env: { PATH: path } });
    expect(stderr).toContain('"none" is not a known framework');
  });
  test('has forward slashes and double quotes on Windows', () => {
    const windows = { framework: 'codex', home: 'C:\\Users\\O Neil\\.svc', credentials: 'D:\\c.json' };
    expect(hookCommand(windows, 'win32')).toMatch(
      / codex --home "C:\/Users\/O Neil\/\.svc" --credentials D:\/c\.json$/,
    );
    // PowerShell would make two arguments of it.
    expect(hookCommand({ ...windows, credentials: 'D:\\a,b' }, 'win32')).toMatch(/ --credentials "D:\/a,b"$/);
  });
  test('stands in a module for cmd, which knows the letters of one code page only', async () => {
    const home = join(folder, 'Jörg 100%');
    const [, script = ''] = installHooks('generic', { ...place, userHome: home }).files;
    const [, name = ''] = /^node "%~dp0(.*)" %\*\r$/m.exec(read(script)) ?? [];
    expect(read(script)).toMatch(/^[\x20-\x7e\r\n]+$/);
    const module = join(dirname(script), name);
    const { stderr } = await promisify(execFile)(process.execPath, [module, 'session-start'], { env: {} });
    expect(stderr).toContain('there is no API key');
    uninstallHooks('generic', { ...place, userHome: home });
    expect(existsSync(module)).toBe(false);
  });
});
