import { SKETCH_TERMS, type Sketch } from '../../search-index/sketch.ts';

/** Kinds of a slot: a memory, a covered digest, or a deleted memory. */
export const COUNTED = 0;
export const COVERED = 1;
export const DELETED = 2;

type Column =
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

/** Fixed-size values of each memory, in columns by slot. */
export class DocumentColumns {
  /** Capacity in slots. */
  room = 0;
  kinds = new Uint8Array(0);
  /** Places in `MEMORY_TYPES`. */
  types = new Uint8Array(0);
  /** Places in `CATEGORIES`, from 1 on; 0 for none. */
  categories = new Uint8Array(0);
  /** In words, as `analyzeDocument` counted them. */
  lengths = new Uint32Array(0);
  importances = new Float64Array(0);
  /** When they occurred, in milliseconds. */
  times = new Float64Array(0);
  /** When they were stored, and last changed, likewise. */
  created = new Float64Array(0);
  updated = new Float64Array(0);
  /** When they expire, likewise; infinite for never. */
  expiries = new Float64Array(0);
  versions = new Uint32Array(0);
  fingerprints = new BigInt64Array(0);
  /** `SKETCH_TERMS` numbers each. */
  sketches = new Uint16Array(0);
  /** Numbers of who wrote them, see `Dictionary`. */
  sources = new Uint32Array(0);
  /** Numbers of their tags, see `Dictionary`. */
  tags = new Uint32Array(0);
  /** Numbers of their sessions, from 1 on; 0 for none. */
  sessions = new Uint32Array(0);
  /** Where their texts begin, and the bytes of each: see `TextStore`. */
  texts = new Float64Array(0);
  contentBytes = new Uint32Array(0);
  moreBytes = new Uint32Array(0);

  sketchOf(slot: number): Sketch {
    return this.sketches.slice(slot * SKETCH_TERMS, (slot + 1) * SKETCH_TERMS);
  }

  /** Grows to at least this many slots. */
  grow(slots: number): void {
    if (slots <= this.room) return;
    this.room = grownCapacity(slots, this.room);
    const { room } = this;
    this.kinds = copyInto(this.kinds, new Uint8Array(room));
    this.types = copyInto(this.types, new Uint8Array(room));
    this.categories = copyInto(this.categories, new Uint8Array(room));
    this.lengths = copyInto(this.lengths, new Uint32Array(room));
    this.importances = copyInto(this.importances, new Float64Array(room));
    this.times = copyInto(this.times, new Float64Array(room));
    this.created = copyInto(this.created, new Float64Array(room));
    this.updated = copyInto(this.updated, new Float64Array(room));
    this.expiries = copyInto(this.expiries, new Float64Array(room));
    this.versions = copyInto(this.versions, new Uint32Array(room));
    const fingerprints = new BigInt64Array(room);
    fingerprints.set(this.fingerprints);
    this.fingerprints = fingerprints;
    this.sketches = copyInto(this.sketches, new Uint16Array(room * SKETCH_TERMS));
    this.sources = copyInto(this.sources, new Uint32Array(room));
    this.tags = copyInto(this.tags, new Uint32Array(room));
    this.sessions = copyInto(this.sessions, new Uint32Array(room));
    this.texts = copyInto(this.texts, new Float64Array(room));
    this.contentBytes = copyInto(this.contentBytes, new Uint32Array(room));
    this.moreBytes = copyInto(this.moreBytes, new Uint32Array(room));
  }
}

/** Bytes of one slot in all columns. */
export const COLUMN_BYTES = 3 + 2 * SKETCH_TERMS + 7 * 4 + 7 * 8;

/** The new capacity where this many slots are needed: an eighth more than before, because copying is cheap. */
export function grownCapacity(slots: number, room: number): number {
  return Math.max(slots, Math.ceil(room * 1.125) + 16);
}

/** Copies a column into a larger one, and returns that. */
export function copyInto<Kind extends Column>(from: Kind, to: Kind): Kind {
  to.set(from);
  return to;
}
