import type { Remembered } from '../findings.ts';
import { firstPlace } from './first-place.ts';

/** A memory with what finding it takes. */
export interface Resident extends Remembered {
  /** See `saidBy`. */
  readonly said: string;
  /** In words, as `analyzeDocument` counted them. */
  readonly length: number;
  /** Whether it says nothing new where recall finds the episodes it was made of. */
  readonly echoes: boolean;
  readonly terms: readonly string[];
  /** How often each of the terms occurs. */
  readonly frequencies: readonly number[];
  /** Of unit length; null while the memory has no vector of the tenant's model. */
  readonly vector: readonly number[] | null;
}

/** What an index keeps of one memory. */
export type Kept = Omit<Resident, 'terms' | 'frequencies' | 'vector'>;

/** Bytes of objects, pointers and map entries, roughly: of a memory, and of each of its terms. */
const BYTES = { memory: 700, term: 24, number: 4, character: 2 };
/** What any memory takes. */
export const LEAST_BYTES = BYTES.memory;

/** What is at a place: nothing any more, a memory, or one that echoes others. */
export const GONE = 0;
export const COUNTED = 1;
export const ECHOING = 2;

/**
 * The active memories of one tenant, in memory, with an inverted index and all vectors. Each memory that is put has a place
 * of its own; one that goes leaves its place empty, and its entries in the lists of terms are passed over from then on.
 */
export class ResidentIndex {
  /** By place; undefined where a memory went. */
  readonly memories: (Kept | undefined)[] = [];
  /** By place, what is there, and how long it is: apart, since a search looks at all of them. */
  readonly kinds: number[] = [];
  readonly lengths: number[] = [];
  /** Of each term the places that hold it, each followed by how often. */
  readonly postings = new Map<string, number[]>();
  /** Memories of each session in the order of their time, then id. */
  readonly sessions = new Map<string, Kept[]>();
  /** Whether there is a vector, by place. */
  readonly embedded: boolean[] = [];
  /** Vectors one after the other, by place. */
  vectors = new Float32Array(0);
  dimensions = 0;
  /**
   * Room for the scores and cosines of one search, by place: made anew for each, they would keep the garbage collector
   * busy. A search does not wait for anything, so that there is only one at a time.
   */
  scores = new Float64Array(0);
  cosines = new Float64Array(0);
  /** Memories and their words as BM25 counts them: those that echo others apart. */
  readonly counted = { documents: 0, words: 0 };
  readonly echoing = { documents: 0, words: 0 };
  /** What it takes in memory, roughly, what went included. */
  bytes = 0;
  readonly #places = new Map<string, number>();

  constructor(
    /** Whose vectors it holds. */
    readonly model: string,
  ) {}

  /** Memories that it holds. */
  get size(): number {
    return this.#places.size;
  }

  /** Adds a memory, or puts it in the place of what was known of it. */
  put(resident: Resident): void {
    const { terms, frequencies, vector, ...memory } = resident;
    this.remove(memory.id);
    const place = this.memories.push(memory) - 1;
    if (place >= this.scores.length) {
      this.scores = new Float64Array(roomier(place));
      this.cosines = new Float64Array(roomier(place));
    }
    this.kinds.push(memory.echoes ? ECHOING : COUNTED);
    this.lengths.push(memory.length);
    this.#places.set(memory.id, place);
    for (const [index, term] of terms.entries()) {
      const frequency = frequencies[index] ?? 1;
      const list = this.postings.get(term);
      if (list) list.push(place, frequency);
      else this.postings.set(term, [place, frequency]);
    }
    this.#embed(place, vector);
    this.#count(memory, 1);
    if (memory.sessionId !== null) {
      const session = this.sessions.get(memory.sessionId) ?? [];
      session.splice(placeIn(session, memory), 0, memory);
      this.sessions.set(memory.sessionId, session);
    }
    this.bytes +=
      BYTES.memory +
      memory.content.length * BYTES.character +
      terms.length * BYTES.term +
      this.dimensions * BYTES.number;
  }

  /** Takes a memory out, if it is there. */
  remove(id: string): void {
    const place = this.#places.get(id);
    const memory = place === undefined ? undefined : this.memories[place];
    if (place === undefined || !memory) return;
    this.#places.delete(id);
    this.memories[place] = undefined;
    this.kinds[place] = GONE;
    this.embedded[place] = false;
    this.#count(memory, -1);
    const session = memory.sessionId === null ? undefined : this.sessions.get(memory.sessionId);
    session?.splice(placeIn(session, memory), 1);
    if (memory.sessionId !== null && session?.length === 0) this.sessions.delete(memory.sessionId);
  }

  #embed(place: number, vector: readonly number[] | null): void {
    this.embedded[place] = vector !== null;
    if (!vector) return;
    this.dimensions ||= vector.length;
    const end = (place + 1) * this.dimensions;
    if (end > this.vectors.length) {
      const vectors = new Float32Array(roomier(end));
      vectors.set(this.vectors);
      this.vectors = vectors;
    }
    this.vectors.set(vector, place * this.dimensions);
  }

  #count({ echoes, length }: Kept, sign: 1 | -1): void {
    const sizes = echoes ? this.echoing : this.counted;
    sizes.documents += sign;
    sizes.words += sign * length;
  }
}

/** Places to make room for where so many are needed. */
function roomier(needed: number): number {
  return Math.ceil(needed * 1.5) + 16;
}

/** Where a memory stands in its session, or would stand. */
export function placeIn(session: readonly Kept[], memory: Kept): number {
  return firstPlace(session, (other) => !isBefore(other, memory));
}

function isBefore(one: Kept, other: Kept): boolean {
  const apart = one.occurredAt.getTime() - other.occurredAt.getTime();
  return apart === 0 ? one.id < other.id : apart < 0;
}
