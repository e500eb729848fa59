import { resolve } from 'node:path';
import { writeWhole } from '../write-whole.ts';
import { CliError, EXIT } from './cli-error.ts';
import type { CommandContext } from './context.ts';
import { explainFolder } from './database.ts';
import { withMemory } from './memory-access.ts';

/** Writes the export document to a file (mode 0600, whole or not at all) or to stdout. */
export async function exportMemories(context: CommandContext, { out }: { out?: string }): Promise<number> {
  const { export: document } = await withMemory(context, (memory) => memory.export());
  const body = JSON.stringify(document, null, 2);
  if (out === undefined) {
    context.terminal.out(body);
    return EXIT.ok;
  }
  const file = resolve(out);
  try {
    await writeWhole(file, `${body}\n`);
  } catch (error) {
    const reason = explainFolder(file, error);
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new CliError(`${file} cannot be written${code}.`, {
      fix: 'Choose another file with --out.',
      cause: reason,
    });
  }
  const total = Object.values(document.memories).reduce((sum, memories) => sum + memories.length, 0);
  context.terminal.err(`Exported ${total} memories to ${file}.`);
  return EXIT.ok;
}
