import type { Query } from '../../kernel/commit/unit-of-work.ts';
import type { Rows } from '../../kernel/database/database.ts';
import type { AnalyzedQuery } from '../../text/analyze-query.ts';
import type { QueryVector } from '../embedding/embed.ts';
import type { Sketched } from '../search-index/sketch.ts';
import type { View } from '../visibility/view.ts';
import type { Candidates } from './candidates.ts';
import type { Filters } from './filters.ts';

/** What a recall searches for. */
export interface Search {
  readonly query: AnalyzedQuery;
  readonly filters: Filters;
  /** Requested results. */
  readonly limit: number;
}

/** A search whose query is embedded, with the view of the caller. */
export interface EmbeddedSearch extends Search {
  /** The model of the vector. */
  readonly model: string;
  /** Undefined while the embedder is unavailable: only words count then. */
  readonly vector: QueryVector | undefined;
  readonly view: View;
}

/** An index that finds candidates, in this process or in the database. Both find the same candidates. */
export interface MemoryIndex {
  /**
   * @param without Ids of memories that are searched as if they did not exist.
   * @returns undefined when this index cannot answer: it has no memories of the tenant, or vectors of another model.
   */
  find(without?: readonly string[]): Promise<Candidates | undefined>;
  /** Which of some terms a memory holds that `find` counts. */
  holding(terms: readonly string[]): Promise<ReadonlySet<string>>;
  /** The sketches of all memories that the caller may read. */
  sketches(): Promise<readonly Sketched[]>;
}

/** Runs a reading statement of one tenant. */
export type RunQuery = (query: Query) => Promise<Rows>;
