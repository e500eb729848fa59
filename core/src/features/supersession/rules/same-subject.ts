import type { Fact, Token } from '../fact/fact.ts';
import {
  AUXILIARIES,
  OPEN_RELATIONS,
  PLAIN_RELATIONS,
  type Relation,
  SINGLE_RELATIONS,
} from '../fact/relations.ts';
import { words } from '../fact/word-groups.ts';
import { BELONGS } from '../fact/words.ts';
import { type Difference, hard, keysOf } from './difference.ts';
import { isCapitalized, isSubject, kindOf, type Run } from './run.ts';

/** "stretched": what was done, not who did it. */
const DONE = /\p{Ll}{2}ed$/u;
const TELLING_PREPOSITIONS = new Set(['on', 'as', 'with', 'about', 'against', 'als', 'mit']);

/** Whether what differs is said of the same attribute. */
export function areComparable(older: Fact, newer: Fact, difference: Difference): boolean {
  const { was, is, named } = difference;
  const isCounted = newer.changed && [...was, ...is].every((run) => kindOf(run) === 'number');
  if (!isCounted && !named && !relationsAgree(older, newer)) return false;
  // "changed the password", "changed the name"; but "is the CFO", "is the CEO".
  const namesAttribute = (runs: readonly Run[]) => runs.some((run) => run.some(({ attribute }) => attribute));
  const isRole = older.relations.has('be') && newer.relations.has('be');
  return isRole || !namesAttribute(was) || !namesAttribute(is);
}

function relationsAgree(older: Fact, newer: Fact): boolean {
  const [mine, theirs] = [telling(older), telling(newer)];
  if (mine.length === 0 && theirs.length === 0) {
    const [was, is] = [older.relations, newer.relations];
    if (sharedRelations(older, newer).length > 0 || was.size === 0) return true;
    return newer.changed ? mayHaveChanged(older, newer, mine) : is.size === 0;
  }
  if (sharedRelations(older, newer).some((relation) => theirs.includes(relation))) return true;
  const isPlain = [...mine, ...theirs].every((relation) => PLAIN_RELATIONS.has(relation));
  const isPlace = [...mine, ...theirs].every((relation) => relation === 'run' || relation === 'stay');
  if (isPlain && (isPlace || mine.length === 0 || theirs.length === 0)) return true;
  if (theirs.length === 0 && newer.changed) return mayHaveChanged(older, newer, mine);
  if (theirs.length === 0) return older.label === newer.label;
  const isOpen = theirs.some((relation) => OPEN_RELATIONS.has(relation));
  const mayFollow = theirs.every((relation) => PLAIN_RELATIONS.has(relation) || relation === 'use');
  return newer.changed && !isOpen && mayFollow;
}

/**
 * What the newer fact says changed is what the older one says: it shares more than the subject with it, or names it, or says
 * that something went to another place. "The user quit Bosch" says nothing of the languages that they speak.
 */
function mayHaveChanged(older: Fact, newer: Fact, mine: readonly Relation[]): boolean {
  const theirs = keysOf(newer.tokens);
  const isTold = ({ key, subject, attribute }: Token) => theirs.has(key) && (!subject || attribute);
  if (hard(older.tokens).some(isTold) || shareAttribute(older, newer)) return true;
  // "项目负责人", "the on-call rota": of several words, a subject names the attribute itself.
  const subject = hard(older.tokens).filter((token) => token.subject);
  if (mine.length === 0 && subject.length > 1 && subject.every(({ key }) => theirs.has(key))) return true;
  const isCounted = older.tokens.some(
    ({ kind, detail }) =>
      kind !== 'word' && newer.tokens.some((token) => token.kind === kind && token.detail === detail),
  );
  return isCounted || (mine.every((relation) => PLACED_RELATIONS.has(relation)) && movesItself(newer));
}

/** "moved to Graz", "moved back home"; but "moved her lesson to Thursday" tells of the lesson. */
export function movesItself({ moves, tokens }: Fact): boolean {
  const isMoved = ({ text, subject, denied, preposition, key }: Token) =>
    !subject && !denied && preposition === '' && LATIN.test(text) && !HOMEWARD.has(key);
  return moves && !tokens.some(isMoved);
}

const LATIN = /^\p{sc=Latin}/u;
const HOMEWARD = new Set(['back', 'home', 'zuruck', 'again', 'heim']);

const PLACED_RELATIONS: ReadonlySet<Relation> = new Set<Relation>(['live', 'stay', 'run', 'work']);

/** One says where somebody works, the other where they live. */
export function tellDifferent(older: Fact, newer: Fact): boolean {
  const [mine, theirs] = [telling(older), telling(newer)];
  return mine.length > 0 && theirs.length > 0 && !mine.some((relation) => theirs.includes(relation));
}

const tellingOf = new WeakMap<ReadonlySet<Relation>, readonly Relation[]>();

/** The relations that tell something by themselves. */
function telling({ relations }: Fact): readonly Relation[] {
  const known = tellingOf.get(relations);
  if (known) return known;
  const found = [...relations].filter((relation) => !AUXILIARIES.has(relation));
  tellingOf.set(relations, found);
  return found;
}

export function shareTellingRelation(older: Fact, newer: Fact): boolean {
  return telling(older).some((relation) => newer.relations.has(relation));
}

export function sharedRelations(older: Fact, newer: Fact): Relation[] {
  return [...older.relations].filter((relation) => newer.relations.has(relation));
}

/** "works at Acme" and "works on the billing team", "lives in Perth" and "lives alone". */
export function inOtherRole(older: Fact, newer: Fact, { was, is }: Difference): boolean {
  const shared = sharedRelations(older, newer);
  if (!shared.includes('work') && !shared.includes('live')) return false;
  const tells = (runs: readonly Run[]) =>
    runs.filter((run) => !isSubject(run)).map((run) => TELLING_PREPOSITIONS.has(run[0]?.preposition ?? ''));
  const isPlaced = (runs: readonly Run[]) => runs.some(([first]) => first?.preposition !== '');
  if (shared.includes('live') && isPlaced(was) !== isPlaced(is) && !newer.moves) return true;
  const [mine, theirs] = [tells(was), tells(is)];
  return mine.length > 0 && theirs.length > 0 && mine[0] !== theirs[0];
}

/** Each has a subject of its own. */
export function hasOtherSubject(older: Fact, newer: Fact, named: boolean): boolean {
  const own = (fact: Fact, other: Fact) => {
    const theirs = keysOf(other.tokens);
    return hard(fact.tokens).filter(
      ({ subject, denied, key, kind, text }) =>
        subject && !denied && kind === 'word' && !theirs.has(key) && !(fact.event && DONE.test(text)),
    );
  };
  const mine = own(older, newer);
  const theirs = own(newer, older);
  if (theirs.length === 0) return false;
  if (mine.length === 0 && !newer.takesOver && !newer.introduced && !named) return true;
  if (named) {
    const areNamed = mine.some(isCapitalized) && theirs.some(isCapitalized);
    const isShared = hard(older.tokens).some(({ key }) => keysOf(newer.tokens).has(key));
    return mine.length > 0 && ((areNamed && !newer.takesOver) || !isShared);
  }
  const speaks = (fact: Fact) => fact.firstPerson && !fact.tokens.some(({ subject }) => subject);
  return mine.length > 0 || speaks(older);
}

/** Both speak in the first person, of where they live or of what they do: "I live in Rome", "I moved to Milan". */
export function isSaidByTheSame(older: Fact, newer: Fact): boolean {
  if (!older.firstPerson || !newer.firstPerson) return false;
  const moved = older.relations.has('live') && newer.moves;
  return (
    moved || sharedRelations(older, newer).some((relation) => relation === 'live' || relation === 'work')
  );
}

/** "I use Chrome", "I switched to Firefox": perhaps for something else. */
export function isUsedByTheSame(older: Fact, newer: Fact): boolean {
  const uses = older.relations.has('use') && telling(newer).every((relation) => relation === 'use');
  return uses && older.firstPerson && newer.firstPerson;
}

export const FOR = words('for fur por para pour per voor');

/** "takes sertraline", "now takes ibuprofen": what one does with one thing, by a verb that nobody knows, one may do with another. */
export function mayBeOneOfSeveral(older: Fact, newer: Fact, old: Run, next: Run): boolean {
  const preposition = next[0]?.preposition ?? '';
  if (sharedRelations(older, newer).includes('work')) return WORKED_ON.has(preposition);
  if (older.label || older.relations.size > 0 || newer.moves || hasAttribute(older)) return false;
  // "meets at Laura's", "now meets at the library"; "goes by car", "goes by bike"
  const isPlace =
    ONCE.has(preposition) &&
    preposition === old[0]?.preposition &&
    !newer.tokens.some(({ detail }) => detail === 'weekday');
  return !isPlace && ![...old, ...next].every(({ text }) => /\d/.test(text));
}

/** Whether both tell it by a verb of which a subject has one object at a time. */
export function hasOneValue(older: Fact, newer: Fact, next: Run): boolean {
  const preposition = next[0]?.preposition ?? '';
  return sharedRelations(older, newer).some((relation) => {
    if (!SINGLE_RELATIONS.has(relation)) return false;
    if (relation === 'work') return !WORKED_ON.has(preposition);
    // "The laptop runs Ubuntu", but not "run the tests".
    const [first] = next;
    const isProperName = first && isCapitalized(first) && older.tokens.some(({ subject }) => subject);
    return relation !== 'run' || preposition !== '' || isProperName === true;
  });
}

/** "works on the parser" and on other things. */
const WORKED_ON = new Set(['on', 'an']);
/** A place or a means. */
const ONCE = words('at in bei en chez by with via using mit con avec');

/** A thing has one owner, but an owner may have several things: "Ben owns the shop", "the owner of the shop is Ben". */
export function isAnotherThing(older: Fact, newer: Fact, next: Run, shared: readonly Token[]): boolean {
  if (!older.relations.has('own')) return false;
  const [first] = next;
  const [kept] = shared;
  if (!newer.takesOver || !first || !kept || first.preposition === 'by') return false;
  // "Für die Buchhaltung ist jetzt Herr Lorenz zuständig."; "The shop belongs to Ben now."
  if (FOR.has(kept.preposition) || BELONGS.test(newer.content)) return false;
  const placeOf = (key: string) => newer.tokens.findIndex((token) => token.key === key);
  return shared.some(({ subject }) => subject) || placeOf(first.key) < placeOf(kept.key);
}

/** "is slow" and "is blue now": words that describe may all be true. */
export function isDescribed(older: Fact, newer: Fact, old: Run, next: Run): boolean {
  const plain = ({ text, kind, detail }: Token) =>
    kind === 'word' && detail === '' && /^\p{Ll}+$/u.test(text);
  return onlyIs(older) && onlyIs(newer) && !shareAttribute(older, newer) && [...old, ...next].every(plain);
}

/** Whether a fact says of its subject what it is, by no other verb. */
export function onlyIs({ relations }: Fact): boolean {
  return relations.size === 1 && relations.has('be');
}

/** "head of marketing", "head of product": the attribute stands behind the verb. */
export function shareAttribute(older: Fact, newer: Fact): boolean {
  const theirs = keysOf(newer.tokens);
  return older.tokens.some(({ attribute, key }) => attribute && theirs.has(key));
}

export function hasAttribute({ tokens }: Fact): boolean {
  return tokens.some(({ attribute, subject }) => subject && attribute);
}
