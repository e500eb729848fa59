/** What the map takes for each, roughly, beside its characters. */
const ENTRY_BYTES = 150;

/** Numbers for what many memories have alike, from 0 on. */
export class Dictionary<Value> {
  readonly values: Value[] = [];
  bytes = 0;
  readonly #numbers = new Map<string, number>();

  /** @param name Tells values apart. */
  numberOf(name: string, value: Value): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.values.length);
    this.bytes += ENTRY_BYTES + 2 * name.length;
    return this.values.push(value) - 1;
  }

  /** The number that a value has got. */
  find(name: string): number | undefined {
    return this.#numbers.get(name);
  }
}
