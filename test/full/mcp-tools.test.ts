import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useService } from '../kit/service.ts';
import { connectClient, ok, useBundle } from '../mcp/clients.ts';

const exec = promisify(execFile);
const service = useService();
const built = useBundle();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-mcp-full-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a program of npm packages that are installed for this call. */
async function npx(packages: readonly string[], ...command: string[]): Promise<string> {
  const wanted = packages.flatMap((name) => ['-p', name]);
  const options = { cwd: folder, maxBuffer: 64 << 20 };
  return (await exec('npx', ['-y', '--prefer-offline', ...wanted, '--', ...command], options)).stdout;
}

describe('the MCP Inspector, in its command-line mode over stdio', () => {
  const inspect = async (...args: string[]) => {
    const { key } = await service.signUp();
    const env = ['-e', `SVC_API_URL=${service.url}`, '-e', `SVC_API_KEY=${key}`];
    const inspector = ['mcp-inspector', '--cli', ...env, 'node', built.bin, ...args];
    const packages = ['node@24', '@modelcontextprotocol/inspector@2.12.0'];
    return JSON.parse(await npx(packages, ...inspector));
  };

  // That resources and prompts are listed as the protocol wants it, `mcp-conformance.test.ts` shows.
  test('lists the tools and calls one', async () => {
    expect((await inspect('--method', 'tools/list')).tools).toHaveLength(19);
    const args = ['type=semantic', 'content=Maya approves deploys.'].flatMap((arg) => ['--tool-arg', arg]);
    const stored = await inspect('--method', 'tools/call', '--tool-name', 'svc_remember', ...args);
    expect(stored).toMatchObject({ structuredContent: { outcome: 'created' } });
  });
});

describe('svc-mcp', () => {
  test('runs on Node 18', async () => {
    const { key, tenantId } = await service.signUp();
    const env = { PATH: process.env.PATH ?? '', HOME: folder, SVC_API_URL: service.url, SVC_API_KEY: key };
    expect(await npx(['node@18'], 'node', '--version')).toMatch(/^v18\./);
    const args = ['-y', '--prefer-offline', '-p', 'node@18', '--', 'node', built.bin];
    const client = await connectClient(new StdioClientTransport({ command: 'npx', args, env, cwd: folder }));
    expect((await ok(client, 'svc_status')).structured).toMatchObject({ tenant: { id: tenantId } });
    const memory = { type: 'semantic', content: 'Node 18 has no String.isWellFormed.', key: 'node' };
    expect((await ok(client, 'svc_remember', memory)).structured).toMatchObject({ outcome: 'created' });
    const found = await ok(client, 'svc_recall', { query: 'what does Node 18 lack?', threshold: 0 });
    expect(found.structured).toMatchObject({ results: [{ key: 'node' }] });
    await client.close();
  });

  test('as a package brings everything it needs and installs nothing else', async () => {
    const source = fileURLToPath(new URL('../../mcp/', import.meta.url));
    const { stdout } = await exec('npm', ['pack', '--json', '--pack-destination', folder], { cwd: source });
    const [{ filename }] = JSON.parse(stdout);
    const home = await mkdtemp(join(folder, 'home-'));
    await exec('npm', ['install', '--prefix', home, join(folder, filename)], { cwd: home });
    const installed = (await readdir(join(home, 'node_modules'))).filter((name) => !name.startsWith('.'));
    expect(installed).toEqual(['@svc-memory']);
    expect(await readdir(join(home, 'node_modules', '@svc-memory'))).toEqual(['mcp']);
    const { key, tenantId } = await service.signUp();
    const command = join(home, 'node_modules', '.bin', 'svc-mcp');
    const env = { PATH: process.env.PATH ?? '', SVC_API_URL: service.url, SVC_API_KEY: key };
    const client = await connectClient(new StdioClientTransport({ command, env, cwd: home }));
    expect((await ok(client, 'svc_status')).structured).toMatchObject({ tenant: { id: tenantId } });
    await client.close();
  });
});

test('two tenants with 200 calls each and equal ids never get an answer of the other', async () => {
  const tenants = [await service.signUp(), await service.signUp()];
  let answered = 0;
  const send = async (key: string, tenantId: string, id: number): Promise<void> => {
    const response = await fetch(new URL('/mcp', service.url), {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'svc_status' } }),
    });
    // A busy machine may have too many calls in progress.
    if (response.status === 503) return send(key, tenantId, id);
    const expected = { id, result: { structuredContent: { tenant: { id: tenantId } } } };
    expect(await response.json()).toMatchObject(expected);
    answered += 1;
  };
  for (let start = 0; start < 200; start += 50) {
    const ids = Array.from({ length: 50 }, (_, index) => start + index);
    await Promise.all(ids.flatMap((id) => tenants.map(({ key, tenantId }) => send(key, tenantId, id))));
  }
  expect(answered).toBe(400);
});
