/** A piece of text with its price. */
export interface Block {
  readonly text: string;
  readonly tokens: number;
}

/** Something that may get a place: rendered only when its turn comes. */
export interface Bid {
  /** How much it matters beside the candidates of other bidders, where it is important. */
  readonly score?: number | undefined;
  /** The longest of its wordings that costs at most so many tokens. */
  fit(tokens: number): Block | undefined;
  /** The same, cut where no wording fits; undefined where nothing sensible is left. */
  cut(tokens: number): Block | undefined;
}

/** A section that competes for the budget. */
interface Bidder {
  readonly weight: number;
  /** Tokens of its title and of the line that says what is left out, due with the first candidate taken. */
  readonly overhead: number;
  /** The most important first. */
  readonly candidates: readonly Bid[];
  /** What it has already, by the index of its candidate. */
  readonly taken?: ReadonlyMap<number, Block>;
}

// Share of a budget for what is important, whichever bidder it belongs to.
const RESERVE = 3 / 5;
// It is all of a budget of so many tokens: a few important lines say more than a line of each bidder.
const LEAST_RESERVE = 120;
// One important candidate takes such a share of the reserve at most where there are more of them.
const MOST_OF_RESERVE = 1 / 4;

// With fewer tokens a cut memory says nothing.
const LEAST_WORTH_CUTTING = 24;
// The same with a section's title and the line that says what is left out.
const LEAST_HELD = 48;
// Entries that do not fit are passed over for smaller ones, but not for ever.
const MOST_MISSES = 8;

/** The blocks each bidder got, by the index of their candidate. */
type Filled = readonly ReadonlyMap<number, Block>[];

/**
 * Divides a budget: what is important takes from a reserve, then each bidder from its own share by weight, then what is
 * left goes round in order, a candidate at a time. A bidder whose most important candidate exceeds its share gets it cut to
 * the share, so that none is left empty while there is room; where there is not, the last go without.
 */
export function fill(bidders: readonly Bidder[], budget: number): Filled {
  const places = bidders.map((bidder) => new Places(bidder));
  const weights = bidders.reduce((sum, { weight }) => sum + weight, 0);
  let pool = Math.max(0, budget);
  pool -= takeImportant(places, Math.max(Math.min(pool, LEAST_RESERVE), Math.floor(pool * RESERVE)));
  const shared = pool;
  const shares = places.map((place) => Math.floor((shared * place.bidder.weight) / (weights || 1)));
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
  });
  for (let before = Number.POSITIVE_INFINITY; pool < before; ) {
    before = pool;
    for (const place of places) pool -= place.takeWhatFits(pool);
  }
  for (const place of places) pool -= place.lengthen(pool);
  return places.map((place) => place.taken);
}

/** Gives places to what is important, whichever bidder it belongs to, the highest score first; answers the tokens spent. */
function takeImportant(places: readonly Places[], reserve: number): number {
  const all = places
    .flatMap((place) => place.bidder.candidates.map(({ score = 0 }, index) => ({ place, index, score })))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const most = Math.max(LEAST_HELD, Math.floor(reserve * Math.max(MOST_OF_RESERVE, 1 / all.length)));
  let spent = 0;
  let misses = 0;
  for (const { place, index } of all) {
    const price = place.takeImportant(index, reserve - spent, most);
    spent += price;
    if (price === 0) misses += 1;
    if (misses > MOST_MISSES) break;
  }
  return spent;
}

/**
 * Divides a budget among candidates that all belong in: small ones stay whole, and the largest are cut to the same
 * length. Where even that is too little, the last go without.
 */
export function fillEvenly(candidates: readonly Bid[], budget: number): ReadonlyMap<number, Block> {
  const all = candidates.flatMap((candidate, index) => {
    const block = candidate.fit(Number.POSITIVE_INFINITY);
    return block ? { index, candidate, block } : [];
  });
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
  readonly taken: Map<number, Block>;
  readonly bidder: Bidder;
  #next = 0;
  #misses = 0;

  constructor(bidder: Bidder) {
    this.bidder = bidder;
    this.taken = new Map(bidder.taken);
  }

  get isEmpty(): boolean {
    return this.taken.size === 0;
  }

  /** Takes one candidate, cut to `most` tokens where it is longer; answers the tokens spent. */
  takeImportant(index: number, budget: number, most: number): number {
    if (this.taken.has(index)) return 0;
    const space = Math.min(budget, most) - this.#overhead;
    const candidate = this.bidder.candidates[index];
    return this.#put(index, budget < most ? candidate?.fit(space) : candidate?.cut(space));
  }

  /** Takes candidates in order until the first that does not fit; answers the tokens spent. */
  takeInOrder(budget: number): number {
    let spent = 0;
    for (let price = this.#takeNext(budget); price > 0; price = this.#takeNext(budget - spent))
      spent += price;
    return spent;
  }

  /** Takes one more candidate, the next that fits; answers the tokens spent. */
  takeWhatFits(budget: number): number {
    while (this.#next < this.bidder.candidates.length && this.#misses <= MOST_MISSES) {
      const price = this.#takeNext(budget);
      if (price > 0) return price;
      this.#next += 1;
      this.#misses += 1;
    }
    return 0;
  }

  /** Gives a bidder with nothing its first candidate, cut to `most` tokens where it does not fit whole. */
  takeFirst(budget: number, most: number): number {
    if (!this.isEmpty) return 0;
    const price = this.#takeNext(budget);
    const space = Math.min(budget, most) - this.#overhead;
    if (price > 0 || space < LEAST_WORTH_CUTTING) return price;
    return this.#put(0, this.bidder.candidates[0]?.cut(space));
  }

  /** Takes longer wordings of what is cut or shortened; answers the tokens spent. */
  lengthen(budget: number): number {
    let spent = 0;
    for (const [index, block] of this.taken) {
      const longer = this.bidder.candidates[index]?.fit(block.tokens + budget - spent);
      if (!longer || longer.tokens <= block.tokens) continue;
      this.taken.set(index, longer);
      spent += longer.tokens - block.tokens;
    }
    return spent;
  }

  get #overhead(): number {
    return this.isEmpty ? this.bidder.overhead : 0;
  }

  /** Takes the first candidate that has no place yet, if it fits. */
  #takeNext(budget: number): number {
    while (this.taken.has(this.#next)) this.#next += 1;
    return this.#put(this.#next, this.bidder.candidates[this.#next]?.fit(budget - this.#overhead));
  }

  #put(index: number, block: Block | undefined): number {
    if (!block) return 0;
    const price = block.tokens + this.#overhead;
    this.taken.set(index, block);
    return price;
  }
}
