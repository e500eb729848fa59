import type { Answer, Input } from '../api/call.ts';

export type Format = NonNullable<Input<'POST /import'>['format']>;
export type Preview = Answer<'POST /import'>['preview'];
export type Job = Answer<'GET /jobs/{id}'>['job'];

/** Where memories come from; `format` is left out where each file tells it. */
export type Source = { readonly format?: Format | undefined } & (
  | { readonly kind: 'files'; readonly files: readonly File[] }
  | { readonly kind: 'git'; readonly git: NonNullable<Input<'POST /import'>['git']> }
  | { readonly kind: 's3'; readonly s3: NonNullable<Input<'POST /import'>['s3']> }
);

/** Memory of another service, and how a human gets at it. */
export const SERVICES = [
  {
    value: 'chatgpt',
    label: 'ChatGPT',
    how: 'Settings, Data controls, Export data: drop the zip from the mail here.',
  },
  {
    value: 'claude',
    label: 'Claude',
    how: 'Settings, Privacy, Export data: drop the zip from the mail here.',
  },
  { value: 'mem0', label: 'Mem0', how: 'The JSON that its export or GET /v1/memories gives.' },
  { value: 'zep', label: 'Zep', how: 'The JSON of its sessions and facts.' },
  { value: 'letta', label: 'Letta', how: 'An agent file, ending in .af.' },
  { value: 'mcp', label: 'MCP memory server', how: 'Its memory.jsonl, with entities and relations.' },
  { value: 'supermemory', label: 'Supermemory', how: 'The JSON of its documents or memories.' },
  {
    value: 'svc',
    label: 'This service',
    how: 'An export made below. Into an agent without memories it comes back with all history.',
  },
] as const satisfies readonly { value: Format; label: string; how: string }[];
