import type { MemoryType } from '../../kernel/contract/fields.ts';
import type { DocumentTerms } from '../../text/analyze-document.ts';
import { isTrigram } from '../../text/terms.ts';
import type { Compared } from '../supersession/settle.ts';
import { shareMost } from '../supersession/share-most.ts';
import type { NewMemory } from './contract.ts';
import type { Related } from './insert.ts';

/** Memories that one is compared with. */
const MOST_NEAR = 8;

/** A new memory, as it is compared with others. */
export interface ComparedFact {
  readonly draft: NewMemory;
  readonly compared: Compared;
  readonly analysis: DocumentTerms;
}

/** Facts that are not stored yet, by their terms. */
export class FactsByTerm {
  readonly #byTerm = new Map<string, Related[]>();

  add({ draft, compared, analysis }: ComparedFact): void {
    const { content, category, source, now, start, isDistinct } = compared;
    const kin: Related = {
      ...{ draft, content, category, source, start, isDistinct },
      createdAt: now,
      supersededBy: null,
      supersededFrom: null,
    };
    for (const term of tellingTerms(analysis)) {
      const held = this.#byTerm.get(placeOf(draft.type, term));
      if (held) held.push(kin);
      else this.#byTerm.set(placeOf(draft.type, term), [kin]);
    }
  }

  /** Those of its type that share the most terms with a fact, at least half of them, the rarer ones counting more. */
  near({ draft, analysis }: ComparedFact): Related[] {
    const telling = tellingTerms(analysis);
    const holders = telling.map((term) => this.#byTerm.get(placeOf(draft.type, term)) ?? []);
    return shareMost(holders, { least: telling.length / 2, most: MOST_NEAR }, MOST_NEAR);
  }
}

function tellingTerms({ terms }: DocumentTerms): string[] {
  return [...terms.keys()].filter((term) => !isTrigram(term));
}

function placeOf(type: MemoryType, term: string): string {
  return `${type} ${term}`;
}
