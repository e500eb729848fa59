import type { MemoryView } from '../candidates.ts';
import { ChunkedBuffer } from './chunked-buffer.ts';
import type { DocumentColumns } from './document-columns.ts';

const SLAB = 2 ** 18;

/** Fields that few memories have and few recalls read. */
export type More = Pick<
  MemoryView,
  | 'key'
  | 'derivedFrom'
  | 'supersededBy'
  | 'validFrom'
  | 'validTo'
  | 'expiresAt'
  | 'metadata'
  | 'conflictsWith'
>;

const NOTHING_MORE: More = {
  key: null,
  derivedFrom: [],
  supersededBy: null,
  validFrom: null,
  validTo: null,
  expiresAt: null,
  metadata: null,
  conflictsWith: null,
};

/** Contents and rarely set fields, as UTF-8 outside the JavaScript heap. Only the results of a recall are decoded. */
export class TextStore {
  readonly #slabs = new ChunkedBuffer((length) => Buffer.allocUnsafeSlow(length), SLAB);
  readonly #columns: DocumentColumns;

  constructor(columns: DocumentColumns) {
    this.#columns = columns;
  }

  get bytes(): number {
    return this.#slabs.bytes;
  }

  put(slot: number, content: string, memory: More): void {
    const more = moreText(memory);
    const { texts, contentBytes, moreBytes } = this.#columns;
    contentBytes[slot] = Buffer.byteLength(content);
    moreBytes[slot] = Buffer.byteLength(more);
    const bytes = (contentBytes[slot] ?? 0) + (moreBytes[slot] ?? 0);
    texts[slot] = this.#slabs.take(bytes);
    this.#slabOf(slot)?.write(content + more, (texts[slot] ?? 0) % SLAB);
  }

  content(slot: number): string {
    const from = (this.#columns.texts[slot] ?? 0) % SLAB;
    return this.#slabOf(slot)?.toString('utf8', from, from + (this.#columns.contentBytes[slot] ?? 0)) ?? '';
  }

  more(slot: number): More {
    const { texts, contentBytes, moreBytes } = this.#columns;
    const bytes = moreBytes[slot] ?? 0;
    if (bytes === 0) return NOTHING_MORE;
    const from = ((texts[slot] ?? 0) % SLAB) + (contentBytes[slot] ?? 0);
    const stored = JSON.parse(this.#slabOf(slot)?.toString('utf8', from, from + bytes) ?? '');
    const moment = (time: unknown) => (typeof time === 'string' ? new Date(time) : null);
    const times = {
      validFrom: moment(stored.validFrom),
      validTo: moment(stored.validTo),
      expiresAt: moment(stored.expiresAt),
    };
    return { ...NOTHING_MORE, ...stored, ...times };
  }

  #slabOf(slot: number): Buffer | undefined {
    return this.#slabs.all[Math.floor((this.#columns.texts[slot] ?? 0) / SLAB)];
  }
}

/** Those fields that are set, as JSON; empty where none is. */
function moreText(memory: More): string {
  const { key, derivedFrom, supersededBy, validFrom, validTo, expiresAt, metadata, conflictsWith } = memory;
  const own = derivedFrom.length > 0 ? { derivedFrom } : {};
  const given = Object.entries({
    ...{ key, supersededBy, validFrom, validTo, expiresAt, metadata, conflictsWith },
  });
  const set = given.filter(([, value]) => value !== null);
  if (set.length === 0 && derivedFrom.length === 0) return '';
  return JSON.stringify({ ...own, ...Object.fromEntries(set) });
}
