import { CATEGORIES, MEMORY_TYPES } from '../../contract/fields.ts';
import type { Filters } from '../filters.ts';
import type { Columns } from './columns.ts';
import type { ResidentIndex } from './resident-index.ts';

/** The filters of a search, as the columns of an index have them: the same as `matches`. */
export class Narrowing {
  readonly #columns: Columns;
  /** By number of a type, whether it is asked for. */
  readonly #types: readonly boolean[];
  /** By number of tags, whether all that were asked for are among them; undefined where none were. */
  readonly #tags: readonly boolean[] | undefined;
  readonly #category: number | undefined;
  readonly #session: number | undefined;
  readonly #since: number;
  readonly #until: number;

  constructor({ columns, sessions, tagSets }: ResidentIndex, filters: Filters) {
    const { types, category, tags, since, until, session_id } = filters;
    this.#columns = columns;
    this.#types = MEMORY_TYPES.map((type) => types === undefined || types.includes(type));
    this.#tags = tags && tagSets.values.map((set) => tags.every((tag) => set.includes(tag)));
    this.#category = category && CATEGORIES.indexOf(category) + 1;
    // What no memory was of has no number: none passes.
    this.#session = session_id === undefined ? undefined : (sessions.find(session_id) ?? -1);
    this.#since = since?.getTime() ?? Number.NEGATIVE_INFINITY;
    this.#until = until?.getTime() ?? Number.POSITIVE_INFINITY;
  }

  /** Whether the memory at a place passes. */
  fits(place: number): boolean {
    const { types, categories, tags, sessions, times } = this.#columns;
    const time = times[place] ?? 0;
    return (
      this.#types[types[place] ?? 0] === true &&
      (this.#category === undefined || categories[place] === this.#category) &&
      (this.#tags === undefined || this.#tags[tags[place] ?? 0] === true) &&
      (this.#session === undefined || sessions[place] === this.#session) &&
      time >= this.#since &&
      time <= this.#until
    );
  }
}
