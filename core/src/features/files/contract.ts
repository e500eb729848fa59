import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';
import { checkAction } from '../../kernel/tools/tool.ts';
import { guardianEntry } from '../records/contract.ts';
import { pathProblem, ROOT } from './path.ts';

const FILE_COMMANDS = ['view', 'create', 'str_replace', 'insert', 'delete', 'rename'] as const;

/** A path such as `/memories/notes.md`. */
const path = z.string().superRefine((value, context) => {
  const message = pathProblem(value);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

/** Any text, also none; how much a file may hold is checked where the whole file is known. */
const text = field.text(field.LIMITS.documentCharacters, 0);

/** A file as listings show it. */
const file = z.object({
  path: z.string(),
  /** The memory that it is. */
  id: z.uuid(),
  version: z.int(),
  /** Of its text as UTF-8. */
  bytes: z.int(),
  updated_at: field.instant,
});
export type File = z.output<typeof file>;

const outcome = z.enum(['viewed', 'created', 'updated', 'unchanged', 'deleted', 'renamed', 'queued']);

export const fileRoutes = {
  /** The files below a folder by path, without their texts: `GET /memories/{id}` reads one. Of a user, that user's alone. */
  files: route({
    method: 'GET',
    path: '/files',
    access: 'read',
    metering: 'free',
    summary: 'List files, which are memories under /memories/...',
    users: 'own',
    request: z.strictObject({ user_id: field.userId.optional(), path: path.default(ROOT) }),
    response: z.object({ files: z.array(file) }),
  }),
  /**
   * One command of Anthropic's memory tool (`memory_20250818`), with its fields; `text` is what the tool answers, and the
   * message of an error, too. A change to what says who the agent is waits with the Guardian: `queued`, with `entry`.
   */
  fileCommand: route({
    method: 'POST',
    path: '/files',
    access: 'write',
    metering: 'limited',
    conditional: true,
    summary: 'View, create, edit, delete or rename a file, as a command of the memory tool',
    users: 'own',
    request: z
      .strictObject({
        user_id: field.userId.optional(),
        command: z.enum(FILE_COMMANDS),
        path: path.optional(),
        view_range: z
          .tuple([z.int(), z.int()])
          .optional()
          .meta({ description: 'First and last line; -1 for the last of the file.' }),
        file_text: text.optional(),
        old_str: field.text(field.LIMITS.contentCharacters).optional(),
        new_str: text.optional(),
        insert_line: z.int().optional().meta({ description: 'The line to insert behind; 0 for the start.' }),
        insert_text: text.optional(),
        old_path: path.optional(),
        new_path: path.optional(),
      })
      .superRefine(
        checkAction(
          {
            view: { needs: ['path'], takes: ['view_range', 'user_id'] },
            create: { needs: ['path', 'file_text'], takes: ['user_id'] },
            str_replace: { needs: ['path', 'old_str'], takes: ['new_str', 'user_id'] },
            insert: { needs: ['path', 'insert_line', 'insert_text'], takes: ['user_id'] },
            delete: { needs: ['path'], takes: ['user_id'] },
            rename: { needs: ['old_path', 'new_path'], takes: ['user_id'] },
          },
          'command',
        ),
      ),
    response: z.object({
      outcome,
      /** What the memory tool answers to a model. */
      text: z.string(),
      /** The file that was created or edited. */
      file: file.optional(),
      /** The change that waits, where the outcome is `queued`. */
      entry: guardianEntry.optional(),
      redacted: field.redacted,
    }),
    errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'GUARDIAN_PROTECTED'],
  }),
};
