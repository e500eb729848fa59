import { once } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import { connect, createServer } from 'node:net';

/**
 * Listens on a socket file in a folder: whoever shares the kernel, as containers of one host do, learns by it whether this process
 * lives, however long it is busy. Linux only.
 *
 * @returns what closes and removes it; undefined where the file system takes no sockets
 */
export async function openLockSocket(
  folder: string,
  name: string,
): Promise<(() => Promise<void>) | undefined> {
  const directory = await open(folder);
  const server = createServer((caller) => caller.destroy());
  try {
    server.listen(pathIn(directory, name));
    await once(server, 'listening');
  } catch {
    await directory.close();
    return undefined;
  }
  // A caller that cannot be let in was told all that it asks for.
  server.on('error', () => {});
  server.unref();
  return async () => {
    server.close();
    await once(server, 'close');
    await directory.close();
  };
}

/** Whether a process listens on a socket file; undefined where there is none, or nothing tells. */
export async function isListenedOn(folder: string, name: string): Promise<boolean | undefined> {
  const directory = await open(folder);
  const caller = connect(pathIn(directory, name));
  try {
    await once(caller, 'connect');
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED' ? false : undefined;
  } finally {
    caller.destroy();
    await directory.close();
  }
}

/** Through the open folder, as the path of a socket may have 107 bytes only. */
function pathIn({ fd }: FileHandle, name: string): string {
  return `/proc/self/fd/${fd}/${name}`;
}
