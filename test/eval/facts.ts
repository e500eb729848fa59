import type { AgentMemory } from '@svc-memory/core';
import { readFact } from '../../core/src/features/supersession/fact/read-fact.ts';
import { judgeFacts } from '../../core/src/features/supersession/rules/judge.ts';
import { nameOf, readOptions } from '../kit/options.ts';
import { fitFacts, type LabelledPair } from './fit-facts.ts';
import { openEngine } from './open-engine.ts';
import { readLines } from './read-lines.ts';

const HELP = `npm run eval -- --facts [options]

Measures whether a fact that replaces an older one is told from one that does not, with the pairs of test/eval/facts.

  --untouched    the third of the pairs that is kept to measure the rules; without it, the two they were made with
  --reserve <n>  instead, the pairs of the n-th reserve (1 to 16), each written before the rules were mended for the last time
  --rules        the rules alone, without storing anything
  --fit          instead, chooses what features of two facts weigh, with the pairs that were looked at (thirds, reserves
                 1 to 11), and prints how weights made without the pairs of one hand judge these
  --list         names the pairs that were judged or answered wrongly
  --help         this text

The rules alone: of the pairs that replace and of those that coexist, the share judged to replace, to conflict, to coexist.

Stored, each pair an agent of its own, at once after the second write, without a model:
new before old  of pairs that replace: a question asked now finds the new fact, and the old one behind it or not at all
old marked      the old one is absent, or what is told beside it says that it was superseded
marked or doubted  the same, or it is told to be in doubt against the new one
left alone      of pairs that coexist: neither fact superseded the other, and both are found by their questions
not doubted     neither superseded the other, nor does recall put one of them in doubt, whichever of both is asked for
asked one first  the one that is asked for comes before the other, whichever that is
as of           the question of the old day, asked as of it, finds the old fact and not the new one
n/a             this build does not take as_of, nor supersedes when it stores
`;

type Expected = 'replaces' | 'coexists';
type Verdict = ReturnType<typeof judgeFacts>['verdict'];

interface Question {
  readonly question: string;
  readonly answer: string;
}

interface Pair {
  readonly id: string;
  readonly kind: string;
  /** Of pairs in thirds. */
  readonly third?: 0 | 1 | 2;
  /** Of pairs in reserve. */
  readonly expected?: Expected;
  readonly old: string;
  readonly old_at: string;
  readonly new: string;
  readonly new_at: string;
  readonly now: Question;
  readonly then: Question;
}

const VERDICTS: readonly Verdict[] = ['replaces', 'conflicts', 'coexists'];
const UNTOUCHED = 2;
/** Pairs of one hand are alike: weights are tried on pairs of hands that they were not made with. */
const HANDS: Readonly<Record<string, readonly string[]>> = {
  'first hand': ['1'],
  'reserves 2 and 3': ['2', '3'],
  'reserves 4 and 5': ['4', '5'],
  'reserve 6': ['6'],
  'reserve 7': ['7'],
  'reserve 8': ['8'],
  'reserves 9 and 10': ['9', '10'],
};
/** Of three hands, which the ids of its pairs begin with. */
const OF_THREE_HANDS = '11';
const RESERVES = Array.from({ length: 16 }, (_, index) => `${index + 1}`);
const MINUTE_MS = 60_000;

/** Prints how pairs of facts are judged, and what is recalled of them. */
export async function evaluateFacts(): Promise<void> {
  const { values, reserve } = readOptions(
    {
      command: 'eval',
      help: HELP,
      options: {
        facts: { type: 'boolean' },
        untouched: { type: 'boolean', default: false },
        reserve: { type: 'string' },
        rules: { type: 'boolean', default: false },
        fit: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
      },
    },
    (values) => ({
      values,
      reserve: values.reserve === undefined ? undefined : nameOf('reserve', values.reserve, RESERVES),
    }),
  );
  if (values.fit) return fitFacts(pairsToFit());
  const pairs = reserve === undefined ? readThirds(values.untouched) : readReserve(reserve);
  reportRules(pairs, values.list);
  if (!values.rules) await reportStored(pairs, values.list);
}

/** The pairs that the rules were mended by, by set. */
function pairsToFit(): LabelledPair[] {
  const label = (set: string, { replaces, coexists }: Pairs): LabelledPair[] =>
    [...replaces.map((pair) => ({ pair, is: true })), ...coexists.map((pair) => ({ pair, is: false }))].map(
      ({ pair, is }) => ({
        set,
        replaces: is,
        old: pair.old,
        new: pair.new,
        now: pair.now.question,
        before: pair.then.question,
      }),
    );
  const thirds = { replaces: readPairs('replaces'), coexists: readPairs('coexists') };
  const reserves = Object.entries(HANDS).flatMap(([hand, names]) =>
    names.flatMap((name) => label(hand, readReserve(name))),
  );
  const { replaces, coexists } = readReserve(OF_THREE_HANDS);
  const threeHands = ['a', 'b', 'c'].flatMap((letter) => {
    const isOf = ({ id }: Pair) => id.startsWith(letter);
    const pairs = { replaces: replaces.filter(isOf), coexists: coexists.filter(isOf) };
    return label(`reserve ${OF_THREE_HANDS}${letter}`, pairs);
  });
  return [...label('first hand', thirds), ...reserves, ...threeHands];
}

function readThirds(untouched: boolean): Pairs {
  const read = (name: Expected) => readPairs(name).filter(({ third }) => (third === UNTOUCHED) === untouched);
  return { replaces: read('replaces'), coexists: read('coexists') };
}

function readReserve(number: string): Pairs {
  const all = readPairs(`reserve-${number}`);
  const read = (name: Expected) => all.filter(({ expected }) => expected === name);
  return { replaces: read('replaces'), coexists: read('coexists') };
}

function readPairs(name: string): Pair[] {
  return readLines<Pair>(`facts/${name}.jsonl`);
}

type Pairs = Readonly<Record<Expected, readonly Pair[]>>;

function reportRules(pairs: Pairs, list: boolean): void {
  print(['', 'pairs', ...VERDICTS]);
  for (const expected of ['replaces', 'coexists'] as const) {
    const judged = pairs[expected].map((pair) => ({
      pair,
      ...judgeFacts(readFact(pair.old), readFact(pair.new)),
    }));
    const row = (name: string, some: typeof judged) => {
      const share = (verdict: Verdict) => some.filter((one) => one.verdict === verdict).length / some.length;
      print([name, String(some.length), ...VERDICTS.map((verdict) => percent(share(verdict)))]);
    };
    row(`pairs that are to be ${expected}`, judged);
    for (const kind of new Set(judged.map(({ pair }) => pair.kind))) {
      row(
        `  ${kind}`,
        judged.filter(({ pair }) => pair.kind === kind),
      );
    }
    if (!list) continue;
    for (const { pair, verdict, reason } of judged.filter((one) => one.verdict !== expected)) {
      process.stdout.write(`  ${pair.id} ${verdict} (${reason}): ${pair.old} -> ${pair.new}\n`);
    }
  }
}

/** What a pair showed once it was stored; undefined where this build cannot tell. */
type Outcome = Readonly<Record<Measure, boolean | undefined>>;
type Measure =
  | 'new before old'
  | 'old marked'
  | 'marked or doubted'
  | 'left alone'
  | 'not doubted'
  | 'asked one first'
  | 'as of';
const MEASURES: Readonly<Record<Expected, readonly Measure[]>> = {
  replaces: ['new before old', 'old marked', 'marked or doubted', 'as of'],
  coexists: ['left alone', 'not doubted', 'asked one first'],
};

async function reportStored(pairs: Pairs, list: boolean): Promise<void> {
  let now = new Date();
  const engine = await openEngine({ clock: () => now });
  try {
    for (const expected of ['replaces', 'coexists'] as const) {
      const outcomes: { pair: Pair; outcome: Outcome }[] = [];
      for (const pair of pairs[expected]) {
        const { id } = await engine.tenants.create({ displayName: pair.id, plan: 'local' });
        const memory = engine.agent(id);
        const setClock = (at: string) => {
          now = new Date(Date.parse(at) + MINUTE_MS);
        };
        outcomes.push({ pair, outcome: await storeAndAsk(memory, pair, setClock) });
      }
      for (const measure of MEASURES[expected]) reportMeasure(measure, outcomes, list);
    }
  } finally {
    await engine.close();
  }
}

function reportMeasure(
  measure: Measure,
  outcomes: readonly { readonly pair: Pair; readonly outcome: Outcome }[],
  list: boolean,
): void {
  const known = outcomes.filter(({ outcome }) => outcome[measure] !== undefined);
  const wrong = known.filter(({ outcome }) => outcome[measure] === false);
  const share = known.length === 0 ? 'n/a' : percent(1 - wrong.length / known.length);
  print([measure, String(outcomes.length), share]);
  if (!list) return;
  for (const { pair } of wrong) process.stdout.write(`  ${pair.id}: ${pair.old} -> ${pair.new}\n`);
}

/** What this build may leave out of its answers. */
interface Superseding {
  readonly superseded?: readonly { readonly id: string }[];
}
interface Recalled {
  readonly id: string;
  readonly superseded_by?: unknown;
  readonly valid_to?: unknown;
  readonly conflicts_with?: readonly string[] | undefined;
}

async function storeAndAsk(
  memory: AgentMemory,
  pair: Pair,
  setClock: (at: string) => void,
): Promise<Outcome> {
  setClock(pair.old_at);
  const { memory: older } = await memory.remember({
    type: 'semantic',
    content: pair.old,
    occurred_at: pair.old_at,
  });
  setClock(pair.new_at);
  const written = await memory.remember({ type: 'semantic', content: pair.new, occurred_at: pair.new_at });
  const newer = written.memory;
  const { superseded = [] } = written as Superseding;
  const answered = await recall(memory, pair.now.question);
  const found = (await recall(memory, pair.then.question)) ?? [];
  const then = await recall(memory, pair.then.question, new Date(Date.parse(pair.old_at) + MINUTE_MS));
  const place = (id: string, results = answered ?? []) => results.findIndex((result) => result.id === id);
  const [placeOld, placeNew] = [place(older.id), place(newer.id)];
  const old = answered?.[placeOld];
  const isMarked = old === undefined || Boolean(old.superseded_by ?? old.valid_to);
  const isSuperseded = superseded.some(({ id }) => id === older.id);
  const isFound = placeNew >= 0 && place(older.id, found) >= 0;
  return {
    'new before old': isBefore(placeNew, placeOld),
    'old marked': then && isMarked,
    'marked or doubted': then && (isMarked || old?.conflicts_with?.includes(newer.id) === true),
    'not doubted':
      then && !isSuperseded && ![...found, ...(answered ?? [])].some((one) => one.conflicts_with),
    'asked one first':
      isBefore(placeNew, placeOld) && isBefore(place(older.id, found), place(newer.id, found)),
    'left alone': then && !isSuperseded && isFound,
    'as of': then && place(older.id, then) >= 0 && place(newer.id, then) < 0,
  };
}

/** Whether one is found, and the other behind it or not at all. */
function isBefore(place: number, other: number): boolean {
  return place >= 0 && (other < 0 || place < other);
}

/** Undefined where this build refuses to be asked as of a time. */
async function recall(
  memory: AgentMemory,
  query: string,
  asOf?: Date,
): Promise<readonly Recalled[] | undefined> {
  const at = asOf === undefined ? {} : { as_of: asOf.toISOString() };
  try {
    return (await memory.recall({ query, threshold: 0, ...at })).results;
  } catch (error) {
    if (asOf === undefined) throw error;
    return undefined;
  }
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function print([name = '', ...cells]: readonly string[]): void {
  process.stdout.write(`${name.padEnd(34)}${cells.map((cell) => cell.padStart(12)).join('')}\n`);
}
