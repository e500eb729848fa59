import type { Role } from '../../../config/role.ts';
import { columns } from '../../console/terminal.ts';
import type { LocalAccess } from './local-access.ts';

interface Started {
  readonly url: string;
  readonly role: Role;
  /** Where the memories are, in words. */
  readonly data: string;
  readonly access: LocalAccess;
  /** True on a database server on which nobody has an account yet. */
  readonly noTenant: boolean;
  /** Address that clients use, where it differs. */
  readonly publicUrl?: string | undefined;
  /** The one-time link that signs the owner in. */
  readonly signInUrl?: string | undefined;
}

const RUNNING: Readonly<Record<Role, string>> = {
  all: 'The Agent Memory Service is running.',
  api: 'The Agent Memory Service answers calls; its background work is done by workers (npx svc-memory serve --role worker).',
  worker: 'A worker of the Agent Memory Service is running; it answers /health, /ready and /metrics.',
};

/** What a person reads when the service has started. An API key is in it only where it was made just now. */
export function startupNotice({ url, role, data, access, noTenant, publicUrl, signInUrl }: Started): string {
  const facts = [
    ['Address', url],
    ['Data', data],
    ...(access.outcome === 'kept' ? [] : [['API key', access.apiKey]]),
    ...(role === 'worker' ? [] : [['API docs', `${url}/api/v1/docs`]]),
  ];
  const parts = [RUNNING[role], indent(columns(facts))];
  if (access.outcome === 'created') {
    parts.push(
      'The API key is shown this once; clients on this machine find it in credentials.json in the data folder.',
      `Try it:\n${indent(example(url, access.apiKey))}`,
    );
  }
  if (access.outcome === 'replaced') {
    parts.push(
      'credentials.json was missing or its key no longer worked, so a new API key was made, shown this once. Keys made\nbefore still work: `npx svc-memory keys list` shows them, `npx svc-memory keys revoke` ends them.',
    );
  }
  if (noTenant) {
    parts.push(
      'This database has no tenant yet. Make one and its API key:\n  npx svc-memory keys create --new-tenant "My agent"',
    );
  }
  if (signInUrl !== undefined) {
    parts.push(
      `Sign in as the human of this agent by this link, on this machine, once, within 15 minutes (\`npx svc-memory link\` makes another):\n  ${signInUrl}`,
    );
  }
  if (publicUrl !== undefined && new URL(publicUrl).pathname !== '/') {
    parts.push(
      'SVC_PUBLIC_URL has a path. REST, MCP and clients work below one; the dashboard needs a host name of its own.',
    );
  }
  parts.push('Stop it with Ctrl-C.');
  return `\n${parts.join('\n\n')}\n`;
}

function example(url: string, apiKey: string): string {
  // The shells of Windows quote in other ways, and PowerShell has another curl.
  if (process.platform === 'win32')
    return 'npx svc-memory remember --type core --category identity "I am Ada. I help with research."';
  return [
    `curl ${url}/api/v1/memories \\`,
    `  -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' \\`,
    `  -d '{"type":"core","category":"identity","content":"I am Ada. I help with research."}'`,
  ].join('\n');
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
