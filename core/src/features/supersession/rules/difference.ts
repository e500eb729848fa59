import type { Fact, Token } from '../fact/fact.ts';
import { isIn, isSubject, type Run } from './run.ts';

/** What two facts do not share, in runs of words that stand together. */
export interface Difference {
  readonly was: readonly Run[];
  readonly is: readonly Run[];
  readonly shared: readonly Token[];
  /** The newer one names what was: "from Slack to Mattermost". */
  readonly named: boolean;
  readonly formerKeys: ReadonlySet<string>;
}

/** Words that may be left unsaid count where they are all that differs: "master" and "main". */
export function differenceOf(older: Fact, newer: Fact): Difference {
  const found = differenceIn(older, newer, ({ soft }) => !soft);
  return found.was.length > 0 === found.is.length > 0 ? found : differenceIn(older, newer, () => true);
}

function differenceIn(older: Fact, newer: Fact, counts: (token: Token) => boolean): Difference {
  const mine = keysOf(older.tokens);
  const { keys: theirs, formerKeys, affirmed, affirmedKeys } = readTokens(newer.tokens);
  const gone = ({ denied, key }: Token) =>
    !denied && (!theirs.has(key) || (formerKeys.has(key) && !affirmedKeys.has(key)));
  const was = runsOf(older.tokens, (token) => gone(token) && counts(token));
  return {
    was,
    is: runsOf(newer.tokens, (token) => !token.denied && !mine.has(token.key) && counts(token)),
    shared: affirmed.filter(({ key }) => mine.has(key)),
    named: newer.contrasts && was.some((run) => isIn(run, distinctKeys(formerThing(newer.tokens)))),
    formerKeys,
  };
}

/** Neighbouring tokens that differ; all of a date are one run, wherever they stand. */
function runsOf(tokens: readonly Token[], differs: (token: Token) => boolean): Run[] {
  const runs: Token[][] = [];
  let date: Token[] | undefined;
  let open: Token[] | undefined;
  for (const token of tokens) {
    if (!differs(token)) {
      open = undefined;
      continue;
    }
    if (token.kind === 'time') {
      if (date) date.push(token);
      else {
        date = [token];
        runs.push(date);
      }
      open = undefined;
    } else if (open?.[0] && open[0].part === token.part) open.push(token);
    else {
      open = [token];
      runs.push(open);
    }
  }
  return runs;
}

/** The two runs of which one takes the other's place: of numbers and dates the ones of a kind, else the first that is no subject. */
export function valuePair(
  { was, is, formerKeys }: Difference,
  takesOver: boolean,
): readonly [Run, Run] | undefined {
  for (const kind of ['number', 'time'] as const) {
    const of = (runs: readonly Run[]) =>
      runs.filter((run) => !isSubject(run) && run.some((token) => token.kind === kind));
    const [old, ...moreOld] = of(was);
    const [next, ...moreNew] = of(is);
    if (old && next && moreOld.length + moreNew.length === 0) return [old, next];
  }
  const words = (runs: readonly Run[]) => runs.filter((run) => run.every(({ kind }) => kind !== 'time'));
  const old =
    words(was).find((run) => isIn(run, formerKeys)) ??
    words(was).find((run) => !isSubject(run)) ??
    words(was)[0];
  const next = words(is).find((run) => !isSubject(run)) ?? words(is)[0];
  return old && next && (isSubject(old) || !isSubject(next) || takesOver) ? [old, next] : undefined;
}

/** What the rules ask of the tokens of a fact again and again. */
interface ReadTokens {
  readonly keys: ReadonlySet<string>;
  /** Those that may not be left unsaid. */
  readonly hard: readonly Token[];
  /** Those that are so, and the keys of those that are not. */
  readonly affirmed: readonly Token[];
  readonly affirmedKeys: ReadonlySet<string>;
  readonly formerKeys: ReadonlySet<string>;
}

const NO_KEYS: ReadonlySet<string> = new Set();
/** By the list of a fact's tokens: each is compared with many others. */
const readings = new WeakMap<readonly Token[], ReadTokens>();

export function readTokens(tokens: readonly Token[]): ReadTokens {
  const known = readings.get(tokens);
  if (known) return known;
  const keys = distinctKeys(tokens);
  const denies = tokens.some(({ denied }) => denied);
  const affirmed = denies ? tokens.filter(({ denied }) => !denied) : tokens;
  const read = {
    keys,
    hard: tokens.some(({ soft }) => soft) ? tokens.filter(({ soft }) => !soft) : tokens,
    affirmed,
    affirmedKeys: denies ? distinctKeys(affirmed) : keys,
    formerKeys: denies ? distinctKeys(tokens.filter(({ denied }) => denied)) : NO_KEYS,
  };
  readings.set(tokens, read);
  return read;
}

/** What a fact says is over, without what is said of it: of "cancelled the trip to Rome" the trip. */
export function formerThing(tokens: readonly Token[]): readonly Token[] {
  const first = tokens.find(({ denied }) => denied);
  return tokens.filter(({ denied, part }) => denied && part === first?.part);
}

export function keysOf(tokens: readonly Token[]): ReadonlySet<string> {
  return readTokens(tokens).keys;
}

/** The tokens that may not be left unsaid. */
export function hard(tokens: readonly Token[]): readonly Token[] {
  return readTokens(tokens).hard;
}

function distinctKeys(tokens: readonly Token[]): ReadonlySet<string> {
  return new Set(tokens.map(({ key }) => key));
}
