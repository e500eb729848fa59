import type { Framework } from './contract.ts';

// A key never stands in a step: whoever follows it has the service's credentials.json or sets SVC_API_KEY.
const MCP_SERVER = `{
  "mcpServers": {
    "svc": {
      "command": "npx",
      "args": ["-y", "@svc-memory/mcp"],
      "env": { "SVC_API_URL": "http://127.0.0.1:3000", "SVC_API_KEY": "<your API key>" }
    }
  }
}`;

const CREDENTIALS = `The hooks find the service by SVC_API_KEY and SVC_API_URL in the environment that starts the agent, or by the
credentials.json that an embedded service writes. No key is written into any settings.`;

/** Steps for a framework whose hooks \`svc hooks install\` sets up. */
function hookSteps(name: string, id: string, files: string, notes: string): string {
  return `# Connect ${name}

1. Install the hooks: \`svc hooks install ${id}\` for all your projects, or \`svc hooks install ${id} --dir .\` for this one.
   They are added to ${files}; what others wrote there stays as it is.
2. Add the MCP server for the svc_* tools:

${fenced(MCP_SERVER)}

3. Start a new session. It begins with the memory injection.
4. Check: \`svc hooks status\` shows each flush and each delivery, and compactions that no recovery followed.

${notes}

${CREDENTIALS}
To undo: \`svc hooks uninstall ${id}\` with the same --dir.
`;
}

function fenced(json: string): string {
  return `\`\`\`json\n${json}\n\`\`\``;
}

/** What to do for each framework, as fixed text. */
export const SETUP_STEPS: { readonly [Name in Framework]: string } = {
  'claude-code': hookSteps(
    'Claude Code',
    'claude-code',
    '~/.claude/settings.json, or .claude/settings.local.json of the project',
    'PreCompact, Stop and SessionEnd keep new turns and SVC.md; SessionStart delivers the boot or recovery injection.',
  ),
  codex: hookSteps(
    'Codex CLI',
    'codex',
    '~/.codex/hooks.json, or .codex/hooks.json of the project',
    'Codex runs a new hook only after you trust it: open /hooks in Codex once. Versions without hooks: use the MCP server, and let AGENTS.md say "Call svc_boot at the start of every session and after every compaction."',
  ),
  'gemini-cli': hookSteps(
    'Gemini CLI',
    'gemini-cli',
    '~/.gemini/settings.json, or .gemini/settings.json of the project',
    'Gemini CLI starts no session after a compression: the recovery is delivered with your next prompt.',
  ),
  cursor: hookSteps(
    'Cursor',
    'cursor',
    '~/.cursor/hooks.json, or .cursor/hooks.json of the project',
    'Cursor lets no hook add text after a compaction: add a rule that says "After a compaction, call svc_boot."',
  ),
  opencode: `# Connect OpenCode

OpenCode has plugins in place of hooks, and \`svc hooks install\` does not make one.

1. Add the MCP server to opencode.json: a "local" server with the command ["npx", "-y", "@svc-memory/mcp"] and the
   environment SVC_API_URL and SVC_API_KEY.
2. Let AGENTS.md say: "Call svc_boot at the start of every session and after every compaction. Call svc_remember for
   what must not be lost."
`,
  'claude-desktop': `# Connect Claude Desktop

1. Open Settings, Developer, Edit Config, and add:

${fenced(MCP_SERVER)}

2. Restart Claude Desktop. It has no hooks: begin a conversation with the prompt "boot" of the svc server.
`,
  'ai-sdk': `# Connect the AI SDK

1. \`npm install @svc-memory/ai-sdk @svc-memory/core\`
2. Wrap the model: \`withMemory(model, { memory: connect({ url, apiKey }) })\`.
`,
  langchain: `# Connect LangChain

1. \`npm install langchain @svc-memory/langchain @svc-memory/core\`
2. Give \`createAgent\` the middleware: \`agentMemoryMiddleware({ memory: connect({ url, apiKey }) })\`, with \`connect\`
   of "@svc-memory/core/client".
3. Invoke the agent with a \`thread_id\`: it ties the turns of a conversation together.
`,
  generic: `# Connect any other agent

With MCP, add the server:

${fenced(MCP_SERVER)}

With a shell, \`svc hooks install generic --dir .\` writes .svc/svc-hook.sh:

- \`.svc/svc-hook.sh session-start\` prints what restores the agent; put it in front of the conversation.
- \`.svc/svc-hook.sh before-compaction --transcript <file>\` keeps the new turns and writes .svc/SVC.md.
- \`.svc/svc-hook.sh after-compaction\` prints the recovery.

With HTTP alone: GET /api/v1/memories/boot at the start, POST /api/v1/webhooks/compaction around a compaction, both with
the header "Authorization: Bearer <API key>".
`,
};
