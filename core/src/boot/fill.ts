/** A piece of text with its price. */
export interface Block {
  readonly text: string;
  readonly tokens: number;
}

/** Something that may get a place: rendered only when its turn comes. */
export interface Candidate {
  whole(): Block;
  /** The same, cut to at most so many tokens; undefined where nothing sensible is left. */
  cut(tokens: number): Block | undefined;
}

/** A section that competes for the budget. */
export interface Bidder {
  readonly weight: number;
  /** Tokens of its title and of the line that says what is left out, due with the first candidate taken. */
  readonly overhead: number;
  /** The most important first. */
  readonly candidates: readonly Candidate[];
}

// With fewer tokens a cut memory says nothing.
const LEAST_WORTH_CUTTING = 24;
// The same with a section's title and the line that says what is left out.
const LEAST_HELD = 48;
// Entries that do not fit are passed over for smaller ones, but not for ever.
const MOST_MISSES = 8;

/** The blocks each bidder got, by the index of their candidate. */
export type Filled = readonly ReadonlyMap<number, Block>[];

/**
 * Divides a budget: each bidder first takes from its own share by weight, then what is left goes round in order. A
 * bidder whose most important candidate exceeds its share gets it cut to the share, so that none is left empty.
 */
export function fill(bidders: readonly Bidder[], budget: number): Filled {
  const places = bidders.map((bidder) => new Places(bidder));
  const weights = bidders.reduce((sum, { weight }) => sum + weight, 0);
  let pool = Math.max(0, budget);
  const shares = places.map((place) =>
    Math.floor((Math.max(0, budget) * place.bidder.weight) / (weights || 1)),
  );
  const kept = places.map((place, index) => {
    const share = shares[index] ?? 0;
    const spent = place.takeInOrder(share);
    const left = share - spent;
    // Held back for its first candidate, which did not fit whole.
    const held = place.isEmpty && left >= LEAST_HELD ? left : 0;
    pool -= spent + held;
    return held;
  });
  places.forEach((place, index) => {
    const held = kept[index] ?? 0;
    pool += held;
    pool -= place.takeFirst(pool, Math.max(held, shares[index] ?? 0, LEAST_HELD));
    pool -= place.takeWhatFits(pool);
  });
  return places.map((place) => place.taken);
}

/**
 * Divides a budget among candidates that all belong in: small ones stay whole, and the largest are cut to the same
 * length. Where even that is too little, the last go without.
 */
export function fillEvenly(candidates: readonly Candidate[], budget: number): ReadonlyMap<number, Block> {
  const all = candidates.map((candidate, index) => ({ index, candidate, block: candidate.whole() }));
  for (let count = all.length; count > 0; count -= 1) {
    const some = all.slice(0, count);
    const level = waterLevel(
      some.map(({ block }) => block.tokens),
      budget,
    );
    if (level < LEAST_WORTH_CUTTING && some.some(({ block }) => block.tokens > level)) continue;
    return new Map(
      some.flatMap(({ index, candidate, block }) => {
        const fitting = block.tokens <= level ? block : candidate.cut(level);
        return fitting ? [[index, fitting] as const] : [];
      }),
    );
  }
  return new Map();
}

/** The length to which everything longer must be cut for the sum to stay within the budget. */
function waterLevel(sizes: readonly number[], budget: number): number {
  const ascending = [...sizes].sort((a, b) => a - b);
  let left = Math.max(0, budget);
  for (const [index, size] of ascending.entries()) {
    const level = Math.floor(left / (ascending.length - index));
    if (size > level) return level;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

/** What one bidder has taken so far. */
class Places {
  readonly taken = new Map<number, Block>();
  readonly bidder: Bidder;

  constructor(bidder: Bidder) {
    this.bidder = bidder;
  }

  get isEmpty(): boolean {
    return this.taken.size === 0;
  }

  /** Takes candidates in order until the first that does not fit; answers the tokens spent. */
  takeInOrder(budget: number): number {
    return this.#take(budget, 0);
  }

  /** Takes any further candidates that fit; answers the tokens spent. */
  takeWhatFits(budget: number): number {
    return this.#take(budget, MOST_MISSES);
  }

  /** Gives a bidder with nothing its first candidate, cut to `most` tokens where it does not fit whole. */
  takeFirst(budget: number, most: number): number {
    const [first] = this.bidder.candidates;
    if (!first || !this.isEmpty) return 0;
    const spent = this.#take(budget, 0);
    if (spent > 0) return spent;
    const space = Math.min(budget, most) - this.bidder.overhead;
    const block = space >= LEAST_WORTH_CUTTING ? first.cut(space) : undefined;
    if (!block) return 0;
    this.taken.set(0, block);
    return this.bidder.overhead + block.tokens;
  }

  #take(budget: number, patience: number): number {
    let spent = 0;
    let misses = 0;
    for (const [index, candidate] of this.bidder.candidates.entries()) {
      if (this.taken.has(index)) continue;
      const block = candidate.whole();
      const price = block.tokens + (this.isEmpty ? this.bidder.overhead : 0);
      if (spent + price <= budget) {
        this.taken.set(index, block);
        spent += price;
      } else {
        misses += 1;
        if (misses > patience) break;
      }
    }
    return spent;
  }
}
