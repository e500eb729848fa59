import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { connect, createServer } from 'node:net';

const IS_WINDOWS = process.platform === 'win32';
// Of a process that has ended, a pipe of Windows is gone; the file of a socket stays.
const NOBODY_LISTENS = IS_WINDOWS ? 'ENOENT' : 'ECONNREFUSED';

/**
 * Listens for the lock of a folder: whoever shares the kernel, as containers of one host do, learns by it whether this process
 * lives, however long it is busy. On a socket file in the folder; on Windows on a named pipe. Linux and Windows only.
 *
 * @returns what closes and removes it; undefined where the file system takes no sockets
 */
export async function openLockSocket(
  folder: string,
  name: string,
): Promise<(() => Promise<void>) | undefined> {
  const { path, close } = await openPath(folder, name);
  const server = createServer((caller) => caller.destroy());
  try {
    server.listen(path);
    await once(server, 'listening');
  } catch (error) {
    await close();
    if (IS_WINDOWS) throw error;
    return undefined;
  }
  // A caller that cannot be let in was told all that it asks for.
  server.on('error', () => {});
  server.unref();
  return async () => {
    server.close();
    await once(server, 'close');
    await close();
  };
}

/** Whether a process listens for the lock of a folder; undefined where there is no such name, or nothing tells. */
export async function isListenedOn(folder: string, name: string): Promise<boolean | undefined> {
  const { path, close } = await openPath(folder, name);
  const caller = connect(path);
  try {
    await once(caller, 'connect');
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === NOBODY_LISTENS ? false : undefined;
  } finally {
    caller.destroy();
    await close();
  }
}

/** The path of a socket, good until `close`: through the open folder, as it may have 107 bytes only. */
async function openPath(folder: string, name: string): Promise<{ path: string; close(): Promise<void> }> {
  if (IS_WINDOWS) return { path: `\\\\.\\pipe\\${name}`, close: async () => {} };
  const directory = await open(folder);
  return { path: `/proc/self/fd/${directory.fd}/${name}`, close: () => directory.close() };
}
