import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Transport } from '@modelcontextprotocol/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll } from 'vitest';
import { bundle } from '../../mcp/scripts/bundle.ts';

const PACKAGE = fileURLToPath(new URL('../../mcp/', import.meta.url));

/** The `svc-mcp` of the present sources, built into a folder of its own. */
export function useBundle(): { readonly bin: string; readonly folder: string } {
  let folder: string | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-mcp-'));
    await bundle(join(folder, 'bundle'));
    await cp(join(PACKAGE, 'bin'), join(folder, 'bin'), { recursive: true });
    await cp(join(PACKAGE, 'package.json'), join(folder, 'package.json'));
  });
  afterAll(() => (folder ? rm(folder, { recursive: true, force: true }) : undefined));
  const present = () => {
    if (folder === undefined) throw new TypeError('only inside tests');
    return folder;
  };
  return {
    get folder() {
      return present();
    },
    get bin() {
      return join(present(), 'bin', 'svc-mcp.js');
    },
  };
}

/** A client of the real library that is connected, and has asked for the tools so that it checks their answers. */
export async function connectClient(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'svc-test', version: '1.0.0' });
  await client.connect(transport);
  await client.listTools();
  return client;
}

/** `svc-mcp` as a host starts it: with nothing of this process's environment but what finds Node. */
export function stdioTransport(bin: string, env: Record<string, string>, cwd = tmpdir()) {
  const { PATH = '' } = process.env;
  return new StdioClientTransport({
    command: process.execPath,
    args: [bin],
    env: { PATH, ...env },
    cwd,
    stderr: 'pipe',
  });
}

/** The endpoint of the service with an API key. */
export function httpTransport(url: string, key: string, query = ''): Transport {
  const transport = new StreamableHTTPClientTransport(new URL(`/mcp${query}`, url), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  });
  // The library's own type says `string | undefined` where its interface says that the field may be left out.
  return transport as Transport;
}

/** Text and structured content of a tool's answer. */
export interface Called {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: Record<string, unknown> | undefined;
}

/** Calls a tool. */
export async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Called> {
  const { content, isError, structuredContent } = await client.callTool({ name, arguments: args });
  const parts = content as { type: string; text: string }[];
  return {
    text: parts.map(({ text }) => text).join('\n'),
    isError: isError === true,
    structured: structuredContent as Record<string, unknown> | undefined,
  };
}

/** The same, for a call that must succeed. */
export async function ok(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { text, isError, structured } = await call(client, name, args);
  if (isError || !structured) throw new Error(`${name} failed: ${text}`);
  return { text, structured };
}
