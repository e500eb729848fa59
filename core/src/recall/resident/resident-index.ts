import { CATEGORIES, MEMORY_TYPES } from '../../contract/fields.ts';
import type { Remembered } from '../findings.ts';
import { COLUMN_BYTES, COUNTED, Columns, ECHOING, GONE } from './columns.ts';
import { Ids } from './ids.ts';
import { Numbered } from './numbered.ts';
import { Postings } from './postings.ts';
import type { Scratch } from './scratch.ts';
import { Sessions } from './sessions.ts';
import { Texts } from './texts.ts';
import { Vectors } from './vectors.ts';

/** A memory with what finding it takes. */
export interface Resident extends Remembered {
  /** The same for contents that differ in letter case and spacing only. */
  readonly fingerprint: bigint;
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

/** What any memory takes at least, in bytes: its columns, id, some text, words and a short vector. */
export const LEAST_BYTES = 300;

const NO_TAGS: readonly string[] = [];

/**
 * The active memories of one tenant, in memory, with an inverted index and all vectors: in columns and slabs of numbers and
 * bytes, for objects take several times as much. Each memory that is put has a place of its own; one that goes leaves its
 * place empty, and what was there is passed over from then on.
 */
export class ResidentIndex {
  readonly columns = new Columns();
  readonly ids = new Ids();
  readonly texts = new Texts(this.columns);
  readonly postings = new Postings();
  readonly sessions = new Sessions(this.columns, this.ids);
  readonly vectors = new Vectors();
  readonly tagSets = new Numbered<readonly string[]>();
  /** Memories and their words as BM25 counts them: those that echo others apart. */
  readonly counted = { documents: 0, words: 0 };
  readonly echoing = { documents: 0, words: 0 };
  /** Places that were given out. */
  places = 0;

  constructor(
    /** Whose vectors it holds. */
    readonly model: string,
    /** Memories that are expected. */
    expected: number,
    readonly scratch: Scratch,
  ) {
    this.tagSets.numberOf('[]', NO_TAGS);
    this.columns.grow(expected);
    this.ids.reserve(expected);
  }

  /** Memories that it holds. */
  get size(): number {
    return this.counted.documents + this.echoing.documents;
  }

  /** What it takes in memory, what went included. */
  get bytes(): number {
    const parts = [this.ids, this.texts, this.postings, this.sessions, this.vectors, this.tagSets];
    return parts.reduce((sum, { bytes }) => sum + bytes, this.columns.room * COLUMN_BYTES);
  }

  /** Adds a memory, or puts it instead of what was known of it. */
  put(memory: Resident): void {
    this.remove(memory.id);
    const place = this.places;
    this.places += 1;
    const { columns } = this;
    columns.grow(this.places);
    columns.kinds[place] = memory.echoes ? ECHOING : COUNTED;
    columns.types[place] = MEMORY_TYPES.indexOf(memory.type);
    columns.categories[place] = memory.category === null ? 0 : CATEGORIES.indexOf(memory.category) + 1;
    columns.lengths[place] = memory.length;
    columns.importances[place] = memory.importance;
    columns.times[place] = memory.occurredAt.getTime();
    columns.fingerprints[place] = memory.fingerprint;
    columns.tags[place] = this.tagSets.numberOf(JSON.stringify(memory.tags), memory.tags);
    this.ids.put(memory.id, place);
    this.texts.put(place, memory.content, memory);
    this.sessions.add(place, memory.sessionId);
    for (const [index, term] of memory.terms.entries()) {
      this.postings.add(term, place, memory.frequencies[index] ?? 1);
    }
    if (memory.vector) this.vectors.put(place, memory.vector);
    this.#count(place, 1);
  }

  /** Takes a memory out, if it is there. */
  remove(id: string): void {
    const place = this.ids.placeOf(id);
    if (place === undefined || this.columns.kinds[place] === GONE) return;
    this.#count(place, -1);
    this.columns.kinds[place] = GONE;
    this.sessions.remove(place);
  }

  /** The memory at a place, as an answer shows it. */
  memory(place: number, id = this.ids.textOf(place)): Remembered {
    const { categories, importances, times, tags } = this.columns;
    const { key, derivedFrom, supersededBy } = this.texts.more(place);
    return {
      id,
      type: this.typeOf(place),
      content: this.texts.content(place),
      category: CATEGORIES[(categories[place] ?? 0) - 1] ?? null,
      key,
      tags: this.tagSets.values[tags[place] ?? 0] ?? NO_TAGS,
      importance: importances[place] ?? 0,
      occurredAt: new Date(times[place] ?? 0),
      sessionId: this.sessions.nameOf(place),
      derivedFrom,
      supersededBy,
    };
  }

  typeOf(place: number): Remembered['type'] {
    return MEMORY_TYPES[this.columns.types[place] ?? 0] ?? 'semantic';
  }

  #count(place: number, sign: 1 | -1): void {
    const { kinds, lengths } = this.columns;
    const sizes = kinds[place] === ECHOING ? this.echoing : this.counted;
    sizes.documents += sign;
    sizes.words += sign * (lengths[place] ?? 0);
  }
}
