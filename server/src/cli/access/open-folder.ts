import { stat } from 'node:fs/promises';

const OTHERS_WRITE = 0o002;
/** Where it is set, each user changes only what is their own. */
const STICKY = 0o1000;

/**
 * Whether any user of this machine may rename and replace what is in a folder, however closed that is: put in place of the secret
 * or of `credentials.json` by another user, a file is believed. Windows keeps no such rights in the mode.
 */
export async function isOpenToAll(folder: string): Promise<boolean> {
  if (process.platform === 'win32') return false;
  const { mode } = await stat(folder);
  return (mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0;
}
