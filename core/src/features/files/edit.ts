import type { Context } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import { findMemory } from '../memory/find.ts';
import { notifyStored } from '../memory/store.ts';
import { applyUpdate, prepareUpdate } from '../memory/update.ts';
import type { Stored } from '../records/contract.ts';
import { type CommandAnswer, noFile, noPath, refused, requireText, waits } from './answers.ts';
import { showEdited } from './show.ts';
import { loadTree } from './tree.ts';

/** An edit of a text: the new text, and what the answer says of it. */
type Edit = (content: string) => { readonly content: string; readonly text: string };

/** Edits that may come between before one that began earlier is given up. */
const ATTEMPTS = 20;
const MOST_LISTED = 100;

export function replaceText(
  context: Context,
  path: string,
  { old_str, new_str }: { readonly old_str: string; readonly new_str: string },
): Promise<CommandAnswer> {
  return edit(context, path, noPath(path, 'Error: '), (content) => {
    const lines = linesWith(content, old_str);
    if (lines.length === 0) {
      throw refused(
        `No replacement was performed, old_str \`${old_str}\` did not appear verbatim in ${path}.`,
      );
    }
    const [line = 1] = lines;
    if (lines.length > 1) {
      throw refused(
        `No replacement was performed. Multiple occurrences of old_str \`${old_str}\` in lines: ${listOf(lines)}. Please ensure it is unique`,
      );
    }
    const edited = content.replace(old_str, () => new_str);
    const snippet = showEdited(edited, line, new_str.split('\n').length);
    return {
      content: edited,
      text: `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippet}`,
    };
  });
}

/** Each line once, the first of many. */
function listOf(lines: readonly number[]): string {
  const different = [...new Set(lines)];
  const more = different.length > MOST_LISTED ? ' ...' : '';
  return different.slice(0, MOST_LISTED).join(', ') + more;
}

function linesWith(content: string, wanted: string): number[] {
  const lines: number[] = [];
  let line = 1;
  let counted = 0;
  for (let at = content.indexOf(wanted); at !== -1; at = content.indexOf(wanted, at + wanted.length)) {
    line += content.slice(counted, at).split('\n').length - 1;
    counted = at;
    lines.push(line);
  }
  return lines;
}

/** Inserts a text as lines of its own behind a line; 0: before the first. */
export function insertText(
  context: Context,
  path: string,
  { insert_line, insert_text }: { readonly insert_line: number; readonly insert_text: string },
): Promise<CommandAnswer> {
  return edit(context, path, noFile(path), (content) => {
    const lines = content.split('\n');
    if (insert_line < 0 || insert_line > lines.length) {
      throw refused(
        `Error: Invalid \`insert_line\` parameter: ${insert_line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
      );
    }
    lines.splice(insert_line, 0, insert_text.replace(/\n$/, ''));
    return { content: lines.join('\n'), text: `The file ${path} has been edited.` };
  });
}

/** Edits a file as it is when the edit is stored: what others wrote meanwhile stays, and the edit is made again on it. */
async function edit(context: Context, path: string, missing: SvcError, make: Edit): Promise<CommandAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    const edited = await settle(() => editAsItIs(context, path, missing, make));
    let stored: Stored | undefined;
    try {
      const answer = await context.write(async (tx) => {
        // Thrown here, since a repeated call is answered as the first, whatever the file says by now.
        if ('error' in edited) throw edited.error;
        const { update, text, version } = edited.value;
        stored = await applyUpdate(tx, context, update, version);
        return toAnswer(path, text, stored);
      });
      if (stored?.outcome === 'updated') await notifyStored(context, [stored]);
      return answer;
    } catch (error) {
      if ('error' in edited || !hasMoved(error) || attempt >= ATTEMPTS) throw error;
    }
  }
}

type Settled<T> = { readonly value: T } | { readonly error: unknown };

async function settle<T>(work: () => Promise<T>): Promise<Settled<T>> {
  const [done] = await Promise.allSettled([work()]);
  return done.status === 'fulfilled' ? { value: done.value } : { error: done.reason };
}

/** The edit of the file as it is now, ready to be stored if it stays so. */
async function editAsItIs(context: Context, path: string, missing: SvcError, make: Edit) {
  const row = await context.read(async (tx) => {
    const file = (await loadTree(tx, context)).file(path);
    return file && findMemory(tx, context, file.id);
  });
  if (!row) throw missing;
  requireVersion(context, row.version);
  const { content, text } = make(row.content);
  const update = await prepareUpdate(context, { id: row.id, content: requireText(path, content) });
  return { update, text, version: row.version };
}

function toAnswer(path: string, text: string, { outcome, memory, entry }: Stored): CommandAnswer {
  if (entry) return waits(`The change to ${path}`, entry, 'Until then the file says what it said.');
  const { id, version, updated_at, content } = memory;
  return {
    outcome: outcome === 'unchanged' ? 'unchanged' : 'updated',
    text,
    file: { path, id, version, updated_at, bytes: Buffer.byteLength(content) },
  };
}

/** Whether the memory has changed, or has gone, since it was read. */
function hasMoved(error: unknown): boolean {
  return error instanceof SvcError && ['CONFLICT', 'NOT_FOUND'].includes(error.code);
}

/** Refuses what was asked for another version than the file has. */
export function requireVersion({ options }: Context, version: number): void {
  if (options.ifMatch === undefined || options.ifMatch === version) return;
  throw new SvcError('CONFLICT', `The file is at version ${version}, not ${options.ifMatch}.`, {
    details: { version },
  });
}
