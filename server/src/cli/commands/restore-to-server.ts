import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  BACKUP_FOLDER,
  bringErasures,
  copyDatabase,
  removeWhenFree,
  restoreBackup,
} from '@svc-memory/core/server';
import { makeFolders, quoteForShell } from '@svc-memory/hooks';
import type { Config } from '../../config/config.ts';
import { SECRET_FILE, serviceSecret } from '../../config/service-secret.ts';
import { CliError, EXIT, explainUnwritable } from '../../control/cli-error.ts';
import { openDatabase } from '../access/database.ts';
import { untilStopped } from '../console/until-stopped.ts';

/**
 * Brings a backup of the embedded database into an empty one on a database server, all or nothing. It is first restored into a
 * folder that is deleted again: there it is migrated, and what was erased since it was made is erased again.
 *
 * @returns what that restore came to.
 * @throws CliError, BackupError
 */
export async function restoreToServer(
  file: string,
  config: Config,
  { replace }: { readonly replace: boolean },
): ReturnType<typeof restoreBackup> {
  if (replace) {
    throw new CliError('--replace moves a data folder aside; a database on a server it leaves as it is.', {
      fix: 'Create an empty database, name it in SVC_DATABASE_URL, and leave --replace out.',
      exitCode: EXIT.usage,
    });
  }
  return untilStopped('Stopped: nothing was changed on the server.', async (signal) => {
    const unpacked = await makeDraft(config).catch((error) => explainDraft(config, error));
    try {
      const restored = await unpack(file, unpacked, config).catch((error) => explainDraft(config, error));
      signal.throwIfAborted();
      await adoptSecret(file, join(unpacked, SECRET_FILE), config);
      await copyToServer(unpacked, config, signal);
      return restored;
    } finally {
      await removeWhenFree(unpacked);
    }
  });
}

/** Unpacks a backup, and brings what the log in the data folder says was erased: the backup may lie elsewhere. */
async function unpack(file: string, folder: string, { dataDir }: Config): ReturnType<typeof restoreBackup> {
  await bringErasures(join(dataDir, BACKUP_FOLDER), join(folder, BACKUP_FOLDER));
  return restoreBackup(file, folder);
}

async function copyToServer(folder: string, config: Config, signal: AbortSignal): Promise<void> {
  const from = await openDatabase({ ...config, databaseUrl: undefined, dataDir: folder, backupsKeep: 0 });
  try {
    const to = await openDatabase(config);
    await copyDatabase(from, to, signal).finally(() => to.close());
  } finally {
    await from.close();
  }
}

async function makeDraft({ dataDir }: Config): Promise<string> {
  makeFolders(dataDir);
  return mkdtemp(join(dataDir, 'restoring-'));
}

function explainDraft({ dataDir }: Config, error: unknown): never {
  const fix = 'Nothing was changed on the server. Mend that, or set SVC_DATA_DIR to another folder.';
  throw explainUnwritable(error, `The backup cannot be unpacked in ${dataDir}`, fix);
}

/**
 * Takes over the secret of a backup, without which its webhooks are not signed.
 *
 * @throws CliError where the service has another one here.
 */
async function adoptSecret(backup: string, theirs: string, config: Config): Promise<void> {
  if (!existsSync(theirs)) return;
  const own = join(config.dataDir, SECRET_FILE);
  if (config.secret === undefined && !existsSync(own)) {
    await copyFile(theirs, own);
    return;
  }
  const secret = await serviceSecret(config);
  if (secret === (await readFile(theirs, 'utf8')).trim()) return;
  const where = config.secret === undefined ? own : 'SVC_SECRET';
  throw new CliError(
    `The secret in ${where} is not the one of the backup, by which its webhooks are signed.`,
    {
      fix: `Nothing was changed. Set SVC_SECRET to that of the backup: unzip -p ${quoteForShell(backup, process.platform)} ${SECRET_FILE}`,
    },
  );
}
