import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Database, FolderInUseError } from '@svc-memory/core';
import { z } from 'zod';
import { BackupFolder } from '../../backups/backup-folder.ts';
import { type Config, loadConfig } from '../../config/config.ts';
import { CliError, EXIT, explainUnwritable } from '../../control/cli-error.ts';
import { explainSilence, findService } from '../access/control.ts';
import { openDatabase } from '../access/database.ts';
import { argument, defineCommand } from '../console/command.ts';
import { readFileName } from '../console/read-field.ts';
import { untilStopped } from '../console/until-stopped.ts';

const writtenSchema = z.object({ file: z.string() });

export default defineCommand({
  name: 'backup',
  description:
    'Write the embedded database, with its secret and credentials, to a file; also while the service runs',
  arguments: [
    argument(
      '[file]',
      'New file (mode 0600); default: one in the folder backups of the data folder',
    ).argParser(readFileName('The file')),
  ],
  examples: ['npx svc-memory backup', 'npx svc-memory backup /mnt/usb/memories.zip'],
  run: async ({ env, terminal }, file: string | undefined) => {
    const config = loadConfig(env);
    requireEmbedded(config);
    if (!existsSync(join(config.dataDir, 'pg'))) {
      throw new CliError(`There are no memories in ${config.dataDir}.`, { fix: 'Correct SVC_DATA_DIR.' });
    }
    terminal.out(`The backup is written and checked: ${await write(config, file)}`);
  },
});

/** Throws where a database server holds the memories. */
export function requireEmbedded({ databaseUrl }: Config): void {
  if (databaseUrl === undefined) return;
  throw new CliError('SVC_DATABASE_URL is set: the memories are on a database server.', {
    fix: 'Use its own tools, such as pg_dump and pg_restore, and keep SVC_SECRET.',
    exitCode: EXIT.usage,
  });
}

/** Makes a backup of an open database, in the folder of backups where no file is named. Answers its file. */
export async function backUpTo(
  { dataDir, backupsKeep }: Config,
  { backUp }: Database,
  file: string | undefined,
  signal?: AbortSignal,
): Promise<string> {
  try {
    if (!backUp) throw new TypeError('an embedded database in a folder can be backed up');
    const write = (name: string) => backUp(name, { signal });
    if (file === undefined) return await new BackupFolder(dataDir, backupsKeep).add('manual', write);
    await write(file);
    return file;
  } catch (error) {
    const folder = file === undefined ? dataDir : dirname(file);
    const fix =
      'The memories are as they were. Mend that, or name a file elsewhere: npx svc-memory backup FILE';
    throw explainUnwritable(error, `No backup was written in ${folder}`, fix);
  }
}

async function write(config: Config, file: string | undefined): Promise<string> {
  const target = file === undefined ? undefined : resolve(file);
  // A mistyped name, or that of a disk that is not there, would become a folder on this one.
  if (target !== undefined && !existsSync(dirname(target))) {
    throw new CliError(`There is no folder ${dirname(target)}.`, {
      fix: 'Make it, or name a file elsewhere.',
    });
  }
  const ask = await findService(config.dataDir);
  if (ask) return writtenSchema.parse(await ask('backup', { file: target })).file;
  const database = await openDatabase(config).catch((error: unknown) => {
    throw error instanceof FolderInUseError ? explainSilence(error) : error;
  });
  // A copy that is not packed yet holds the secret as it is.
  return untilStopped('Stopped: no backup was written.', (signal) =>
    backUpTo(config, database, target, signal),
  ).finally(() => database.close());
}
