/** The passages of one memory that hold its terms: those of `terms[n]` are `places` from `starts[n]` to `starts[n + 1]`. */
interface Entry {
  /** Numbers of the terms, ascending. */
  readonly terms: Int32Array;
  readonly starts: Uint32Array;
  readonly places: Uint8Array;
}

/** Of memories of several passages: which of them hold each term. In typed arrays, since a long memory has thousands of terms. */
export class PassageTable {
  readonly #entries = new Map<number, Entry>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** @param passages Of each of the terms the numbers of the passages that hold it, 0 to 255. */
  put(slot: number, terms: readonly number[], passages: readonly (readonly number[])[]): void {
    const order = [...terms.keys()].sort((a, b) => (terms[a] ?? 0) - (terms[b] ?? 0));
    const starts = new Uint32Array(order.length + 1);
    for (const [n, index] of order.entries())
      starts[n + 1] = (starts[n] ?? 0) + (passages[index]?.length ?? 0);
    const entry = {
      terms: Int32Array.from(order, (index) => terms[index] ?? 0),
      starts,
      places: Uint8Array.from(order.flatMap((index) => [...(passages[index] ?? [])])),
    };
    this.remove(slot);
    this.#entries.set(slot, entry);
    this.#bytes += sizeOf(entry);
  }

  /** The passages that hold a term; undefined for a memory of one passage. */
  read(slot: number, term: number | undefined): readonly number[] | undefined {
    const entry = this.#entries.get(slot);
    if (!entry || term === undefined) return undefined;
    const { terms, starts, places } = entry;
    let [low, high] = [0, terms.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((terms[middle] ?? 0) < term) low = middle + 1;
      else high = middle;
    }
    return terms[low] === term ? [...places.subarray(starts[low], starts[low + 1])] : undefined;
  }

  remove(slot: number): void {
    const entry = this.#entries.get(slot);
    if (!entry) return;
    this.#entries.delete(slot);
    this.#bytes -= sizeOf(entry);
  }
}

function sizeOf({ terms, starts, places }: Entry): number {
  return terms.byteLength + starts.byteLength + places.byteLength;
}
