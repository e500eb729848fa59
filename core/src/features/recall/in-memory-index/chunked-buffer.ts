/** Elements of the first chunk: most tenants have few memories. */
const SMALLEST = 256;

/**
 * A buffer that grows in chunks, without copying full ones. The last chunk is doubled until it has its full length. An address
 * is the chunk's number times the length, plus the offset in the chunk.
 */
export class ChunkedBuffer<Kind extends Uint8Array | Int16Array | Int32Array> {
  readonly all: Kind[] = [];
  bytes = 0;
  /** Used elements of the last chunk. */
  #used = 0;
  readonly #make: (length: number) => Kind;

  constructor(
    make: (length: number) => Kind,
    /** Elements of a chunk. A longer allocation gets a chunk of its own. */
    readonly length: number,
  ) {
    this.#make = make;
  }

  /** Allocates adjacent elements. Returns their address. */
  take(count: number): number {
    const last = this.all.at(-1);
    if (!last || this.#used + count > this.length) {
      this.#put(this.all.length, Math.max(count, last ? this.length : SMALLEST));
      this.#used = 0;
    } else if (this.#used + count > last.length) {
      const larger = Math.max(this.#used + count, 2 * last.length);
      this.#put(this.all.length - 1, Math.min(this.length, larger)).set(last);
    }
    const address = (this.all.length - 1) * this.length + this.#used;
    this.#used += count;
    return address;
  }

  #put(number: number, length: number): Kind {
    const slab = this.#make(length);
    this.bytes += slab.byteLength - (this.all[number]?.byteLength ?? 0);
    this.all[number] = slab;
    return slab;
  }
}
