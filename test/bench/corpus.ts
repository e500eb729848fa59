/** A repeatable source of numbers from 0 up to 1 (xorshift32): the same seed gives the same numbers everywhere. */
export function seeded(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

const words = (text: string) => text.trim().split(/\s+/);
const SYLLABLES = words('ka lo mi ren sa to vel du na pe rio shu tan bel gor fin mar zo li cas ');
const VERBS =
  words(`started finished reviewed postponed liked cancelled planned fixed explained bought painted repaired
  translated measured cooked visited described taught recorded tested signed shipped rented watched sold`);
const QUALITIES =
  words(`red quiet urgent broken cheap early private heavy gentle wooden weekly shared final local cold
  public narrow careful bright digital yearly simple salty modern remote`);
const THINGS =
  words(`garden invoice server concert recipe bicycle contract kitchen deadline database workshop guitar
  passport window budget release library marathon photograph meeting sensor notebook harbour vaccine puppy railway
  curtain novel ticket battery orchard keyboard mortgage lecture compass blanket prototype festival bakery telescope`);
const PLACES = words(
  `Bergen Cordoba Dakar Gdansk Hobart Izmir Kyoto Lima Malmo Nantes Odessa Perth Recife Sofia Tampere`,
);
const REASONS = words(`rain money family noise weather health travel safety taste habit music traffic sleep`);
const EPOCH = Date.UTC(2025, 0, 1);
const HOUR = 3_600_000;

/** One memory of the synthetic agent. */
export interface SyntheticMemory {
  readonly type: 'episodic' | 'semantic' | 'working';
  readonly content: string;
  readonly occurred_at: string;
  readonly session_id?: string;
  readonly importance: number;
}

/** What happened to an imaginary agent: people with invented names, in sessions of ten turns, an hour apart. */
export function memoriesOf(count: number, seed = 7): SyntheticMemory[] {
  return take(endlessMemories(seed), count);
}

/** The same without an end, for more than fit into memory at once. */
export function* endlessMemories(seed = 7): Generator<SyntheticMemory, never> {
  const random = seeded(seed);
  for (let place = 0; ; place += 1) {
    const episodic = random() < 0.7;
    const sentences = 1 + Math.floor(random() * 3);
    yield {
      type: episodic ? 'episodic' : random() < 0.9 ? 'semantic' : 'working',
      content: Array.from({ length: sentences }, () => sentence(random)).join(' '),
      occurred_at: new Date(EPOCH + place * HOUR).toISOString(),
      importance: Math.round(random() * 100) / 100,
      ...(episodic ? { session_id: `session-${Math.floor(place / 10)}` } : {}),
    };
  }
}

/** The next of a source that has no end. */
export function take<T>(source: Iterator<T, never>, count: number): T[] {
  return Array.from({ length: count }, () => source.next().value);
}

/** Questions about the same world. */
export function questionsOf(count: number, seed = 11): string[] {
  const random = seeded(seed);
  const pick = picker(random);
  const forms = [
    () => `What did ${person(random)} say about the ${pick(QUALITIES)} ${pick(THINGS)}?`,
    () => `When was the ${pick(THINGS)} in ${pick(PLACES)} ${pick(VERBS)}?`,
    () => `Why did ${person(random)} not want the ${pick(THINGS)}?`,
    () => `${pick(THINGS)} and ${pick(THINGS)} of last month`,
    () => `Who ${pick(VERBS)} a ${pick(QUALITIES)} ${pick(THINGS)} because of ${pick(REASONS)}?`,
  ];
  return Array.from({ length: count }, () => pick(forms)());
}

function sentence(random: () => number): string {
  const pick = picker(random);
  const forms = [
    () => `${person(random)} ${pick(VERBS)} the ${pick(QUALITIES)} ${pick(THINGS)} in ${pick(PLACES)}.`,
    () => `${person(random)} never wants a ${pick(THINGS)} again because of ${pick(REASONS)}.`,
    () =>
      `The ${pick(THINGS)} of ${person(random)} costs ${Math.floor(random() * 900)} euros and is ${pick(QUALITIES)}.`,
    () =>
      `On day ${Math.floor(random() * 365)} ${person(random)} and ${person(random)} ${pick(VERBS)} a ${pick(THINGS)}.`,
    () =>
      `I prefer the ${pick(QUALITIES)} ${pick(THINGS)} to the ${pick(QUALITIES)} one, said ${person(random)}.`,
  ];
  return pick(forms)();
}

function person(random: () => number): string {
  const pick = picker(random);
  const name = pick(SYLLABLES) + pick(SYLLABLES);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function picker(random: () => number) {
  return <T>(list: readonly T[]): T => {
    const item = list[Math.floor(random() * list.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  };
}
