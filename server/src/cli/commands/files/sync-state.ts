import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '@svc-memory/hooks';
import { z } from 'zod';
import { CliError } from '../../../control/cli-error.ts';

/** Holds what both sides had in common after the last sync: by it a deletion is told from an addition. */
export const SYNC_STATE_FILE = '.svc-sync.json';

/** A text that waits with the Guardian, or that the human has rejected. */
const waiting = z.object({ hash: z.string(), entry: z.string() });

/** A file as both sides had it; without `hash` only one side has it. */
const fileState = z.object({
  hash: z.string().optional(),
  id: z.string().optional(),
  version: z.number().optional(),
  /**
   * When the memory got this version. A service that was restored from a backup gives the same numbers to other texts. Former
   * releases noted no times.
   */
  updatedAt: z.string().optional(),
  /** The memory does not say all that the file says: secrets were taken out. */
  partial: z.literal(true).optional(),
  waiting: waiting.optional(),
});
export type FileState = z.output<typeof fileState>;

const syncState = z.object({
  version: z.literal(1),
  /** The agent's tenant. */
  agent: z.string(),
  /** The folder of the memory. */
  path: z.string(),
  files: z.record(z.string(), fileState),
});

/** What is known of a folder's last sync. */
export interface SyncState {
  readonly agent: string;
  readonly path: string;
  readonly files: Map<string, FileState>;
  /** What the state file says. */
  written: string | undefined;
}

/**
 * Reads the state that a folder's last sync left; an empty one at the first.
 *
 * @throws CliError where it cannot be read, or is about another agent or path.
 */
export async function loadState(root: string, agent: string, path: string): Promise<SyncState> {
  const file = join(root, SYNC_STATE_FILE);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new CliError(`${file} cannot be read (${error.code}).`, { cause: error });
  });
  if (text === undefined) return { agent, path, files: new Map(), written: undefined };
  const fix = `Delete ${file}: both sides are joined then, and what differs is kept twice.`;
  const read = parse(text);
  if (!read) throw new CliError(`${file} is damaged.`, { fix });
  if (read.agent !== agent || read.path !== path) {
    const was = read.agent === agent ? `at ${read.path}` : `with another agent, at ${read.path}`;
    throw new CliError(`${root} was synced ${was}.`, { fix });
  }
  return { agent, path, files: new Map(Object.entries(read.files)), written: text };
}

function parse(text: string): z.output<typeof syncState> | undefined {
  try {
    return syncState.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Writes the state, whole or not at all, where it says something new. */
export function saveState(root: string, state: SyncState): void {
  const { agent, path, files } = state;
  const text = `${JSON.stringify({ version: 1, agent, path, files: Object.fromEntries(files) }, null, 1)}\n`;
  if (text === state.written) return;
  writeFileAtomically(join(root, SYNC_STATE_FILE), text, { durable: true });
  state.written = text;
}
