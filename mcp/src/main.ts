import './node-18.ts';
import { Console } from 'node:console';
import { readFileSync } from 'node:fs';
import type { AgentMemory } from '@svc-memory/core/contract';
import { createMcpServer } from './create-server.ts';
import { StdioTransport } from './stdio-transport.ts';
import type { ToolSelection } from './tool-selection.ts';

/** Serves MCP on standard input and output until the input ends. Nothing but protocol goes to standard output. */
export async function main(): Promise<void> {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  if (process.argv.includes('--version')) {
    process.stdout.write(`${version}\n`);
    return;
  }
  // A library that prints would break the protocol.
  globalThis.console = new Console(process.stderr);
  // The client is gone: there is nobody to answer.
  process.stdout.once('error', () => process.exit(0));
  if (process.stdin.isTTY)
    say('this is an MCP server for stdin and stdout; add it to an MCP client (see its README).');
  const server = createMcpServer({ memory: openMemory, version, selection: readSelection(process.env) });
  server.onerror = (error) => say(error.message);
  // The tools are asked for right after the first answer.
  server.oninitialized = () => void import('./tools.ts');
  await server.connect(new StdioTransport(process.stdin, process.stdout));
}

let memory: Promise<AgentMemory> | undefined;

function openMemory(): Promise<AgentMemory> {
  memory ??= Promise.all([import('./remote-memory.ts'), import('./credentials.ts')]).then(
    ([{ remoteMemory }, { requireCredentials }]) =>
      remoteMemory(() => requireCredentials(process.env, process.cwd())),
  );
  return memory;
}

function readSelection({ SVC_MCP_TOOLS, SVC_MCP_OUTPUT_SCHEMAS }: NodeJS.ProcessEnv): ToolSelection {
  return { tools: SVC_MCP_TOOLS, outputSchemas: SVC_MCP_OUTPUT_SCHEMAS };
}

function say(message: string): void {
  process.stderr.write(`svc-mcp: ${message.replace(/\s+/g, ' ').slice(0, 500)}\n`);
}
