import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';
import { startedJob } from '../jobs/contract.ts';

/** Ways memories are written elsewhere. */
export const FORMAT_NAMES = [
  'svc',
  'chatgpt',
  'claude',
  'letta',
  'mcp',
  'mem0',
  'supermemory',
  'zep',
  'jsonl',
  'json',
  'markdown',
  'text',
] as const;
/** What an import reads; without one it is told from the file. */
export type FormatName = (typeof FORMAT_NAMES)[number];

const formatName = z.enum(FORMAT_NAMES);

const REF = /^[A-Za-z0-9][\w./-]{0,199}$/;
const secret = field.text(256).regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces');

/** A Git repository over https. */
const gitSource = z.strictObject({
  /** Such as `https://github.com/owner/name.git`. */
  url: field.text(2_048),
  /** Branch or tag; default: the one the repository names. */
  ref: z
    .string()
    .regex(REF, 'must be the name of a branch or tag')
    .refine((ref) => !ref.includes('..') && !ref.endsWith('.lock'), 'must be the name of a branch or tag')
    .optional(),
  /** File or folder of it; default: all. */
  path: field.text(1_024).optional(),
});
/** A Git repository whose files are imported. */
export type GitSource = z.output<typeof gitSource>;

/** A bucket of S3 or of something that speaks like it. */
const s3Source = z.strictObject({
  /** Default: Amazon's of the region. */
  endpoint: field.text(2_048).optional(),
  bucket: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket'),
  /** Only the objects whose names begin so; default: all. */
  prefix: field.text(1_024).optional(),
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,32}$/, 'must be the name of a region')
    .default('us-east-1'),
  /** Without keys the bucket must be public. They are used once and not kept. */
  access_key_id: secret.optional(),
  secret_access_key: secret.optional(),
  session_token: field.text(4_096).optional(),
});
/** Objects of an S3-compatible store that are imported. */
export type S3Source = z.output<typeof s3Source>;

const sampleMemory = z.object({
  type: field.memoryType,
  content: z.string(),
  category: field.category.nullable(),
  tags: z.array(z.string()),
  key: z.string().nullable(),
  importance: z.number(),
  occurred_at: field.instant.nullable(),
  session_id: z.string().nullable(),
});

/** What an import would do: its files and formats, where fields go, numbers, and some of the memories. */
const importPreview = z.object({
  /** The format of all files; `mixed` where they differ. */
  format: z.enum([...FORMAT_NAMES, 'mixed']),
  /** The first 100 files; `format` is null for one that is left out. */
  files: z.array(z.object({ path: z.string(), format: formatName.nullable(), memories: z.int() })),
  mapping: z.array(
    z.object({
      format: formatName,
      title: z.string(),
      fields: z.array(z.object({ from: z.string(), to: z.string() })),
    }),
  ),
  counts: field.counts.extend({
    files: z.int(),
    memories: z.int(),
    /** Former versions and archived memories of an export, which come back where the agent has no memories yet. */
    history: z.int(),
    archived: z.int(),
    skipped: z.int(),
    errors: z.int(),
  }),
  /** The first five, their contents cut at 300 characters. */
  samples: z.array(sampleMemory),
  skipped: z.array(
    z.object({
      reason: z.string(),
      count: z.int(),
      /** What it is about, where that has a name, and how often: the first five files, or users. */
      names: z.array(z.object({ name: z.string(), count: z.int() })),
    }),
  ),
  /** The first 20 that cannot be imported. */
  errors: z.array(z.object({ path: z.string(), item: z.int(), message: z.string() })),
  /** Whether the memories come back with their ids, times, versions and history. */
  restores: z.boolean(),
});
export type ImportPreview = z.output<typeof importPreview>;

export const importRoutes = {
  /**
   * Takes memories in from files (`multipart/form-data` with parts named `file`, or the body itself as the file that
   * `?name=` names), a Git repository or a bucket. Answers at once; the job does the work.
   */
  import: route({
    method: 'POST',
    path: '/import',
    access: 'write',
    metering: 'limited',
    users: 'own',
    spaces: 'write',
    upload: true,
    verbatim: ['files', 'git', 's3'],
    summary: 'Import memories from files, Git or S3 (git and s3: human only)',
    request: z
      .strictObject({
        user_id: field.userId.optional(),
        space_id: field.spaceId.optional(),
        files: z
          .array(z.strictObject({ name: field.text(1_024), content: field.text(1_048_576) }))
          .min(1)
          .max(field.LIMITS.batch)
          .optional(),
        git: gitSource.optional(),
        s3: s3Source.optional(),
        /** Default: told from each file, as exports of this service always are. */
        format: formatName.optional(),
        /** Only answers what would be imported. */
        dry_run: z.boolean().default(false),
      })
      .refine(
        ({ files, git, s3 }) => [files, git, s3].filter((source) => source !== undefined).length === 1,
        {
          path: ['files'],
          message: 'give exactly one of files, git and s3, or send the files as multipart/form-data',
        },
      ),
    /** Without `outcome` and `job` after a dry run. */
    response: startedJob.partial().extend({ preview: importPreview }),
    errors: ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'CONFLICT', 'FORBIDDEN'],
  }),
};
