import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Random } from './random.ts';
import { type DiskEvent, ROOT_FILE } from './recorded-disk.ts';

type Change = Extract<DiskEvent, { kind: 'write' | 'truncate' }> & { readonly index: number };

/** A change of names in a folder. A rename is one change of both: it happens whole or not at all. */
interface NameChange {
  readonly index: number;
  readonly removed?: string;
  readonly added?: { readonly name: string; readonly file: number };
}

/** The bytes of a file, which grows in place. */
class Content {
  #room: Uint8Array;
  #size = 0;

  constructor(bytes = new Uint8Array()) {
    this.#room = bytes;
    this.#size = bytes.length;
  }

  get bytes(): Uint8Array {
    return this.#room.subarray(0, this.#size);
  }

  copy(): Content {
    return new Content(this.bytes.slice());
  }

  change(change: Change): void {
    if (change.kind === 'truncate') {
      this.#resize(change.size);
      return;
    }
    const { at, bytes } = change;
    const end = at + (typeof bytes === 'number' ? bytes : bytes.length);
    if (end > this.#size) this.#resize(end);
    if (typeof bytes === 'number') this.#room.fill(0, at, end);
    else this.#room.set(bytes, at);
  }

  #resize(size: number): void {
    if (size > this.#room.length) {
      const room = new Uint8Array(size * 2);
      room.set(this.bytes);
      this.#room = room;
    }
    if (size > this.#size) this.#room.fill(0, this.#size, size);
    this.#size = size;
  }
}

/** A file or folder: what the disk holds for sure, and what may or may not have reached it. */
interface DiskFile {
  readonly isFolder: boolean;
  readonly content: Content;
  changes: Change[];
  readonly names: Map<string, number>;
  nameChanges: NameChange[];
}

/** How much of what was not synced has reached the disk. A disk writes sectors; the system writes pages of 4 or 8 kB. */
const KEPT = ['nothing', 'all', 'whole writes', 'pages of 8192', 'pages of 4096', 'sectors of 512'] as const;

/** A disk that is brought forward event by event, and can be cut off at any moment. */
export class CutDisk {
  readonly #files = new Map<number, DiskFile>([[ROOT_FILE, newFile(true)]]);
  // As the processes see it.
  readonly #paths = new Map<string, number>([['', ROOT_FILE]]);

  /** Does what an event says; `index` is its place among all. */
  apply(event: DiskEvent, index: number): void {
    switch (event.kind) {
      case 'make':
        this.#files.set(event.file, newFile(event.isFolder));
        this.#name(event.path, event.file, index);
        break;
      case 'write':
      case 'truncate':
        this.#file(event.file).changes.push({ ...event, index });
        break;
      case 'rename': {
        const file = this.#paths.get(event.from) ?? ROOT_FILE;
        if (dirname(event.from) !== dirname(event.to)) throw new Error('a rename into another folder');
        this.#paths.delete(event.from);
        this.#name(event.to, file, index, event.from);
        break;
      }
      case 'remove':
        this.#paths.delete(event.path);
        this.#folderOf(event.path).nameChanges.push({ index, removed: event.path });
        break;
      case 'sync':
        this.#sync(this.#file(event.file), event.upTo);
        break;
      default:
    }
  }

  /** Writes to a folder what the disk holds when the power is cut now. */
  writeTo(folder: string, random: Random): void {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    // Whether names reach the disk is decided once: a cut mostly comes between two of the system's own flushes.
    const keptNames = random.between(0, 2);
    this.#writeFolder(this.#file(ROOT_FILE), folder, { random, keptNames });
  }

  #writeFolder(
    folder: DiskFile,
    target: string,
    chosen: { readonly random: Random; readonly keptNames: number },
  ): void {
    const { random, keptNames } = chosen;
    const names = new Map(folder.names);
    for (const change of folder.nameChanges) {
      if (keptNames === 1 || (keptNames === 2 && random.between(0, 1) === 1)) changeNames(names, change);
    }
    for (const [name, number] of names) {
      const file = this.#file(number);
      const to = join(target, name);
      if (file.isFolder) {
        mkdirSync(to, { recursive: true });
        this.#writeFolder(file, target, chosen);
      } else {
        writeFileSync(to, readAfterCut(file, random));
      }
    }
  }

  #sync(file: DiskFile, upTo: number): void {
    const isDone = ({ index }: { readonly index: number }) => index < upTo;
    for (const change of file.changes.filter(isDone)) file.content.change(change);
    for (const change of file.nameChanges.filter(isDone)) changeNames(file.names, change);
    file.changes = file.changes.filter((change) => !isDone(change));
    file.nameChanges = file.nameChanges.filter((change) => !isDone(change));
  }

  #name(path: string, file: number, index: number, removed?: string): void {
    this.#paths.set(path, file);
    this.#folderOf(path).nameChanges.push({
      index,
      added: { name: path, file },
      ...(removed === undefined ? {} : { removed }),
    });
  }

  #folderOf(path: string): DiskFile {
    const parent = dirname(path);
    return this.#file(this.#paths.get(parent === '.' ? '' : parent) ?? ROOT_FILE);
  }

  #file(number: number): DiskFile {
    const file = this.#files.get(number);
    if (!file) throw new Error(`nothing was noted of file ${number}`);
    return file;
  }
}

function newFile(isFolder: boolean): DiskFile {
  return { isFolder, content: new Content(), changes: [], names: new Map(), nameChanges: [] };
}

function changeNames(names: Map<string, number>, { removed, added }: NameChange): void {
  if (removed !== undefined) names.delete(removed);
  if (added) names.set(added.name, added.file);
}

/** What is read from a file after the cut. */
function readAfterCut(file: DiskFile, random: Random): Uint8Array {
  const kept = file.changes.length === 0 ? 'nothing' : KEPT[random.between(0, KEPT.length - 1)];
  if (kept === 'nothing') return file.content.bytes;
  const content = file.content.copy();
  const piece = Number(/\d+/.exec(kept ?? '')?.[0] ?? 0);
  for (const change of file.changes) {
    const parts = change.kind === 'write' && piece > 0 ? piecesOf(change, piece) : [change];
    for (const part of parts) if (kept === 'all' || random.between(0, 1) === 1) content.change(part);
  }
  return content.bytes;
}

/** Splits a write where the pages of the file begin. */
function piecesOf(write: Change & { readonly kind: 'write' }, size: number): Change[] {
  const { at, bytes } = write;
  const length = typeof bytes === 'number' ? bytes : bytes.length;
  const pieces: Change[] = [];
  for (let from = at; from < at + length; ) {
    const to = Math.min(at + length, (Math.floor(from / size) + 1) * size);
    const part = typeof bytes === 'number' ? to - from : bytes.subarray(from - at, to - at);
    pieces.push({ ...write, at: from, bytes: part });
    from = to;
  }
  return pieces;
}
