import type { Fact, Token } from '../fact/fact.ts';
import { readFact } from '../fact/read-fact.ts';
import { PEOPLE } from '../fact/words.ts';
import { alignFacts } from './alignment.ts';
import { formerThing, hard, keysOf } from './difference.ts';
import { coexists, conflicts, type Judgement } from './judgement.ts';
import { weigh } from './likelihood.ts';
import { movedOn, newVersion } from './other-holder.ts';
import {
  denied,
  onlyStateIsNew,
  otherEntry,
  otherState,
  perhapsDone,
  perhapsOtherState,
} from './other-statement.ts';
import { otherValue } from './other-value.ts';
import { isHearsay, readingsOf, withSubject } from './readings.ts';
import { isCapitalized } from './run.ts';
import { tellsOfSameAttribute } from './same-attribute.ts';

/**
 * Judges by rules whether a newer fact takes an older one's place: the same subject and attribute, another value, or the
 * older one denied. Rather misses a replacement than sees one where both hold, since no model reads along.
 */
export function judgeFacts(older: Fact, newer: Fact): Judgement {
  if (shareTooLittle(older, newer)) return coexists('they share too little');
  const judgement = judgeOpen(older, newer);
  if (judgement.verdict !== 'replaces') return judgement;
  const isUnsure = saysMore(older, newer) || isHearsay(newer, older) || isToldOfAnother(older, newer);
  return isUnsure ? conflicts(judgement.reason) : judgement;
}

/** "I smoke", "Dad quit smoking": who speaks is not whom the newer fact begins with, unless it calls them the user. */
function isToldOfAnother(older: Fact, newer: Fact): boolean {
  const [first] = newer.tokens;
  if (!SPEAKER.test(older.content) || newer.firstPerson || !first) return false;
  const isWho = first.subject && first.kind === 'word' && !first.attribute && !PEOPLE.has(first.key);
  return isWho && isCapitalized(first) && !keysOf(older.tokens).has(first.key);
}

/** Somebody who says what they do; "we" may be called the team. */
const SPEAKER = /^(?:I(?:['’]m|['’]ve)?\s|ich\s|je\s|j['’]|yo\s)/iu;

/** Of a fact that says more than this, a newer one says at least so much again, if it is about the same. */
const FEW_WORDS = 2;
const LEAST_SHARE = 0.18;

/** Whether they are about something else at first sight. Most facts that share a word are, and the rules take far longer. */
function shareTooLittle(older: Fact, newer: Fact): boolean {
  if (older.firstPerson && newer.firstPerson) return false;
  const { old, shareOld } = alignFacts(older, newer);
  return shareOld < LEAST_SHARE && old.length > FEW_WORDS;
}

/** What a rule says; where none applies, how much the two look like an older and a newer value of the same. */
function judgeOpen(older: Fact, newer: Fact): Judgement {
  const { isUndecided, ...judgement } = judgeByRules(older, newer);
  return (isUndecided && tellsOfSameAttribute(older, newer) && weigh(older, newer)) || judgement;
}

/** What the rules alone say, and whether none of them applies, so that what the facts share is to be weighed. */
export function judgeByRules(older: Fact, newer: Fact): Judgement & { readonly isUndecided: boolean } {
  const judgement = judgeClauses(older, newer);
  if (judgement.verdict !== 'coexists') return { ...judgement, isUndecided: false };
  const apart = keptApart(older, newer);
  const perhaps =
    (apart === undefined || apart === IS_A_PLAN ? perhapsDone(older, newer) : undefined) ??
    (apart === undefined ? perhapsOtherState(older, newer) : undefined);
  if (perhaps) return { ...perhaps, isUndecided: false };
  return { ...judgement, isUndecided: apart === undefined && UNDECIDED.has(judgement.reason) };
}

/** What the rules say of two facts that differ too much for any of them, or in a way that none of them knows. */
const UNDECIDED: ReadonlySet<string> = new Set([
  'they share too little',
  'they are about different things',
  'they say different things of it',
  'one of them only says more',
]);

/** A full stop behind which another sentence begins; but "Dr. Okafor". */
const SENTENCE_ENDS = /\p{Ll}{3}[.!?]\s+\p{Lu}/u;

/** Telling words of a fact that a newer one may leave out and still say all of its sentences again. */
const MOST_UNSAID = 2;

/** Whether the older one says in other sentences or clauses what the newer one does not touch. */
function saysMore(older: Fact, newer: Fact): boolean {
  const said = keysOf(newer.tokens);
  const isUnsaid = ({ key }: Token) => !said.has(key);
  if (SENTENCE_ENDS.test(older.content) && hard(older.tokens).filter(isUnsaid).length > MOST_UNSAID)
    return true;
  const clauses = clausesOf(older);
  return clauses.some((clause, at) => {
    const told = hard(clause.tokens);
    const own = told.filter(isUnsaid);
    // "Ravi works on billing, Tove on search": who moves leaves the other where she is.
    const isOther =
      own.length >= LEAST_SAID && own.length === told.length && own.some(({ text }) => NAMES.test(text));
    if (at > 0 && isOther) return true;
    // "Default branch is master, release branches are release/x.y": the newer one tells of the first.
    const isStatement =
      own.length > 0 &&
      (clause.relations.size > 0 || clause.label !== undefined) &&
      !OF_THE_SAME.test(clause.content);
    return isStatement && clauses.some((other) => other !== clause && saysOf(other, newer));
  });
}

/** "CI runs on Jenkins; the job is orders-main": that of what was said before. */
const OF_THE_SAME = /^(?:the|its|der|die|das|el|la|le)\s/iu;

/** Telling words of a clause that says something by itself. */
const LEAST_SAID = 2;
const NAMES = /^\p{Lu}|\d/u;

/** Whether the newer fact tells of a clause of the older one, and says otherwise. */
function saysOf(clause: Fact, newer: Fact): boolean {
  const said = keysOf(newer.tokens);
  const former = keysOf(formerThing(newer.tokens));
  const told = hard(clause.tokens);
  return (
    told.some(({ key, subject }) => !subject && said.has(key)) &&
    told.some(({ key }) => !said.has(key) || former.has(key))
  );
}

/** What a memory says in its clauses, each read by itself. */
function clausesOf({ content }: Fact): readonly Fact[] {
  const clauses = content.split(CLAUSES).filter((clause) => clause.trim() !== '');
  return clauses.length > 1 ? clauses.map(readFact) : [];
}

// A line end is looked for from the first white space before it only, or many of them would take time that grows with their cube.
const CLAUSES =
  /(?:[,;，；、]\s+|(?<!\s)[^\S\n]*\n\s*(?:[-*•]\s+)?)(?=\p{L})|^[-*•]\s+|\s(?:and|und|y|et)\s(?=\p{L})/u;

function judgeClauses(older: Fact, newer: Fact): Judgement {
  const whole = judgeReading(older, newer);
  if (whole.verdict !== 'coexists' || keptApart(older, newer) === SAYS_THE_SAME) return whole;
  if (!older.single || !newer.single || newer.addition || (newer.past && !newer.changed)) return whole;
  // A clause of a rumour or a story, read by itself, would say it as if it were so.
  if (newer.rumour || newer.unreal) return whole;
  for (const part of readingsOf(newer)) {
    const own = mayMeet(older, part) && !isOfAnother(older, part, newer) ? judgeReading(older, part) : whole;
    if (own.verdict === 'replaces') return own;
    const full = withSubject(part, newer, older);
    const inherited = full && judgeReading(older, full);
    if (inherited?.verdict === 'replaces') return inherited;
  }
  return whole;
}

function judgeReading(older: Fact, newer: Fact): Judgement {
  const apart = keptApart(older, newer);
  if (apart !== undefined) return coexists(apart);
  const said =
    denied(older, newer) ??
    otherState(older, newer) ??
    otherEntry(older, newer) ??
    movedOn(older, newer) ??
    newVersion(older, newer);
  if (said) return said;
  const judgement = otherValue(older, newer);
  const isOfSame =
    judgement.verdict === 'coexists' || namesFormer(older, newer) || tellsOfSameAttribute(older, newer);
  if (!isOfSame) return coexists('they share only who they are about');
  const isSure = judgement.verdict !== 'replaces' || !onlyStateIsNew(older, newer);
  return isSure ? judgement : conflicts(judgement.reason);
}

/** It says what is over, and that is what the older one says. */
function namesFormer(older: Fact, newer: Fact): boolean {
  const was = keysOf(formerThing(newer.tokens));
  return newer.contrasts && older.tokens.some(({ key, subject }) => !subject && was.has(key));
}

/** A clause without a subject, of a text that names one: what "we" said of ourselves is not what it says. */
function isOfAnother(older: Fact, clause: Fact, newer: Fact): boolean {
  const hasSubject = ({ tokens }: Fact) => tokens.some(({ subject }) => subject);
  if (!older.firstPerson || newer.firstPerson || clause.firstPerson) return false;
  return hasSubject(newer) && !hasSubject(older) && !hasSubject(clause);
}

/** Without a word in common only what people say of themselves can be compared. */
function mayMeet(older: Fact, newer: Fact): boolean {
  if (older.firstPerson && newer.firstPerson) return true;
  const mine = keysOf(older.tokens);
  return newer.tokens.some(({ key }) => mine.has(key));
}

const SAYS_THE_SAME = 'they say the same';
const IS_A_PLAN = 'one of them is a plan';

/** Why two facts cannot be compared, if so. */
function keptApart(older: Fact, newer: Fact): string | undefined {
  if (!older.single || !newer.single) return 'one of them says more than one thing';
  if (older.letters === newer.letters) return SAYS_THE_SAME;
  if (older.question || newer.question) return 'one of them asks';
  if (newer.plan !== older.plan && !(older.plan && newer.changed)) return IS_A_PLAN;
  if (older.past || (newer.past && !newer.changed)) return 'one of them tells of the past';
  if (newer.rumour && !older.rumour) return 'one of them is a rumour';
  if (newer.unreal && !older.unreal) return 'one of them is not meant as a fact that lasts';
  if (older.partial && newer.partial && !newer.changed) return 'each tells of some of many';
  if (newer.addition) return 'it adds to what was said';
  return undefined;
}
