/** What is at a place: a memory, one that echoes others, or nothing any more. */
export const COUNTED = 0;
export const ECHOING = 1;
export const GONE = 2;

type Column =
  | Uint8Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

/** What an index knows of each memory in few bytes, by place. */
export class Columns {
  /** Places that there is room for. */
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
  fingerprints = new BigInt64Array(0);
  /** Numbers of their tags, see `Numbered`. */
  tags = new Uint32Array(0);
  /** Numbers of their sessions, from 1 on; 0 for none. */
  sessions = new Uint32Array(0);
  /** Where their texts begin, and the bytes of each: see `Texts`. */
  texts = new Float64Array(0);
  contentBytes = new Uint32Array(0);
  moreBytes = new Uint32Array(0);

  /** Makes room for so many places at least, and for some more unless it is the first. */
  grow(places: number): void {
    if (places <= this.room) return;
    this.room = roomFor(places, this.room);
    const { room } = this;
    this.kinds = moved(this.kinds, new Uint8Array(room));
    this.types = moved(this.types, new Uint8Array(room));
    this.categories = moved(this.categories, new Uint8Array(room));
    this.lengths = moved(this.lengths, new Uint32Array(room));
    this.importances = moved(this.importances, new Float64Array(room));
    this.times = moved(this.times, new Float64Array(room));
    const fingerprints = new BigInt64Array(room);
    fingerprints.set(this.fingerprints);
    this.fingerprints = fingerprints;
    this.tags = moved(this.tags, new Uint32Array(room));
    this.sessions = moved(this.sessions, new Uint32Array(room));
    this.texts = moved(this.texts, new Float64Array(room));
    this.contentBytes = moved(this.contentBytes, new Uint32Array(room));
    this.moreBytes = moved(this.moreBytes, new Uint32Array(room));
  }
}

/** Bytes of a place in all columns. */
export const COLUMN_BYTES = 3 + 5 * 4 + 4 * 8;

/** Places to make room for where so many are needed: a little more than now, since moving is cheap beside filling. */
export function roomFor(places: number, room: number): number {
  return Math.max(places, Math.ceil(room * 1.125) + 16);
}

/** The larger column, with what was in the smaller. */
export function moved<Kind extends Column>(from: Kind, to: Kind): Kind {
  to.set(from);
  return to;
}
