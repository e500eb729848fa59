import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { IncomingFile } from '@svc-memory/core';
import { SvcError } from '@svc-memory/core/contract';

/** One file of a commit. */
export interface TreeEntry {
  readonly path: string;
  readonly object: string;
}

/**
 * Reads files out of `git cat-file --batch`, one after the other, each as it streams.
 *
 * @throws SvcError `PAYLOAD_TOO_LARGE` where they are larger than `most` bytes together; git tells the size first.
 */
export async function* readObjects(
  child: ChildProcessWithoutNullStreams,
  entries: readonly TreeEntry[],
  most: number,
): AsyncGenerator<IncomingFile> {
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  failed.catch(() => {});
  child.stderr.resume();
  // It may be gone before all questions are written.
  child.stdin.on('error', () => {});
  const output = createReader(child.stdout.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>);
  let total = 0;
  try {
    for (const { path, object } of entries) {
      child.stdin.write(`${object}\n`);
      const header = await Promise.race([output.line(), failed]);
      const size = Number(/^[0-9a-f]+ blob (\d+)$/.exec(header)?.[1] ?? Number.NaN);
      if (Number.isNaN(size)) throw new SvcError('UNAVAILABLE', 'The repository could not be read.');
      total += size;
      if (total > most)
        throw new SvcError('PAYLOAD_TOO_LARGE', `The repository is larger than ${most} bytes.`);
      const bytes = output.take(size);
      yield { path, bytes };
      // What the taker left, and the line feed after each object.
      for await (const _ of bytes);
      await output.line();
    }
  } finally {
    child.kill('SIGKILL');
  }
}

/** Lines and blocks of a stream of bytes, in turn. */
function createReader(source: AsyncIterator<Buffer>) {
  let held: Buffer = Buffer.alloc(0);
  const fill = async () => {
    const { value, done } = await source.next();
    if (done) throw new SvcError('UNAVAILABLE', 'The repository could not be read to its end.');
    held = held.length === 0 ? value : Buffer.concat([held, value]);
  };
  return {
    async line(): Promise<string> {
      for (;;) {
        const end = held.indexOf(0x0a);
        if (end >= 0) {
          const line = held.toString('utf8', 0, end);
          held = held.subarray(end + 1);
          return line;
        }
        await fill();
      }
    },
    async *take(size: number): AsyncGenerator<Buffer> {
      let left = size;
      while (left > 0) {
        if (held.length === 0) await fill();
        const part = held.subarray(0, left);
        held = held.subarray(part.length);
        left -= part.length;
        yield part;
      }
    },
  };
}
