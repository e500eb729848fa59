import type { Context } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Tx } from '../../kernel/database/database.ts';
import type { Prepared } from '../memory/insert.ts';
import { notifyStored, prepareMemories, storePrepared } from '../memory/store.ts';
import type { Stored } from '../records/contract.ts';
import { type CommandAnswer, exists, refused, requireText, waits } from './answers.ts';
import { keyOf, kindOfPath } from './path.ts';
import { isTaken, loadTree, MOST_FILES } from './tree.ts';

/** Makes a file. What would be a part of who the agent is waits for the human, as what a sync brings does. */
export async function create(context: Context, path: string, asked: string): Promise<CommandAnswer> {
  const content = requireText(path, asked);
  if (path.endsWith('/'))
    throw refused(`Error: ${path} names a folder; a folder is there as long as it holds a file`);
  const { type, category } = kindOfPath(path);
  const draft = { type, content, key: keyOf(path), ...(category ? { category } : {}) };
  const isSelf = category === 'soul' || category === 'identity';
  const source = isSelf && context.actor.source === 'agent' ? 'sync' : context.actor.source;
  const [prepared] = await prepareMemories(context, [draft], { source });
  if (!prepared) throw new SvcError('INTERNAL', 'The file was not prepared.');
  const stored = await context.write(async (tx) => {
    await requireRoom(tx, context, path);
    return store(tx, context, prepared, source);
  });
  await notifyStored(context, [stored]);
  return toAnswer(path, content, stored);
}

async function requireRoom(tx: Tx, context: Context, path: string): Promise<void> {
  const tree = await loadTree(tx, context, { lock: true });
  if (tree.at(path)) throw exists(path);
  tree.requireFree(path);
  // A tree of more files than there can be by commands is not read whole.
  if (await isTaken(tx, context, keyOf(path))) throw exists(path);
  if (tree.count < MOST_FILES) return;
  throw new SvcError(
    'CONFLICT',
    `Error: There are ${MOST_FILES} files, the most there can be. Delete some first`,
  );
}

async function store(
  tx: Tx,
  context: Context,
  prepared: Prepared,
  source: Context['actor']['source'],
): Promise<Stored> {
  const [stored] = await storePrepared(tx, context, [prepared], { source });
  if (!stored) throw new SvcError('INTERNAL', 'The file was not stored.');
  return stored;
}

function toAnswer(path: string, content: string, { outcome, memory, entry }: Stored): CommandAnswer {
  if (outcome === 'queued' && entry) {
    return waits(`The new file ${path}`, entry, 'Until they approve it there is no such file.');
  }
  if (outcome === 'unchanged') {
    return { outcome, text: `Your human has rejected this text for ${path} before; there is no such file.` };
  }
  const { id, version, updated_at } = memory;
  return {
    outcome: 'created',
    text: `File created successfully at: ${path}`,
    file: { path, id, version, updated_at, bytes: Buffer.byteLength(content) },
  };
}
