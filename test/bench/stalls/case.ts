import type { Answer, Site } from './site.ts';

/** One way to keep the service busy. */
export interface StallCase {
  readonly name: string;
  /** `fresh` holds no memories, `full` thousands. */
  readonly site: 'fresh' | 'full';
  /** Makes the calls; answers what became of them. A job that a call begins counts until its end. */
  run(site: Site): Promise<readonly Outcome[]>;
}

/** What became of one call. */
export interface Outcome {
  readonly ms: number;
  /** Such as `200`, `400 VALIDATION_ERROR` or `202, job done`. */
  readonly became: string;
}

export const MIB = 1024 * 1024;
export const range = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
export const note = (n: number) =>
  `# Note ${n}\n\nThe meeting of day ${n} was about the garden of house ${n % 97}.\n`;

export async function outcomeOf(site: Site, answer: Answer): Promise<Outcome> {
  const job = await site.jobEnds(answer);
  const parts = [`${answer.status || 'no answer'}`, answer.code].filter((part) => part !== undefined);
  return { ms: answer.ms, became: `${parts.join(' ')}${job === undefined ? '' : `, job ${job}`}` };
}

export function upload(name: string, file: string, bytes: () => string | Uint8Array, query = ''): StallCase {
  return {
    name,
    site: 'fresh',
    run: async (site) => [
      await outcomeOf(site, await site.call({ path: `/import?name=${file}${query}`, bytes: bytes() })),
    ],
  };
}

export function post(
  name: string,
  path: string,
  json: () => unknown,
  place: StallCase['site'] = 'fresh',
): StallCase {
  return {
    name,
    site: place,
    run: async (site) => [await outcomeOf(site, await site.call({ path, json: json() }))],
  };
}

export function get(name: string, path: string): StallCase {
  return { name, site: 'full', run: async (site) => [await outcomeOf(site, await site.call({ path }))] };
}
