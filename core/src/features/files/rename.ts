import type { Context } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { changeMemory } from '../memory/change.ts';
import { findMemory } from '../memory/find.ts';
import { emitStored } from '../memory/store.ts';
import { refuseUserCore } from '../memory/user-core.ts';
import type { GuardianEntry } from '../records/contract.ts';
import { fieldsOf, type MemoryFields, toMemory } from '../records/row.ts';
import type { MemoryRow } from '../records/schema.ts';
import { type CommandAnswer, noFile, refused, waits } from './answers.ts';
import { requireVersion } from './edit.ts';
import { keyOf, kindOfPath, pathProblem, ROOT } from './path.ts';
import { alone, requireFew } from './remove.ts';
import { loadTree, type Tree, type TreeFile, withoutSlash } from './tree.ts';

/** Moves a file, or all files of a folder; in another folder a memory may be of another type. */
export function rename(context: Context, from: string, to: string): Promise<CommandAnswer> {
  const [source, target] = [withoutSlash(from), withoutSlash(to)];
  if (source === ROOT) throw refused(`Error: Cannot rename the ${ROOT} directory itself`);
  if (`${target}/`.startsWith(`${source}/`) && target !== source) {
    throw refused(`Error: ${from} cannot be moved into itself`);
  }
  return context.write(async (tx) => {
    const tree = await loadTree(tx, context, { lock: true });
    const files = tree.at(from);
    if (!files) throw noFile(from);
    if (tree.at(target)) throw new SvcError('CONFLICT', `Error: The destination ${to} already exists`);
    if (to.endsWith('/') && tree.file(source))
      throw refused(`Error: ${from} is a file, and ${to} names a folder`);
    requireFew(files, 'renamed');
    const pathOf = ({ path }: TreeFile) => target + path.slice(source.length);
    requireFree(tree, files, pathOf);
    for (const file of files) {
      const entry = await move(tx, context, file, pathOf(file));
      if (!entry) continue;
      if (files.length > 1) throw alone(file, 'renamed');
      return waits(`The move of ${from} to ${to}`, entry, 'Until then the file is where it was.');
    }
    return { outcome: 'renamed', text: `Successfully renamed ${from} to ${to}` };
  });
}

function requireFree(tree: Tree, files: readonly TreeFile[], pathOf: (file: TreeFile) => string): void {
  const others = tree.without(files);
  for (const file of files) {
    if (!file.isOwn) {
      throw refused(
        `Error: ${file.path} is a memory of yours that is no file: its text can be edited, its name stays`,
      );
    }
    const problem = pathProblem(pathOf(file));
    if (problem !== undefined) throw refused(`Error: ${pathOf(file)} ${problem}`);
    others.requireFree(pathOf(file));
  }
}

async function move(
  tx: Tx,
  context: Context,
  file: TreeFile,
  path: string,
): Promise<GuardianEntry | undefined> {
  const row = await findMemory(tx, context, file.id, { lock: true });
  requireVersion(context, row.version);
  const fields = fieldsAt(row, path);
  refuseUserCore(context, fields, 'new_path');
  const entry = await context.changePolicy.submit(tx, context, row, { fields });
  if (entry) return entry;
  const changed = await changeMemory(tx, context, row, { change: 'updated', fields });
  await emitStored(tx, context, { outcome: 'updated', memory: toMemory(changed) });
  return undefined;
}

/** A memory as it is at another path: what its new folder says of its kind, and otherwise as it was. */
function fieldsAt(row: MemoryRow, path: string): MemoryFields {
  const { type, category } = kindOfPath(path);
  const kept = row.type === 'core' ? null : row.category;
  return { ...fieldsOf(row), key: keyOf(path), type, category: category ?? kept };
}
