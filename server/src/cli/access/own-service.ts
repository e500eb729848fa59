import { readdir } from 'node:fs/promises';
import type { Config } from '../../config/config.ts';
import { CliError } from '../../control/cli-error.ts';
import { findService } from './control.ts';

/** Where a command finds the memories, but for what it was told. */
type Place = Pick<Config, 'databaseUrl' | 'dataDir'>;

/** What tells that there is an embedded database, that one is being made, or that a restore of one was cut off. */
const SIGNS_OF_DATA = /^(pg$|svc\.lock$|restore-)/;

/** Whether a data folder holds an embedded database, or the beginnings of one. */
async function holdsData({ databaseUrl, dataDir }: Place): Promise<boolean> {
  if (databaseUrl !== undefined) return false;
  const names = await readdir(dataDir).catch(() => []);
  return names.some((name) => SIGNS_OF_DATA.test(name));
}

/**
 * Throws where there are no data, before a command makes an empty database in a folder whose name was mistyped.
 *
 * @param fix What to do about it.
 * @throws CliError
 */
export async function requireData(place: Place, fix: string): Promise<void> {
  if (place.databaseUrl !== undefined || (await holdsData(place))) return;
  throw new CliError(`There is no data in ${place.dataDir}, and no service answers.`, { fix });
}

/**
 * Whether what answers at the address in `credentials.json` may be the service of this data folder. A folder whose database
 * nobody has open is a copy of that service's, or its own is stopped and another one has the address meanwhile.
 */
export async function mayBeServed(place: Place): Promise<boolean> {
  if (!(await holdsData(place)) || (await findService(place.dataDir))) return true;
  // A service in a container opens its door there only. What knows locks is loaded where no service answers.
  const { isLocked } = await import('@svc-memory/core/server');
  return isLocked(place.dataDir);
}
