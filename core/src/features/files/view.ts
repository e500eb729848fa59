import type { Context } from '../../kernel/context/context.ts';
import { findMemory } from '../memory/find.ts';
import { type CommandAnswer, noPath } from './answers.ts';
import { ROOT } from './path.ts';
import { showFile, showFolder } from './show.ts';
import { loadTree, withoutSlash } from './tree.ts';

/** Shows a file, or what a folder holds. */
export function view(
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
