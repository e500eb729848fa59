import type { Operation } from '../../kernel/context/context.ts';
import { FRAMEWORKS, type Framework, type setupRoutes } from './contract.ts';

/** Where an embedded service listens by default. */
const DEFAULT_URL = 'http://127.0.0.1:3000';

/** The set-up steps of a framework, for the service that is asked. */
export const setupScript: Operation<typeof setupRoutes.setupScript> = async ({ options }, { framework }) => ({
  framework,
  script: setupSteps(framework, options.serviceUrl ?? DEFAULT_URL),
  frameworks: [...FRAMEWORKS],
});

/** A host whose hooks `npx svc-memory hooks install` sets up. */
interface HookHost {
  readonly name: string;
  readonly files: string;
  readonly notes: string;
}

const HOOK_HOSTS: Readonly<Partial<Record<Framework, HookHost>>> = {
  'claude-code': {
    name: 'Claude Code',
    files: '~/.claude/settings.json, or .claude/settings.local.json of the project',
    notes:
      'PreCompact, Stop and SessionEnd keep new turns and SVC.md; SessionStart delivers the boot or recovery injection.',
  },
  codex: {
    name: 'Codex CLI',
    files: '~/.codex/hooks.json, or .codex/hooks.json of the project',
    notes:
      'Codex runs a new hook only after you trust it: open /hooks in Codex once. Versions without hooks: use the MCP server, and let AGENTS.md say "Call svc_boot at the start of every session and after every compaction."',
  },
  'gemini-cli': {
    name: 'Gemini CLI',
    files: '~/.gemini/settings.json, or .gemini/settings.json of the project',
    notes:
      'Gemini CLI starts no session after a compression: the recovery is delivered with your next prompt.',
  },
  cursor: {
    name: 'Cursor',
    files: '~/.cursor/hooks.json, or .cursor/hooks.json of the project',
    notes:
      'Cursor lets no hook add text after a compaction: add a rule that says "After a compaction, call svc_boot."',
  },
};

const CHECKOUT = `<checkout> is the folder of the service's repository on this machine, after \`npm ci && npm run pack\` in it; the
packages are in no registry yet. \`npx svc-memory\` runs there, and in a folder where they are installed.`;

/**
 * What connects a framework to the service at an address, step by step. A key never stands in a step: whoever follows it
 * has the service's credentials.json or sets SVC_API_KEY.
 */
function setupSteps(framework: Framework, url: string): string {
  const host = HOOK_HOSTS[framework];
  if (host) return hookSteps(framework, host, url);
  if (framework === 'opencode') return openCodeSteps(url);
  if (framework === 'claude-desktop') return claudeDesktopSteps(url);
  if (framework === 'ai-sdk') return aiSdkSteps(url);
  return framework === 'langchain' ? langChainSteps(url) : genericSteps(url);
}

function hookSteps(id: Framework, { name, files, notes }: HookHost, url: string): string {
  return `# Connect ${name}

1. In <checkout>, install the hooks: \`npx svc-memory hooks install ${id}\` for all your projects, or
   \`npx svc-memory hooks install ${id} --dir /path/to/project\` for one.
   They are added to ${files}; what others wrote there stays as it is.
2. Add the MCP server for the svc_* tools:

${mcpServer(url)}

3. Start a new session. It begins with the memory injection.
4. Check: \`npx svc-memory hooks status\`, with the same --dir, shows each flush and each delivery, and compactions that no
   recovery followed.

${notes}

The hooks find the service by SVC_API_KEY and SVC_API_URL=${url} in the environment that starts the agent, or by the
credentials.json that an embedded service writes. No key is written into any settings.
To undo: \`npx svc-memory hooks uninstall ${id}\` with the same --dir.

${CHECKOUT}
`;
}

function openCodeSteps(url: string): string {
  return `# Connect OpenCode

1. In <checkout>, install the plugin: \`npx svc-memory hooks install opencode\` for all your projects, or
   \`npx svc-memory hooks install opencode --dir /path/to/project\` for one.
2. Add the MCP server for the svc_* tools to opencode.json: a "remote" server with the url ${url}/mcp and the header
   "Authorization: Bearer <your API key>"; or a "local" one with the command ["node", "<checkout>/mcp/bin/svc-mcp.js"] and
   the environment SVC_API_URL=${url} and SVC_API_KEY.
3. Start a new session. Its system prompt holds the memory injection, after a compaction the recovery.

The plugin finds the service as hooks do: by SVC_API_KEY and SVC_API_URL=${url} in the environment that starts the agent, or by
the credentials.json that an embedded service writes. To undo: \`npx svc-memory hooks uninstall opencode\` with the same --dir.

${CHECKOUT}
`;
}

function claudeDesktopSteps(url: string): string {
  return `# Connect Claude Desktop

1. Open Settings, Developer, Edit Config, and add:

${mcpServer(url)}

2. Restart Claude Desktop. It has no hooks: begin a conversation with the prompt "boot" of the svc server.

${CHECKOUT}
`;
}

function aiSdkSteps(url: string): string {
  return `# Connect the AI SDK

1. Install the packages in your project:

${fenced('sh', 'npm install ai <checkout>/dist/svc-memory-{core,ai-sdk}-*.tgz')}

2. Wrap the model. SVC_API_KEY in the environment holds your API key.

${fenced(
  'ts',
  `import { withMemory } from '@svc-memory/ai-sdk';
import { connect } from '@svc-memory/core/client';

const memory = connect({ url: '${url}', apiKey: process.env.SVC_API_KEY });
const model = withMemory(yourModel, { memory });`,
)}

${CHECKOUT}
`;
}

function langChainSteps(url: string): string {
  return `# Connect LangChain

1. Install the packages in your project:

${fenced('sh', 'npm install langchain @langchain/core @langchain/langgraph-checkpoint <checkout>/dist/svc-memory-{core,langchain}-*.tgz')}

2. Give \`createAgent\` the middleware. SVC_API_KEY in the environment holds your API key.

${fenced(
  'ts',
  `import { connect } from '@svc-memory/core/client';
import { agentMemoryMiddleware } from '@svc-memory/langchain';

const memory = connect({ url: '${url}', apiKey: process.env.SVC_API_KEY });
const agent = createAgent({ model, tools, middleware: [agentMemoryMiddleware({ memory })] });`,
)}

3. Invoke the agent with a \`thread_id\`: it ties the turns of a conversation together.

${CHECKOUT}
`;
}

function genericSteps(url: string): string {
  return `# Connect any other agent

With MCP, add the server:

${mcpServer(url)}

With a shell, \`npx svc-memory hooks install generic --dir /path/to/project\` in <checkout> writes .svc/svc-hook.sh there:

- \`.svc/svc-hook.sh session-start\` prints what restores the agent; put it in front of the conversation.
- \`.svc/svc-hook.sh before-compaction --transcript <file>\` keeps the new turns and writes .svc/SVC.md.
- \`.svc/svc-hook.sh after-compaction\` prints the recovery.

With HTTP alone: GET ${url}/api/v1/memories/boot at the start, POST ${url}/api/v1/webhooks/compaction around a
compaction, both with the header "Authorization: Bearer <your API key>".

${CHECKOUT}
`;
}

function mcpServer(url: string): string {
  const stdio = {
    mcpServers: {
      svc: {
        command: 'node',
        args: ['<checkout>/mcp/bin/svc-mcp.js'],
        env: { SVC_API_URL: url, SVC_API_KEY: '<your API key>' },
      },
    },
  };
  return `${fenced('json', JSON.stringify(stdio, undefined, 2))}

   A client that speaks Streamable HTTP needs no program: the url ${url}/mcp with the header
   "Authorization: Bearer <your API key>".`;
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
