import { readFile } from 'node:fs/promises';

/** Memory that a process of the service holds, in MiB. */
export interface MemoryUse {
  /** All but the embedded database's. */
  readonly own: number;
  /** The embedded database's own: its pages, buffers and code's data lie in one block, WebAssembly's. 0 without one. */
  readonly embedded: number;
}

/** Space that V8 keeps free behind the memory of a WebAssembly module, in bytes; nothing else has that much. */
const GUARD_BYTES = 8 * 2 ** 30;
/** WebAssembly memories as small as the parsers of Node itself have are the service's. */
const SMALL_KIB = 8 * 1024;

/** Reads how much memory a process holds. Linux only. */
export async function memoryUse(pid: number): Promise<MemoryUse> {
  let [total, embedded] = [0, 0];
  let before = 0;
  for (const { bytes, readable, residentKiB } of mappingsOf(await readFile(`/proc/${pid}/smaps`, 'utf8'))) {
    total += residentKiB;
    if (!readable && bytes >= GUARD_BYTES && before >= SMALL_KIB) embedded += before;
    before = readable ? residentKiB : 0;
  }
  return { own: (total - embedded) / 1_024, embedded: embedded / 1_024 };
}

interface Mapping {
  readonly bytes: number;
  readonly readable: boolean;
  readonly residentKiB: number;
}

function* mappingsOf(smaps: string): Generator<Mapping> {
  const form = /^([\da-f]+)-([\da-f]+) (\S+).*?^Rss:\s+(\d+) kB/gms;
  for (const [, start = '', end = '', rights = '', resident] of smaps.matchAll(form)) {
    yield {
      bytes: Number.parseInt(end, 16) - Number.parseInt(start, 16),
      readable: rights.startsWith('r'),
      residentKiB: Number(resident),
    };
  }
}
