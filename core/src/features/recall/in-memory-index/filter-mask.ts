import { CATEGORIES, MEMORY_TYPES, type Metadata } from '../../../kernel/contract/fields.ts';
import { type Filters, hasValues, holdsAt } from '../filters.ts';
import type { DocumentColumns } from './document-columns.ts';
import type { TenantIndex } from './tenant-index.ts';
import type { TextStore } from './text-store.ts';

/** The filters of a search, and that nothing has expired, compiled for the columns of an index. The same rules as `matchesFilters`. */
export class FilterMask {
  readonly #columns: DocumentColumns;
  readonly #now: number;
  /** By type number: whether the type passes. */
  readonly #types: readonly boolean[];
  /** By number of a tag set: whether it contains all requested tags; undefined without a tag filter. */
  readonly #tags: readonly boolean[] | undefined;
  readonly #category: number | undefined;
  readonly #session: number | undefined;
  readonly #since: number;
  readonly #until: number;
  readonly #unchangedSince: number;
  readonly #metadata: Metadata | undefined;
  readonly #asOf: Date | undefined;
  readonly #texts: TextStore;

  constructor({ columns, sessions, tagSets, texts }: TenantIndex, filters: Filters, now: Date) {
    const { types, category, tags, since, until, session_id, metadata, as_of, unchangedSince } = filters;
    this.#columns = columns;
    this.#now = now.getTime();
    this.#types = MEMORY_TYPES.map((type) => types === undefined || types.includes(type));
    this.#tags = tags && tagSets.values.map((set) => tags.every((tag) => set.includes(tag)));
    this.#category = category && CATEGORIES.indexOf(category) + 1;
    // An unknown session has no number, and no memory passes.
    this.#session = session_id === undefined ? undefined : (sessions.find(session_id) ?? -1);
    this.#since = since?.getTime() ?? Number.NEGATIVE_INFINITY;
    this.#until = until?.getTime() ?? Number.POSITIVE_INFINITY;
    this.#unchangedSince = unchangedSince?.getTime() ?? Number.POSITIVE_INFINITY;
    this.#metadata = metadata;
    this.#asOf = as_of;
    this.#texts = texts;
  }

  /** Whether the memory in a slot passes all filters and has not expired. */
  fits(slot: number): boolean {
    const { types, categories, tags, sessions, times, updated, expiries } = this.#columns;
    const time = times[slot] ?? 0;
    return (
      (expiries[slot] ?? 0) > this.#now &&
      this.#types[types[slot] ?? 0] === true &&
      (this.#category === undefined || categories[slot] === this.#category) &&
      (this.#tags === undefined || this.#tags[tags[slot] ?? 0] === true) &&
      (this.#session === undefined || sessions[slot] === this.#session) &&
      time >= this.#since &&
      time <= this.#until &&
      (updated[slot] ?? 0) <= this.#unchangedSince &&
      (this.#metadata === undefined || hasValues(this.#texts.more(slot).metadata, this.#metadata)) &&
      (this.#asOf === undefined || this.#holds(slot, time, this.#asOf))
    );
  }

  #holds(slot: number, time: number, at: Date): boolean {
    const { validFrom, validTo } = this.#texts.more(slot);
    return holdsAt({ validFrom, validTo, occurredAt: new Date(time) }, at);
  }
}
