import { type ComparedFact, FactsByTerm } from './facts-by-term.ts';

/** The facts of one call from their comparison with what is stored until they are stored themselves. */
export interface Storing {
  readonly facts: FactsByTerm;
  /** Resolves when the call has stored them, or given up. */
  readonly ended: Promise<void>;
}

declare module '../../kernel/context/context.ts' {
  interface Services {
    readonly factsBeingStored: FactsBeingStored;
  }
}

/**
 * The facts that the calls of this process are storing, by tenant. A fact is compared before the transaction that stores it,
 * so that calls which come together would not see each other: twenty that say the same would make twenty memories. So a call
 * tells its facts here first, and waits for those before it whose facts bear on its own. Of several processes none sees the
 * others' facts: what slips through there, reflection merges.
 */
export class FactsBeingStored {
  readonly #byTenant = new Map<string, readonly Storing[]>();

  /**
   * Tells the facts of a call while `work` compares and stores them.
   *
   * @param work Gets `tell`, which it calls once, before it reads what is stored. That returns the calls which came before
   *   and have not ended: waiting only for these, no two calls wait for each other.
   */
  async hold<T>(tenantId: string, work: (tell: Tell) => Promise<T>): Promise<T> {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const own: Storing = { facts: new FactsByTerm(), ended };
    const tell: Tell = (facts) => {
      for (const fact of facts) own.facts.add(fact);
      const earlier = this.#byTenant.get(tenantId) ?? [];
      this.#byTenant.set(tenantId, [...earlier, own]);
      return earlier;
    };
    try {
      return await work(tell);
    } finally {
      const others = this.#byTenant.get(tenantId)?.filter((one) => one !== own) ?? [];
      if (others.length > 0) this.#byTenant.set(tenantId, others);
      else this.#byTenant.delete(tenantId);
      end();
    }
  }
}

export type Tell = (facts: readonly ComparedFact[]) => readonly Storing[];
