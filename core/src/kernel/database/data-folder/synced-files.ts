import { fsyncSync } from 'node:fs';
import { dirname } from 'node:path';
import { type EmscriptenFiles, type FileNode, FolderFiles, type Stream } from './folder-files.ts';
import { LogSync } from './log-sync.ts';
import { syncNames } from './sync-folder.ts';

// A segment of the write-ahead log under its final name: it is as large as it will ever be.
const LOG_SEGMENT = /[/\\]pg_wal[/\\][0-9A-F]{24}$/;

/**
 * The files of a PGlite whose syncs reach the disk: PGlite's own file system ignores them. Postgres must call `fsync`
 * (`wal_sync_method=fsync`), as `fdatasync` never gets here.
 *
 * A sync of the write-ahead log only notes that it is wanted, so that Postgres goes on with the next transaction; `settled`
 * waits for it. Before anything else in the folder changes, the log is synced at once: what a file holds must never be
 * ahead of the log on the disk.
 */
export class SyncedFiles extends FolderFiles {
  readonly #log = new LogSync();
  // Files whose names may not be on the disk yet: a sync of a file need not include its name.
  readonly #newNames = new Set<string>();

  override settled(): Promise<void> {
    return this.#log.settled();
  }

  override async closeFs(): Promise<void> {
    try {
      this.#log.close();
    } finally {
      await super.closeFs();
    }
  }

  protected override adapt(files: EmscriptenFiles): void {
    super.adapt(files);
    const system = files.filesystems.NODEFS;
    const { node_ops: nodes, stream_ops: streams } = system;
    const pathOf = (node: FileNode) => system.realPath(node);
    const { mknod, rename, unlink, rmdir, setattr } = { ...nodes };
    const { write, setattr: setStreamAttributes } = { ...streams };
    const flushLog = () => system.tryFSOperation(() => this.#log.flush());

    streams.fsync = (stream) => {
      const isFolder = files.isDir(stream.node.mode);
      system.tryFSOperation(() => this.#sync(stream, pathOf(stream.node), isFolder));
    };
    streams.write = (stream, ...rest) => {
      if (this.#log.isPending && !LOG_SEGMENT.test(pathOf(stream.node))) flushLog();
      return write(stream, ...rest);
    };
    streams.setattr = (stream, attributes) => {
      if (attributes.size !== undefined) flushLog();
      setStreamAttributes(stream, attributes);
    };
    nodes.setattr = (node, attributes) => {
      if (attributes.size !== undefined) flushLog();
      setattr(node, attributes);
    };
    nodes.mknod = (...args) => {
      const node = mknod(...args);
      this.#newNames.add(pathOf(node));
      return node;
    };
    nodes.rename = (node, folder, name) => {
      flushLog();
      this.#newNames.delete(pathOf(node));
      rename(node, folder, name);
      this.#newNames.add(`${pathOf(folder)}/${name}`);
    };
    nodes.unlink = (parent, name) => {
      flushLog();
      unlink(parent, name);
      this.#newNames.delete(`${pathOf(parent)}/${name}`);
    };
    nodes.rmdir = (parent, name) => {
      flushLog();
      rmdir(parent, name);
      this.#newNames.delete(`${pathOf(parent)}/${name}`);
    };
  }

  #sync({ nfd }: Stream, path: string, isFolder: boolean): void {
    if (LOG_SEGMENT.test(path)) {
      this.#log.ask(path);
    } else {
      this.#log.flush();
      if (isFolder) syncNames(path);
      else fsyncSync(nfd);
    }
    for (let named = path; this.#newNames.delete(named); named = dirname(named)) syncNames(dirname(named));
  }
}
