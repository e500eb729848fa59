import type { Metadata, Source } from '../../kernel/contract/fields.ts';
import type { Recalled } from './contract.ts';
import type { NeighbourLink } from './ranking/context.ts';
import type { Corpus, RankInput } from './ranking/input.ts';
import type { Attributed } from './ranking/near-copies.ts';

/** A memory as an answer shows it. */
export interface MemoryView {
  readonly id: string;
  readonly type: Recalled['type'];
  readonly content: string;
  readonly category: Recalled['category'];
  readonly key: string | null;
  readonly tags: readonly string[];
  /** The stored importance, 0 to 1. */
  readonly importance: number;
  readonly occurredAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly sessionId: string | null;
  readonly derivedFrom: readonly string[];
  /** When it begins to hold; null: when it occurred. */
  readonly validFrom: Date | null;
  /** When it ends to hold by itself; null: never. */
  readonly validTo: Date | null;
  /** From then on it is in no answer; null: never. */
  readonly expiresAt: Date | null;
  readonly metadata: Metadata | null;
  /** The newer memory that supersedes it. */
  readonly supersededBy: string | null;
  /** Facts that were there before it and of which it was not sure whether both hold; null: none. */
  readonly conflictsWith: readonly string[] | null;
  /** Who said the content. */
  readonly contentSource: Source;
}

/** A memory that was found for a query, with everything that the ranking reads of it. */
export interface Candidate
  extends RankInput,
    Attributed,
    Pick<MemoryView, 'createdAt' | 'updatedAt' | 'conflictsWith'> {
  readonly type: Recalled['type'];
  /** 64 bits, as a number or its digits. Equal for contents that differ only in letter case and spacing. */
  readonly fingerprint: bigint | string;
  /** The newer memory that supersedes it. */
  readonly supersededBy: string | null;
  /** When its author says that it begins to hold; null: when it occurred. */
  readonly validFrom: Date | null;
  /** When it ends to hold by itself; null: never. */
  readonly validTo: Date | null;
}

/** The candidates of a recall, with everything that the ranking needs. */
export interface Candidates {
  readonly corpus: Corpus;
  readonly candidates: readonly Candidate[];
  /** Links between the best candidates and their neighbours in the same session. */
  readonly links: readonly NeighbourLink[];
  /** Contents of the linked memories by id. */
  readonly contents: ReadonlyMap<string, string>;
  /** Loads memories by id, in any order. */
  load(ids: readonly string[]): Promise<readonly MemoryView[]>;
}

const COSINE_DIGITS = 1e6;

/** Rounds a cosine to digits on which Postgres and JavaScript agree, so that both indexes rank alike. */
export function toCosine(value: number | null): number | null {
  return value === null ? null : Math.round(value * COSINE_DIGITS) / COSINE_DIGITS;
}

/** Parses a UTC timestamp without a zone, as Postgres writes it in JSON. */
export function toDate(text: string): Date {
  return new Date(`${text}Z`);
}

/** The candidates of a search with those that another one found besides, among the same memories. */
export function addCandidates(found: Candidates, more: Candidates): Candidates {
  const known = new Set(found.candidates.map(({ id }) => id));
  const linked = new Set(found.links.map(({ id, neighbourId }) => `${id} ${neighbourId}`));
  return {
    ...found,
    candidates: [...found.candidates, ...more.candidates.filter(({ id }) => !known.has(id))],
    links: [
      ...found.links,
      ...more.links.filter(({ id, neighbourId }) => !linked.has(`${id} ${neighbourId}`)),
    ],
    contents: new Map([...more.contents, ...found.contents]),
  };
}
