import type { MemoryRow } from '../records/schema.ts';

/** A fact with the ids of those that it contradicted when it was stored. */
interface Stored extends Pick<MemoryRow, 'id' | 'createdAt' | 'updatedAt'> {
  readonly conflictsWith: readonly string[] | null;
}

/**
 * Pairs of facts that contradicted each other when the later one was stored and about which nobody has decided: a change of either
 * since then decides. In each pair the older comes first.
 *
 * @param facts Those that hold at the moment that is shown; conflicts with others are none.
 * @param startOf When a fact begins to hold, in milliseconds.
 */
export function undecidedConflicts<Fact extends Stored>(
  facts: Iterable<Fact>,
  startOf: (fact: Fact) => number,
): [older: Fact, newer: Fact][] {
  const holding = new Map([...facts].map((fact) => [fact.id, fact]));
  return [...holding.values()].flatMap((later) =>
    (later.conflictsWith ?? []).flatMap((id): [Fact, Fact][] => {
      const other = holding.get(id);
      if (!other || later.updatedAt > later.createdAt || other.updatedAt > later.createdAt) return [];
      return [startOf(other) > startOf(later) ? [later, other] : [other, later]];
    }),
  );
}
