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
 * @returns a function that ends it, with a backup under way, which the next start makes; it resolves when nothing is left of that.
 */
export function startDailyBackups(options: DailyOptions): () => Promise<void> {
  const stopping = new AbortController();
  let run = backUpIfDue(options, stopping.signal);
  const timer = setInterval(() => {
    run = run.then(() => backUpIfDue(options, stopping.signal));
  }, LOOK_AGAIN_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    stopping.abort();
    return run;
  };
}

/** Makes a backup if one is due. */
export async function backUpIfDue(
  { dataDir, folder, database, logger, now = Date.now }: DailyOptions,
  signal?: AbortSignal,
): Promise<void> {
  const { backUp } = database;
  if (!backUp) return;
  try {
    const [newest] = await folder.past('daily');
    const since = newest?.made.getTime() ?? (await stat(join(dataDir, 'pg'))).birthtimeMs;
    const age = now() - since;
    // Data that a clock which ran ahead made would else have no backup until that time.
    if (age > -SET_BACK_MS && age < DAY_MS) return;
    const file = await folder.add('daily', (name) => backUp(name, { signal }));
    logger.info({ file }, 'the daily backup is made');
  } catch (error) {
    if (signal?.aborted) return logger.info({}, 'the daily backup is left to the next start');
    logger.error({ err: error }, 'the daily backup failed; the next try is in an hour');
  }
}
