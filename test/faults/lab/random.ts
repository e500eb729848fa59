/** Random numbers that a seed repeats. */
export interface Random {
  /** A whole number from `least` to `most`, both possible. */
  between(least: number, most: number): number;
}

/** Makes the numbers of a seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  return { between: (least, most) => least + Math.floor(next() * (most - least + 1)) };
}
