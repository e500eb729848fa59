import { z } from 'zod';
import { memoryEntry, problem, skipped } from '../draft.ts';
import { recordFormat } from './format.ts';
import { moment, optionalText, textList, unreadableTimes } from './values.ts';

const document = z.object({
  id: optionalText,
  customId: optionalText,
  title: optionalText,
  content: optionalText,
  summary: optionalText,
  memory: optionalText,
  isForgotten: z.boolean().nullish(),
  isLatest: z.boolean().nullish(),
  containerTags: textList,
  createdAt: moment,
  forgetAfter: moment,
  metadata: z.unknown().optional(),
});

/**
 * Supermemory: documents as `POST /v3/documents/list` answers them (`{"memories": [{"id", "customId", "title",
 * "content", "summary", "containerTags", "createdAt", …}], "pagination"}`) and memory entries of `POST
 * /v4/memories/list` (`{"memoryEntries": [{"id", "memory", "isLatest", "isForgotten", "createdAt", …}]}`).
 * Taken from https://supermemory.ai/docs/document-operations and https://supermemory.ai/docs/api-reference/overview
 * (there is no export file).
 */
export const supermemory = recordFormat({
  name: 'supermemory',
  title: 'Supermemory',
  fields: [
    { from: 'memory of an entry; content, else summary, else title', to: 'content (semantic)' },
    { from: 'customId, id', to: 'origin' },
    { from: 'containerTags', to: 'tags' },
    { from: 'createdAt', to: 'occurred_at' },
    { from: 'forgetAfter', to: 'expires_at' },
    { from: 'metadata', to: 'metadata' },
    { from: 'forgotten and superseded entries', to: '(left out)' },
  ],
  marks: [
    ['$.memories[].containerTags'],
    ['$.memories[].createdAt', '$.pagination'],
    ['$.memories[].customId'],
    ['$.documents[].containerTags'],
    ['$.memoryEntries[].memory'],
    ['$[].containerTags', '$[].createdAt'],
    ['$.containerTags', '$.createdAt'],
  ],
  records: ['$.memories.*', '$.documents.*', '$.memoryEntries.*', '$.*'],
  *toEntries({ value }) {
    const parsed = document.safeParse(value);
    if (!parsed.success) {
      yield problem('is neither a document nor a memory of Supermemory');
      return;
    }
    const { id, customId, title, content, summary, memory, containerTags, createdAt, metadata } = parsed.data;
    if (parsed.data.isForgotten === true || parsed.data.isLatest === false) {
      yield skipped('forgotten or superseded at the source');
      return;
    }
    yield memoryEntry({
      origin: customId ?? id,
      type: 'semantic',
      content: memory ?? content ?? summary ?? title ?? '',
      tags: containerTags,
      occurredAt: createdAt,
      expiresAt: parsed.data.forgetAfter,
      metadata,
      unreadable: unreadableTimes(value, ['createdAt', 'forgetAfter']),
    });
  },
});
