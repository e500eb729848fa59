import './node-18.ts';
import { Console } from 'node:console';
import { readFileSync } from 'node:fs';
import type { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { AgentMemory } from '@svc-memory/core/contract';
import type { ClientState } from './client-state.ts';
import { createMcpServer } from './create-server.ts';
import { FollowedResources } from './followed-resources.ts';
import { StdioTransport } from './stdio-transport.ts';
import type { ToolSelection } from './tool-selection.ts';

const HELP = `Usage: svc-mcp [--help] [--version]

Serves the memory of an agent to an MCP client over standard input and output: add it to one, as its README shows.

It speaks to the service that SVC_API_URL and SVC_API_KEY name, else to the one whose data folder is SVC_DATA_DIR
(default: .svc in the working directory). SVC_MCP_TOOLS and SVC_MCP_OUTPUT_SCHEMAS choose what it offers.
`;

/** Serves MCP on standard input and output until the input ends. Nothing but protocol goes to standard output. */
export async function main(): Promise<void> {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const options = process.argv.slice(2);
  if (options.length > 0) {
    answerOptions(options, version);
    return;
  }
  // A library that prints would break the protocol.
  globalThis.console = new Console(process.stderr);
  // The client is gone: there is nobody to answer.
  process.stdout.once('error', () => process.exit(0));
  if (process.stdin.isTTY)
    say('this is an MCP server for stdin and stdout; add it to an MCP client (see its README).');
  serve(version);
}

/** Answers what is asked on the command line. What is unknown there is a mistake of a client's configuration. */
function answerOptions(options: readonly string[], version: string): void {
  const unknown = options.find((one) => !['--version', '-v', '--help', '-h'].includes(one));
  if (unknown !== undefined) {
    say(`there is no option ${JSON.stringify(unknown)}; \`svc-mcp --help\` shows what there is.`);
    process.exitCode = 2;
    return;
  }
  const wantsHelp = options.includes('--help') || options.includes('-h');
  process.stdout.write(wantsHelp ? HELP : `${version}\n`);
}

function serve(version: string): void {
  const state: ClientState = {};
  const selection = readSelection(process.env);
  let current: Server | undefined;
  const followed = new FollowedResources(async () => {
    const { ResourceWatch } = await import('./resource-watch.ts');
    return new ResourceWatch(openMemory, (uri) => {
      if (followed.isFollowed(uri))
        current?.sendResourceUpdated({ uri }).catch((error) => say(String(error)));
    });
  });
  const transport = new StdioTransport(process.stdin, process.stdout);
  transport.onread = (message) => followed.read(message);
  // The first message tells which revision of MCP the client speaks; a probe may come before.
  const create = () => {
    const server = createMcpServer({
      ...{ memory: openMemory, version, selection, state },
      ...{ subscribe: true, subscriptions: followed },
    });
    server.onerror = (error) => say(error.message);
    current = server;
    // The tools are asked for right after the first answer.
    setImmediate(() => void import('./tools.ts'));
    return server;
  };
  serveStdio(create, { transport, onerror: (error) => say(error.message) });
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
