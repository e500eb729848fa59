import type { fields } from '@svc-memory/core/contract';
import type { AnswerOf } from '../api/call.ts';

/** One version of a memory, and the change that made it. */
export type Version = AnswerOf<'GET /memories/{id}/history'>['versions'][number];

/** Who wrote a version, in the words of a human. */
export const WRITERS: Readonly<Record<fields.Source, string>> = {
  agent: 'the agent',
  human: 'a human',
  sync: 'a sync of its files',
  import: 'an import',
  webhook: 'a compaction',
  reflection: 'a reflection',
};
