import { hard, keysOf, readTokens } from './difference.ts';
import type { Fact, Token } from './fact.ts';
import { coexists, type Judgement, replaces } from './judgement.ts';
import { readFact } from './read-fact.ts';
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
  const isExtra = ({ denied: isDenied, kind, key }: Token) => !isDenied && kind !== 'time' && !there.has(key);
  if (hard(no.tokens).some(isExtra)) return undefined;
  if (deniesSome(no, there)) return coexists('it denies only some of it');
  return newer.denies ? replaces('says that this is no longer so') : replaces('says that this is so now');
}

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

/** The same thing in another state: open and closed, running and failed. */
export function otherState(older: Fact, newer: Fact): Judgement | undefined {
  for (const was of older.states) {
    const is = newer.states.find((state) => state.scale === was.scale && state.key !== was.key);
    if (!is || older.states.some(({ key }) => key === is.key)) continue;
    const stateKeys = new Set([...was.keys, ...is.keys]);
    const rest = ({ tokens }: Fact) => hard(tokens).filter(({ key }) => !stateKeys.has(key));
    const there = keysOf(newer.tokens);
    const missing = rest(older).filter(({ key, soft }) => !there.has(key) && !soft);
    const extras = rest(newer).filter(({ key }) => !keysOf(older.tokens).has(key));
    if (rest(older).length === 0 || missing.length > 0) continue;
    // "got married to Felix"
    const mostExtras = newer.changed || was.scale === 'marriage' ? 1 : 0;
    if (extras.length <= mostExtras && !extras.some(({ scope }) => scope)) {
      return replaces(`${was.key} became ${is.key}`);
    }
  }
  return undefined;
}

/** Whether all that is new is a state, and the older one tells of no other of its scale: "The door is red", "The door is open". */
export function onlyStateIsNew(older: Fact, newer: Fact): boolean {
  if (newer.changed || newer.contrasts) return false;
  const states = newer.states.filter(({ scale }) => !older.states.some((was) => was.scale === scale));
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
