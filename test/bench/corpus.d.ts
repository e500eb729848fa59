/** A repeatable source of numbers from 0 up to 1 (xorshift32): the same seed gives the same numbers everywhere. */
export declare function seeded(seed: number): () => number;
/** One memory of the synthetic agent. */
export interface SyntheticMemory {
  readonly type: 'episodic' | 'semantic' | 'working';
  readonly content: string;
  readonly occurred_at: string;
  readonly session_id?: string;
  readonly importance: number;
}
/** What happened to an imaginary agent: people with invented names, in sessions of ten turns, an hour apart. */
export declare function memoriesOf(count: number, seed?: number): SyntheticMemory[];
/** Questions about the same world. */
export declare function questionsOf(count: number, seed?: number): string[];
//# sourceMappingURL=corpus.d.ts.map
