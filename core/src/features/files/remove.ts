import type { Context } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { archiveRow } from '../memory/change.ts';
import { findMemory } from '../memory/find.ts';
import type { GuardianEntry } from '../records/contract.ts';
import { type CommandAnswer, noFile, refused, waits } from './answers.ts';
import { requireVersion } from './edit.ts';
import { ROOT } from './path.ts';
import { loadTree, type TreeFile, withoutSlash } from './tree.ts';

/** Files that one command moves or removes. */
const MOST_AT_ONCE = 200;

/** As a forgotten memory does, it counts and is never refused. The other commands that change a file are refused over the limit. */
const FORGETTING = { metering: 'counted' } as const;

/** Archives a file, or all files of a folder: restorable for 30 days. */
export function remove(context: Context, path: string): Promise<CommandAnswer> {
  if (withoutSlash(path) === ROOT) throw refused(`Error: Cannot delete the ${ROOT} directory itself`);
  return context.write(async (tx) => {
    const tree = await loadTree(tx, context, { lock: true });
    const files = tree.at(path);
    if (!files) throw noFile(path);
    requireFew(files, 'deleted');
    for (const file of files) {
      const entry = await archive(tx, context, file);
      if (!entry) continue;
      if (files.length > 1) throw alone(file, 'deleted');
      return waits(`The deletion of ${path}`, entry, 'Until then the file is there.');
    }
    return { outcome: 'deleted', text: `Successfully deleted ${path}` };
  }, FORGETTING);
}

async function archive(tx: Tx, context: Context, file: TreeFile): Promise<GuardianEntry | undefined> {
  const row = await findMemory(tx, context, file.id, { lock: true });
  requireVersion(context, row.version);
  const entry = await context.changePolicy.submit(tx, context, row, { fields: null });
  if (!entry) await archiveRow(tx, context, row);
  return entry;
}

export function requireFew(files: readonly TreeFile[], what: string): void {
  if (files.length <= MOST_AT_ONCE) return;
  throw refused(
    `Error: At most ${MOST_AT_ONCE} files are ${what} at once, and these are ${files.length}. Take its folders one by one`,
  );
}

/** The refusal of a change to several files of which one has to wait: all change or none. */
export function alone({ path }: TreeFile, what: string) {
  return refused(
    `Error: ${path} is protected: your human decides on it. Protected files are ${what} one by one, and nothing was changed`,
  );
}
