import { z } from 'zod';
import { memoryEntry, problem } from '../draft.ts';
import { recordFormat } from './format.ts';
import { moment, optionalText, textList } from './values.ts';

const memory = z.object({
  id: optionalText,
  memory: z.string(),
  categories: textList,
  metadata: z.record(z.string(), z.unknown()).nullish(),
  run_id: optionalText,
  created_at: moment,
});

/**
 * mem0: what `get_all()` answers, in the open-source library (`{"results": [{"id", "memory", "hash", "metadata",
 * "created_at", "updated_at", "user_id", …}]}`) and on the platform, page by page (`{"count", "next", "results":
 * [{"id", "memory", "user_id", "metadata", "categories", "created_at", …}]}`), or the bare list of version 1.
 * Taken from https://docs.mem0.ai/cookbooks/essentials/exporting-memories and
 * https://github.com/mem0ai/mem0/blob/main/mem0/memory/main.py
 */
export const mem0 = recordFormat({
  name: 'mem0',
  title: 'mem0',
  fields: [
    { from: 'memory', to: 'content (semantic)' },
    { from: 'id', to: 'origin' },
    { from: 'categories, metadata.category', to: 'tags' },
    { from: 'metadata', to: 'metadata' },
    { from: 'run_id', to: 'session_id' },
    { from: 'created_at', to: 'occurred_at' },
  ],
  marks: [
    ['$.results[].memory', '$.results[].id'],
    ['$[].memory', '$[].id'],
    ['$.memory', '$.id', '$.created_at'],
  ],
  records: ['$.results.*', '$.*'],
  *toEntries({ value }) {
    const parsed = memory.safeParse(value);
    if (!parsed.success) {
      yield problem('is no memory of mem0: it has no text under "memory"');
      return;
    }
    const { id, categories, metadata, run_id, created_at } = parsed.data;
    const category = metadata?.category;
    yield memoryEntry({
      origin: id,
      type: 'semantic',
      content: parsed.data.memory,
      tags: typeof category === 'string' ? [...categories, category] : categories,
      occurredAt: created_at,
      sessionId: run_id,
      metadata,
    });
  },
});
