import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database, Logger } from '@svc-memory/core';
import { type BackupFolder, SET_BACK_MS } from './backup-folder.ts';

const DAY_MS = 86_400_000;
const LOOK_AGAIN_MS = 3_600_000;

interface DailyOptions {
  readonly dataDir: string;
  readonly folder: BackupFolder;
  readonly database: Database;
  readonly logger: Logger;
  readonly now?: () => number;
}

/**
 * Makes a backup when the newest daily one is a day old, or the data where there is none. Looks at once, since not every
 * service runs all day, and then each hour.
 *
 * @returns a function that ends it; it resolves when a backup under way is done.
 */
export function startDailyBackups(options: DailyOptions): () => Promise<void> {
  let run = backUpIfDue(options);
  const timer = setInterval(() => {
    run = run.then(() => backUpIfDue(options));
  }, LOOK_AGAIN_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    return run;
  };
}

async function backUpIfDue({
  dataDir,
  folder,
  database,
  logger,
  now = Date.now,
}: DailyOptions): Promise<void> {
  const { backUp } = database;
  if (!backUp) return;
  try {
    const [newest] = await folder.past('daily');
    const since = newest?.made.getTime() ?? (await stat(join(dataDir, 'pg'))).birthtimeMs;
    const age = now() - since;
    // Data that a clock which ran ahead made would else have no backup until that time.
    if (age > -SET_BACK_MS && age < DAY_MS) return;
    const file = await folder.add('daily', backUp);
    logger.info({ file }, 'the daily backup is made');
  } catch (error) {
    logger.error({ err: error }, 'the daily backup failed; the next try is in an hour');
  }
}
