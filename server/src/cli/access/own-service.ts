import { readdir } from 'node:fs/promises';
import type { Config } from '../../config/config.ts';
import { CliError } from '../../control/cli-error.ts';
import { findService } from './control.ts';
import { askHealth } from './running-service.ts';

/** Where a command finds the memories, but for what it was told. */
type Place = Pick<Config, 'databaseUrl' | 'dataDir'>;

/** What tells that there is an embedded database, that one is being made, or that a restore of one was cut off. */
const SIGNS_OF_DATA = /^(pg$|svc\.lock$|restore-)/;

/** Whether a data folder holds an embedded database, or the beginnings of one. */
export async function holdsData({ databaseUrl, dataDir }: Place): Promise<boolean> {
  if (databaseUrl !== undefined) return false;
  const names = await readdir(dataDir).catch(() => []);
  return names.some((name) => SIGNS_OF_DATA.test(name));
}

/**
 * Throws where there are no data, before a command makes an empty database in a folder whose name was mistyped.
 *
 * @param saved The address of the service that `credentials.json` of the folder names.
 * @param others Settings that name it, too, beside `SVC_DATA_DIR`.
 * @throws CliError that says where to look.
 */
export async function requireData(
  config: Config,
  { saved, others = '' }: { readonly saved: string | undefined; readonly others?: string },
): Promise<void> {
  const { databaseUrl, dataDir, host, port } = config;
  if (databaseUrl !== undefined || (await holdsData(config))) return;
  const url = `http://${host}:${port}`;
  if (saved === undefined && port !== 0 && (await askHealth(url))) {
    throw new CliError(`There is no data in ${dataDir}: the service at ${url} has its data elsewhere.`, {
      fix: `Run this in the folder where it was started, or set SVC_DATA_DIR to its data folder${others}.`,
    });
  }
  throw new CliError(`There is no data in ${dataDir}, and no service answers.`, {
    fix:
      saved === undefined
        ? `A first start makes it: npx svc-memory serve. If it is elsewhere, set SVC_DATA_DIR to its folder${others}.`
        : `Start the service at ${saved}, which credentials.json there names, or run this where it runs.`,
  });
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
