import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { untilFree } from './until-free.ts';

/** A file or folder as Emscripten knows it. */
export interface FileNode {
  readonly mode: number;
}

/** An open file or folder. */
export interface Stream {
  readonly node: FileNode;
  /** Node's descriptor of it. */
  readonly nfd: number;
}

interface Attributes {
  readonly size?: number;
}

/** The part of Emscripten's file system over Node's that is changed here. Its published types omit it. */
interface NodeFileSystem {
  realPath(node: FileNode): string;
  /** Translates an error of Node to one that Postgres understands. */
  tryFSOperation<T>(operation: () => T): T;
  readonly node_ops: {
    setattr(node: FileNode, attributes: Attributes): void;
    mknod(parent: FileNode, name: string, mode: number, device: number): FileNode;
    rename(node: FileNode, folder: FileNode, name: string): void;
    unlink(parent: FileNode, name: string): void;
    rmdir(parent: FileNode, name: string): void;
  };
  readonly stream_ops: {
    setattr(stream: Stream, attributes: Attributes): void;
    write(stream: Stream, ...rest: readonly unknown[]): number;
    fsync?(stream: Stream): void;
  };
}

/** The part of Emscripten's `FS` that is used here. */
export interface EmscriptenFiles {
  readonly filesystems: { readonly NODEFS: NodeFileSystem };
  /** The node of a name: the one that is known, else the one in the folder. */
  lookupNode(parent: FileNode, name: string): FileNode;
  /** Forgets a node; the file stays. */
  destroyNode(node: FileNode): void;
  isDir(mode: number): boolean;
}

type Initialization = Parameters<NodeFS['init']>[1];

/**
 * The files of a PGlite in a folder.
 *
 * Emscripten knows a file before it makes it, and still does where the system refuses to, as one without free descriptors or
 * inodes. Postgres could then neither open nor make that file until the next start, so it is forgotten here.
 */
export class FolderFiles extends NodeFS {
  override async init(pg: PGlite, options: Initialization): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options);
    const preRun = [
      ...(emscriptenOpts.preRun ?? []),
      ({ FS }: { readonly FS: unknown }) => this.adapt(FS as EmscriptenFiles),
    ];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }

  /** Resolves when all that Postgres asked to be synced until now is on the disk: here it asks for nothing. */
  async settled(): Promise<void> {}

  /** Changes the file system before Postgres uses it. */
  protected adapt(files: EmscriptenFiles): void {
    const nodes = files.filesystems.NODEFS.node_ops;
    const { mknod, rename } = { ...nodes };
    nodes.mknod = (parent, name, ...rest) => {
      try {
        return mknod(parent, name, ...rest);
      } catch (error) {
        files.destroyNode(files.lookupNode(parent, name));
        throw error;
      }
    };
    nodes.rename = (...args) => untilFree(() => rename(...args));
  }
}
