import type { MemoryType } from '../../kernel/contract/fields.ts';
import type { DocumentTerms } from '../../text/analyze-document.ts';
import { isTrigram } from '../../text/terms.ts';
import {
  isComparable,
  MOST_RELATED,
  OF_EACH_TERM,
  OF_ONE_TERM,
  RARE,
  shareOf,
  termsToLookUp,
} from '../supersession/find-related.ts';
import type { Compared } from '../supersession/settle.ts';
import { type Holders, shareMost } from '../supersession/share-most.ts';
import type { NewMemory } from './contract.ts';
import type { Related } from './insert.ts';

/** A new memory, as it is compared with others. */
export interface ComparedFact {
  readonly draft: NewMemory;
  readonly compared: Compared;
  readonly analysis: DocumentTerms;
}

/** A fact that is not stored yet. */
interface Held {
  readonly kin: Related;
  readonly type: MemoryType;
  readonly length: number;
}

/** Facts that are not stored yet, by their terms. */
export class FactsByTerm {
  readonly #byTerm = new Map<string, Held[]>();

  add({ draft, compared, analysis }: ComparedFact): void {
    const { content, category, source, now, start, isDistinct } = compared;
    const kin: Related = {
      ...{ draft, content, category, source, start, isDistinct },
      createdAt: now,
      supersededBy: null,
      supersededFrom: null,
    };
    const fact: Held = { kin, type: draft.type, length: analysis.length };
    for (const term of analysis.terms.keys()) {
      if (isTrigram(term)) continue;
      const held = this.#byTerm.get(term);
      if (held) held.push(fact);
      else this.#byTerm.set(term, [fact]);
    }
  }

  /** Those that are kin of a fact, by the rules by which `findRelated` finds stored ones. */
  near({ draft: { type }, analysis }: ComparedFact): Related[] {
    const { own, others, least } = termsToLookUp(analysis.terms.keys());
    const groups = [...own.map((term) => [term]), ...(others.length > 0 ? [others] : [])];
    const holders = groups.map((terms): Holders<Held> => {
      const all = terms.map((term) => this.#byTerm.get(term) ?? []);
      const count = all.reduce((sum, { length }) => sum + length, 0);
      const held = all.flatMap((some) => newest(some, (one) => isComparable({ type, analysis }, one)));
      return { held: [...new Set(held)], weight: Math.min(...terms.map(shareOf)) / (1 + count) };
    });
    const wanted = { least, most: MOST_RELATED, ofEachTerm: OF_EACH_TERM, rare: RARE };
    return shareMost(holders, wanted).map(({ kin }) => kin);
  }
}

/** The last of those that hold a term, the newest first: as many as are looked at. */
function newest(held: readonly Held[], is: (one: Held) => boolean): Held[] {
  const found: Held[] = [];
  for (let at = held.length - 1; at >= 0 && found.length < OF_ONE_TERM.few; at -= 1) {
    const one = held[at];
    if (one && is(one)) found.push(one);
  }
  return found;
}
