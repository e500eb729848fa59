import type { DocumentTerms } from '../../text/analyze-document.ts';
import { isTrigram } from '../../text/terms.ts';
import { LONGEST_FACT } from '../search-index/fact-type.ts';
import type { Compared, FactComparison } from '../supersession/compare-fact.ts';
import { OF_ONE_TERM, shareOf, termsToLookUp } from '../supersession/find-related.ts';
import { type Counts, shareMost } from '../supersession/share-most.ts';
import type { NewMemory } from './contract.ts';
import type { Related } from './insert.ts';

/** A new memory, as it is compared with others. */
export interface ComparedFact {
  readonly draft: NewMemory;
  readonly compared: Compared;
  readonly analysis: DocumentTerms;
}

/** Stands for what supersedes a fact where that is of the same call: it has no id yet. */
export const OF_THE_CALL = '';

type Ending = Pick<Related, 'supersededBy' | 'supersededFrom'>;

/** Facts that are not stored yet, by their terms. */
export class FactsByTerm {
  readonly #facts: Related[] = [];
  /** Those not indexed yet, by their places: nobody looks for what is near the facts of most calls. */
  readonly #unindexed = new Map<number, ComparedFact>();
  /** What stored facts are ended by once these are stored, by id. */
  readonly #endings = new Map<string, Ending>();
  /** What may be compared with each other → term → the places of the facts that hold it. */
  readonly #byKind = new Map<string, Map<string, number[]>>();

  /** @param follower What supersedes it; default: nothing. */
  add(fact: ComparedFact, follower?: Related): void {
    const { draft, compared } = fact;
    const { content, category, source, now, start, isDistinct, key, metadata } = compared;
    const place = this.#facts.push({
      ...{ draft, content, category, source, start, isDistinct, key, metadata },
      createdAt: now,
      supersededBy: follower ? ('id' in follower ? follower.id : OF_THE_CALL) : null,
      supersededFrom: follower?.start ?? null,
    });
    this.#unindexed.set(place - 1, fact);
  }

  /**
   * Notes what became of facts by one that begins later. What begins at the same moment may be a list, of which more may follow: it
   * counts as if nothing had ended it.
   */
  note({ supersedes, released }: FactComparison<Related>, from: Date): void {
    for (const { other } of supersedes) {
      if (other.start < from) this.#change(other, { supersededBy: OF_THE_CALL, supersededFrom: from });
    }
    for (const other of released) this.#change(other, { supersededBy: null, supersededFrom: null });
  }

  #change(other: Related, ending: Ending): void {
    if ('id' in other) {
      this.#endings.set(other.id, ending);
      return;
    }
    const place = this.#facts.findIndex((one) => 'draft' in one && one.draft === other.draft);
    const fact = this.#facts[place];
    if (fact) this.#facts[place] = { ...fact, ...ending };
  }

  /** Stored facts as they are once these are stored. */
  noted(stored: readonly Related[]): Related[] {
    return stored.map((one) => ('id' in one ? { ...one, ...this.#endings.get(one.id) } : one));
  }

  #index(): void {
    for (const [place, fact] of this.#unindexed) {
      const kind = kindOf(fact);
      const byTerm = this.#byKind.get(kind) ?? new Map<string, number[]>();
      this.#byKind.set(kind, byTerm);
      for (const term of fact.analysis.terms.keys()) {
        if (isTrigram(term)) continue;
        const holders = byTerm.get(term);
        if (holders) holders.push(place);
        else byTerm.set(term, [place]);
      }
    }
    this.#unindexed.clear();
  }

  /** Those related to a fact, by the rules by which `findRelated` finds stored ones. */
  near(fact: ComparedFact): Related[] {
    this.#index();
    const byTerm = this.#byKind.get(kindOf(fact));
    if (!byTerm) return [];
    const { own, others, least } = lookUp(fact.analysis);
    const newest = (term: string) => byTerm.get(term)?.slice(-OF_ONE_TERM.many) ?? [];
    const holders = [
      ...own.map((term) => ({ numbers: newest(term), share: shareOf(term) })),
      { numbers: [...new Set(others.flatMap(newest))], share: 1 },
    ].filter(({ numbers }) => numbers.length > 0);
    if (holders.length === 0) return [];
    const isNewer = (one: number, other: number) => one > other;
    const ofOneTerm = OF_ONE_TERM.many;
    return shareMost(holders, countsFor(this.#facts.length), { least, ofOneTerm, isNewer }).flatMap(
      (place) => this.#facts[place] ?? [],
    );
  }
}

const lookedUp = new WeakMap<DocumentTerms, ReturnType<typeof termsToLookUp>>();

/** What a fact is looked up by: the same in the facts of each call that goes on, of which there may be many. */
function lookUp(analysis: DocumentTerms): ReturnType<typeof termsToLookUp> {
  const known = lookedUp.get(analysis);
  if (known) return known;
  const found = termsToLookUp(analysis.terms.keys());
  lookedUp.set(analysis, found);
  return found;
}

/** Its type, and of what is too long to be compared but with those of the same length, that too. */
function kindOf({ draft: { type }, analysis: { length } }: ComparedFact): string {
  return length <= LONGEST_FACT ? type : `${type} ${length}`;
}

let counts: Counts = createCounts(0);

/** Room to count so many: the same for all, since a search is synchronous. */
function countsFor(facts: number): Counts {
  if (counts.scores.length < facts) counts = createCounts(2 * facts);
  return counts;
}

function createCounts(room: number): Counts {
  return {
    scores: new Float64Array(room),
    marks: new Uint32Array(room),
    touched: new Int32Array(room),
  };
}
