import fs, { type PathLike } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { resolve, sep } from 'node:path';

/** A memory by its key, as a client sent it. */
interface KeyedText {
  readonly key: string;
  readonly content: string;
}

/** One thing that happened to the files of a folder. `file` numbers files and folders; paths are below the folder. */
export type DiskEvent =
  | { readonly kind: 'make'; readonly path: string; readonly file: number; readonly isFolder: boolean }
  | {
      readonly kind: 'write';
      readonly file: number;
      readonly at: number;
      readonly bytes: Uint8Array | number;
    }
  | { readonly kind: 'truncate'; readonly file: number; readonly size: number }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'remove'; readonly path: string }
  /** What was done to the file before the event of index `upTo` is on the disk. */
  | { readonly kind: 'sync'; readonly file: number; readonly upTo: number }
  | ({ readonly kind: 'sent' } & KeyedText)
  | ({ readonly kind: 'acknowledged' } & KeyedText);

/** Number of the folder itself. */
export const ROOT_FILE = 0;

/**
 * Notes from now on all that this process does to the files below a folder, by replacing the functions of `node:fs`. The
 * folder is empty, and modules that use it are imported only afterwards.
 *
 * @param isRecorded Whether a path is noted.
 */
export function recordDisk(folder: string, isRecorded: (path: string) => boolean): DiskEvent[] {
  const events: DiskEvent[] = [];
  const files = new Map<string, number>([['', ROOT_FILE]]);
  const opened = new Map<number, number>();
  const original = { ...fs, promises: { ...fs.promises } };
  const root = resolve(folder);
  let count = ROOT_FILE;

  const below = (path: unknown): string | undefined => {
    const whole = resolve(String(path));
    const name =
      whole === root ? '' : whole.startsWith(root + sep) ? whole.slice(root.length + 1) : undefined;
    return name !== undefined && (name === '' || isRecorded(name)) ? name : undefined;
  };
  const made = (path: unknown, isFolder: boolean) => {
    const name = below(path);
    if (name === undefined || files.has(name)) return;
    count += 1;
    files.set(name, count);
    events.push({ kind: 'make', path: name, file: count, isFolder });
  };
  const truncated = (file: number | undefined, size: number) => {
    if (file !== undefined) events.push({ kind: 'truncate', file, size });
  };
  const noteOpened = (descriptor: number, path: unknown, flags: unknown) => {
    const name = below(path);
    if (name === undefined) return;
    made(path, false);
    const file = files.get(name) ?? ROOT_FILE;
    opened.set(descriptor, file);
    if (String(flags).startsWith('w')) truncated(file, 0);
  };
  const written = (descriptor: number, bytes: Uint8Array, at: number) => {
    const file = opened.get(descriptor);
    if (file === undefined) return;
    const copy = Uint8Array.prototype.slice.call(bytes);
    events.push({ kind: 'write', file, at, bytes: copy.some((byte) => byte !== 0) ? copy : copy.length });
  };
  const renamed = (from: PathLike, to: PathLike) => {
    const [before, after] = [below(from), below(to)];
    if (before === undefined || after === undefined) return;
    files.set(after, files.get(before) ?? ROOT_FILE);
    files.delete(before);
    events.push({ kind: 'rename', from: before, to: after });
  };
  const removed = (path: PathLike) => {
    const name = below(path);
    if (name !== undefined && files.delete(name)) events.push({ kind: 'remove', path: name });
  };
  /** What to call when a sync that begins now has ended well. */
  const syncing = (descriptor: number) => {
    const [file, upTo] = [opened.get(descriptor), events.length];
    return () => {
      if (file !== undefined) events.push({ kind: 'sync', file, upTo });
    };
  };

  Object.assign(fs, {
    openSync: (path: PathLike, flags?: string | number, mode?: number) => {
      const descriptor = original.openSync(path, flags ?? 'r', mode);
      noteOpened(descriptor, path, flags);
      return descriptor;
    },
    closeSync: (descriptor: number) => {
      opened.delete(descriptor);
      original.closeSync(descriptor);
    },
    writeSync: (descriptor: number, data: Uint8Array, offset = 0, length = data.length - offset, at = 0) => {
      const bytes = original.writeSync(descriptor, data, offset, length, at);
      written(descriptor, new Uint8Array(data.buffer, data.byteOffset + offset, bytes), at);
      return bytes;
    },
    writeFileSync: (path: PathLike, data: string, options?: object) => {
      original.writeFileSync(path, data, options);
      if (below(path) !== undefined && data !== '') throw new Error('only empty files are noted here');
      made(path, false);
    },
    mkdirSync: (path: PathLike, options?: object) => {
      const answer = original.mkdirSync(path, options);
      made(path, true);
      return answer;
    },
    truncateSync: (path: PathLike, size = 0) => {
      original.truncateSync(path, size);
      const name = below(path);
      if (name !== undefined) truncated(files.get(name), size);
    },
    ftruncateSync: (descriptor: number, size = 0) => {
      original.ftruncateSync(descriptor, size);
      truncated(opened.get(descriptor), size);
    },
    renameSync: (from: PathLike, to: PathLike) => {
      original.renameSync(from, to);
      renamed(from, to);
    },
    unlinkSync: (path: PathLike) => {
      original.unlinkSync(path);
      removed(path);
    },
    rmdirSync: (path: PathLike) => {
      original.rmdirSync(path);
      removed(path);
    },
    fsyncSync: (descriptor: number) => {
      const done = syncing(descriptor);
      original.fsyncSync(descriptor);
      done();
    },
    fdatasyncSync: (descriptor: number) => {
      const done = syncing(descriptor);
      original.fdatasyncSync(descriptor);
      done();
    },
    fdatasync: (descriptor: number, callback: (error: Error | null) => void) => {
      const done = syncing(descriptor);
      original.fdatasync(descriptor, (error) => {
        if (!error) done();
        callback(error);
      });
    },
  });
  Object.assign(fs.promises, {
    open: async (path: PathLike, flags?: string, mode?: number) => {
      const handle = await original.promises.open(path, flags, mode);
      noteOpened(handle.fd, path, flags);
      return noting(handle, { written, syncing, forget: (descriptor) => opened.delete(descriptor) });
    },
    mkdir: async (path: PathLike, options?: object) => {
      const first = await original.promises.mkdir(path, options);
      made(path, true);
      return first;
    },
    rename: async (from: PathLike, to: PathLike) => {
      await original.promises.rename(from, to);
      renamed(from, to);
    },
  });
  syncBuiltinESMExports();
  return events;
}

interface Notes {
  written(descriptor: number, bytes: Uint8Array, at: number): void;
  syncing(descriptor: number): () => void;
  forget(descriptor: number): void;
}

/** Has a handle note what is done with it. */
function noting(handle: FileHandle, notes: Notes): FileHandle {
  const { fd } = handle;
  const writeFile = handle.writeFile.bind(handle);
  const sync = handle.sync.bind(handle);
  const close = handle.close.bind(handle);
  return Object.assign(handle, {
    writeFile: async (data: string) => {
      await writeFile(data);
      notes.written(fd, Buffer.from(data), 0);
    },
    sync: async () => {
      const done = notes.syncing(fd);
      await sync();
      done();
    },
    close: async () => {
      notes.forget(fd);
      await close();
    },
  });
}
