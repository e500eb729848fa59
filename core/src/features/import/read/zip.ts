import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { invalid } from '../../../kernel/contract/errors.ts';
import { yieldToEventLoop } from '../../../kernel/runtime/event-loop.ts';
import { IMPORT_LIMITS } from '../limits.ts';
import { checkPath, type SourceFile, shownName } from './source-file.ts';

const MIB = 1024 * 1024;
/** Before the name and the data of each entry. PKWARE APPNOTE 4.3.7. */
const LOCAL_HEADER_BYTES = 30;
const FILE_TYPE = 0o170000;
const SYMLINK = 0o120000;
const REGULAR = 0o100000;

/**
 * The files in a zip archive, in its order. Everything is checked before a file of it is handed out, and again while it
 * is unpacked, so that what the archive says of itself cannot deceive.
 *
 * @throws SvcError `VALIDATION_ERROR` for archives that are damaged, encrypted or too large, and for entries that are
 *   links, lead out of the folder or are compressed beyond all likelihood.
 */
export async function openZip(file: SourceFile, spend: (bytes: number) => void): Promise<SourceFile[]> {
  const { random } = file;
  if (!random) throw invalid(file.path, 'is an archive within an archive; unpack it first');
  try {
    // It holds nothing that would have to be closed.
    const zip = await openArchive(random);
    const entries = await listEntries(file, zip);
    return entries
      .filter(({ fileName }) => !fileName.endsWith('/') && !isClutter(fileName))
      .map((entry) => ({
        path: `${file.path}/${entry.fileName}`,
        open: () => unpack(file, zip, entry, spend),
      }));
  } catch (error) {
    throw asRefusal(file, error);
  }
}

async function* unpack(
  file: SourceFile,
  zip: ZipFile,
  entry: Entry,
  spend: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  let checksum = 0;
  try {
    const stream = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MIB && bytes > entry.compressedSize * IMPORT_LIMITS.compression) throw bomb(file, entry);
      spend(chunk.length);
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
    if (checksum !== entry.crc32) {
      throw invalid(
        file.path,
        `holds ${shownName(entry.fileName)}, which is damaged: its checksum is another`,
      );
    }
  } catch (error) {
    throw asRefusal(file, error);
  }
}

/** Reads the directory; an entry that is not as it should be ends it. */
async function listEntries(file: SourceFile, zip: ZipFile): Promise<Entry[]> {
  const tooMany = () => invalid(file.path, `holds more than ${IMPORT_LIMITS.files} files`);
  if (zip.entryCount > IMPORT_LIMITS.files) throw tooMany();
  const entries: Entry[] = [];
  const places = new EntryPlaces();
  let declared = 0;
  let overlapping: Entry | undefined;
  for await (const entry of zip.eachEntry()) {
    await yieldToEventLoop();
    dropNotes(entry);
    if (entries.push(entry) > IMPORT_LIMITS.files) throw tooMany();
    checkEntry(file, entry);
    if (!overlapping && !places.take(entry)) overlapping = entry;
    declared += entry.uncompressedSize;
    if (declared > IMPORT_LIMITS.unpackedBytes) throw tooLarge(file);
  }
  if (overlapping) {
    const name = shownName(overlapping.fileName);
    throw invalid(file.path, `holds ${name}, which lies over another entry, as zip bombs do`);
  }
  return entries;
}

/**
 * Drops what the directory says of an entry that is not needed any more: up to 128 KiB as bytes, and forty times as much as the
 * library reads them. Kept for all entries, an archive of 100 MB took 4 GB.
 */
function dropNotes(entry: Entry): void {
  entry.extraFields = [];
  entry.extraFieldRaw = entry.fileCommentRaw = entry.fileNameRaw = Buffer.alloc(0);
  entry.fileComment = '';
  // The deprecated name of the same.
  Object.assign(entry, { comment: '' });
}

/** Which bytes of an archive belong to which entry: none belong to two, or few bytes would unpack to many. */
class EntryPlaces {
  /** In order, each from its first byte to behind its last. */
  readonly #taken: { readonly start: number; readonly end: number }[] = [];

  /** False where some of its bytes belong to another entry. */
  take({ relativeOffsetOfLocalHeader: start, compressedSize }: Entry): boolean {
    const end = start + LOCAL_HEADER_BYTES + compressedSize;
    const taken = this.#taken;
    let low = 0;
    let high = taken.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((taken[middle]?.start ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    const [before, after] = [taken[low - 1], taken[low]];
    if ((before && before.end > start) || (after && after.start < end)) return false;
    taken.splice(low, 0, { start, end });
    return true;
  }
}

function checkEntry(file: SourceFile, entry: Entry): void {
  const { fileName, compressedSize, uncompressedSize, versionMadeBy, externalFileAttributes } = entry;
  checkPath(`${file.path}/${fileName}`);
  checkPath(fileName);
  // The upper half holds the Unix mode, where the archive was made on Unix.
  const mode =
    versionMadeBy >> 8 === 3 || versionMadeBy >> 8 === 19 ? (externalFileAttributes >>> 16) & FILE_TYPE : 0;
  if (mode === SYMLINK)
    throw invalid(file.path, `holds a symbolic link (${shownName(fileName)}); links are not followed`);
  if (mode !== 0 && mode !== REGULAR && mode !== 0o040000) {
    throw invalid(file.path, `holds something that is no file (${shownName(fileName)})`);
  }
  if (entry.isEncrypted()) throw invalid(file.path, `is encrypted (${shownName(fileName)}); unpack it first`);
  if (uncompressedSize > MIB && uncompressedSize > compressedSize * IMPORT_LIMITS.compression)
    throw bomb(file, entry);
}

function openArchive(random: NonNullable<SourceFile['random']>): Promise<ZipFile> {
  return fromRandomAccessReaderPromise(new RangeReader(random), random.size, {
    lazyEntries: true,
    autoClose: false,
    // PowerShell before 7 writes `notes\\a.md`, which is read as `notes/a.md` and then checked.
    strictFileNames: false,
    validateEntrySizes: true,
  });
}

class RangeReader extends RandomAccessReader {
  readonly #random: NonNullable<SourceFile['random']>;

  constructor(random: NonNullable<SourceFile['random']>) {
    super();
    this.#random = random;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#random.range(start, end), { objectMode: false });
  }

  /** Without the three streams that the library puts around each read: a directory is read in pieces of 46 bytes. */
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#copy(buffer.subarray(offset, offset + length), position).then(() => callback(null), callback);
  }

  async #copy(target: Buffer, position: number): Promise<void> {
    let written = 0;
    for await (const chunk of this.#random.range(position, position + target.length)) {
      target.set(chunk, written);
      written += chunk.length;
    }
  }
}

function asRefusal(file: SourceFile, error: unknown): unknown {
  if (error instanceof Error && error.name === 'SvcError') return error;
  // What the database or the disk throws has a code; what the archive causes has none, or zlib's.
  if (error instanceof Error && 'code' in error && !String(error.code).startsWith('Z_')) return error;
  const reason = error instanceof Error ? error.message : 'unknown';
  return invalid(file.path, `cannot be unpacked: ${shownName(reason)}`);
}

/** Files that systems leave in archives unasked. */
function isClutter(name: string): boolean {
  return name.startsWith('__MACOSX/') || /(^|\/)(\.DS_Store|Thumbs\.db|\._[^/]*)$/.test(name);
}

function bomb(file: SourceFile, entry: Entry) {
  const message = `holds ${shownName(entry.fileName)}, which is compressed more than ${IMPORT_LIMITS.compression} times, as zip bombs are`;
  return invalid(file.path, message);
}

export function tooLarge(file: Pick<SourceFile, 'path'>) {
  return invalid(file.path, `holds more than ${IMPORT_LIMITS.unpackedBytes / MIB} MiB when unpacked`);
}
