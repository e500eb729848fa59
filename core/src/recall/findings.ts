import type { Recalled } from './contract.ts';
import type { Proposed } from './prefer-newer.ts';
import type { Corpus } from './rank.ts';
import type { NeighbourLink } from './rank-context.ts';

/** A memory as an answer shows it. */
export interface Remembered {
  readonly id: string;
  readonly type: Recalled['type'];
  readonly content: string;
  readonly category: Recalled['category'];
  readonly key: string | null;
  readonly tags: readonly string[];
  /** As it was given, 0 to 1. */
  readonly importance: number;
  readonly occurredAt: Date;
  readonly sessionId: string | null;
  readonly derivedFrom: readonly string[];
  /** The newer memory that contradicts it. */
  readonly supersededBy: string | null;
}

/** What the ranking of a recall starts from, wherever it was found. */
export interface Findings {
  readonly corpus: Corpus;
  readonly candidates: readonly Proposed[];
  /** Around the best candidates, their neighbours in the same session. */
  readonly links: readonly NeighbourLink[];
  /** What these best and their neighbours say, by id. */
  readonly contents: ReadonlyMap<string, string>;
  /** Memories that were found, in any order. */
  load(ids: readonly string[]): Promise<readonly Remembered[]>;
}

const COSINE_DIGITS = 1e6;

/** A cosine without the digits in which Postgres and JavaScript differ, so that both find the same. */
export function toCosine(value: number | null): number | null {
  return value === null ? null : Math.round(value * COSINE_DIGITS) / COSINE_DIGITS;
}

/** A moment as Postgres' JSON has it, in UTC without saying so. */
export function toDate(text: string): Date {
  return new Date(`${text}Z`);
}
