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
  /** These best and their neighbours by id. */
  readonly memories: ReadonlyMap<string, Remembered>;
  /** Other memories that were found. */
  load(ids: readonly string[]): Promise<readonly Remembered[]>;
}

const COSINE_DIGITS = 1e6;

/** A cosine without the digits in which Postgres and JavaScript differ, so that both find the same. */
export function toCosine(value: number | null): number | null {
  return value === null ? null : Math.round(value * COSINE_DIGITS) / COSINE_DIGITS;
}

/** What tells a memory from copies of it: the same for one type's contents that differ in letter case and spacing only. */
export function saidBy(type: string, fingerprint: string): string {
  return `${type} ${fingerprint}`;
}

/** A moment as Postgres' JSON has it, in UTC without saying so. */
export function toDate(text: string): Date {
  return new Date(`${text}Z`);
}
