import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { HOOK_SCRIPT } from '@svc-memory/hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writePlugin } from '../../mcp/scripts/plugin.ts';
import { useService } from '../kit/service.ts';
import { Transcript } from './hook.fixture.ts';

const service = useService();
const ROOT = /\$\{CLAUDE_PLUGIN_ROOT\}/g;
let folder = '';
let plugin = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-plugin-'));
  await writePlugin(join(folder, 'built'));
  // As a host does that copies plugins to a place of its own.
  plugin = join(folder, 'a place of its own');
  await rename(join(folder, 'built'), plugin);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const readJson = async (path: string) => JSON.parse(await readFile(join(plugin, path), 'utf8'));
const inPlugin = (text: string) => text.replaceAll(ROOT, plugin);

test('its hooks run as the host calls them, wherever the plugin is', async () => {
  const { key, post } = await service.signUp();
  await post('/memories', { type: 'core', category: 'soul', content: 'I keep my promises.' });
  const { hooks } = await readJson('hooks/hooks.json');
  const transcript = new Transcript(folder, 's1').user('Deploy to staging.');
  const fire = async (event: 'SessionStart' | 'PreCompact', more: object) => {
    const [{ hooks: commands }] = hooks[event];
    expect(commands[0].command).toMatch(ROOT);
    const env = { ...process.env, HOME: folder, SVC_API_URL: service.url, SVC_API_KEY: key };
    const child = spawn('sh', ['-c', commands[0].command], {
      env: { ...env, CLAUDE_PLUGIN_ROOT: plugin },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (text) => {
      out += text;
    });
    child.stdin.end(JSON.stringify(transcript.hook(event, more)));
    const [code] = await once(child, 'close');
    return { code, out };
  };
  const started = await fire('SessionStart', { source: 'startup' });
  expect(started.code).toBe(0);
  expect(started.out).toContain('I keep my promises.');
  expect(await fire('PreCompact', { trigger: 'auto' })).toEqual({ code: 0, out: '' });
  const restored = await fire('SessionStart', { source: 'compact' });
  expect(restored.out).toContain('user: Deploy to staging.');
});

test('a hook of the plugin, as one of the package, ends well on a Node that is too old to link it', async () => {
  const dataUrl = (script: string) => `data:text/javascript,${encodeURIComponent(script)}`;
  const withoutCrc32 = dataUrl(`export const resolve = (name, context, next) =>
    name === 'node:zlib' ? { url: 'data:text/javascript,', shortCircuit: true } : next(name, context);`);
  const older = dataUrl(`import { register } from 'node:module'; register(${JSON.stringify(withoutCrc32)});`);
  for (const script of [HOOK_SCRIPT, join(plugin, 'hooks/svc-hook.js')]) {
    const child = spawn(process.execPath, ['--import', older, script, 'claude-code', '--home', folder]);
    let err = '';
    child.stderr.on('data', (text) => {
      err += text;
    });
    child.stdin.end('{"hook_event_name": "SessionStart", "source": "startup"}');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(err).toMatch(/^svc: Node \S+ cannot run the hook, which needs 20\.19 or newer: .*crc32.*\n$/);
  }
});

test('its MCP server starts and has the tools that its skill names', async () => {
  const { key } = await service.signUp();
  const { mcpServers } = await readJson('.mcp.json');
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: mcpServers.svc.command,
      args: mcpServers.svc.args.map(inPlugin),
      env: { PATH: process.env.PATH ?? '', HOME: folder, SVC_API_URL: service.url, SVC_API_KEY: key },
    }),
  );
  const names = (await client.listTools()).tools.map(({ name }) => name);
  await client.close();
  const skill = await readFile(join(plugin, 'skills/svc-memory/SKILL.md'), 'utf8');
  for (const [name] of skill.matchAll(/svc_\w+/g)) expect(names).toContain(name);
});

test('it names no place on the machine it was built on', async () => {
  const files = await readdir(plugin, { recursive: true });
  for (const file of files.filter((name) => /\.(?:json|md)$/.test(name))) {
    expect(await readFile(join(plugin, file), 'utf8')).not.toContain(process.cwd());
  }
  expect(files).toContain(join('.claude-plugin', 'plugin.json'));
});
