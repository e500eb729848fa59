/** The first slab is made so small: most tenants have few memories. */
const SMALLEST = 256;

/**
 * Room that only grows, without moving what is in it: one slab after the other, of which the first is doubled until it has
 * its full length. A place in it has an address: the slab's number times the length, and how far in.
 */
export class Slabs<Kind extends Uint8Array | Int16Array | Int32Array> {
  readonly all: Kind[] = [];
  bytes = 0;
  /** Taken of the last. */
  #used = 0;
  readonly #make: (length: number) => Kind;

  constructor(
    make: (length: number) => Kind,
    /** Elements of a slab; what is longer gets one of its own. */
    readonly length: number,
  ) {
    this.#make = make;
  }

  /** The address of room for so many elements side by side. */
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
