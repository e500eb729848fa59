import { and, asc, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Category, MemoryType } from '../../kernel/contract/fields.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { lockName } from '../../kernel/database/lock-name.ts';
import { memories } from '../records/schema.ts';
import { viewOf } from '../visibility/view.ts';
import type { File } from './contract.ts';
import { foldCase, foldersOf, keyOf, kindOfPath, pathOfKey, ROOT } from './path.ts';

/** Files there may be: the tree is read whole before it is changed. */
export const MOST_FILES = 2_000;
/** Core memories that are shown as files, without being any. */
const MOST_SHOWN = 500;

/** A file, or a core memory that is shown as one. */
export interface TreeFile extends File {
  /** False of a core memory that no file command made: its text can be edited, its name is its id. */
  readonly isOwn: boolean;
}

/** What the caller may see below `/memories`: files by path. Folders are there as long as they hold a file. */
export class Tree {
  readonly #files: ReadonlyMap<string, TreeFile>;
  /** Keys of memories that are no files since their type is not that of the folder. */
  readonly #foreign: ReadonlySet<string>;

  constructor(files: readonly TreeFile[], foreign: Iterable<string> = []) {
    this.#files = new Map(files.map((file) => [file.path, file]));
    this.#foreign = new Set(foreign);
  }

  /** Own files. */
  get count(): number {
    return [...this.#files.values()].filter(({ isOwn }) => isOwn).length;
  }

  file(path: string): TreeFile | undefined {
    return this.#files.get(path);
  }

  /** All files below a folder, at any depth. */
  below(folder: string): TreeFile[] {
    const inside = folder === ROOT ? `${ROOT}/` : `${withoutSlash(folder)}/`;
    return [...this.#files.values()].filter(({ path }) => path.startsWith(inside));
  }

  /** What a path names: the file, or the files below the folder; the root is there without any. */
  at(path: string): readonly TreeFile[] | undefined {
    const file = this.file(path);
    if (file) return [file];
    const found = this.below(path);
    return found.length > 0 || path === ROOT ? found : undefined;
  }

  /** Without some files, as when these move away. */
  without(files: readonly TreeFile[]): Tree {
    const gone = new Set(files.map(({ path }) => path));
    return new Tree(
      [...this.#files.values()].filter(({ path }) => !gone.has(path)),
      this.#foreign,
    );
  }

  /** Throws SvcError where no file can be made at a path. */
  requireFree(path: string): void {
    if (this.#foreign.has(keyOf(path))) {
      throw new SvcError(
        'CONFLICT',
        `Error: Another memory has the key ${JSON.stringify(keyOf(path))}, which is that of ${path}. Use another path, or change its key.`,
      );
    }
    for (const folder of foldersOf(path)) {
      if (!this.file(folder)) continue;
      throw new SvcError('CONFLICT', `Error: ${folder} is a file, not a folder: ${path} cannot be in it`);
    }
    const wanted = [...foldersOf(path), path];
    const folded = new Set(wanted.map(foldCase));
    const used = [...this.#files.keys()].flatMap((other) => [...foldersOf(other), other]);
    const same = used.find((other) => folded.has(foldCase(other)) && !wanted.includes(other));
    if (same === undefined) return;
    throw new SvcError(
      'CONFLICT',
      `Error: ${same} exists, and names that differ only in letter case are one name on some systems. Use that, or another name`,
    );
  }
}

/** Reads the tree. Everything that makes, moves or removes files locks it, so that no two do so at once. */
export async function loadTree(
  tx: Tx,
  context: Context,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<Tree> {
  if (lock) await lockName(tx, context.tenantId, 'files');
  const { known } = await viewOf(tx, context);
  const isFile = sql`starts_with(${memories.key}, 'files/')`;
  // Index memories_key.
  const keyed = await select(tx, context, and(isFile, known), MOST_FILES + 1);
  // Index memories_type_time.
  const isOther = or(isNull(memories.key), sql`NOT ${isFile}`);
  const core = await select(tx, context, and(eq(memories.type, 'core'), isOther, known), MOST_SHOWN);
  const foreign: string[] = [];
  const files = keyed.flatMap((row) => {
    const path = pathOfKey(row.key ?? '');
    if (path !== undefined && isAtHome(row, path)) return [toFile(row, path, true)];
    foreign.push(row.key ?? '');
    return [];
  });
  const shown = core.map((row) => toFile(row, `${ROOT}/${row.category}/${row.id}.md`, false));
  return new Tree([...shown, ...files], foreign);
}

/** Whether there is a memory under a key, however many files there are. Index memories_key. */
export async function isTaken(tx: Tx, context: Context, key: string): Promise<boolean> {
  const { known } = await viewOf(tx, context);
  const found = await select(tx, context, and(eq(memories.key, key), known), 1);
  return found.length > 0;
}

/** The files that a caller may read, by path. */
export async function listFiles(tx: Tx, context: Context, folder: string): Promise<File[]> {
  const { known, readable } = await viewOf(tx, context);
  const isFile = sql`starts_with(${memories.key}, ${`${keyOf(folder === ROOT ? `${ROOT}/` : `${withoutSlash(folder)}/`)}`})`;
  // Index memories_key.
  const found = await select(tx, context, and(isFile, known, readable), MOST_FILES + 1);
  return found.flatMap((row) => {
    const path = pathOfKey(row.key ?? '');
    if (path === undefined || !isAtHome(row, path)) return [];
    const { isOwn: _, ...file } = toFile(row, path, true);
    return [file];
  });
}

export function withoutSlash(path: string): string {
  return path.replace(/\/$/, '');
}

interface Row {
  readonly id: string;
  readonly key: string | null;
  readonly type: MemoryType;
  readonly category: Category | null;
  readonly version: number;
  readonly bytes: number;
  readonly updatedAt: Date;
}

function select(tx: Tx, { tenantId }: Context, which: SQL | undefined, limit: number): Promise<Row[]> {
  return tx
    .select({
      id: memories.id,
      key: memories.key,
      type: memories.type,
      category: memories.category,
      version: memories.version,
      bytes: sql<number>`octet_length(${memories.content})`,
      updatedAt: memories.updatedAt,
    })
    .from(memories)
    .where(and(eq(memories.tenantId, tenantId), isNull(memories.archivedAt), which))
    .orderBy(asc(memories.key), asc(memories.id))
    .limit(limit);
}

/** Whether a memory is of the kind that its folder says. Of others the folder would promise what is not so. */
function isAtHome({ type, category }: Row, path: string): boolean {
  const place = kindOfPath(path);
  return type === place.type && (place.category === undefined || category === place.category);
}

function toFile({ id, version, bytes, updatedAt }: Row, path: string, isOwn: boolean): TreeFile {
  return { path, id, version, bytes, updated_at: updatedAt.toISOString(), isOwn };
}
