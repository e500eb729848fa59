import { termOf } from '../../../text/terms.ts';
import { fold } from '../../../text/words.ts';
import type { Fact, State, Token } from '../fact/fact.ts';
import { areOtherStates } from '../fact/find-phrases.ts';
import { marksOf } from '../fact/marks.ts';
import { readFact } from '../fact/read-fact.ts';
import { splitPieces } from '../fact/split-pieces.ts';
import { words } from '../fact/word-groups.ts';
import { stemOfToken } from './alignment.ts';
import { formerThing, hard, keysOf, readTokens } from './difference.ts';
import { coexists, conflicts, type Judgement, replaces } from './judgement.ts';
import { readingsOf } from './readings.ts';
import { isCapitalized } from './run.ts';
import { tellDifferent } from './same-subject.ts';

/** The newer one says that what the older says is not so, or no longer; or the other way round. */
export function denied(older: Fact, newer: Fact): Judgement | undefined {
  if (older.denies === newer.denies) return undefined;
  if (tellDifferent(older, newer)) return undefined;
  const [no, yes] = newer.denies ? [newer, older] : [older, newer];
  const { keys: all, formerKeys: refused } = readTokens(no.tokens);
  const said = hard(yes.tokens).filter(({ denied: isDenied }) => !isDenied);
  if (!said.every(({ key }) => all.has(key)) || !said.some(({ key }) => refused.has(key))) return undefined;
  const there = keysOf(yes.tokens);
  if (deniesAnother(no, yes)) return coexists('it names something else that was');
  const isExtra = ({ denied: isDenied, kind, key }: Token) => !isDenied && kind !== 'time' && !there.has(key);
  if (hard(no.tokens).some(isExtra)) return undefined;
  if (deniesSome(no, there)) return coexists('it denies only some of it');
  return newer.denies ? replaces('says that this is no longer so') : replaces('says that this is so now');
}

/** "cancelled the trip to Rome", "stopped the migration to Postgres": what is over only bears the name of what goes on. */
export function deniesAnother({ tokens }: Fact, yes: Fact): boolean {
  // "dropped support for Python 3.8" is of what "supports" tells.
  const there = new Set(splitPieces(yes.content).map(({ key }) => stemOf(key)));
  const isJob = ({ text }: Token) => JOBS.has(fold(text));
  // "Jonas hat den Vertrag gekündigt" denies all its words: it is the contract that is over.
  const objects = tokens.filter(({ denied, subject }) => denied && !subject);
  const things = formerThing(objects.length > 0 ? objects : tokens).filter(
    (token) => !token.soft && token.detail !== 'state' && !NO_THINGS.has(token.key) && !isJob(token),
  );
  return (
    things.length > 0 && !things.some(({ key, text }) => there.has(key) || there.has(stemOf(fold(text))))
  );
}

function stemOf(text: string): string {
  return termOf({ text, kind: 'word' });
}

/** What anybody leaves, whatever they were there: "quit her position at Acme", "left the company". */
const JOBS = words(`
  position role post company firm stelle stellung firma puesto empleo cargo empresa poste emploi entreprise posto
`);

/** "does not like green tea", "not allowed in the kitchen": of what is denied it names a kind or a case. */
function deniesSome({ tokens, contrasts }: Fact, there: ReadonlySet<string>): boolean {
  return tokens.some(({ key, denied: isDenied, subject, soft, detail, part, preposition }, at) => {
    // "stopped" is what denies, and no kind of what it denies.
    const denies = detail === 'state' || NO_MORE.has(key);
    if (!isDenied || denies || subject || soft || there.has(key)) return false;
    const isBeside = [tokens[at - 1], tokens[at + 1]].some(
      (other) => other?.denied && other.part === part && there.has(other.key),
    );
    return isBeside || (!contrasts && preposition !== '');
  });
}

/** "kein Fleisch mehr", "plus de viande", by the keys of tokens. */
const NO_MORE = new Set(['mehr', 'plu', 'mas', 'anymore']);
/** The same, and what stands for a thing: "gave up the one in Rome". */
const NO_THINGS = new Set([...NO_MORE, stemOf('one')]);

/** The same thing in another state: open and closed, running and failed. */
export function otherState(older: Fact, newer: Fact): Judgement | undefined {
  for (const { was, is, missing, extras } of changesOfState(older, newer)) {
    // "got married to Felix"
    const mostExtras = newer.changed || was.scales.includes('marriage') ? 1 : 0;
    if (missing.length === 0 && extras.length <= mostExtras) return replaces(`${was.key} became ${is.key}`);
  }
  return undefined;
}

/** The same where more is said of it beside the state, perhaps only in some case, or in a clause beside it. */
export function perhapsOtherState(older: Fact, newer: Fact): Judgement | undefined {
  if (marksOf(older).has('usual')) return undefined;
  const found = [newer, ...readingsOf(newer)]
    .flatMap((reading) => changesOfState(older, reading))
    .find(({ missing, extras }) => isOneThing(missing, extras));
  return found && conflicts(`${found.was.key} became ${found.is.key}`);
}

/** What was planned or wanted is told of as done, or as off: "wants to sell the car", "sold the car". */
export function perhapsDone(older: Fact, newer: Fact): Judgement | undefined {
  const isIntent = ({ plan, relations }: Fact) => plan || relations.has('want');
  if (!isIntent(older) || isIntent(newer) || newer.past || newer.rumour || newer.unreal) return undefined;
  const there = new Set(newer.tokens.map(stemOfToken));
  const intended = hard(older.tokens).filter(({ kind }) => kind !== 'time');
  const left = intended.filter((token) => !there.has(stemOfToken(token)));
  const isShared = intended.some((token) => !token.subject && there.has(stemOfToken(token)));
  // The verb may be another, or another form of it.
  const isTold = newer.states.length > 0 || newer.event || newer.changed;
  if (!isShared || left.length > (isTold ? 1 : 0) || intended.length - left.length < LEAST_INTENDED)
    return undefined;
  return conflicts('what was intended is told of as done or off');
}

/** Words of an intention that a fact which tells of its end shares at least. */
const LEAST_INTENDED = 2;

/** Two states of which one follows the other, and what else only one of the facts says. */
interface ChangeOfState {
  readonly was: State;
  readonly is: State;
  readonly missing: readonly Token[];
  readonly extras: readonly Token[];
}

function changesOfState(older: Fact, newer: Fact): readonly ChangeOfState[] {
  const stateKeys = new Set([...older.states, ...newer.states].flatMap(({ keys }) => keys));
  return older.states.flatMap((was) => {
    const is = newer.states.find((state) => areOtherStates(was, state));
    if (!is || older.states.some(({ key }) => key === is.key)) return [];
    const rest = ({ tokens }: Fact) => hard(tokens).filter(({ key }) => !stateKeys.has(key));
    const [mine, theirs] = [rest(older), rest(newer)];
    const [here, there] = [keysOf(older.tokens), keysOf(newer.tokens)];
    const missing = mine.filter(({ key }) => !there.has(key));
    const extras = theirs.filter(({ key }) => !here.has(key));
    const isOfAnother = mine.length === missing.length || extras.some(({ scope }) => scope);
    return isOfAnother || areOfOtherTimes(mine, theirs) ? [] : [{ was, is, missing, extras }];
  });
}

/** "until 8", "after 8" */
function areOfOtherTimes(mine: readonly Token[], theirs: readonly Token[]): boolean {
  return mine.some(({ kind, key, preposition }) => {
    const same = kind === 'word' ? undefined : theirs.find((other) => other.key === key);
    return same !== undefined && same.preposition !== preposition;
  });
}

/**
 * Whether what only one of two facts says tells nothing of which thing it is, nor of when: "the mail server" is not "the web server".
 * What only the older one says may describe the thing, of which the newer one need not say all again.
 */
function isOneThing(missing: readonly Token[], extras: readonly Token[]): boolean {
  if (missing.length > 0 && extras.length > 0) return false;
  const all = [...missing, ...extras];
  const isOfExtras = ({ subject, kind, preposition }: Token) =>
    subject || kind !== 'word' || preposition === '';
  const tellsApart = missing.some(({ kind }) => kind === 'number') || extras.some(isOfExtras);
  const isNamed = missing.some((token) => isCapitalized(token) && token.preposition === '');
  return !tellsApart && !isNamed && !all.some(({ scope }) => scope) && all.length <= MOST_BESIDE_STATE;
}

/** Words that a fact may say beside the state of a thing. */
const MOST_BESIDE_STATE = 5;

/** Whether all that is new is a state, and the older one tells of no other of its scale: "The door is red", "The door is open". */
export function onlyStateIsNew(older: Fact, newer: Fact): boolean {
  if (newer.changed || newer.contrasts) return false;
  const states = newer.states.filter((is) => !older.states.some((was) => areOtherStates(was, is)));
  const known = new Set([...keysOf(older.tokens), ...states.flatMap(({ keys }) => keys)]);
  return states.length > 0 && hard(newer.tokens).every(({ key }) => known.has(key));
}

/** Another value behind the same name: "package manager: yarn", "package manager: pnpm". */
export function otherEntry(older: Fact, newer: Fact): Judgement | undefined {
  if (older.label !== 'single' || newer.label !== 'single') return undefined;
  const [was, is] = [older, newer].map(({ content }) => ENTRY.exec(content)?.groups);
  if (!was || !is || was.value === is.value) return undefined;
  if (!isSameName(was.name ?? '', is.name ?? '')) return undefined;
  const [old = '', next = ''] = [was.value, is.value];
  if ([old, next].some((value) => value.split(/\s+/).length > MOST_WORDS_OF_ENTRY)) return undefined;
  const isOne = isSetting(was.name ?? '') || isUrl(old) || hasOneValue(was.name ?? '', `${old} ${next}`);
  return isOne ? replaces(`${old} became ${next}`) : coexists('both may be entries');
}

/** "REDIS_PORT", "gateway.port": written as a key of a configuration is. */
function isSetting(name: string): boolean {
  return /^\S*[_.]\S+$/.test(name.trim());
}

function isUrl(value: string): boolean {
  return /^\w+:\/\//.test(value);
}

/** "Allergy: nuts", "Rule: use tabs", "Ticket: 12": a single word stands before one of many, unless it names an attribute. */
function hasOneValue(name: string, values: string): boolean {
  const { tokens } = readFact(name);
  if (tokens.some(({ attribute }) => attribute)) return true;
  // "Doctor's appointment: 5 May"
  return (
    tokens.length > 1 &&
    !readFact(values).tokens.some(({ detail }) => detail === 'month' || detail === 'date')
  );
}

const ENTRY = /^(?<name>[^:=]+)\s*[:=]\s*(?<value>\S.*?)[\s.]*$/u;

const MOST_WORDS_OF_ENTRY = 3;

/** All that stands before the colon counts: "chart for api" is not "chart for worker". */
function isSameName(one: string, other: string): boolean {
  const [mine, theirs] = [one, other].map((name) => keysOf(readFact(name).tokens));
  if (!mine || !theirs || mine.size === 0 || mine.size !== theirs.size) return false;
  return [...mine].every((key) => theirs.has(key));
}

export function otherOrder(older: Fact, newer: Fact): Judgement {
  const order = ({ tokens }: Fact) => tokens.map(({ key }) => key).join(' ');
  const prefers = older.relations.has('prefer') && newer.relations.has('prefer');
  return prefers && order(older) !== order(newer)
    ? replaces('says it the other way round')
    : coexists('they say the same');
}
