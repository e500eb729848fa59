import { median } from '../measure.ts';

/** What one side did under load. */
export interface Load {
  /** Answered calls per second. */
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99: number;
}

/** No warming up takes longer, however slow the calls. */
const WARM_UP_MS = 20_000;

export type Sides<Name extends string> = Readonly<Record<Name, (call: number) => Promise<unknown>>>;

/** Value below which that share of the samples lies. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** How sides are timed in turn. */
interface Turns {
  /** Calls of each before they are timed; default 30. */
  readonly warmUp?: number;
  /** Calls of a side before it is the next one's turn; default 1. */
  readonly turn?: number;
}

/** Times sides in turn, one call under way; answers every sample in milliseconds. */
export async function inTurn<Name extends string>(
  sides: Sides<Name>,
  calls: number,
  { warmUp = 30, turn = 1 }: Turns = {},
): Promise<Readonly<Record<Name, number[]>>> {
  const names = Object.keys(sides) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  const began = performance.now();
  let first = 0;
  for (let left = calls; left > 0; first += turn) {
    const warm = first >= warmUp || performance.now() - began > WARM_UP_MS;
    for (const name of (first / turn) % 2 ? [...names].reverse() : names) {
      for (let call = first; call < first + turn; call += 1) {
        const start = performance.now();
        await sides[name](call);
        if (warm) samples[name].push(performance.now() - start);
      }
    }
    if (warm) left -= turn;
  }
  return samples;
}

/** Loads sides in turn with several clients, some seconds each, round by round; answers medians over the rounds. */
export async function underLoad<Name extends string>(
  sides: Sides<Name>,
  { clients, seconds, rounds }: { clients: number; seconds: number; rounds: number },
): Promise<Readonly<Record<Name, Load>>> {
  const names = Object.keys(sides) as Name[];
  const loads = new Map<Name, Load[]>(names.map((name) => [name, []]));
  let call = 0;
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of round % 2 ? [...names].reverse() : names) {
      const samples: number[] = [];
      // A round of ten seconds goes before the others and is thrown away.
      const length = round === 0 ? WARM_UP_MS / 2_000 : seconds;
      const start = performance.now();
      const client = async () => {
        while (performance.now() - start < length * 1000) {
          const began = performance.now();
          await sides[name](call++);
          samples.push(performance.now() - began);
        }
      };
      await Promise.all(Array.from({ length: clients }, client));
      const took = (performance.now() - start) / 1000;
      if (round > 0)
        loads.get(name)?.push({ perSecond: samples.length / took, p99: quantile(samples, 0.99) });
    }
  }
  const summary = (name: Name): Load => {
    const all = loads.get(name) ?? [];
    return {
      perSecond: median(all.map(({ perSecond }) => perSecond)),
      p99: median(all.map(({ p99 }) => p99)),
    };
  };
  return Object.fromEntries(names.map((name) => [name, summary(name)])) as Record<Name, Load>;
}
