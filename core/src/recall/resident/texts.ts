import type { Remembered } from '../findings.ts';
import type { Columns } from './columns.ts';
import { Slabs } from './slabs.ts';

const SLAB = 2 ** 18;

/** What few memories have, and few recalls read. */
export type More = Pick<Remembered, 'key' | 'derivedFrom' | 'supersededBy'>;

const NOTHING_MORE: More = { key: null, derivedFrom: [], supersededBy: null };

/** Contents and what few memories have, as UTF-8 outside the heap of objects: only what a recall shows is read. */
export class Texts {
  readonly #slabs = new Slabs((length) => Buffer.allocUnsafeSlow(length), SLAB);
  readonly #columns: Columns;

  constructor(columns: Columns) {
    this.#columns = columns;
  }

  get bytes(): number {
    return this.#slabs.bytes;
  }

  put(place: number, content: string, { key, derivedFrom, supersededBy }: More): void {
    const has = key !== null || derivedFrom.length > 0 || supersededBy !== null;
    const more = has ? JSON.stringify({ key, derivedFrom, supersededBy }) : '';
    const { texts, contentBytes, moreBytes } = this.#columns;
    contentBytes[place] = Buffer.byteLength(content);
    moreBytes[place] = Buffer.byteLength(more);
    const bytes = (contentBytes[place] ?? 0) + (moreBytes[place] ?? 0);
    texts[place] = this.#slabs.take(bytes);
    this.#slabOf(place)?.write(content + more, (texts[place] ?? 0) % SLAB);
  }

  content(place: number): string {
    const from = (this.#columns.texts[place] ?? 0) % SLAB;
    return this.#slabOf(place)?.toString('utf8', from, from + (this.#columns.contentBytes[place] ?? 0)) ?? '';
  }

  more(place: number): More {
    const { texts, contentBytes, moreBytes } = this.#columns;
    const bytes = moreBytes[place] ?? 0;
    if (bytes === 0) return NOTHING_MORE;
    const from = ((texts[place] ?? 0) % SLAB) + (contentBytes[place] ?? 0);
    return JSON.parse(this.#slabOf(place)?.toString('utf8', from, from + bytes) ?? '');
  }

  #slabOf(place: number): Buffer | undefined {
    return this.#slabs.all[Math.floor((this.#columns.texts[place] ?? 0) / SLAB)];
  }
}
