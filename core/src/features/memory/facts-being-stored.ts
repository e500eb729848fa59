import { type ComparedFact, FactsByTerm } from './facts-by-term.ts';

/** The facts of one call, from the time they are compared until they are stored. */
interface Storing {
  readonly facts: FactsByTerm;
  /** The keys of facts that have one. */
  readonly keys: Set<string>;
  /** Resolves when the call has stored them, or given up. */
  readonly ended: Promise<void>;
}

declare module '../../kernel/context/context.ts' {
  interface Services {
    readonly factsBeingStored: FactsBeingStored;
  }
}

/**
 * The facts that the calls of this process are storing, by tenant.
 *
 * A fact is compared before the transaction that stores it. So calls that come together would not see each other's facts, and
 * twenty that say the same would make twenty memories. Therefore each call announces its facts here, and waits for the earlier
 * calls whose facts bear on its own, or have its key: in the database they would wait for each other, each with a connection. One
 * process does not see the facts of another; the copies that come of it, reflection merges.
 */
export class FactsBeingStored {
  readonly #byTenant = new Map<string, readonly Storing[]>();

  /**
   * Keeps the facts of a call announced while `work` compares and stores them.
   *
   * @param work Gets `announce`, which it calls once, before it reads what is stored. That returns the earlier calls that have not
   *   ended. A call waits only for earlier ones, so no two wait for each other.
   */
  async hold<T>(tenantId: string, work: (announce: Announce) => Promise<T>): Promise<T> {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const own: Storing = { facts: new FactsByTerm(), keys: new Set(), ended };
    const announce: Announce = (facts) => {
      for (const fact of facts) {
        own.facts.add(fact);
        if (fact.draft.key !== undefined) own.keys.add(fact.draft.key);
      }
      const earlier = this.#byTenant.get(tenantId) ?? [];
      this.#byTenant.set(tenantId, [...earlier, own]);
      return earlier;
    };
    try {
      return await work(announce);
    } finally {
      const others = this.#byTenant.get(tenantId)?.filter((one) => one !== own) ?? [];
      if (others.length > 0) this.#byTenant.set(tenantId, others);
      else this.#byTenant.delete(tenantId);
      end();
    }
  }
}

/** Makes facts known to other calls, and returns the earlier calls that are not done. */
export type Announce = (facts: readonly ComparedFact[]) => readonly Storing[];
