import { z } from 'zod';
import { memoryEntry, problem, skipped } from '../draft.ts';
import { recordFormat } from './format.ts';
import { moment, optionalText, textList, unreadableTimes } from './values.ts';

const memory = z.object({
  id: optionalText,
  memory: z.string(),
  categories: textList,
  metadata: z.record(z.string(), z.unknown()).nullish(),
  user_id: optionalText,
  userId: optionalText,
  run_id: optionalText,
  runId: optionalText,
  created_at: moment,
  createdAt: moment,
  expiration_date: moment,
});
const TIMES = ['created_at', 'createdAt', 'expiration_date'];

/**
 * mem0: what `get_all()` answers, in the open-source library (`{"results": [{"id", "memory", "hash", "metadata",
 * "created_at", "updated_at", "user_id", …}]}`) and on the platform, page by page (`{"count", "next", "results":
 * [{"id", "memory", "user_id", "metadata", "categories", "created_at", …}]}`), or the bare list of version 1. The
 * library for TypeScript writes `createdAt`, `userId` and `runId`.
 * Taken from https://docs.mem0.ai/cookbooks/essentials/exporting-memories,
 * https://github.com/mem0ai/mem0/blob/main/mem0/memory/main.py and
 * https://github.com/mem0ai/mem0/blob/main/mem0-ts/src/oss/src/memory/index.ts
 */
export const mem0 = recordFormat({
  name: 'mem0',
  title: 'mem0',
  fields: [
    { from: 'memory', to: 'content (semantic)' },
    { from: 'id', to: 'origin' },
    { from: 'categories, metadata.category', to: 'tags' },
    { from: 'metadata', to: 'metadata' },
    { from: 'run_id, runId', to: 'session_id' },
    { from: 'created_at, createdAt', to: 'occurred_at' },
    { from: 'expiration_date', to: 'expires_at' },
    { from: 'user_id, userId', to: 'whose it is, where there are several' },
    { from: 'agent_id, app_id, relations', to: '(left out)' },
  ],
  marks: [
    ['$.results[].memory', '$.results[].id'],
    ['$[].memory', '$[].id'],
    ['$.memory', '$.id', '$.created_at'],
  ],
  records: ['$.results.*', '$.relations.*', '$.*'],
  *toEntries({ at, value }) {
    if (at[0] === 'relations') {
      yield skipped('relations of the graph');
      return;
    }
    const parsed = memory.safeParse(value);
    if (!parsed.success) {
      yield problem('is no memory of mem0: it has no text under "memory"');
      return;
    }
    const { id, categories, metadata } = parsed.data;
    const category = metadata?.category;
    yield memoryEntry({
      origin: id,
      type: 'semantic',
      content: parsed.data.memory,
      tags: typeof category === 'string' ? [...categories, category] : categories,
      userId: parsed.data.user_id ?? parsed.data.userId,
      occurredAt: parsed.data.created_at ?? parsed.data.createdAt,
      expiresAt: parsed.data.expiration_date,
      sessionId: parsed.data.run_id ?? parsed.data.runId,
      metadata,
      unreadable: unreadableTimes(value, TIMES),
    });
  },
});
