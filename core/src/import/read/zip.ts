import { Readable } from 'node:stream';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { IMPORT_LIMITS } from '../limits.ts';
import { checkPath, refuse, type SourceFile } from './source-file.ts';

const MIB = 1024 * 1024;
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
  if (!random) throw refuse(file.path, 'is an archive within an archive; unpack it first');
  const entries = await withZip(file, random, (zip) => listEntries(file, zip));
  let declared = 0;
  for (const entry of entries) {
    declared += entry.uncompressedSize;
    checkEntry(file, entry);
  }
  if (declared > IMPORT_LIMITS.unpackedBytes) throw tooLarge(file);
  return entries
    .filter(({ fileName }) => !fileName.endsWith('/') && !isClutter(fileName))
    .map((entry) => ({
      path: `${file.path}/${entry.fileName}`,
      open: () => unpack(file, random, entry, spend),
    }));
}

async function* unpack(
  file: SourceFile,
  random: NonNullable<SourceFile['random']>,
  entry: Entry,
  spend: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const zip = await openArchive(file, random);
  let bytes = 0;
  try {
    const stream = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MIB && bytes > entry.compressedSize * IMPORT_LIMITS.compression) throw bomb(file, entry);
      spend(chunk.length);
      yield chunk;
    }
  } catch (error) {
    throw asRefusal(file, error);
  } finally {
    zip.close();
  }
}

async function listEntries(file: SourceFile, zip: ZipFile): Promise<Entry[]> {
  if (zip.entryCount > IMPORT_LIMITS.files) {
    throw refuse(file.path, `holds more than ${IMPORT_LIMITS.files} files`);
  }
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    entries.push(entry);
    if (entries.length > IMPORT_LIMITS.files)
      throw refuse(file.path, `holds more than ${IMPORT_LIMITS.files} files`);
  }
  return entries;
}

function checkEntry(file: SourceFile, entry: Entry): void {
  const { fileName, compressedSize, uncompressedSize, versionMadeBy, externalFileAttributes } = entry;
  checkPath(`${file.path}/${fileName}`);
  checkPath(fileName);
  // The upper half holds the Unix mode, where the archive was made on Unix.
  const mode =
    versionMadeBy >> 8 === 3 || versionMadeBy >> 8 === 19 ? (externalFileAttributes >>> 16) & FILE_TYPE : 0;
  if (mode === SYMLINK)
    throw refuse(file.path, `holds a symbolic link (${shown(fileName)}); links are not followed`);
  if (mode !== 0 && mode !== REGULAR && mode !== 0o040000) {
    throw refuse(file.path, `holds something that is no file (${shown(fileName)})`);
  }
  if (entry.isEncrypted()) throw refuse(file.path, `is encrypted (${shown(fileName)}); unpack it first`);
  if (uncompressedSize > MIB && uncompressedSize > compressedSize * IMPORT_LIMITS.compression)
    throw bomb(file, entry);
}

async function withZip<T>(
  file: SourceFile,
  random: NonNullable<SourceFile['random']>,
  work: (zip: ZipFile) => Promise<T>,
): Promise<T> {
  const zip = await openArchive(file, random);
  try {
    return await work(zip);
  } catch (error) {
    throw asRefusal(file, error);
  } finally {
    zip.close();
  }
}

async function openArchive(file: SourceFile, random: NonNullable<SourceFile['random']>): Promise<ZipFile> {
  try {
    const reader = new RangeReader(random);
    return await fromRandomAccessReaderPromise(reader, random.size, {
      lazyEntries: true,
      autoClose: false,
      strictFileNames: true,
      validateEntrySizes: true,
    });
  } catch (error) {
    throw asRefusal(file, error);
  }
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
}

function asRefusal(file: SourceFile, error: unknown): unknown {
  if (error instanceof Error && error.name === 'SvcError') return error;
  // What the database or the disk throws has a code; what the archive causes has none, or zlib's.
  if (error instanceof Error && 'code' in error && !String(error.code).startsWith('Z_')) return error;
  const reason = error instanceof Error ? error.message : 'unknown';
  return refuse(file.path, `cannot be unpacked: ${shown(reason)}`);
}

/** Files that systems leave in archives unasked. */
function isClutter(name: string): boolean {
  return name.startsWith('__MACOSX/') || /(^|\/)(\.DS_Store|Thumbs\.db|\._[^/]*)$/.test(name);
}

function bomb(file: SourceFile, entry: Entry) {
  const message = `holds ${shown(entry.fileName)}, which is compressed more than ${IMPORT_LIMITS.compression} times, as zip bombs are`;
  return refuse(file.path, message);
}

export function tooLarge(file: Pick<SourceFile, 'path'>) {
  return refuse(file.path, `holds more than ${IMPORT_LIMITS.unpackedBytes / MIB} MiB when unpacked`);
}

function shown(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, '?').slice(0, 200);
}
