import { t } from '@lingui/core/macro';
import type { AnswerOf, RequestOf } from '../api/call.ts';

export type ImportFormat = NonNullable<RequestOf<'POST /import'>['format']>;
export type Preview = AnswerOf<'POST /import'>['preview'];
export type ImportJob = AnswerOf<'GET /jobs/{id}'>['job'];

/** Where memories come from. Without `format` the service detects the format of each file. */
export type ImportSource = { readonly format?: ImportFormat | undefined } & (
  | { readonly kind: 'files'; readonly files: readonly File[] }
  | { readonly kind: 'git'; readonly git: NonNullable<RequestOf<'POST /import'>['git']> }
  | { readonly kind: 's3'; readonly s3: NonNullable<RequestOf<'POST /import'>['s3']> }
);

export interface SourceFormProps {
  /** True while the service reads the source. */
  readonly busy: boolean;
  readonly ask: (source: ImportSource) => void;
}

/** The services that memories can come from, and how a human gets their export. */
export const SERVICES = [
  {
    value: 'chatgpt',
    label: 'ChatGPT',
    how: t`Settings, Data controls, Export data: drop the zip from the mail here.`,
  },
  {
    value: 'claude',
    label: 'Claude',
    how: t`Settings, Privacy, Export data: drop the zip from the mail here.`,
  },
  { value: 'mem0', label: 'Mem0', how: t`The JSON that its export or GET /v1/memories gives.` },
  { value: 'zep', label: 'Zep', how: t`The JSON of its sessions and facts.` },
  { value: 'letta', label: 'Letta', how: t`An agent file, ending in .af.` },
  { value: 'mcp', label: t`MCP memory server`, how: t`Its memory.jsonl, with entities and relations.` },
  { value: 'supermemory', label: 'Supermemory', how: t`The JSON of its documents or memories.` },
  {
    value: 'svc',
    label: t`This service`,
    how: t`An export made below. Into an agent without memories it comes back with all history.`,
  },
] as const satisfies readonly { value: ImportFormat; label: string; how: string }[];
