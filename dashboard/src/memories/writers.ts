import type { fields } from '@svc-memory/core/contract';

/** Who wrote something, for people. */
export const WRITERS: Readonly<Record<fields.Source, string>> = {
  agent: 'the agent',
  human: 'a human',
  sync: 'a sync of its files',
  import: 'an import',
  webhook: 'a compaction',
  reflection: 'a reflection',
};
