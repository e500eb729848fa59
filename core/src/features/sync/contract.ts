import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';
import { guardianEntry, memory } from '../records/contract.ts';

const MOST_FILES = 32;
const PATH_CHARACTERS = 1_024;
const FILES_CHARACTERS = 524_288;

/** A markdown file of the agent's core. */
const coreFile = z.strictObject({
  /** Only its last part counts: `SOUL.md` is the same file in every folder. */
  path: field.text(PATH_CHARACTERS),
  content: field.text(field.LIMITS.documentCharacters),
});

/** Where working memory goes when a sync names no key. */
const DEFAULT_SYNC_KEY = 'working';

export const syncRoutes = {
  /** Makes the stored working memory equal to a markdown document; the same document again changes nothing. */
  syncWorking: route({
    method: 'POST',
    path: '/webhooks/memory-sync',
    access: 'write',
    metering: 'counted',
    users: 'own',
    spaces: 'write',
    summary: 'Sync the working-memory document',
    request: z.strictObject({
      ...field.ofUserOrSpace,
      content: field.text(field.LIMITS.documentCharacters),
      key: field.key
        .max(200, 'must be at most 200 characters')
        .regex(/^[^#]*$/, 'must not contain #: it separates the key of a document from its parts')
        .default(DEFAULT_SYNC_KEY),
    }),
    response: z.object({
      /** The memory that holds the document, or its first part. */
      memory,
      changes: z.object({ created: z.int(), updated: z.int(), unchanged: z.int(), archived: z.int() }),
      redacted: field.redacted,
    }),
  }),
  /**
   * Makes the stored core equal to markdown files, one memory a section. A file's name or its headings say the
   * category; changes to protected memories go through the Guardian, which keeps the rest of the sync from nothing.
   */
  syncCore: route({
    method: 'POST',
    path: '/webhooks/core-sync',
    access: 'write',
    metering: 'counted',
    summary: 'Sync the core files',
    request: z.strictObject({
      files: z
        .array(coreFile)
        .min(1)
        .max(MOST_FILES)
        .refine(
          (files) => files.reduce((sum, { content }) => sum + content.length, 0) <= FILES_CHARACTERS,
          `must be at most ${FILES_CHARACTERS} characters in all`,
        ),
    }),
    response: z.object({
      redacted: field.redacted,
      changes: z.object({
        created: z.int(),
        updated: z.int(),
        unchanged: z.int(),
        /** Changes that wait with the Guardian, those of an earlier sync among them. */
        queued: z.int(),
        /** Left alone, since a different change to the memory is pending with the Guardian. */
        blocked: z.int(),
        /** Sections that are gone from their file. */
        archived: z.int(),
        /** Sections of soul and identity that are gone from their file; such memories are never deleted. */
        kept: z.int(),
      }),
      results: z.array(
        z.object({
          /** As given in the request. */
          path: z.string(),
          key: z.string(),
          category: field.category,
          outcome: z.enum(['created', 'updated', 'unchanged', 'queued', 'blocked', 'archived', 'kept']),
          memory_id: z.uuid(),
          /** The pending change, where there is one. */
          entry: guardianEntry.optional(),
        }),
      ),
    }),
    errors: ['CONFLICT'],
  }),
};
