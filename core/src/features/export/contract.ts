import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';
import { linkBasis, memory } from '../records/contract.ts';

const EXPORT_FORMATS = ['json', 'markdown'] as const;
/** `json` can be imported again; `markdown` is for people. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const change = z.enum(['created', 'updated', 'archived', 'restored', 'undone']);

/** Why the memory is superseded; absent: somebody stated it. */
const basis = linkBasis.optional();
/** Who said the content; absent: the `source` of the version. */
const contentSource = field.source.optional();

/** A memory as `GET /memories/{id}` shows it. */
const exportedMemory = memory.extend({
  superseded_basis: basis,
  content_source: contentSource,
  /** What its current version came from, where it is not its first. */
  change: change.optional(),
});
export type ExportedMemory = z.output<typeof exportedMemory>;

/** A version a memory had before. */
const exportedVersion = memory
  .omit({ id: true, created_at: true, updated_at: true, restorable_until: true, derived_from: true })
  .extend({
    memory_id: z.uuid(),
    superseded_basis: basis,
    content_source: contentSource,
    change,
    at: field.instant,
    /** An undo took it back. */
    undone: z.literal(true).optional(),
  });
export type ExportedVersion = z.output<typeof exportedVersion>;

/** Everything an agent remembers, as one document. */
const exportDocument = z.object({
  version: z.literal('1'),
  exported_at: field.instant,
  tenant_id: z.uuid(),
  /** Whose the memories are, in the export of one user; absent where they are the agent's own. */
  user_id: z.string().optional(),
  memories: z.object({
    core: z.array(exportedMemory),
    working: z.array(exportedMemory),
    episodic: z.array(exportedMemory),
    semantic: z.array(exportedMemory),
  }),
  /** Archived memories that can still be restored. */
  archived: z.array(exportedMemory),
  /** Former versions of all of them. */
  history: z.array(exportedVersion),
});
/** What is stored for one user, in an export of all. */
const ofUser = exportDocument
  .omit({ version: true, exported_at: true, tenant_id: true })
  .extend({ user_id: z.string() });

export const exportRoutes = {
  /** Everything there is: active memories by type, archived ones, history. Over REST it is streamed. */
  export: route({
    method: 'GET',
    path: '/export',
    alsoGet: '/memories/export',
    access: 'read',
    metering: 'counted',
    users: 'own',
    spaces: 'read',
    streams: { markdown: 'text/markdown' },
    summary: 'Export all memories as JSON or Markdown, or what held or was known at a moment',
    request: z.strictObject({
      user_id: field.userOrAll.optional(),
      space_id: field.oneSpaceId.optional(),
      /** `markdown` is a stream of text, over REST only. */
      format: z.enum(EXPORT_FORMATS).default('json'),
      as_of: field.validity.as_of,
      known_at: field.validity.known_at,
    }),
    response: z.object({
      export: exportDocument.extend({
        /** With `user_id: "*"`: what is each user's, one after the other, each as it was at one moment. */
        users: z.array(ofUser).optional(),
      }),
    }),
    errors: ['PAYLOAD_TOO_LARGE'],
  }),
};
