import type { Context, Operation } from '../../kernel/context/context.ts';
import { invalid } from '../../kernel/contract/errors.ts';
import { findMemory } from '../memory/find.ts';
import { requireFullView } from '../visibility/keys.ts';
import { type CommandAnswer, noPath } from './answers.ts';
import type { fileRoutes } from './contract.ts';
import { create } from './create.ts';
import { insertText, replaceText } from './edit.ts';
import { pathProblem, ROOT } from './path.ts';
import { remove } from './remove.ts';
import { rename } from './rename.ts';
import { showFile, showFolder } from './show.ts';
import { listFiles, loadTree, withoutSlash } from './tree.ts';

/** Commands about a file that is there, and so about one version of it. */
const CHANGING: ReadonlySet<string> = new Set(['str_replace', 'insert', 'delete', 'rename']);

/**
 * One command of the memory tool.
 *
 * @throws SvcError whose message is what the tool answers to the model: `NOT_FOUND`, `CONFLICT`, `VALIDATION_ERROR`,
 *   `FORBIDDEN` and `GUARDIAN_PROTECTED`.
 */
export const fileCommand: Operation<typeof fileRoutes.fileCommand> = async (context, input) => {
  const { path = '', old_path = '', new_path = '', file_text = '' } = input;
  const { old_str = '', new_str = '', insert_line = 0, insert_text = '' } = input;
  refuseSecrets({ path, old_path, new_path });
  if (!CHANGING.has(input.command) && context.options.ifMatch !== undefined) {
    throw invalid('If-Match', `is for commands that change a file; leave it out of ${input.command}`);
  }
  await requireFullView(context, 'command');
  switch (input.command) {
    case 'view':
      return view(context, path, input.view_range);
    case 'create':
      return create(context, path, file_text);
    case 'str_replace':
      return replaceText(context, path, { old_str, new_str });
    case 'insert':
      return insertText(context, path, { insert_line, insert_text });
    case 'delete':
      return remove(context, path);
    case 'rename':
      return rename(context, old_path, new_path);
  }
};

/** What was taken out of a path leaves a mark that is no name. */
function refuseSecrets(paths: Readonly<Record<string, string>>): void {
  for (const [field, path] of Object.entries(paths)) {
    if (path !== '' && pathProblem(path) !== undefined) throw invalid(field, 'must not hold a secret');
  }
}

/** Shows a file, or what a folder holds. */
function view(
  context: Context,
  path: string,
  range: readonly [number, number] | undefined,
): Promise<CommandAnswer> {
  return context.read(async (tx) => {
    const tree = await loadTree(tx, context);
    const file = tree.file(path);
    if (file) {
      const { content } = await findMemory(tx, context, file.id);
      return { outcome: 'viewed', text: showFile(path, content, range) };
    }
    const folder = withoutSlash(path);
    const files = tree.below(folder);
    if (files.length === 0 && folder !== ROOT) throw noPath(path);
    return { outcome: 'viewed', text: showFolder(folder, files) };
  });
}

/** Lists the files below a folder by path. */
export const files: Operation<typeof fileRoutes.files> = (context, { path }) =>
  context.read(async (tx) => ({ files: await listFiles(tx, context, path) }));
