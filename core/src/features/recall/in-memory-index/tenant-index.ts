import { CATEGORIES, MEMORY_TYPES, type Source } from '../../../kernel/contract/fields.ts';
import { SKETCH_TERMS, type Sketch } from '../../search-index/sketch.ts';
import type { MemoryView } from '../candidates.ts';
import { Dictionary } from './dictionary.ts';
import { COLUMN_BYTES, COUNTED, COVERED, DELETED, DocumentColumns } from './document-columns.ts';
import { IdTable } from './ids.ts';
import { PassageTable } from './passage-table.ts';
import { Postings } from './postings.ts';
import { SessionOrder } from './session-order.ts';
import { TextStore } from './text-store.ts';
import { Vectors } from './vectors.ts';
import type { Workspace } from './workspace.ts';

/** A memory that the index holds. Who said it stands in `Indexing.source`. */
export interface IndexedMemory extends Omit<MemoryView, 'contentSource'> {
  /** The same for contents that differ in letter case and spacing only. */
  readonly fingerprint: bigint;
  readonly version: number;
  /** In words, as `analyzeDocument` counted them. */
  readonly length: number;
  /** Whether it is a digest covered by its episodes. */
  readonly echoes: boolean;
}

/** What the index needs of a memory besides. */
export interface Indexing {
  readonly sketch: Sketch;
  /** Who said the content, with the credential of who wrote it last: `import`, `agent 0192…`. */
  readonly source: string;
  readonly terms: readonly string[];
  /** How often each of the terms occurs. */
  readonly frequencies: readonly number[];
  /** Of each of the terms the passages that hold it; null for a memory of one passage. */
  readonly passages: readonly (readonly number[])[] | null;
  /** Of unit length; null while the memory has no vector of the tenant's model. */
  readonly vector: ArrayLike<number> | null;
}

/** Least bytes of a memory: its columns, id, some text, words and a short vector. */
export const MIN_MEMORY_BYTES = 300;

const NO_TAGS: readonly string[] = [];

/**
 * The active memories of one tenant, with an inverted index and all vectors, in typed arrays: objects would take several times
 * as much memory. Each memory that is put gets a new slot. A removed memory leaves its slot empty.
 */
export class TenantIndex {
  readonly columns = new DocumentColumns();
  readonly ids = new IdTable();
  readonly texts = new TextStore(this.columns);
  readonly postings = new Postings();
  readonly passages = new PassageTable();
  readonly sessions = new SessionOrder(this.columns, this.ids);
  readonly vectors = new Vectors();
  readonly tagSets = new Dictionary<readonly string[]>();
  readonly sources = new Dictionary<string>();
  /** Memories and words as BM25 counts them; covered digests are counted separately. */
  readonly counted = { documents: 0, words: 0 };
  readonly echoing = { documents: 0, words: 0 };
  /** Slots that were assigned. */
  slots = 0;

  constructor(
    /** Whose vectors it holds. */
    readonly model: string,
    /** Memories that are expected. */
    expected: number,
    readonly scratch: Workspace,
  ) {
    this.tagSets.numberOf('[]', NO_TAGS);
    this.columns.grow(expected);
    this.ids.reserve(expected);
  }

  /** Number of memories. */
  get size(): number {
    return this.counted.documents + this.echoing.documents;
  }

  /** Bytes in memory, removed memories included. */
  get bytes(): number {
    const parts = [
      this.ids,
      this.texts,
      this.postings,
      this.passages,
      this.sessions,
      this.vectors,
      this.tagSets,
      this.sources,
    ];
    return parts.reduce((sum, { bytes }) => sum + bytes, this.columns.room * COLUMN_BYTES);
  }

  /** Adds or replaces a memory. */
  put(memory: IndexedMemory, { sketch, source, terms, frequencies, passages, vector }: Indexing): void {
    this.remove(memory.id);
    const slot = this.slots;
    this.slots += 1;
    const { columns } = this;
    columns.grow(this.slots);
    columns.kinds[slot] = memory.echoes ? COVERED : COUNTED;
    columns.types[slot] = MEMORY_TYPES.indexOf(memory.type);
    columns.categories[slot] = memory.category === null ? 0 : CATEGORIES.indexOf(memory.category) + 1;
    columns.lengths[slot] = memory.length;
    columns.importances[slot] = memory.importance;
    columns.times[slot] = memory.occurredAt.getTime();
    columns.created[slot] = memory.createdAt.getTime();
    columns.updated[slot] = memory.updatedAt.getTime();
    columns.expiries[slot] = memory.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
    columns.versions[slot] = memory.version;
    columns.fingerprints[slot] = memory.fingerprint;
    columns.sketches.set(sketch, slot * SKETCH_TERMS);
    columns.sources[slot] = this.sources.numberOf(source, source);
    columns.tags[slot] = this.tagSets.numberOf(JSON.stringify(memory.tags), memory.tags);
    this.ids.put(memory.id, slot);
    this.texts.put(slot, memory.content, memory);
    this.sessions.add(slot, memory.sessionId);
    for (const [index, term] of terms.entries()) {
      this.postings.add(term, slot, frequencies[index] ?? 1);
    }
    if (passages) {
      const numbers = terms.map((term) => this.postings.numberOf(term) ?? 0);
      this.passages.put(slot, numbers, passages);
    }
    if (vector) this.vectors.put(slot, vector);
    this.#count(slot, 1);
  }

  /** Removes a memory, if it is present. */
  remove(id: string): void {
    const slot = this.ids.slotOf(id);
    if (slot === undefined || this.columns.kinds[slot] === DELETED) return;
    this.#count(slot, -1);
    this.columns.kinds[slot] = DELETED;
    this.sessions.remove(slot);
    this.passages.remove(slot);
  }

  /** The memory at a slot, as an answer shows it. */
  memory(slot: number, id = this.ids.textOf(slot)): MemoryView {
    const { importances, times, created, updated, tags } = this.columns;
    return {
      id,
      type: this.typeOf(slot),
      content: this.texts.content(slot),
      category: this.categoryOf(slot),
      tags: this.tagSets.values[tags[slot] ?? 0] ?? NO_TAGS,
      importance: importances[slot] ?? 0,
      occurredAt: new Date(times[slot] ?? 0),
      createdAt: new Date(created[slot] ?? 0),
      updatedAt: new Date(updated[slot] ?? 0),
      sessionId: this.sessions.nameOf(slot),
      contentSource: this.contentSourceOf(slot),
      ...this.texts.more(slot),
    };
  }

  /** Who said the content, with the credential of who wrote it last: `import`, `agent 0192…`. */
  sourceOf(slot: number): string {
    return this.sources.values[this.columns.sources[slot] ?? 0] ?? '';
  }

  /** Who said the content. */
  contentSourceOf(slot: number): Source {
    return this.sourceOf(slot).split(' ')[0] as Source;
  }

  categoryOf(slot: number): MemoryView['category'] {
    return CATEGORIES[(this.columns.categories[slot] ?? 0) - 1] ?? null;
  }

  typeOf(slot: number): MemoryView['type'] {
    return MEMORY_TYPES[this.columns.types[slot] ?? 0] ?? 'semantic';
  }

  #count(slot: number, sign: 1 | -1): void {
    const { kinds, lengths } = this.columns;
    const sizes = kinds[slot] === COVERED ? this.echoing : this.counted;
    sizes.documents += sign;
    sizes.words += sign * (lengths[slot] ?? 0);
  }
}
