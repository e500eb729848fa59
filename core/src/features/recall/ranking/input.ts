/** A term of the query that a memory holds. */
export interface MatchedTerm {
  readonly term: string;
  /** How often the memory holds it. */
  readonly frequency: number;
  /** In a memory of several passages the numbers of those that hold it, ascending. */
  readonly passages?: readonly number[] | undefined;
}

/** A memory that the database found by its words, its vector, or both. */
export interface RankInput {
  readonly id: string;
  /** Cosine of query and memory; null when there is no vector of the query's model for it. */
  readonly cosine: number | null;
  /** The query's terms that the memory holds, with how often. */
  readonly matched: readonly MatchedTerm[];
  /** Words in the memory, as `analyzeDocument` counted them. */
  readonly length: number;
  /** 0 to 1. */
  readonly importance: number;
  /** When it happened, in milliseconds since 1970. */
  readonly time: number;
}

/** What the lexical score needs to know of the tenant's memories, and of no one else's. */
export interface Corpus {
  readonly documents: number;
  /** Mean of the memories' lengths in words, at most `LONGEST_AVERAGE`. */
  readonly averageLength: number;
  /** Query term → number of memories that hold it; terms that none holds may be left out. */
  readonly documentFrequency: ReadonlyMap<string, number>;
  /** Where these counts leave out near-copies. */
  readonly copies?: Copies;
}

/** Near-copies, which hold nearly the same words. */
export interface Copies {
  /** The group of each memory that may be one. */
  readonly groups: ReadonlyMap<string, string>;
  /** Query term → number of memories that hold it, with all copies. */
  readonly documentFrequency: ReadonlyMap<string, number>;
}

/** A memory with what speaks for it. */
export interface Scored {
  readonly id: string;
  /** Sum of what speaks for the memory, 0 or more; this orders results, and `similarityScale` shows it. */
  readonly evidence: number;
  /** What each of the query's words contributed, in the query's order of words; the same length for all. */
  readonly words: readonly number[];
}
