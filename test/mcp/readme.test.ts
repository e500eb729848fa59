import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useService } from '../kit/service.ts';
import { connectClient, httpTransport, ok, stdioTransport, useBundle } from './clients.ts';

const service = useService();
const built = useBundle();
const PACKAGE = new URL('../../mcp/', import.meta.url);
const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const readme = await readFile(new URL('README.md', PACKAGE), 'utf8');
const snippets = (language: string) =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) =>
    text.trim(),
  );
const SHELL = snippets('sh');
const JSON_BLOCKS = snippets('json');

let folder: string;
let agent: { key: string; tenantId: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-mcp-readme-'));
  agent = await service.signUp();
  // Stand in for the hosts' own programs: they print the arguments the shell gives them.
  for (const name of ['claude', 'codex']) {
    const program = `#!${process.execPath}\nconsole.log(JSON.stringify(process.argv.slice(2)));\n`;
    await writeFile(join(folder, name), program);
    await chmod(join(folder, name), 0o755);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The arguments that a line of the README gives to a host's program, with the variables it asks for. */
async function argumentsOf(line: string): Promise<string[]> {
  const { PATH = '' } = process.env;
  const env = {
    PATH: `${folder}${delimiter}${PATH}`,
    SVC_API_URL: service.url,
    SVC_API_KEY: agent.key,
  };
  return JSON.parse((await promisify(execFile)('sh', ['-c', line], { env, cwd: CHECKOUT })).stdout);
}

/** Starts what a host would start, and finds the agent's own memory behind it. */
async function reaches(command: readonly string[], env: Record<string, string>): Promise<void> {
  const program = fileURLToPath(new URL('bin/svc-mcp.js', PACKAGE));
  expect(command.map((part) => part.replace(/^\/path\/to\/checkout\//, `${CHECKOUT}/`))).toEqual([
    'node',
    program,
  ]);
  expect(existsSync(program)).toBe(true);
  const client = await connectClient(stdioTransport(built.bin, env));
  expect((await ok(client, 'svc_status')).structured).toMatchObject({ tenant: { id: agent.tenantId } });
  await client.close();
}

async function reachesOverHttp(url: string | undefined, authorization: string | undefined): Promise<void> {
  const endpoint = new URL(url ?? '');
  expect(endpoint.pathname).toBe('/mcp');
  expect(authorization).toBe(`Bearer ${agent.key}`);
  const client = await connectClient(httpTransport(endpoint.origin, agent.key));
  expect((await ok(client, 'svc_status')).structured).toMatchObject({ tenant: { id: agent.tenantId } });
  await client.close();
}

const after = (args: readonly string[], option: string) => args[args.indexOf(option) + 1];
const variables = (args: readonly string[]) =>
  Object.fromEntries(
    args.flatMap((arg, index) => (args[index - 1] === '--env' ? [arg.split(/=(.*)/s).slice(0, 2)] : [])),
  );

test('there is a line for each client and each transport', () => {
  expect(SHELL.map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
    'claude mcp add',
    'claude mcp add',
    'codex mcp add',
    'codex mcp add',
    // By signing in.
    'claude mcp add',
  ]);
  expect(JSON_BLOCKS).toHaveLength(3);
});

test('Claude Code, stdio', async () => {
  const args = await argumentsOf(SHELL[0] ?? '');
  const end = args.indexOf('--');
  // The name comes last before "--"; after an --env it would be taken for a variable.
  expect(args.slice(end - 3, end)).toEqual(['--scope', 'user', 'svc']);
  expect(after(args, '--transport')).toBe('stdio');
  await reaches(args.slice(end + 1), variables(args.slice(0, end)));
});

test('Claude Code, HTTP', async () => {
  const args = await argumentsOf(SHELL[1] ?? '');
  expect(after(args, '--transport')).toBe('http');
  const [, authorization] = after(args, '--header')?.split(': ') ?? [];
  await reachesOverHttp(after(args, 'svc'), authorization);
});

test('Codex, stdio', async () => {
  const args = await argumentsOf(SHELL[2] ?? '');
  expect(args.slice(0, 3)).toEqual(['mcp', 'add', 'svc']);
  const end = args.indexOf('--');
  await reaches(args.slice(end + 1), variables(args.slice(0, end)));
});

test('Codex, HTTP', async () => {
  const args = await argumentsOf(SHELL[3] ?? '');
  expect(after(args, '--bearer-token-env-var')).toBe('SVC_API_KEY');
  await reachesOverHttp(after(args, '--url'), `Bearer ${agent.key}`);
});

test('the block of JSON, which is mcp.json', async () => {
  const example: unknown = JSON.parse(await readFile(new URL('mcp.json', PACKAGE), 'utf8'));
  const block = JSON.parse(JSON_BLOCKS[0] ?? '');
  expect(block).toEqual(example);
  const { command, args, env } = block.mcpServers.svc;
  expect(Object.keys(env)).toEqual(['SVC_API_URL', 'SVC_API_KEY']);
  await reaches([command, ...args], { ...env, SVC_API_URL: service.url, SVC_API_KEY: agent.key });
});

test('the block for Streamable HTTP', async () => {
  const { url, headers } = JSON.parse(JSON_BLOCKS[1] ?? '').mcpServers.svc;
  const filled = headers.Authorization.replace(/\$\{env:SVC_API_KEY\}/, agent.key);
  await reachesOverHttp(url.replace('http://127.0.0.1:3000', service.url), filled);
});

test('the block that names the data folder of a local service', async () => {
  const data = join(folder, '.svc');
  await mkdir(data);
  const credentials = { api_url: service.url, api_key: agent.key };
  await writeFile(join(data, 'credentials.json'), JSON.stringify(credentials));
  const { command, args, env } = JSON.parse(JSON_BLOCKS[2] ?? '').mcpServers.svc;
  expect(Object.keys(env)).toEqual(['SVC_DATA_DIR']);
  await reaches([command, ...args], { SVC_DATA_DIR: data });
});
