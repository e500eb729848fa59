import { createHash } from 'node:crypto';
import { and, asc, eq, lt } from 'drizzle-orm';
import type { Context, Services } from '../../kernel/context/context.ts';
import { invalid, SvcError } from '../../kernel/contract/errors.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { HOUR_MS } from '../../kernel/runtime/durations.ts';
import { createLruCache } from '../../kernel/runtime/lru-cache.ts';
import { requireUser } from '../../kernel/tenancy/users.ts';
import { redactText } from '../../secrets/redact.ts';
import { IMPORT_LIMITS } from './limits.ts';
import { checkPath, type SourceFile } from './read/source-file.ts';
import { importChunks, importFiles, isUnused } from './schema.ts';

const CHUNK_BYTES = 256 * 1024;
/** Chunks of one import that stay in memory: of an archive those of its directory and of its entries. */
const KEPT_CHUNKS = 3;
/** Small files that are written in one transaction. */
const MOST_FILES_AT_ONCE = 100;
/** Unfinished imports of one tenant. */
const MOST_UPLOADS = 8;

/** A file on its way in; its bytes can be read once. */
export interface IncomingFile {
  readonly path: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** What came in: its id, how many files, and a digest of their paths and contents. */
export interface Spooled {
  readonly id: string;
  readonly files: number;
  readonly digest: string;
}

type Place = Pick<Context, 'database' | 'tenantId'>;
type FileRow = typeof importFiles.$inferInsert;
type ChunkRow = typeof importChunks.$inferInsert;

/** Rows that have not been written, and the bytes they hold. */
interface Unwritten {
  readonly files: FileRow[];
  readonly chunks: ChunkRow[];
  bytes: number;
}

/**
 * Keeps the files of an import until it is finished, piece by piece as they come in.
 *
 * @throws SvcError `PAYLOAD_TOO_LARGE` over `IMPORT_LIMITS.bytes`; `VALIDATION_ERROR` without any file, and for paths
 *   that lead out of their folder; `CONFLICT` where too many imports of the tenant are not finished.
 */
export async function spool(context: Context, files: AsyncIterable<IncomingFile>): Promise<Spooled> {
  const uploadId = context.ids();
  await refuseTooMany(context);
  const upload = new Upload(context, uploadId);
  try {
    for await (const { path: given, bytes } of files) {
      const path = redactText(given, context.settings.redactSecrets).text;
      checkPath(path);
      await upload.add(path, inChunks(bytes));
    }
    if (upload.files === 0) {
      throw invalid('body', 'holds no file; send at least one part named "file"');
    }
    await upload.write();
  } catch (error) {
    await discardUnused(context, uploadId);
    throw error;
  }
  return { id: uploadId, files: upload.files, digest: upload.digest };
}

/** Writes the files of an upload, many small ones in one transaction, as each waits for the disk. */
class Upload {
  readonly #context: Context;
  readonly #uploadId: string;
  files = 0;
  #bytes = 0;
  readonly #digest = createHash('sha256');
  #unwritten: Unwritten = { files: [], chunks: [], bytes: 0 };

  constructor(context: Context, uploadId: string) {
    this.#context = context;
    this.#uploadId = uploadId;
  }

  /** Of all that came in; no more may come then. */
  get digest(): string {
    return this.#digest.digest('base64url');
  }

  /** @param chunks Pieces of `CHUNK_BYTES`, but for the last. */
  async add(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    if (this.files >= IMPORT_LIMITS.files) throw tooLarge(`${IMPORT_LIMITS.files} files`);
    const { tenantId, clock } = this.#context;
    const isOf = { tenantId, uploadId: this.#uploadId, place: this.files };
    const file = { ...isOf, path, size: 0, createdAt: clock() };
    this.files += 1;
    const { files } = this.#unwritten;
    files.push(file);
    const digest = createHash('sha256');
    let number = 0;
    for await (const bytes of chunks) {
      digest.update(bytes);
      this.#bytes += bytes.length;
      if (this.#bytes > IMPORT_LIMITS.bytes) throw tooLarge(`${IMPORT_LIMITS.bytes} bytes`);
      file.size += bytes.length;
      this.#unwritten.chunks.push({ ...isOf, number, bytes });
      this.#unwritten.bytes += bytes.length;
      number += 1;
      if (this.#unwritten.bytes >= CHUNK_BYTES) await this.write();
    }
    this.#digest.update(JSON.stringify([path, digest.digest('base64url')]));
    const isWritten = this.#unwritten.files !== files;
    if (isWritten) await this.#writeSize(file);
    else if (files.length >= MOST_FILES_AT_ONCE) await this.write();
  }

  /** Writes what has not been written. A file comes before its chunks, by which what remains of an upload is found again. */
  async write(): Promise<void> {
    const { database, tenantId, agentId, user } = this.#context;
    const { files, chunks } = this.#unwritten;
    this.#unwritten = { files: [], chunks: [], bytes: 0 };
    if (files.length === 0 && chunks.length === 0) return;
    await database.transaction([tenantId, agentId], async (tx) => {
      // What came in behind the erasure of the user would be found by nothing.
      if (user && !user.isNew) await requireUser(tx, this.#context, user);
      if (files.length > 0) await tx.insert(importFiles).values(files);
      if (chunks.length > 0) await tx.insert(importChunks).values(chunks);
    });
  }

  /** The size of a file that was written before its end came. */
  async #writeSize({ tenantId, uploadId, place, size }: FileRow): Promise<void> {
    const isFile = [
      eq(importFiles.tenantId, tenantId),
      eq(importFiles.uploadId, uploadId),
      eq(importFiles.place, place),
    ];
    await this.#context.database.transaction(tenantId, (tx) =>
      tx
        .update(importFiles)
        .set({ size })
        .where(and(...isFile)),
    );
  }
}

/** The kept files of an import, readable any number of times. */
export async function openSpool(context: Place, uploadId: string): Promise<SourceFile[]> {
  const { tenantId } = context;
  const found = await context.database.read(tenantId, (tx) =>
    tx.select().from(importFiles).where(isOf(tenantId, uploadId)).orderBy(asc(importFiles.place)),
  );
  const readChunk = latestChunks((place: number, number: number) =>
    loadChunk(context, { uploadId, place, number }),
  );
  return found.map(({ path, place, size }) => {
    const range = (start: number, end: number) => readRange((number) => readChunk(place, number), start, end);
    return { path, open: () => range(0, size), random: { size, range } };
  });
}

/** Forgets the files of an import that no job needs, and what came in of it after others had forgotten its files. */
export async function discardUnused({ database, tenantId }: Place, uploadId: string): Promise<void> {
  await database.transaction(tenantId, async (tx) => {
    // Waits for a job that is about to begin (`holdFiles`), which only the next statement sees.
    const place = { place: importFiles.place };
    const held = await tx.select(place).from(importFiles).where(isOf(tenantId, uploadId)).for('update');
    const gone = await tx
      .delete(importFiles)
      .where(and(isOf(tenantId, uploadId), isUnused))
      .returning(place);
    if (gone.length === held.length) await deleteFiles(tx, tenantId, uploadId);
  });
}

/**
 * Keeps others from forgetting the files of an import until the job that begins in this transaction can be seen.
 *
 * @throws SvcError `CONFLICT` where some were forgotten while they came in or were read, as by `npx svc-memory scrub`.
 */
export async function holdFiles(tx: Tx, tenantId: string, { id, files }: Spooled): Promise<void> {
  const held = await tx
    .select({ place: importFiles.place })
    .from(importFiles)
    .where(isOf(tenantId, id))
    .for('key share');
  if (held.length < files) {
    throw new SvcError('CONFLICT', 'Files were removed while they were read. Import them again.');
  }
}

const isOf = (tenantId: string, uploadId: string) =>
  and(eq(importFiles.tenantId, tenantId), eq(importFiles.uploadId, uploadId));

export async function deleteFiles(tx: Tx, tenantId: string, uploadId: string): Promise<void> {
  for (const table of [importChunks, importFiles]) {
    await tx.delete(table).where(and(eq(table.tenantId, tenantId), eq(table.uploadId, uploadId)));
  }
}

async function* readRange(
  readChunk: (number: number) => Promise<Uint8Array>,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  if (start >= end) return;
  const last = Math.floor((end - 1) / CHUNK_BYTES);
  for (let number = Math.floor(start / CHUNK_BYTES); number <= last; number += 1) {
    const bytes = await readChunk(number);
    const offset = number * CHUNK_BYTES;
    yield bytes.subarray(Math.max(0, start - offset), Math.min(bytes.length, end - offset));
  }
}

/** Keeps the chunks that were read last: an archive is read in many small ranges that lie close together. */
function latestChunks(
  load: (place: number, number: number) => Promise<Uint8Array>,
): (place: number, number: number) => Promise<Uint8Array> {
  const kept = createLruCache<Uint8Array>(KEPT_CHUNKS);
  return async (place, number) => {
    const name = `${place} ${number}`;
    const bytes = kept.get(name) ?? (await load(place, number));
    kept.set(name, bytes);
    return bytes;
  };
}

async function loadChunk(
  { database, tenantId }: Place,
  { uploadId, place, number }: { readonly uploadId: string; readonly place: number; readonly number: number },
): Promise<Uint8Array> {
  const [chunk] = await database.read(tenantId, (tx) =>
    tx
      .select({ bytes: importChunks.bytes })
      .from(importChunks)
      .where(
        and(
          eq(importChunks.tenantId, tenantId),
          eq(importChunks.uploadId, uploadId),
          eq(importChunks.place, place),
          eq(importChunks.number, number),
        ),
      ),
  );
  if (!chunk)
    throw new SvcError('NOT_FOUND', 'The files of this import are not kept any more. Import them again.');
  return chunk.bytes;
}

async function refuseTooMany({ database, tenantId }: Context): Promise<void> {
  const uploads = await database.read(tenantId, (tx) =>
    tx
      .selectDistinct({ id: importFiles.uploadId })
      .from(importFiles)
      .where(eq(importFiles.tenantId, tenantId))
      .limit(MOST_UPLOADS),
  );
  if (uploads.length >= MOST_UPLOADS) {
    throw new SvcError('CONFLICT', `${MOST_UPLOADS} imports are not finished. Wait for one, or cancel it.`);
  }
}

/** Pieces of exactly `CHUNK_BYTES`, but for the last: a place in the file tells the piece. */
async function* inChunks(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const part of source) {
    held.push(part);
    size += part.length;
    if (size < CHUNK_BYTES) continue;
    const all = Buffer.concat(held, size);
    let start = 0;
    for (; size - start >= CHUNK_BYTES; start += CHUNK_BYTES) yield all.subarray(start, start + CHUNK_BYTES);
    held = [all.subarray(start)];
    size -= start;
  }
  if (size > 0) yield Buffer.concat(held, size);
}

function tooLarge(limit: string): SvcError {
  return new SvcError('PAYLOAD_TOO_LARGE', `An import may take at most ${limit}. Split it.`);
}

/**
 * Removes the files of imports that failed, were cancelled, or never began because the process ended while they came
 * in. A finished import removes its own.
 *
 * @returns how many imports' files went.
 */
export async function forgetUploads({ database, clock }: Services): Promise<number> {
  // What is younger may still be coming in.
  const before = new Date(clock().getTime() - HOUR_MS);
  const left = await database.system((tx) =>
    // Index import_files_age.
    tx
      .selectDistinct({ tenantId: importFiles.tenantId, uploadId: importFiles.uploadId })
      .from(importFiles)
      .where(and(lt(importFiles.createdAt, before), isUnused)),
  );
  for (const { tenantId, uploadId } of left) await discardUnused({ database, tenantId }, uploadId);
  return left.length;
}
